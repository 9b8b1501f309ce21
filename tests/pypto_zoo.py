"""Operators of the scenario pypto, for tests: each shows something that host code must get right."""

from __future__ import annotations

HEAD = """\
edition: 1
op: {op}
scenario: pypto
summary: {{en: Computes something., zh: 进行某种计算。}}
"""

ADD_EXAMPLE = """\
edition: 1
op: AddExample
scenario: pypto
summary: {en: Element-wise addition of two tensors., zh: 两个张量的逐元素相加。}
dtypes:
  T: [float16, float32]
dims:
  N: {default: 65536, dynamic: true}
inputs:
  - {name: x, dtype: T, shape: [N]}
  - {name: y, dtype: T, shape: [N]}
outputs:
  - {name: z, dtype: T, shape: [N]}
compute: z = x + y
tiling:
  block: 8192
  buffers: 2 if sch_mode else 1
  data:
    - {name: total_length, value: N, doc: {en: Number of elements., zh: 元素总数。}}
    - {name: tile_num, value: "ceildiv(N, block)", doc: {en: Number of tiles., zh: 分块个数。}}
  key:
    - name: sch_mode
      bits: 1
      values: [0, 1]
      value: tile_num > device_cores
      doc:
        en: 1 when a core has several tiles and loads the next one early.
        zh: 每核有多个分块并提前搬入下一块时为 1。
tests:
  cases: [{}, {N: 4097}, {N: 1048576}]
"""

SCALED_ADD = """\
edition: 1
op: ScaledAdd
scenario: pypto
summary:
  en: Adds a tensor multiplied by a factor to another tensor.
  zh: 将一个张量乘以系数后与另一个张量相加。
dtypes:
  T: [float16, bfloat16, float32]
dims:
  ...: {default: [64, 1024], dynamic: true}
inputs:
  - {name: x, dtype: T, shape: [...], doc: {en: Tensor that is added to., zh: 被加的张量。}}
  - {name: y, dtype: T, shape: [...], doc: {en: Tensor that is multiplied by alpha., zh: 乘以 `alpha` 的张量。}}
outputs:
  - {name: z, dtype: T, shape: [...], doc: {en: Result., zh: 计算结果。}}
attrs:
  - {name: alpha, type: float, default: 1.0, doc: {en: Factor of y., zh: y 的系数。}}
compute: z = x + alpha * y
tiling:
  block: 8192
  buffers: 2 if sch_mode else 1
  data:
    - {name: total_length, value: elements, doc: {en: Number of elements., zh: 元素总数。}}
    - {name: tile_num, value: "ceildiv(total_length, block)", doc: {en: Number of tiles., zh: 分块个数。}}
    - {name: alpha, value: alpha, doc: {en: Factor of y., zh: y 的系数。}}
  key:
    - name: sch_mode
      bits: 1
      values: [0, 1]
      value: tile_num > device_cores
      doc: {en: 1 loads the next tile while the current one is computed., zh: 取 1 时，计算当前分块的同时搬入下一分块。}
tests:
  cases:
    - {alpha: 0.5}
    - {...: [1001], alpha: -1.7}
    - {...: [1024, 1024], alpha: 1.7}
"""

PLANNED = (
    HEAD.format(op="ScaleBare")
    + """\
dtypes: {T: [float16, bfloat16, float32]}
dims: {...: {default: [64, 1024], dynamic: true}}
inputs: [{name: x, dtype: T, shape: [...]}]
outputs: [{name: y, dtype: T, shape: [...]}]
attrs: [{name: alpha, type: float, default: 1.0, min: 0.0, max: 8.0}]
compute: y = exp(x) * alpha
"""
)

ROW_SUM = (
    HEAD.format(op="RowSumPro")
    + """\
dtypes: {T: [float16, float32]}
dims:
  R: {default: 256, dynamic: true}
  C: {default: 1024, dynamic: true, max: 8192}
inputs: [{name: x, dtype: T, shape: [R, C]}]
outputs: [{name: y, dtype: T, shape: [R]}]
attrs: [{name: reduction, type: string, values: [sum, mean], default: sum}]
compute: |
  y = mean(x, axis=-1) if reduction == "mean" else sum(x, axis=-1)
tests:
  cases: [{}, {reduction: mean}, {R: 3, C: 1001}]
"""
)

OPTIONAL = (
    HEAD.format(op="BiasScale")
    + """\
dtypes: {T: [float32, float16]}
dims:
  ...: {default: [8, 16], dynamic: true}
  C: {default: 512, dynamic: true, max: 4096}
inputs:
  - {name: x, dtype: T, shape: [..., C]}
  - {name: bias, dtype: T, shape: [C], default: 0.0}
outputs: [{name: y, dtype: T, shape: [..., C]}]
compute: y = x + bias
"""
)

TWO_OUTPUTS = (
    HEAD.format(op="SplitSign")
    + """\
dtypes: {T: [float32, float16]}
dims: {N: {default: 3000, dynamic: true, min: 16}}
inputs: [{name: x, dtype: T, shape: [N]}]
outputs:
  - {name: positive, dtype: T, shape: [N]}
  - {name: negative, dtype: T, shape: [N]}
compute: |
  positive = relu(x)
  negative = x - positive
"""
)

IN_PLACE = (
    HEAD.format(op="AddInto")
    + """\
dtypes: {T: [float32, float16]}
dims: {...: {default: [16, 64], dynamic: true}}
inputs:
  - {name: total, dtype: T, shape: [...]}
  - {name: x, dtype: T, shape: [...]}
outputs: [{name: total, inplace: true}]
compute: total = total + x
"""
)

CAST = (
    HEAD.format(op="CastTable")
    + """\
dtypes:
  - {T: float16, U: float32}
  - {T: float32, U: float16}
  - {T: bfloat16, U: float32}
dims: {N: {default: 4096, dynamic: true}}
inputs: [{name: x, dtype: T, shape: [N]}]
outputs: [{name: y, dtype: U, shape: [N]}]
compute: y = cast(x, U)
"""
)

CHOSEN_TYPE = (
    HEAD.format(op="CastTo")
    + """\
dtypes: {T: [float32, float16]}
dims: {N: {default: 4096, dynamic: true}}
inputs: [{name: x, dtype: T, shape: [N]}]
outputs: [{name: y, dtype: dst_type, shape: [N]}]
attrs: [{name: dst_type, type: dtype, values: [float16, float32], default: float16}]
compute: y = cast(x * 2.0, dst_type)
"""
)

OWN = (
    HEAD.format(op="RowCumsum")
    + """\
dtypes: {T: [float16, float32]}
dims:
  R: {default: 128, dynamic: true}
  C: {default: 2048, dynamic: true, multiple_of: 64}
inputs: [{name: x, dtype: T, shape: [R, C]}]
outputs: [{name: y, dtype: T, shape: [R, C]}]
kernel: row_cumsum.py
reference: row_cumsum_reference.py
tiling:
  cores: minimum(device_cores, R)
  workspace: cores * column_tile * 4
  data:
    - {name: rows, value: R}
    - {name: columns, value: C}
    - {name: column_tile, value: "minimum(C, 4096)"}
    - {name: column_tiles, value: "ceildiv(C, column_tile)"}
  key:
    - {name: long_row, values: [0, 1], value: column_tiles > 1}
"""
)

SHAPES = (
    HEAD.format(op="PatchShapes")
    + """\
dtypes: {T: [float16, float32], U: [int8, int32]}
dims:
  ...: {default: [2, 3], dynamic: true}
  H: {values: [16, 32]}
  Words: {default: 24, dynamic: true, max: 4096}
  K: 8
inputs:
  - {name: starts, dtype: U, shape: [Words - 1]}
  - {name: x, dtype: T, shape: [..., 2 * Words, K]}
  - {name: weight, dtype: T, shape: [H if transposed else Words, Words if transposed else H], default: 1.0}
  - {name: index_list, dtype: U, shape: [Words + 1]}
  - {name: sizes, dtype: T, shape: [H]}
outputs:
  - {name: y_out, dtype: T, shape: [..., Words, H]}
  - {name: count, dtype: int32, shape: [Words * groups]}
  - {name: gaps, dtype: T, shape: [Words - 2]}
attrs:
  - {name: transposed, type: bool, default: false}
  - {name: groups, type: int, default: 2, values: [1, 2]}
  - {name: offset, type: int, default: -3, dynamic: true, min: -8, max: 8}
kernel: patch_shapes.py
tiling:
  block: 64 if is_far else 128
  cores: "minimum(device_cores, ceildiv(Words, 4))"
  workspace: "cores * align(Words * itemsize(T), 512)"
  data:
    - {name: total, value: Words * K}
    - {name: part, value: ["Words // groups", "Words % 7", "Words // H"]}
    - {name: shifted, value: offset + Words}
    - {name: wide, value: Words > 64}
    - {name: limit, value: "maximum(Words - 1, 0) if transposed else minimum(Words, block)"}
  key:
    - {name: is_far, values: [0, 1], value: Words > 128}
tests:
  cases: [{}, {...: [], Words: 200, transposed: true, H: 32, offset: 8}]
"""
)

ATTRS = (
    HEAD.format(op="PatchAttrs")
    + """\
dims: {N: {default: 24, dynamic: true, multiple_of: 8}}
inputs: [{name: x, dtype: float32, shape: [N]}]
outputs: [{name: y, dtype: float32, shape: [N]}]
attrs:
  - {name: mode, type: string, values: [near, far], default: near}
  - {name: pads, type: ints, values: [[0, 0], [1, 1]], default: [0, 0]}
  - {name: strides, type: floats, values: [[0.5], [1.5, 2.5]], default: [0.5]}
  - {name: exact, type: bool}
  - {name: scale, type: float, default: 0.5, dynamic: true, min: 0.0}
kernel: patch_attrs.py
tiling:
  data:
    - {name: alive, value: exact}
    - {name: ratio, value: scale * 2.0 + N}
    - {name: share, value: [0.5, scale]}
    - {name: flags, value: [exact, N > 64, N > 128]}
    - {name: doubled, value: "N * 2 if exact else N"}
  key:
    - {name: parts, bits: 3, values: [1, 2, 4], value: "4 if N > 100 else 2"}
tests:
  cases: [{exact: true}, {exact: false, N: 200, mode: far, pads: [1, 1], strides: [1.5, 2.5], scale: 2.0}]
"""
)

SCALAR = (
    HEAD.format(op="ScaleOne")
    + """\
inputs: [{name: x, dtype: float32, shape: []}]
outputs: [{name: y, dtype: float32, shape: []}]
compute: y = x * 2.0
"""
)

# Names that the host code uses for itself, and some that only look so.
NAMES = (
    HEAD.format(op="Status")
    + """\
dtypes: {Type: [float32, float16]}
dims:
  Leading: {default: 64, dynamic: true}
  Int: {default: 32, dynamic: true}
  Size: {default: 16, dynamic: true}
inputs:
  - {name: scale, dtype: Type, shape: [Leading, Int, Size]}
  - {name: context, dtype: Type, shape: [Leading, Int, Size]}
  - {name: sizes, dtype: Type, shape: [Leading, Int, Size]}
  - {name: status, dtype: Type, shape: [Leading, Int, Size]}
outputs: [{name: type, dtype: Type, shape: [Leading, Int, Size]}]
attrs:
  - {name: para, type: float, default: 1.0}
  - {name: attrs, type: float, default: 1.0}
  - {name: tiling_key, type: float, default: 1.0}
  - {name: value, type: float, default: 1.0, max: 4.0}
compute: |
  a = scale * para + context * attrs
  type = a + sizes * tiling_key + status * value
"""
)

CLAMP = """\
edition: 1
op: ClampBetween
scenario: pypto
summary: {en: Limits numbers from below and above where limits are given., zh: 给出上下限时将数值限制在其间。}
dtypes: {T: [float16, float32]}
dims: {...: {default: [8, 300], dynamic: true}}
inputs:
  - {name: x, dtype: T, shape: [...]}
  - {name: low, dtype: T, shape: [...], default: -1.0}
  - {name: high, dtype: T, shape: [...], default: 1.0}
outputs: [{name: y, dtype: T, shape: [...]}]
compute: y = minimum(maximum(x, low), high)
"""

ZOO = {
    "add_example": ADD_EXAMPLE,
    "scaled_add": SCALED_ADD,
    "scale_bare": PLANNED,
    "row_sum_pro": ROW_SUM,
    "bias_scale": OPTIONAL,
    "clamp_between": CLAMP,
    "split_sign": TWO_OUTPUTS,
    "add_into": IN_PLACE,
    "cast_table": CAST,
    "cast_to": CHOSEN_TYPE,
    "row_cumsum": OWN,
    "scale_one": SCALAR,
    "status": NAMES,
    "patch_shapes": SHAPES,
    "patch_attrs": ATTRS,
}
