"""CMakeLists.txt and run.sh of a GE project."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.cxx.layout import WIDTH
from opgen.ge.extra import extras
from opgen.ge.outline import checked, host_file
from opgen.ge.programs import Program, golden_script_path, programs
from opgen.ge.units import HEADER_ONLY, kernel_folder, project_units
from opgen.kernel.interface import kernel_interface, other_options, precompiled, type_option
from opgen.spec.model import Operator, OpSpec
from opgen.spec.outline import Outline
from opgen.templating import render
from opgen.text.escape import cmake_string, shell_word

# What the operator library needs of CANN.
_LIBRARIES = {
    "eager": "ascendcl lowering register graph graph_base",
    "online": "ascendcl lowering register graph graph_base platform",
    "offline": "ascendcl lowering register gert graph graph_base platform",
}
_PROGRAM_LIBRARIES = {"model_exec": "ascendcl acl_rt"}
_GRAPH_LIBRARIES = "graph ge_runner ge_compiler ascendcl graph_base"

# How CMake tells that this CANN is new enough.
_PROBES = {
    "eager": {"variable": "shape_infer", "interface": "ShapeInferOp", "callback": "InferShape"},
    "online": {"variable": "compilable", "interface": "CompilableOp", "callback": "Compile"},
}

_PURPOSES = {
    "eager": "Compiles the kernels and builds the operator, then compiles and runs a graph with it",
    "online": "Builds the operator, then compiles and runs a graph with it",
    "offline": "Builds the operator and a model with it, runs the model",
}

_PACKAGE_PATH = 'ASCEND_CUSTOM_OPP_PATH="${OUTPUT}${ASCEND_CUSTOM_OPP_PATH:+:${ASCEND_CUSTOM_OPP_PATH}}"'

_BUILD_COMMANDS = """\
cmake -S "${PROJECT}" -B "${BUILD}"
cmake --build "${BUILD}" --parallel
cmake --install "${BUILD}"
for library in "${OUTPUT}"/op_graph/lib/*/*/libcust_opapi.so; do
  if ldd -r "${library}" 2>&1 | grep -F "(${library})" >&2; then
    die "${library} cannot be loaded: no library defines the symbols above."
  fi
done"""


def cmake_lists(spec: OpSpec) -> str:
    """The text of CMakeLists.txt."""
    sources = [host_file(spec, operator) for operator in spec.operators]
    sources += sorted(f"ge/{unit}.cpp" for unit in project_units(spec) if unit not in HEADER_ONLY)
    sources += [_cmake_path(path) for suffix in (".cpp", ".h") for path in extras(spec, suffix)]
    scripts = dict.fromkeys(kernel_interface(operator).script for operator in spec.operators)
    return render(
        "CMakeLists.txt.j2",
        project=spec.project,
        probe=_PROBES["eager" if spec.scenario == "eager" else "online"],
        cann=f"{spec.cann}.0",
        offline=spec.scenario == "offline",
        sources=sources,
        own_headers=bool(extras(spec, ".h")),
        libraries=_LIBRARIES[spec.scenario],
        programs=[_program(program) for program in programs(spec)],
        headers=[f"ge/{operator.name}.h" for operator in spec.operators],
        scripts=[] if spec.scenario == "eager" else [_cmake_path(script) for script in scripts],
        includes=[_cmake_path(path) for path in extras(spec, ".cmake")],
    )


def _program(program: Program) -> dict[str, str]:
    libraries = _PROGRAM_LIBRARIES.get(program.what, _GRAPH_LIBRARIES)
    return {"target": program.target, "source": program.source, "libraries": libraries}


def _cmake_path(path: str) -> str:
    plain = all(c.isalnum() or c in "_./-+" for c in path) and path.isascii()
    return path if plain else cmake_string(path)


def run_script(spec: OpSpec, outline: Outline) -> str:
    """The text of run.sh."""
    commands = [*_commands(spec)]
    purpose = _PURPOSES[spec.scenario]
    if checked(spec):
        purpose += " and checks the result"
    elif spec.scenario == "offline":
        purpose = purpose.replace(", runs", " and runs")
    steps = [{"title": s.title, "commands": c} for s, c in zip(outline.steps, commands, strict=True)]
    return render(
        "run.sh.j2",
        purpose=f"# {purpose}.",
        offline=spec.scenario == "offline",
        soc=spec.soc,
        golden=any(_golden(spec, operator) for operator in spec.operators),
        sourced=[_project_path(path) for path in extras(spec, ".sh")],
        steps=steps,
    )


def _commands(spec: OpSpec) -> Iterator[str]:
    """The commands of each step, in the order of the outline."""
    if spec.scenario == "eager":
        yield "\n".join(line for operator in spec.operators for line in _compile_kernels(spec, operator))
    yield _BUILD_COMMANDS
    if spec.scenario == "offline":
        yield "\n".join(
            f'"${{BUILD}}/{p.target}" "${{BUILD}}/{p.operator.name}.air"'
            for p in programs(spec)
            if p.what == "graph_build"
        )
        yield "\n".join(line for operator in spec.operators for line in _atc(operator))
    golden = [line for operator in spec.operators for line in _golden(spec, operator)]
    if golden:
        yield "\n".join(golden)
    yield "\n".join(_run(spec, p) for p in programs(spec) if p.what != "graph_build")


def _compile_kernels(spec: OpSpec, operator: Operator) -> list[str]:
    """Compiles every kernel of an operator; in a loop where each type has the same ones."""
    interface = kernel_interface(operator)
    command = f'"${{PYTHON}}" {_project_path(interface.script)}'
    folder = f"${{OUTPUT}}/kernel/{kernel_folder(spec, operator)}"
    platform = [f"--platform {spec.platform}"] if interface.generated else []
    kernels: dict[str, list[tuple[str, str, list[str]]]] = {}  # by types: rest of the key, sizes, options
    for variant, chosen in precompiled(spec, operator):
        types = type_option(variant)
        rest = interface.key(variant, chosen).removeprefix("_".join(dtype for _, dtype in variant.types))
        sizes = "".join(f" {size}" for size in chosen.values())
        kernels.setdefault(types, []).append(
            (rest, sizes, [shell_word(word) for word in other_options(interface, variant)])
        )
    alike = len(kernels) > 1 and all(group == next(iter(kernels.values())) for group in kernels.values())
    if len(interface.symbols) == 1 and alike:
        lines = [f"for dtype in {' '.join(kernels)}; do"]
        for rest, sizes, options in next(iter(kernels.values())):
            words = ['--dtype "${dtype}"', *options, *platform]
            lines += _broken([f"  {command}{sizes}", f'"{folder}${{dtype}}{rest}.tlk"', " ".join(words)])
        return [*lines, "done"]
    lines = []
    for types, group in kernels.items():
        for rest, sizes, options in group:
            key = "_".join(pair.rpartition("=")[2] for pair in types.split(",")) + rest
            words = [*([f"--dtype {types}"] if types else []), *options, *platform]
            lines += _broken([f"{command}{sizes}", f'"{folder}{key}.tlk"', *([" ".join(words)] if words else [])])
    return lines


def _project_path(path: str) -> str:
    """A file of the project as a word of run.sh."""
    word = shell_word(path)
    return f'"${{PROJECT}}/{path}"' if word == path else f'"${{PROJECT}}/"{word}'


def _broken(pieces: list[str]) -> list[str]:
    """A command on as few lines as fit; pieces stay whole."""
    lines = [pieces[0]]
    pad = " " * (len(pieces[0]) - len(pieces[0].lstrip()) + 2)
    for position, piece in enumerate(pieces[1:], start=1):
        reserve = 2 if position < len(pieces) - 1 else 0
        if len(lines[-1]) + 1 + len(piece) + reserve <= WIDTH:
            lines[-1] += f" {piece}"
        else:
            lines[-1] += " \\"
            lines.append(pad + piece)
    return lines


def _atc(operator: Operator) -> list[str]:
    om = f"${{BUILD}}/{operator.name}"
    return [
        f'rm -f "{om}.om"',
        f"{_PACKAGE_PATH} \\",
        f'  "${{ATC}}" --framework=1 --model="{om}.air" --output="{om}" \\',
        '  --soc_version="${SOC_VERSION}"',
        f'[[ -s "{om}.om" ]] || die "atc wrote no {om}.om."',
    ]


def data_folder(spec: OpSpec, operator: Operator) -> str:
    """The folder with the data of an operator's programs, below build/."""
    return "data" if len(spec.operators) == 1 else f"data/{operator.name}"


def _golden(spec: OpSpec, operator: Operator) -> list[str]:
    script = golden_script_path(operator)
    if script is None:
        return []
    return [f'"${{PYTHON}}" "${{PROJECT}}/{script}" "${{BUILD}}/{data_folder(spec, operator)}"']


def _run(spec: OpSpec, program: Program) -> str:
    data = ""
    if golden_script_path(program.operator) is not None:
        data = f' "${{BUILD}}/{data_folder(spec, program.operator)}"'
    command = f'"${{BUILD}}/{program.target}"'
    if program.what == "model_exec":
        return f'env -u ASCEND_CUSTOM_OPP_PATH {command} "${{BUILD}}/{program.operator.name}.om"{data}'
    return "\n".join(_broken([_PACKAGE_PATH, f"{command}{data}"]))
