"""What is known of the official tools for PyPTO Pro, line by line, with the place where opgen holds to it.

A place is a rule, a change of the kernel in pypto_mutations.py, a function of a test file, or a folder of tests/bad.
"""

from __future__ import annotations

import ast
from functools import cache

import pytest
from conftest import ROOT
from opgen.spec.rules import RULES
from pypto_mutations import MUTATIONS

TESTS = ROOT / "tests"

# ---- the kernel file, and what enforces it ----

KERNEL = {
    "no tiling_key": ["OPG823", "change: no tiling_key"],
    "tiling last, exactly one": ["OPG821", "change: tiling not last", "change: two tilings"],
    "fields are int, float, bool or arrays": ["OPG822", "change: tiling field of type str", "change: no dataclass"],
    "array lengths 1 to 2048, literal": [
        "change: tiling field of type int[0]",
        "change: tiling field of type int[2049]",
        "change: tiling field of type int[TILE_LENGTH]",
    ],
    "arrays need the future import": ["change: array without future import"],
    "arrays need the module in sys.modules": ["change: array without guard", "change: array with both"],
    "duplicate field": ["change: duplicate field"],
    "field that is a keyword of C++": ["change: field register", "change: field template"],
    "bits and values of the key": [
        "OPG823",
        "OPG802",
        "change: no bits",
        "change: no values",
        "change: duplicate values",
        "change: bool values",
        "change: too many values",
        "change: more than 64 bits",
        "change: no key fields",
        "change: instance",
    ],
    "negative key value": ["change: negative value", "bad/pypto_key_values"],
    "key field against parameters and variables": ["change: a parameter", "change: a variable"],
    "is_valid rejects all": ["change: none is valid", "change: some are valid"],
    "datatype: parameters, identifiers, collisions": [
        "OPG824",
        "change: unknown parameter",
        "change: bad identifier",
        "change: variable is a parameter",
        "change: empty",
        "change: variable is a key field",
    ],
    "workspace missing or first": ["change: workspace missing", "change: workspace first"],
    "scalar parameter": ["change: scalar parameter"],
    "dynamic tensor": ["change: dynamic tensor"],
    "two jit kernels": [
        "OPG820",
        "change: two jit kernels",
        "test_pypto_headers::test_two_kernels_in_a_file_are_refused",
    ],
    "other names of workspace and tiling are accepted": [
        "change: workspace by another word",
        "change: tiling by another word",
    ],
    "upper case in datatype": ["change: upper case in datatype", "change: upper case elsewhere"],
    "views have two axes": ["OPG843", "change: view with one axis"],
    "address, mutex id, ring depth, run-time tile": [
        "change: address not aligned",
        "change: mutex id 32",
        "change: addresses and ids",
        "change: run-time tile",
    ],
    "UB overflow": ["OPG831", "change: UB overflow", "test_pypto_plan::test_a_tile_that_does_not_fit"],
    "overlapping tiles": [
        "OPG833",
        "change: overlapping rings",
        "test_pypto_plan::test_tiles_lie_apart_in_the_unified_buffer",
    ],
    "shared mutex ids": ["change: shared mutex ids", "test_pypto_plan::test_every_slot_has_a_mutex_of_its_own"],
    "row bytes": ["OPG832", "change: row bytes"],
    "operation on the wrong type": ["OPG834", "change: bits of floats", "change: bfloat16 division"],
    "view, tile, operands of one type and shape": [
        "OPG835",
        "change: view of another type",
        "change: mixed types",
        "change: tile of another type",
        "change: tile shapes differ",
    ],
    "load into BOOL": ["change: BOOL tile"],
    "no section": ["OPG828", "change: no section"],
    "statements that are not translated": [
        "OPG825",
        "change: range()",
        "change: print",
        "change: try",
        "change: assert",
        "change: import",
        "change: f-string",
        "change: chained comparison",
        "change: return value",
        "change: undefined name",
        "change: unknown operation",
    ],
    "unknown field": ["OPG827", "change: unknown field"],
    "statements that are": [
        "change: pl.range",
        "change: while",
        "change: if, elif, else",
        "change: annotated local",
        "change: condition of two terms",
        "change: tuple assignment",
        "change: docstring",
        "change: constant of the module",
        "change: helper",
        "change: helper below",
        "change: min and max",
        "test_pypto_kernels::test_only_statements_that_the_front_end_takes",
    ],
    "every variable is FP16 at configure time": [
        "OPG844",
        "test_pypto_language::test_a_kernel_that_only_translates_with_wide_integers",
        "test_pypto_kernels::test_an_early_version_parses_every_kernel_with_halves",
    ],
    "shared variables have one type a column": ["OPG824", "bad/pypto_types"],
    "in-place outputs have a slot of their own": [
        "test_pypto_verify::test_arguments_of_a_launch",
        "test_pypto_language::test_an_output_in_place_is_its_input",
    ],
    "optional inputs are not mapped, keep their slot": [
        "test_pypto_kernels::test_an_unconnected_input_keeps_its_pointer_and_is_not_mapped",
        "test_pypto_language::test_an_optional_input_that_is_not_there",
    ],
    "TilingData has C's alignment": [
        "test_pypto_plan::test_fields_lie_where_c_puts_them",
        "test_pypto_headers::test_classes_are_read_with_the_layout_of_c",
    ],
    "the key packs indices, first field lowest": ["test_pypto_plan::test_a_packed_key_holds_the_index_of_each_value"],
    "GET_TPL_TILING_KEY by position, INVALID_TILING_KEY": [
        "OPG803",
        "test_pypto_folder::test_fields_stand_in_one_order_on_both_sides",
        "test_pypto_plan::test_a_value_that_is_no_candidate_fails",
    ],
    "worker stride": [
        "OPG826",
        "change: stride of blocks",
        "change: stride of blocks, written out",
        "change: stride in a while loop",
        "change: right stride in a while loop",
    ],
    "any block count, one or two vector cores": [
        "test_pypto_mutations::test_the_kernel_itself_is_clean_and_right",
        "test_pypto_verify::test_every_type_key_and_presence_is_launched_on_few_and_on_many_cores",
    ],
    "block dim is at least 1": ["test_pypto_plan::test_nothing_to_do_needs_one_block"],
    "valid shape on every tile of the step": [
        "OPG841",
        "change: no valid shape",
        "change: tail of another tensor",
        "change: valid shape behind the load",
        "change: no tail",
    ],
    "two loads need bar_mte2": ["OPG838", "change: two loads", "change: two loads with a barrier"],
    "auto_mutex orders what has mutex ids": ["change: no mutex", "change: ring without ids"],
    "workspace by make_ptr and addptr": [
        "test_pypto_language::test_workspace_for_every_worker",
        "test_pypto_row_cumsum::test_it_is_clean_and_right",
    ],
    "types of operations": ["test_pypto_facts::test_arithmetic_leaves_out_what_the_chip_does_not_have"],
    "masks feed select alone": ["test_pypto_language::test_a_mask_is_made_by_a_comparison_alone"],
    "reductions, layout DN": [
        "test_pypto_language::test_reductions",
        "test_pypto_language::test_reductions_that_do_not_fit",
    ],
}

# ---- host files ----

HOST = {
    "type lists of one length": ["test_verify_pypto::test_slips_are_found"],
    "two inputs of one name": ["test_verify_pypto::test_slips_are_found", "OPG102"],
    "unknown chip": ["OPG209", "bad/pypto_soc"],
    "operator type and file names": [
        "OPG805",
        "bad/pypto_folder",
        "test_pypto_folder::test_one_word_names_the_operator_everywhere",
    ],
    "aclnn names": [
        "OPG808",
        "bad/pypto_names",
        "test_pypto_aclnn::test_parameters_are_lower_camel",
        "test_pypto_aclnn::test_a_single_output_is_out_and_several_keep_their_names",
        "test_pypto_aclnn::test_order_is_inputs_attributes_outputs_workspace_executor",
    ],
    "header of the key before that of TilingData": ["test_pypto_headers::test_the_header_of_the_key_comes_first"],
    "inference and tiling compute what op.yaml says": [
        "test_verify_pypto::test_what_opgen_writes_passes",
        "test_pypto_values::test_host_code_computes_what_the_plan_says",
    ],
    "enable_pypto_kernel before the sources": ["test_pypto_folder::test_cmake_follows_the_repository"],
    "the build command": ["test_pypto_folder::test_commands_name_operator_chip_and_vendor"],
    "unit tests": ["test_pypto_folder::test_unit_tests_of_host_code_pass"],
    "example with golden values, exit code": ["test_verify_pypto::test_the_example_fails_on_a_wrong_kernel"],
}

# ---- rules of the validator ----

VALIDATOR = {
    "E1": ["OPG820", "OPG806"],
    "E2": ["OPG821"],
    "E3": ["OPG102", "OPG103", "OPG808", "bad/pypto_field_names", "bad/pypto_names"],
    "E4": ["OPG822", "change: one class for both"],
    "E5": ["OPG823", "OPG802", "bad/pypto_key_bits"],
    "E6": ["OPG807", "bad/pypto_many_kernels"],
    "E7": ["OPG827", "OPG803", "test_pypto_lint::test_op_yaml_says_with_what_and_against_what"],
    "E8": ["OPG824"],
    "E9": ["test_verify_pypto::test_slips_are_found"],
    "E10": ["OPG834", "OPG835"],
    "E11": ["OPG831", "OPG832", "OPG833"],
    "E12": ["OPG843"],
    "E13": ["OPG826"],
    "E14": ["OPG209", "bad/pypto_soc"],
    "E15": ["OPG805", "bad/pypto_folder"],
    "E16": ["OPG827", "OPG804", "change: field that nothing reads"],
    "E17": ["OPG211", "test_verify_pypto::test_slips_are_found"],
    "E18": ["OPG825"],
    "W1": ["OPG844"],
    "W2": [
        "test_pypto_plan::test_nothing_to_do_needs_one_block",
        "test_pypto_verify::test_a_launch_without_an_element_does_nothing",
    ],
}

# ---- what a folder must hold ----

FOLDER = {
    "kernel: one function of the operator's name, typed pointers, workspace, tiling": [
        "OPG820",
        "OPG821",
        "test_pypto_kernels::test_goldens",
    ],
    "kernel: right in both generations of the tools": [
        "test_pypto_kernels::test_an_early_version_parses_every_kernel_with_halves",
    ],
    "kernel: every element once, whatever the workers": ["test_pypto_plan::test_every_element_is_in_exactly_one_tile"],
    "definition: explicit file, aligned columns, one chip": [
        "test_pypto_folder::test_one_word_names_the_operator_everywhere",
        "test_pypto_folder::test_a_definition_has_the_columns_of_op_yaml",
    ],
    "inference of shape and type": ["test_verify_pypto::test_what_opgen_writes_passes"],
    "tiling: no derived header included": ["test_pypto_folder::test_host_code_leaves_derived_headers_to_the_build"],
    "tiling: checks, every field, key, block dim, workspace": ["test_pypto_folder::test_unit_tests_of_host_code_pass"],
    "tiling: registered layout under a name of its own": [
        "test_pypto_folder::test_the_layout_that_is_registered_is_that_of_the_kernel",
    ],
    "CMake in either style, require_pypto_pro as an option": ["test_cli_pypto::test_the_repository_chooses_the_macro"],
    "aclnn example with expected values": [
        "test_pypto_examples::test_every_column_runs_every_test",
        "test_verify_pypto::test_the_example_fails_on_a_wrong_kernel",
    ],
    "prototype equal to the definition": ["test_pypto_folder::test_the_prototype_says_what_the_definition_says"],
    "unit tests, README, aclnn page": [
        "test_pypto_documents::test_the_tree_has_every_file",
        "test_pypto_documents::test_both_languages_agree_and_links_lead_somewhere",
        "test_pypto_documents::test_the_aclnn_page_has_the_derived_interface",
    ],
    "the exact command, no build.sh of our own": [
        "test_pypto_folder::test_commands_name_operator_chip_and_vendor",
        "test_cli_pypto::test_run_says_who_runs_it",
    ],
    "packed keys, offsets, aclnn prototype as tables": [
        "test_pypto_documents::test_the_key_table_has_every_packed_key",
        "test_pypto_documents::test_offsets_are_those_of_the_class",
        "test_cli_pypto::test_show_has_fields_keys_and_the_command",
    ],
}

LINES = {
    f"{part}: {line}": places
    for part, table in (
        ("kernel", KERNEL),
        ("host", HOST),
        ("validator", VALIDATOR),
        ("folder", FOLDER),
    )
    for line, places in table.items()
}


@cache
def functions(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / f"{file}.py").read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def exists(place: str) -> bool:
    if place.startswith("change: "):
        return place.removeprefix("change: ") in {mutation.name for mutation in MUTATIONS}
    if place.startswith("bad/"):
        return (TESTS / place / "op.yaml").is_file()
    file, colons, name = place.partition("::")
    return name in functions(file) if colons else place in RULES


@pytest.mark.parametrize("line", LINES)
def test_there_is_a_place_that_holds_to_it(line: str) -> None:
    assert LINES[line] and [place for place in LINES[line] if not exists(place)] == []


def test_no_rule_about_kernels_is_without_a_line() -> None:
    named = {place for places in LINES.values() for place in places}
    own = {rule for rule in RULES if rule.startswith("OPG8") and rule not in ("OPG800", "OPG801")}
    told_elsewhere = {"OPG829", "OPG830", "OPG836", "OPG837", "OPG839", "OPG840", "OPG842"}  # of running, not of a line
    assert own - named <= told_elsewhere
