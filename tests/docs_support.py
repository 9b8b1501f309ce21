"""Projects of many shapes for the tests of the READMEs."""

from __future__ import annotations

from functools import cache
from itertools import product

from opgen.docs.readme import readmes
from opgen.docs.subject import Material, material
from opgen.ge.outline import outline
from opgen.kernel.planner import plan_kernel
from opgen.spec.loader import load

AXPY = """
op: AxpyCustom
summary: {en: "Adds a tensor, scaled by a number, to another.", zh: 将一个张量按系数缩放后与另一个相加。}
dtypes: {T: [float32, float16, bfloat16]}
dims:
  ...: {default: [4, 1024], dynamic: true, doc: {en: any shape, zh: 任意形状}}
inputs:
  - {name: x, dtype: T, shape: [...], doc: {en: addend, zh: 被加张量}}
  - {name: y, dtype: T, shape: [...], doc: {en: "scaled by `alpha`", zh: 按 `alpha` 缩放}}
outputs:
  - {name: z, dtype: T, shape: [...]}
attrs:
  - {name: alpha, type: float, default: 1.0, min: -8.0, doc: {en: factor of y, zh: y 的系数}}
compute: z = x + alpha * y
tests: {cases: [{alpha: 0.5}]}
"""

FIXED = """
op: AddCustom
summary: {en: Adds two tensors., zh: 两个张量相加。}
dims: {N: 4096}
inputs:
  - {name: x, dtype: float32, shape: [N]}
  - {name: y, dtype: float32, shape: [N]}
outputs:
  - {name: z, dtype: float32, shape: [N]}
compute: z = x + y
tiling: {block: 1024}
"""

# Several type symbols in a table, closed sizes, limits, a scalar input, two outputs, a formula of several lines.
TABLE = """
op: MixCustom
summary: {en: Mixes two tensors., zh: 混合两个张量。}
dtypes:
  - {T: float16, U: int32}
  - {T: float32, U: int16}
dims:
  R: {default: 2, values: [2, 4], doc: {en: rows, zh: 行数}}
  C: 1024
inputs:
  - {name: x, dtype: T, shape: [R, C], min: 0.0, max: 1.0}
  - {name: s, dtype: T, shape: [1]}
  - {name: k, dtype: U, shape: [R, C]}
outputs:
  - {name: y, dtype: T, shape: [R, C]}
  - {name: big, dtype: bool, shape: [R, C]}
compute: |
  scaled = x * s
  y = sin(scaled) + cast(k, T)
  big = scaled > 0.5
"""

ADAM = """
op: StepCustom
summary: {en: Updates a variable and its moment in place., zh: 原地更新变量及其动量。}
dims:
  N: {default: 65536, dynamic: true, max: 100000, multiple_of: 8}
inputs:
  - {name: var, dtype: float32, shape: [N]}
  - {name: m, dtype: float32, shape: [N]}
  - {name: grad, dtype: float32, shape: [N]}
outputs:
  - {name: var, inplace: true}
  - {name: m, inplace: true}
attrs:
  - {name: lr, type: float, default: 1e-3}
  - {name: beta, type: float, default: 0.9}
compute: |
  m = beta * m + (1 - beta) * grad
  var = var - lr * m
"""

CAST = """
op: CastCustom
summary: {en: Converts a tensor to the type that an attribute names., zh: 将张量转换为属性指定的数据类型。}
dtypes: {T: [float32, float16, int32]}
dims:
  ...: {default: [4096], dynamic: true}
inputs:
  - {name: x, dtype: T, shape: [...]}
outputs:
  - {name: y, dtype: dst_type, shape: [...]}
attrs:
  - {name: dst_type, type: dtype, values: [float32, float16, int32]}
compute: y = cast(x, dst_type)
tests: {cases: [{dst_type: float16}]}
"""

CHOICE = """
op: GeluCustom
summary: {en: GELU with a choice of the approximation., zh: 可选择近似方式的 GELU。}
dtypes: {T: [float16, bfloat16]}
dims:
  ...: {default: [16, 1024], dynamic: true}
inputs:
  - {name: x, dtype: T, shape: [...]}
  - {name: bias, dtype: T, shape: [...], default: 0.0}
outputs:
  - {name: y, dtype: T, shape: [...]}
attrs:
  - {name: approximate, type: string, values: [none, tanh], default: none}
  - {name: cap, type: float, default: .inf}
compute: y = minimum(gelu(x, approximate=approximate) + bias, cap)
"""

SMALL = """
op: ScaleCustom
summary: {en: Doubles integers., zh: 将整数加倍。}
dtypes: {T: [int32]}
dims:
  ...: {default: [64], dynamic: true}
inputs:
  - {name: x, dtype: T, shape: [...]}
  - {name: w, dtype: T, shape: [...], default: 1}
  - {name: v, dtype: T, shape: [...], default: 2}
outputs:
  - {name: x, inplace: true}
compute: x = x * w * v
"""

ROWS = """
op: SoftRowsCustom
summary: {en: Softmax of each row., zh: 对每行做 Softmax。}
dtypes: {T: [float32, float16]}
dims:
  ...: {default: [3], dynamic: true}
  C: 4096
inputs:
  - {name: x, dtype: T, shape: [..., C]}
outputs:
  - {name: y, dtype: T, shape: [..., C]}
compute: |
  e = exp(x - max(x, axis=-1))
  y = e / sum(e, axis=-1)
"""

HAND = """
op: SplitCustom
summary: {en: Cuts a matrix into equal parts., zh: 将矩阵等分。}
dtypes: {T: [float32, float16], U: [int8]}
dims:
  ...: {default: [2], dynamic: true}
  R: {default: 64, dynamic: true}
  C: {default: 128, values: [64, 128]}
inputs:
  - {name: x, dtype: T, shape: [..., R, parts * C]}
  - {name: q, dtype: U, shape: [R], default: 0}
outputs:
  - {name: ys, dtype: T, shape: [..., R, C], count: parts}
attrs:
  - {name: parts, type: int, values: [2, 3], default: 2}
  - {name: top, type: float, default: 1.0, max: 4.0}
  - {name: flag, type: bool, default: true}
kernel: split_kernel.py
tiling: {workspace: 64 * C}
"""

# Open sizes, a scalar, one optional input, a file of the user's own, no double buffering.
SINGLE = """
op: ShiftCustom
project: shift_custom
extra: [own.sh]
summary: {en: Adds a number to a tensor., zh: 张量加一个数。}
dims:
  M: {default: 8}
  C: {default: 512, max: 1024}
inputs:
  - {name: x, dtype: float32, shape: [M, C]}
  - {name: s, dtype: float32, shape: []}
  - {name: bias, dtype: float32, shape: [M, C], default: 0.0}
outputs:
  - {name: y, dtype: float32, shape: [M, C]}
compute: y = erf(x + s) + bias
tiling: {buffers: 1}
"""

# One kernel for each value of an attribute, and nothing else to choose.
FLAG = """
op: FlagCustom
summary: {en: Takes the absolute value or the positive part., zh: 取绝对值或正部。}
dims: {N: 1000}
inputs:
  - {name: x, dtype: float32, shape: [N]}
outputs:
  - {name: y, dtype: float32, shape: [N]}
attrs:
  - {name: positive, type: bool, default: false}
compute: y = relu(x) if positive else abs(x)
"""

# Both languages carry what would be markup, and the project has files of its own.
TEXTS = """
op: AddCustom
project: texts
neighbour: ../neighbour_of_texts
extra: [ge/own.h, own.cmake]
summary: {en: "Adds | {{ both }} *tensors*, `*/` included.", zh: "相加 | {{ 两个 }} *张量*，含 `*/`。"}
notes:
  - {en: "- A *note* about `a|b` and <b>.", zh: "- 关于 `a|b` 与 <b> 的*说明*。"}
dtypes: {T: [float16]}
dims:
  ...: {default: [8]}
inputs:
  - {name: x, dtype: T, shape: [...], doc: {en: "a|b, the `c|d` of # it", zh: "a|b，即 # 它的 `c|d`"}}
outputs:
  - {name: y, dtype: T, shape: [...]}
compute: y = abs(x)
"""

LIBRARY = """
project: two_pack
summary: {en: Two operators in one library., zh: 一个库中的两个算子。}
ops:
  - op: AddPack
    summary: {en: Adds two tensors., zh: 两个张量相加。}
    dtypes: {T: [float32, float16]}
    dims:
      ...: {default: [128], dynamic: true}
    inputs:
      - {name: x, dtype: T, shape: [...]}
      - {name: y, dtype: T, shape: [...]}
    outputs:
      - {name: z, dtype: T, shape: [...]}
    kernel: add_kernel.py
    reference: add_reference.py
  - op: HandPack
    summary: {en: Copies a matrix., zh: 复制矩阵。}
    dims:
      N: {default: 64, dynamic: true}
    inputs:
      - {name: x, dtype: float32, shape: [N]}
    outputs:
      - {name: y, dtype: float32, shape: [N]}
    kernel: hand_kernel.py
    reference: hand_reference.py
"""

TWO = SMALL.replace("  - {name: v, dtype: T, shape: [...], default: 2}\n", "").replace(" * v", "")
STATIC = AXPY.replace(", dynamic: true", "")
REFERENCE = HAND.replace("\ntiling:", "\nreference: split_reference.py\ntiling:")
REST = HAND.replace("[2], dynamic: true", "[2]")
FORMULA = FIXED.replace("tiling: {block: 1024}", "kernel: add_kernel.py").replace(
    "N: 4096", "N: {default: 4096, dynamic: true}"
)

PRODUCT = """
op: LinearReluCustom
summary: {en: Multiplies and rectifies., zh: 矩阵乘后做线性整流。}
dtypes: {T: [float16, bfloat16]}
dims:
  M: {default: 128, dynamic: true}
  N: 256
  K: 64
inputs:
  - {name: a, dtype: T, shape: [M, K]}
  - {name: b, dtype: T, shape: [N, K]}
  - {name: bias, dtype: float32, shape: [N]}
outputs:
  - {name: y, dtype: T, shape: [M, N]}
compute: y = relu(matmul(a, b, transpose_b=True) + bias)
"""

_BODIES = {
    "axpy": AXPY,
    "static": STATIC,
    "fixed": FIXED,
    "table": TABLE,
    "adam": ADAM,
    "cast": CAST,
    "choice": CHOICE,
    "small": SMALL,
    "rows": ROWS,
    "hand": HAND,
    "reference": REFERENCE,
    "formula": FORMULA,
    "rest": REST,
    "flag": FLAG,
    "single": SINGLE,
    "two": TWO,
    "texts": TEXTS,
    "library": LIBRARY,
    "product": PRODUCT,
}
SCENARIOS = ("eager", "online", "offline")
OPEN = ("static", "texts", "single", "rest")  # their open sizes cannot be compiled beforehand
PROJECTS = [
    (name, scenario) for name, scenario in product(_BODIES, SCENARIOS) if not (scenario == "eager" and name in OPEN)
]


def source(name: str, scenario: str) -> bytes:
    """op.yaml of a project. Every other one asks for CANN 9.1."""
    cann = '"9.1"' if len(name) % 2 else '"9.2"'
    return f"edition: 1\nscenario: {scenario}\ncann: {cann}\n{_BODIES[name].strip()}\n".encode()


def material_of(data: bytes, name: str = "op.yaml") -> Material:
    """What the READMEs of an op.yaml are made of."""
    spec = load(data, name)
    plans = {}
    for operator in spec.operators:
        plan, findings = plan_kernel(spec, operator)
        assert plan is not None, findings
        plans[operator.name] = plan
    return material(spec, outline(spec), plans)


@cache
def project(name: str, scenario: str) -> Material:
    return material_of(source(name, scenario))


@cache
def pair(name: str, scenario: str) -> tuple[str, str]:
    """The Chinese and the English README of a project."""
    found = project(name, scenario)
    texts = readmes(found.spec, found.outline, {s.operator.name: s.plan for s in found.subjects})
    return texts["README.md"], texts["README_en.md"]
