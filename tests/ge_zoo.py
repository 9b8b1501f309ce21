"""Operators for the tests of the GE host code: everything that op.yaml can say, in few and small specs.

`dynamic` ones fit every scenario; the others leave sizes open that are compiled in, so they need GE's Compile.
"""

from __future__ import annotations

import re

HEAD = """\
edition: 1
op: {op}
scenario: online
summary: {{en: Tests the host code., zh: 测试算子实现。}}
"""

_BODIES = {
    # One shape, one type, nothing else.
    "AddCustom": """\
dims: {N: 4096}
inputs:
  - {name: x, dtype: float32, shape: [N]}
  - {name: y, dtype: float32, shape: [N]}
outputs: [{name: z, dtype: float32, shape: [N]}]
compute: z = x + y
""",
    # A type variable and a run-time attribute with limits.
    "AxpyZoo": """\
dtypes: {T: [float32, float16, bfloat16]}
dims: {...: {default: [4, 1024], dynamic: true}}
inputs:
  - {name: x, dtype: T, shape: [...]}
  - {name: y, dtype: T, shape: [...]}
outputs: [{name: z, dtype: T, shape: [...]}]
attrs: [{name: alpha, type: float, default: 1.0, min: -2.0, max: .inf}]
compute: z = x + alpha * y
""",
    # Output types of its own and from an attribute; static attributes of closed kinds.
    "CastZoo": """\
dtypes: {T: [float32, float16]}
dims: {...: {default: [64], dynamic: true}}
inputs: [{name: x, dtype: T, shape: [...]}]
outputs:
  - {name: y, dtype: dst_type, shape: [...]}
  - {name: positive, dtype: uint8, shape: [...]}
attrs:
  - {name: dst_type, type: dtype, values: [float32, float16]}
  - {name: mode, type: string, values: [none, tanh], default: none}
compute: |
  y = cast(gelu(x, approximate=mode), dst_type)
  positive = x > 0
tests: {cases: [{dst_type: float16}]}
""",
    # Optional inputs, also before a required one.
    "OptionalZoo": """\
dtypes: {T: [float32, float16]}
dims: {N: {default: 100, dynamic: true}}
inputs:
  - {name: bias, dtype: T, shape: [N], default: 0.0}
  - {name: x, dtype: T, shape: [N]}
  - {name: gain, dtype: T, shape: [1], default: 1.0}
outputs:
  - {name: x, inplace: true}
compute: x = x * gain + bias
""",
    # Several tensors updated in place, with sizes that must be equal.
    "ApplyAdamZoo": """\
dims: {N: {default: 65536, dynamic: true}}
inputs:
  - {name: var, dtype: float32, shape: [N]}
  - {name: m, dtype: float32, shape: [N]}
  - {name: v, dtype: float32, shape: [N], min: 0.0}
  - {name: grad, dtype: float32, shape: [N]}
  - {name: beta1_power, dtype: float32, shape: [1], min: 0.1, max: 0.9}
outputs:
  - {name: var, inplace: true}
  - {name: m, inplace: true}
  - {name: v, inplace: true}
attrs:
  - {name: lr, type: float, default: 1e-3}
compute: |
  m = m + grad * beta1_power
  v = v + grad * grad
  var = var - lr * m / (sqrt(v) + 1e-6)
""",
    # Every type, in a set that takes several lines.
    "AllTypesZoo": """\
dtypes: {T: [float32, float16, bfloat16, int8, int16, int32, int64, uint8, uint16, uint32, uint64, bool]}
dims: {N: {default: 64, dynamic: true}}
inputs: [{name: x, dtype: T, shape: [N]}]
outputs: [{name: y, dtype: T, shape: [N]}]
kernel: all_types.py
reference: all_types_reference.py
""",
    # A table of types that takes several columns.
    "LongTableZoo": """\
dtypes:
  - {T: float16, U: float32}
  - {T: bfloat16, U: float32}
  - {T: int8, U: int32}
  - {T: int16, U: int32}
  - {T: uint8, U: uint32}
  - {T: uint16, U: [uint32, int64]}
dims: {N: {default: 64, dynamic: true}}
inputs:
  - {name: x, dtype: T, shape: [N]}
  - {name: y, dtype: U, shape: [N]}
outputs: [{name: z, dtype: U, shape: [N]}]
kernel: long_table.py
reference: long_table_reference.py
""",
    # Types that go together.
    "TableZoo": """\
dtypes: [{T: float16, U: float32}, {T: bfloat16, U: float32}, {T: float32, U: float16}]
dims: {...: {default: [16], dynamic: true}}
inputs:
  - {name: x, dtype: T, shape: [...]}
  - {name: scale, dtype: U, shape: []}
outputs: [{name: y, dtype: U, shape: [...]}]
compute: y = cast(x, U) * scale
""",
    # A type that only the table tells.
    "WidenZoo": """\
dtypes: [{T: float16, U: float32}, {T: int8, U: int32}]
dims: {M: {default: 8, dynamic: true}}
inputs:
  - {name: x, dtype: T, shape: [M]}
outputs: [{name: y, dtype: U, shape: [M]}]
kernel: widen.py
reference: widen_reference.py
""",
    # Every kind of attribute.
    "AttributesZoo": """\
dims: {N: {default: 64, dynamic: true}}
inputs: [{name: x, dtype: float32, shape: [N]}]
outputs: [{name: y, dtype: float32, shape: [N]}]
attrs:
  - {name: flag, type: bool, default: true}
  - {name: count, type: int, default: 2, values: [2, -4]}
  - {name: step, type: int, default: 1, dynamic: true, min: 1}
  - {name: rate, type: float, default: 0.5, dynamic: false, values: [0.5, 1e-5]}
  - {name: limit, type: float, default: -.inf, max: 0.5}
  - {name: word, type: string, values: ["a", "b"], default: "a"}
  - {name: axes, type: ints, default: [0, 1], values: [[0, 1], [2]]}
  - {name: scales, type: floats, default: [0.5], values: [[0.5], [1.0, 2.0]]}
kernel: attributes.py
""",
    # Symbolic sizes, which the compiler takes in order of appearance: it depends on what is there.
    "OrderZoo": """\
dims: {Columns: {default: 8, dynamic: true}, Rows: {default: 16, dynamic: true}}
inputs:
  - {name: bias, dtype: float32, shape: [Columns], default: 0.0}
  - {name: x, dtype: float32, shape: [Rows, Columns]}
outputs: [{name: y, dtype: float32, shape: [Columns, Rows]}]
kernel: order.py
reference: order_reference.py
""",
    # Text that could break out of its place.
    "HostileZoo": """\
dims:
  N: {default: 64, dynamic: true, doc: {en: "*/ ends \\"it\\"", zh: "结束 */ 注释"}}
inputs: [{name: x, dtype: float32, shape: [N], doc: {en: "{{ x }} */ \\\\", zh: "{% 甲 %} /* 乙"}}]
outputs: [{name: check, dtype: float32, shape: [N], doc: {en: "a ?? /* b", zh: "丙\\\\"}}]
attrs: [{name: error, type: float, default: 1.0, doc: {en: "ends in a backslash \\\\", zh: 丁}}]
compute: check = x * error
""",
}

_OPEN = {
    # Sizes with names, limits and multiples; computed sizes; a choice between two layouts.
    "MatmulZoo": """\
dtypes: {T: [float16, bfloat16]}
dims:
  ...: {default: [2], dynamic: true}
  M: {default: 64, multiple_of: 16}
  Q: {default: 32, min: 16, max: 1024}
  K: {values: [64, 128]}
inputs:
  - {name: a, dtype: T, shape: [..., M, K]}
  - {name: b, dtype: T, shape: [Q if transpose_b else K, K if transpose_b else Q]}
  - {name: edge, dtype: T, shape: [M + 1, 2 * Q], default: 0.0}
outputs:
  - {name: y, dtype: T, shape: [..., M, Q]}
  - {name: row_count, dtype: int32, shape: [1]}
  - {name: wide, dtype: T, shape: ["ceildiv(M, 3)", Q * k - 1]}
attrs:
  - {name: transpose_b, type: bool, default: false}
  - {name: k, type: int, default: 2, values: [2, 3]}
kernel: matmul.py
tiling: {workspace: M * Q * itemsize(T)}
""",
    # Lists, in and out.
    "SplitZoo": """\
dtypes: {T: [float32, float16]}
dims:
  P: {values: [2, 3]}
  R: {default: 64, dynamic: true}
  C: {default: 128}
inputs:
  - {name: xs, dtype: T, shape: [R, parts * C], count: P}
  - {name: mask, dtype: uint8, shape: [R], default: 1}
outputs:
  - {name: total, dtype: T, shape: [R, C]}
  - {name: ys, dtype: T, shape: [R, C], count: parts}
  - {name: last, dtype: T, shape: [R]}
attrs: [{name: parts, type: int, values: [2, 4], default: 2}]
kernel: split.py
reference: split_reference.py
""",
    # Long names: lines must break as clang-format breaks them.
    "LongNamesZoo": """\
dtypes: [{InputType: [float32, float16], OutputType: int32}, {InputType: bfloat16, OutputType: int16}]
dims: {Sequences: {default: 8}, Channels: {default: 256, multiple_of: 16}}
inputs:
  - {name: hidden_states_of_the_previous_layer, dtype: InputType, shape: [Sequences, Channels]}
  - {name: scale_of_the_quantization, dtype: float32, shape: [1]}
  - {name: offset_of_the_quantization, dtype: float32, shape: [], default: 0.0}
outputs:
  - {name: quantized_hidden_states_of_this_layer, dtype: OutputType, shape: [Sequences, Channels]}
attrs: [{name: largest_absolute_value, type: float, default: 100.0, min: 1.0, max: 32767.0}]
kernel: long_names.py
""",
}


def spec_text(op: str, scenario: str = "online") -> str:
    """The op.yaml of one of the operators."""
    text = HEAD.format(op=op) + {**_BODIES, **_OPEN}[op]
    return re.sub("scenario: online", f"scenario: {scenario}", text)


def library_text(scenario: str) -> str:
    """Two operators in one library."""
    items = []
    for op in ("AxpyZoo", "CastZoo"):
        lines = [f"op: {op}", "summary: {en: Tests the host code., zh: 测试算子实现。}", *_BODIES[op].splitlines()]
        items.append("  - " + "\n    ".join(lines))
    head = f"edition: 1\nproject: zoo_pack\nscenario: {scenario}\nsummary: {{en: A library., zh: 算子库。}}\nops:\n"
    return head + "\n".join(items) + "\n"


CASES = [(op, scenario) for op in _BODIES for scenario in ("eager", "online", "offline")]
CASES += [(op, scenario) for op in _OPEN for scenario in ("online", "offline")]
