"""The names that op_build derives for the aclnn interface."""

from __future__ import annotations

import pytest
from opgen.pypto.aclnn import AttrPort, Interface, Port, derive, interface, lower_camel
from opgen.spec.loader import load

X, Y, Z = Port("x"), Port("y"), Port("z")


def declared(found: Interface) -> list[str]:
    return [parameter.declaration for parameter in found.parameters]


@pytest.mark.parametrize(
    ("name", "camel"), [("y_in", "yIn"), ("x", "x"), ("x_1", "x1"), ("grad_out_y", "gradOutY"), ("x2", "x2")]
)
def test_parameters_are_lower_camel(name: str, camel: str) -> None:
    assert lower_camel(name) == camel
    assert declared(derive("Op", [Port(name)], [Z], []))[0] == f"const aclTensor *{camel}"


def test_optional_and_dynamic_inputs_have_their_suffix_and_type() -> None:
    found = derive("Op", [Port("bias_in", "optional"), Port("ys", "dynamic")], [Port("zs", "dynamic")], [])
    assert declared(found) == [
        "const aclTensor *biasInOptional",
        "const aclTensorList *ys",
        "const aclTensorList *out",
    ]


def test_the_same_name_in_and_out_is_one_parameter() -> None:
    assert declared(derive("Op", [X, Y], [X], [])) == ["aclTensor *xRef", "const aclTensor *y"]
    # op_build counts both outputs, and looks at the end of a name for what may be written.
    assert declared(derive("Op", [X], [X, Y], [])) == ["aclTensor *xRef", "const aclTensor *yOut"]
    assert declared(derive("Op", [Port("x", "optional")], [Port("x", "optional")], [])) == [
        "const aclTensor *xRefOptional"
    ]


def test_a_single_output_is_out_and_several_keep_their_names() -> None:
    assert declared(derive("Op", [X], [Y], []))[-1] == "const aclTensor *out"
    assert declared(derive("Op", [X], [Port("y_max"), Z], []))[1:] == [
        "const aclTensor *yMaxOut",
        "const aclTensor *zOut",
    ]


@pytest.mark.parametrize(
    ("kind", "required", "optional"),
    [
        ("float", "double a", "double a"),
        ("int", "int64_t a", "int64_t a"),
        ("bool", "bool a", "bool a"),
        ("str", "char *a", "char *aOptional"),
        ("listBool", "const aclBoolArray *a", "const aclBoolArray *aOptional"),
        ("listInt", "const aclIntArray *a", "const aclIntArray *aOptional"),
        ("listFloat", "const aclFloatArray *a", "const aclFloatArray *aOptional"),
    ],
)
def test_types_of_attributes(kind: str, required: str, optional: str) -> None:
    assert declared(derive("Op", [X], [Y], [AttrPort("a", kind, optional=False)]))[1] == required
    assert declared(derive("Op", [X], [Y], [AttrPort("a", kind, optional=True)]))[1] == optional


def test_order_is_inputs_attributes_outputs_workspace_executor() -> None:
    found = derive("ScaledAdd", [X, Y], [Z], [AttrPort("alpha_value", "float", optional=True)])
    first, second = found.prototypes
    assert first == (
        "aclnnStatus aclnnScaledAddGetWorkspaceSize(\n"
        "    const aclTensor *x,\n"
        "    const aclTensor *y,\n"
        "    double alphaValue,\n"
        "    const aclTensor *out,\n"
        "    uint64_t *workspaceSize,\n"
        "    aclOpExecutor **executor);"
    )
    assert second == (
        "aclnnStatus aclnnScaledAdd(\n"
        "    void *workspace,\n"
        "    uint64_t workspaceSize,\n"
        "    aclOpExecutor *executor,\n"
        "    aclrtStream stream);"
    )


@pytest.mark.parametrize(
    ("op", "header"), [("ScaledAdd", "aclnn_scaled_add.h"), ("MatMulV2Add3D", "aclnn_mat_mul_v2_add3_d.h")]
)
def test_the_header_has_the_snake_form_of_the_type(op: str, header: str) -> None:
    assert derive(op, [X], [Y], []).header == header


_SPEC = b"""\
edition: 1
op: NormAddCustom
scenario: eager
summary: {en: Adds., zh: "\xe7\x9b\xb8\xe5\x8a\xa0\xe3\x80\x82"}
dims:
  N: {default: 128, dynamic: true}
inputs:
  - {name: x, dtype: float32, shape: [N]}
  - {name: acc_in, dtype: float32, shape: [N]}
  - {name: bias, dtype: float32, shape: [N], default: 0.0}
outputs:
  - {name: y, dtype: out_type, shape: [N]}
  - {name: acc_in, inplace: true}
attrs:
  - {name: eps, type: float, default: 1e-6}
  - {name: mode, type: string, values: [mean, sum], default: sum}
  - {name: scales, type: floats, values: [[1.0, 2.0]], default: [1.0, 2.0]}
  - {name: out_type, type: dtype, values: [float32], default: float32}
kernel: kernel.py
"""


def test_an_operator_of_op_yaml() -> None:
    found = interface(load(_SPEC, "op.yaml").operators[0])
    assert declared(found) == [
        "const aclTensor *x",
        "aclTensor *accInRef",
        "const aclTensor *biasOptional",
        "double eps",
        "char *modeOptional",
        "const aclFloatArray *scalesOptional",
        "int64_t outType",
        "const aclTensor *yOut",
    ]
    assert found.parameter("y", "output").name == "yOut"
    assert found.parameter("acc_in", "output").name == "accInRef"
    with pytest.raises(KeyError):
        found.parameter("z")
