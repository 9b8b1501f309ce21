"""What the official front end does with changes of one kernel, and what the checker has to say to each.

A change is a mapping of parts of tests/pypto/scaled_add.py to other text. rule "" means that the change is harmless.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Mutation:
    """said: part of the message. launch: options of the launch where it shows."""

    name: str
    changes: Mapping[str, str]
    rule: str
    said: str = ""
    launch: Mapping[str, Any] = field(default_factory=dict)


FIELDS = "    total_length: int\n    tile_num: int\n    alpha: float\n"
KEY = "sch_mode = TilingKeyField(bits=1, values=[0, 1])"
LOOP = "for i in pl.range(pl.get_block_idx(), tiling.tile_num, workers):"
BODY = "            offset = i * TILE_LENGTH\n"
WORKSPACE = "    workspace: pl.Ptr[pl.DT_UINT8],\n"
TILING = "    tiling: ScaledAddTilingData,\n"
IMPORT = "from dataclasses import dataclass\n"
FUTURE = "from __future__ import annotations\n\nfrom dataclasses import dataclass\n"
GUARD = FUTURE.replace("from dataclasses", "import sys\nimport types\nfrom dataclasses")
SETDEFAULT = "\n\nsys.modules.setdefault(__name__, types.ModuleType(__name__))\n\n\n@dataclass\nclass"
ARRAY = {FIELDS: FIELDS + "    sizes: int[4]\n", BODY: BODY + "            first = tiling.sizes[0]\n"}


def _field(annotation: str, said: str = "") -> Mutation:
    name = f"tiling field of type {annotation}"
    said = said or f"the field extra has the type {annotation}"
    return Mutation(name, {FIELDS: FIELDS + f"    extra: {annotation}\n"}, "OPG822", said)


def _inside(name: str, statement: str, rule: str = "", said: str = "") -> Mutation:
    """A statement at the begin of the loop."""
    lines = "".join(f"            {line}\n" for line in statement.split("\n"))
    return Mutation(name, {BODY: lines + BODY}, rule, said)


def _key(name: str, declaration: str, rule: str = "OPG823", said: str = "") -> Mutation:
    return Mutation(name, {KEY: declaration}, rule, said)


SIGNATURE = [
    Mutation("no tiling_key", {"    tiling_key=ScaledAddTilingKey,\n": ""}, "OPG823", "no tiling_key"),
    Mutation("tiling not last", {WORKSPACE + TILING: TILING + WORKSPACE}, "OPG821", "tiling is not the last"),
    Mutation("two tilings", {TILING: TILING + "    more: ScaledAddTilingData,\n"}, "OPG821", "second tiling parameter"),
    Mutation("no tiling", {TILING: ""}, "OPG821", "no parameter of a tiling class"),
    Mutation("unknown tiling class", {TILING: "    tiling: Other,\n"}, "OPG822", "no class Other"),
    Mutation("workspace missing", {WORKSPACE: ""}, "OPG821", "no workspace, and z is taken for it"),
    Mutation(
        "workspace first",
        {WORKSPACE: "", "    x: pl.Ptr[pl.DT_UINT8],\n": WORKSPACE + "    x: pl.Ptr[pl.DT_UINT8],\n"},
        "OPG821",
        "workspace is not the parameter in front of tiling",
    ),
    Mutation("workspace by another word", {"workspace:": "user_workspace:"}, ""),
    Mutation("tiling by another word", {"tiling: Scaled": "args: Scaled", "tiling.": "args."}, ""),
    Mutation("scalar parameter", {WORKSPACE: "    factor: pl.DT_FP32,\n" + WORKSPACE}, "OPG821", "factor is a number"),
    Mutation("plain number", {WORKSPACE: "    factor: float,\n" + WORKSPACE}, "OPG821", "factor is a number"),
    Mutation(
        "dynamic tensor",
        {"    x: pl.Ptr[pl.DT_UINT8],": "    x: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],"},
        "OPG821",
        "x is a pl.Tensor",
    ),
    Mutation("no annotation", {"    x: pl.Ptr[pl.DT_UINT8],": "    x,"}, "OPG821", "x has no annotation"),
    Mutation("typed pointer", {"    x: pl.Ptr[pl.DT_UINT8],": "    x: pl.Ptr[pl.DT_FP32],"}, ""),
    Mutation("**kwargs", {TILING: TILING + "    **more,\n"}, "OPG821", "takes **more"),
    Mutation("*args", {TILING: TILING + "    *more,\n"}, "OPG821", "takes *more"),
    Mutation("default value", {TILING: "    tiling: ScaledAddTilingData = None,\n"}, "OPG821", "has the default None"),
    Mutation("another function name", {"def scaled_add(": "def scaled_adds("}, "OPG820", "called scaled_adds"),
    Mutation("no jit", {"@pl.jit(\n": "@dict(\n"}, "OPG820", "no function is decorated"),
    Mutation(
        "two jit kernels",
        {"@pl.jit(\n": '@pl.jit(arch="a5", tiling_key=ScaledAddTilingKey)\ndef first(workspace: pl.Ptr[pl.DT_UINT8], '
         "tiling: ScaledAddTilingData):\n    pass\n\n\n@pl.jit(\n"},
        "OPG820",
        "second function under @pl.jit",
    ),
    Mutation("no arch", {'    arch="a5",\n': ""}, "OPG829", "@pl.jit with no arch"),
    Mutation("arch of A3", {'arch="a5"': 'arch="a3"'}, "OPG829", "arch='a3'"),
]  # fmt: skip

CLASSES = [
    _field("str"),
    _field("list"),
    _field("np.int32"),
    _field("int[0]"),
    _field("int[2049]"),
    _field("int[TILE_LENGTH]"),
    _field("Optional"),
    Mutation("no dataclass", {"@dataclass\n": ""}, "OPG822", "is no dataclass"),
    Mutation("no fields", {FIELDS: "    pass\n"}, "OPG822", "has no fields"),
    Mutation("duplicate field", {FIELDS: FIELDS + "    alpha: float\n"}, "OPG822", "the field alpha is there twice"),
    Mutation(
        "field register",
        {"total_length": "register"},
        "OPG822",
        "the field register is a keyword of C++",
    ),
    Mutation("field template", {"tile_num": "template"}, "OPG822", "the field template is a keyword of C++"),
    Mutation("field of a macro's name", {"tile_num": "EOF"}, "OPG822", "the field EOF is a macro"),
    Mutation("array without future import", ARRAY, "OPG822", "without `from __future__ import annotations`"),
    Mutation("array without guard", {**ARRAY, IMPORT: FUTURE}, "OPG822", "without an entry of the module"),
    Mutation(
        "array with both",
        {**ARRAY, IMPORT: GUARD, "\n\n\n@dataclass\nclass": SETDEFAULT},
        "",
        launch={"sizes": (1, 2, 3, 4)},
    ),
    Mutation("future import alone", {IMPORT: FUTURE}, ""),
    Mutation("bool field", {FIELDS: FIELDS + "    flag: bool\n", BODY: BODY + "            flag = tiling.flag\n"}, "",
             launch={"flag": True}),
    Mutation("field that nothing reads", {FIELDS: FIELDS + "    spare: int\n"}, "OPG827", "never reads the field"),
    Mutation("unknown field", {"tiling.tile_num": "tiling.tile_count"}, "OPG827", "no field tile_count"),
    Mutation("one class for both", {"tiling_key=ScaledAddTilingKey": "tiling_key=ScaledAddTilingData"}, "OPG822",
             "is TilingData and TilingKey"),
    _key("no bits", "sch_mode = TilingKeyField(bits=0, values=[0, 1])", said="has 0 bits"),
    _key("negative bits", "sch_mode = TilingKeyField(bits=-1, values=[0, 1])", said="has -1 bits"),
    _key("no values", "sch_mode = TilingKeyField(bits=1, values=[])", said="has no values"),
    _key("duplicate values", "sch_mode = TilingKeyField(bits=1, values=[1, 1])", said="has a value twice"),
    _key("bool values", "sch_mode = TilingKeyField(bits=1, values=[True, 1])", said="has the value True"),
    _key("too many values", "sch_mode = TilingKeyField(bits=1, values=[0, 1, 2])", said="3 values and 1 bit"),
    _key("negative value", "sch_mode = TilingKeyField(bits=1, values=[-1, 1])", said="has the value -1"),
    _key("no bits at all", "sch_mode = TilingKeyField(values=[0, 1])", said="lacks bits or values"),
    _key("more than 64 bits", KEY + "\n    much = TilingKeyField(bits=64, values=[0])", said="has 65 bits"),
    _key("64 bits", KEY + "\n    much = TilingKeyField(bits=63, values=[0])", ""),
    _key("values of a range", "sch_mode = TilingKeyField(bits=1, values=list(range(2)))", ""),
    _key("values of a long range", "sch_mode = TilingKeyField(bits=1, values=list(range(3)))", said="3 values and 1"),
    _key("no key fields", "sch_mode = 1", said="has no TilingKeyField"),
    _key("keyword", KEY + "\n    register = TilingKeyField(bits=1, values=[0])", said="is a keyword of C++"),
    _key("a parameter", KEY + "\n    x = TilingKeyField(bits=1, values=[0])", said="parameter of the kernel too"),
    _key("a variable", KEY + "\n    TILE_LENGTH = TilingKeyField(bits=1, values=[0])", said="variable of the module"),
    _key("none is valid", KEY + "\n\n    def is_valid(self, key):\n        return False", said="rejects every"),
    _key("some are valid", KEY + "\n\n    def is_valid(self, key):\n        return key[0] >= 0", ""),
    Mutation("instance", {"tiling_key=ScaledAddTilingKey": "tiling_key=ScaledAddTilingKey()"}, "OPG823",
             "tiling_key is ScaledAddTilingKey()"),
]  # fmt: skip

_DATATYPE = '        "x": "data_dtype",\n        "y": "data_dtype",\n        "z": "data_dtype",\n'

DATATYPES = [
    Mutation("unknown parameter", {'"x": "data_dtype"': '"w": "data_dtype"'}, "OPG824", "names w"),
    Mutation("variable is a parameter", {'"x": "data_dtype"': '"x": "y"'}, "OPG824", "the variable y is a parameter"),
    Mutation("bad identifier", {'"x": "data_dtype"': '"x": "data-type"'}, "OPG824", "is no identifier"),
    Mutation("variable is a key field", {'"x": "data_dtype"': '"x": "sch_mode"'}, "OPG824", "is a field of the key"),
    Mutation("empty", {_DATATYPE: ""}, "OPG824", "datatype is {}"),
    Mutation("the workspace", {_DATATYPE: _DATATYPE + '        "workspace": "data_dtype",\n'}, "OPG824", "no tensor"),
    Mutation("upper case in datatype", {'"x": "data_dtype"': '"X": "data_dtype"', "    x: pl": "    X: pl",
             "make_tensor(x,": "make_tensor(X,"}, "OPG824", "X, which is not in lower case"),
    Mutation("upper case elsewhere", {'        "x": "data_dtype",\n': "", "    x: pl": "    X: pl",
             "make_tensor(x,": "make_tensor(X,"}, ""),
    Mutation("not mapped", {"    datatype={\n" + _DATATYPE + "    },\n": ""}, "OPG825", "data_dtype is not known"),
]  # fmt: skip

BODIES = [
    _inside("pl.range", "for j in pl.range(0, 1, 1):\n    pass"),
    _inside("while", "j = 0\nwhile j < 2:\n    j += 1"),
    _inside("if, elif, else", "j = 1\nif i == 0:\n    j = 2\nelif i == 1:\n    j = 3\nelse:\n    j = 4"),
    _inside("annotated local", "j: int = i // 2 % 3"),
    _inside("condition of two terms", "j = 0\nif i > 0 and i < 3:\n    j = 1"),
    _inside("tuple assignment", "j, k = 1, 2"),
    _inside("docstring", '"""Nothing."""'),
    _inside("min and max", "j = min(i, 3)\nk = max(j, pl.min(i, 2))"),
    _inside("constant of the module", "j = TILE_LENGTH * 2"),
    _inside("break", "for j in pl.range(4):\n    if j == 2:\n        break"),
    Mutation(
        "helper",
        {"offset = i * TILE_LENGTH": "offset = start_of(i)",
         "@pl.jit(\n": "def start_of(i):\n    return i * TILE_LENGTH\n\n\n@pl.jit(\n"},
        "",
    ),
    Mutation(
        "helper below",
        {"offset = i * TILE_LENGTH": "offset = start_of(i)",
         "            pl.store(z_view, z_tile, [0, offset])\n":
         "            pl.store(z_view, z_tile, [0, offset])\n\n\ndef start_of(i):\n    return i * TILE_LENGTH\n"},
        "",
    ),
    _inside("range()", "for j in range(2):\n    pass", "OPG825", "a loop over range(2)"),
    _inside("print", "print(i)", "OPG825", "contains print()"),
    _inside("try", "try:\n    pass\nfinally:\n    pass", "OPG825", "contains try"),
    _inside("assert", "assert i < 3", "OPG825", "contains assert"),
    _inside("import", "import math", "OPG825", "contains import"),
    _inside("raise", "raise ValueError", "OPG825", "contains raise"),
    _inside("f-string", 'j = f"{i}"', "OPG825", "contains an f-string"),
    _inside("chained comparison", "if 0 <= i < 3:\n    pass", "OPG825", "contains a chained comparison"),
    _inside("lambda", "f = lambda v: v", "OPG825", "contains lambda"),
    _inside("comprehension", "f = [j for j in (1, 2)]", "OPG825", "contains a comprehension"),
    _inside("dict", "f = {}", "OPG825", "contains a dict"),
    _inside("power", "f = i ** 2", "OPG825", "contains the operator **"),
    _inside("return value", "return i", "OPG825", "contains return with a value"),
    _inside("with of something else", "with open('x'):\n    pass", "OPG825", "contains with open"),
    _inside("nested function", "def f(v):\n    pass", "OPG825", "contains a nested function"),
    _inside("undefined name", "j = offsets", "OPG825", "the name offsets is not known"),
    _inside("unknown operation", "pl.ad(1, 2)", "OPG825", "pypto_pro.language has no ad"),
    _inside("unknown barrier", "pl.system.bar_v()", "OPG825", "pypto_pro.language.system has no bar_v"),
    _inside("call of a class", "j = dataclass(i)", "OPG825", "contains a call of dataclass"),
    Mutation("no section", {"    with pl.section_vector():\n": "    if True:\n"}, "OPG828", "outside of pl.section"),
    Mutation(
        "stride of blocks",
        {"pl.get_block_num() * pl.get_subblock_num()": "pl.get_block_num()"},
        "OPG826",
        "workers is the stride",
    ),
    Mutation("stride of blocks, written out", {"tiling.tile_num, workers)": "tiling.tile_num, pl.get_block_num())"},
             "OPG826", "pl.get_block_num() is the stride"),
    Mutation(
        "stride in a while loop",
        {LOOP: "i = pl.get_block_idx()\n        while i < tiling.tile_num:",
         "            pl.store(z_view, z_tile, [0, offset])\n":
         "            pl.store(z_view, z_tile, [0, offset])\n            i += pl.get_block_num()\n"},
        "OPG826",
        "pl.get_block_num() is the stride",
    ),
    Mutation(
        "right stride in a while loop",
        {LOOP: "i = pl.get_block_idx()\n        while i < tiling.tile_num:",
         "            pl.store(z_view, z_tile, [0, offset])\n":
         "            pl.store(z_view, z_tile, [0, offset])\n            i += workers\n"},
        "",
    ),
]  # fmt: skip

_X_RING = "x_tiles = pl.make_tile_group(type=tile, addrs=0x00000, mutex_ids=[0, 1])"
_SHAPE = "shape=[1, TILE_LENGTH], dtype=data_dtype"
_VIEW = "x_view = pl.make_tensor(x, [1, tiling.total_length], [tiling.total_length, 1], dtype=data_dtype)"
_VALID = "            pl.set_validshape(y_tile, [1, length])\n"
HALF = {"dtype": "float16"}

LAUNCHES = [
    Mutation("view with one axis", {_VIEW: "x_view = pl.make_tensor(x, [tiling.total_length], [1], dtype=data_dtype)",
             "pl.load(x_tile, x_view, [0, offset])": "pl.load(x_tile, x_view, [offset])"}, "OPG843", "1 axis"),
    Mutation("default stride", {_VIEW: "x_view = pl.make_tensor(x, [1, tiling.total_length], dtype=data_dtype)"}, ""),
    Mutation("address not aligned", {_X_RING: _X_RING.replace("0x00000", "0x00010")}, "OPG832", "0x10 is no multiple"),
    Mutation("mutex id 32", {_X_RING: _X_RING.replace("[0, 1]", "[0, 32]")}, "OPG833", "mutex id 32"),
    Mutation("addresses and ids", {_X_RING: _X_RING.replace("0x00000", "[0]")}, "OPG830", "1 addrs for a ring of 2"),
    Mutation("list of addresses", {_X_RING: _X_RING.replace("0x00000", "[0, 0x8000]")}, ""),
    Mutation("no depth", {_X_RING: _X_RING.replace("[0, 1]", "None")}, "OPG830", "needs a depth"),
    Mutation("run-time tile", {_SHAPE: "shape=[1, tiling.tile_num * 8], dtype=data_dtype"}, "OPG830",
             "the shape of a tile"),
    Mutation("run-time address", {_X_RING: _X_RING.replace("0x00000", "tiling.tile_num * 32")}, "OPG830",
             "the address of a tile"),
    Mutation("address computed of constants", {_X_RING: _X_RING.replace("0x00000", "TILE_LENGTH * 0")}, ""),
    Mutation("UB overflow", {"addrs=0x20000, mutex_ids=[4, 5]": "addrs=0x30000, mutex_ids=[4, 5]"}, "OPG831",
             "ends at byte 262144"),
    Mutation("overlapping rings", {"addrs=0x10000, mutex_ids=[2, 3]": "addrs=0x0C000, mutex_ids=[2, 3]"}, "OPG833",
             "y_tiles[0] (0xc000 to 0x14000) overlaps x_tiles[1] (0x8000 to 0x10000)"),
    Mutation("shared mutex ids", {"mutex_ids=[2, 3]": "mutex_ids=[1, 2]"}, "OPG833", "shares mutex id 1"),
    Mutation("row bytes", {"shape=[1, TILE_LENGTH], dtype=data_dtype": "shape=[1, TILE_LENGTH + 1], dtype=data_dtype"},
             "OPG832", "32772 bytes"),
    Mutation("bits of floats", {"pl.add(z_tile, x_tile, z_tile)": "pl.and_(z_tile, x_tile, z_tile)"}, "OPG834",
             "pl.and_ of pl.DT_FP32"),
    Mutation("half multiplied as int", {"pl.mul(y_wide, y_wide, tiling.alpha)": "pl.shl(y_wide, y_wide, y_wide)"},
             "OPG834", "pl.shl of pl.DT_FP32", HALF),
    Mutation("bfloat16 division", {"pl.cast(z_tile, y_wide, mode=pl.RoundMode.CAST_RINT)":
             "pl.cast(z_tile, y_wide, mode=pl.RoundMode.CAST_RINT)\n                pl.div(z_tile, z_tile, z_tile)"},
             "OPG834", "pl.div of pl.DT_BF16", {"dtype": "bfloat16"}),
    Mutation("view of another type", {_VIEW: _VIEW.replace("data_dtype", "pl.DT_FP32")}, "OPG835",
             "the view of x has the type pl.DT_FP32 and the tensor holds pl.DT_FP16", HALF),
    Mutation("tile of another type", {_SHAPE: "shape=[1, TILE_LENGTH], dtype=pl.DT_FP32"}, "OPG835",
             "between x_tiles[0] of pl.DT_FP32 and a view of x of pl.DT_FP16", HALF),
    Mutation("tile shapes differ", {"shape=[1, TILE_LENGTH], dtype=pl.DT_FP32": "shape=[1, 4096], dtype=pl.DT_FP32",
             "pl.set_validshape(x_wide, [1, length])": "pl.set_validshape(x_wide, [1, 1])",
             "pl.set_validshape(y_wide, [1, length])": "pl.set_validshape(y_wide, [1, 1])"}, "OPG835",
             "pl.cast of x_wide_tiles with shape [1, 4096] and x_tiles[0] with shape [1, 8192]", HALF),
    Mutation("BOOL tile", {_SHAPE: "shape=[1, TILE_LENGTH], dtype=pl.DT_BOOL"}, "OPG834", "pl.DT_BOOL",
             {"dtype": "bool"}),
    Mutation("no valid shape", {_VALID: ""}, "OPG836", "leaves the view of y"),
    Mutation("valid shape behind the load", {_VALID: "", "            pl.load(y_tile, y_view, [0, offset])\n":
             "            pl.load(y_tile, y_view, [0, offset])\n" + _VALID}, "OPG836", "leaves the view of y"),
    Mutation("no tail", {"pl.min(TILE_LENGTH, tiling.total_length - offset)": "TILE_LENGTH"}, "OPG836",
             "leaves the view of x: [0:1, 16384:24576]"),
    Mutation("tail of another tensor", {_VALID: "            pl.set_validshape(y_tile, [1, 5])\n"}, "OPG835",
             "different valid shapes"),
    Mutation("valid shape of a float", {_VALID: "            pl.set_validshape(y_tile, [1, length / 1])\n"}, "OPG830",
             "a size of a valid shape is"),
    Mutation("type of a pointer alone", {"    x: pl.Ptr[pl.DT_UINT8],": "    x: pl.Ptr[pl.DT_FP32],", _VIEW:
             _VIEW.replace(", dtype=data_dtype", "")}, ""),
    Mutation("another type of a pointer", {"    x: pl.Ptr[pl.DT_UINT8],": "    x: pl.Ptr[pl.DT_FP16],", _VIEW:
             _VIEW.replace(", dtype=data_dtype", "")}, "OPG835", "the view of x has the type pl.DT_FP16"),
    Mutation("a key that no launch has", {"addrs=0x00000, mutex_ids=[0])": "addrs=0x00010, mutex_ids=[0])"}, "OPG832",
             "with sch_mode=0 the kernel cannot be translated: the address 0x10"),
    Mutation("unknown type of a pointer", {"    x: pl.Ptr[pl.DT_UINT8],": "    x: pl.Ptr[nothing],"}, "OPG830",
             "the file fails: NameError"),
    Mutation("valid shape of nothing", {_VALID: "            pl.set_validshape(y_tile, [1, 0])\n"}, "OPG841", "[1, 0]"),
    Mutation("one element further", {"offset = i * TILE_LENGTH": "offset = i * TILE_LENGTH + 1"}, "OPG840",
             "not all of the output z is stored: 1 of 16389"),
    Mutation("every second tile", {"tiling.tile_num, workers)": "tiling.tile_num, workers * 2)"}, "OPG840",
             "not all of the output z", {"count": 6 * 8192, "blocks": 1}),
    Mutation("one tile for all", {"offset = i * TILE_LENGTH": "offset = 0"}, "OPG839", "another worker stores to"),
    Mutation("all tiles for all", {LOOP: "for i in pl.range(0, tiling.tile_num, 1):"}, "OPG839", "the same values"),
    Mutation("no load", {"            pl.load(y_tile, y_view, [0, offset])\n": ""}, "OPG837",
             "pl.mul reads y_tiles[0] where nothing was written"),
    Mutation("two loads", {"            pl.load(y_tile, y_view, [0, offset])\n":
             "            pl.load(y_tile, x_view, [0, offset])\n            pl.load(y_tile, y_view, [0, offset])\n"},
             "OPG838", "pl.load fills y_tiles[0] again"),
    Mutation("two loads with a barrier", {"            pl.load(y_tile, y_view, [0, offset])\n":
             "            pl.load(y_tile, x_view, [0, offset])\n            pl.system.bar_mte2()\n"
             "            pl.load(y_tile, y_view, [0, offset])\n"}, ""),
    Mutation("no mutex", {"    auto_mutex=True,\n": "    auto_mutex=False,\n"}, "OPG838", "while MTE2 still writes it"),
    Mutation("ring without ids", {_X_RING: _X_RING.replace("mutex_ids=[0, 1]", "depth=2")}, "OPG838",
             "pl.load on MTE2 overwrites x_tiles[0] while V still reads it",
             {"count": 5 * 8192, "blocks": 1, "subblocks": 1}),
    Mutation("stores to an input", {"pl.store(z_view, z_tile, [0, offset])": "pl.store(x_view, z_tile, [0, offset])"},
             "OPG836", "stores to x, which is an input"),
    Mutation("cast that is not there", {"pl.cast(z_tile, y_wide, mode=pl.RoundMode.CAST_RINT)":
             "pl.cast(z_tile, y_wide, mode=pl.RoundMode.CAST_ODD)"}, "OPG834", "with CAST_ODD", {"dtype": "bfloat16"}),
    Mutation("mixed types", {"pl.add(y_wide, x_wide, y_wide)": "pl.add(y_wide, x_tile, y_wide)"}, "OPG835",
             "x_tiles[0] of pl.DT_FP16", HALF),
    Mutation("number for a tile", {"pl.add(z_tile, x_tile, z_tile)": "pl.add(z_tile, 1.0, z_tile)"}, "OPG830",
             "pl.add takes a tile"),
    Mutation("ring for a tile", {"pl.add(z_tile, x_tile, z_tile)": "pl.add(z_tile, x_tiles, z_tile)"}, "OPG830",
             "not a ring: take a tile with .next()"),
    Mutation("tile of the last turn", {"x_tile = x_tiles.next()": "x_tile = x_tiles.current()"}, "",
             launch={"count": 8192}),
    Mutation("int and float", {"pl.min(TILE_LENGTH, tiling.total_length - offset)":
             "pl.min(8192.0, tiling.total_length - offset)"}, "OPG830", "pl.min of 8192.0"),
    Mutation("view past the tensor", {_VIEW: _VIEW.replace("[1, tiling.total_length]", "[1, 2 * tiling.total_length]"),
             "pl.load(x_tile, x_view, [0, offset])": "pl.load(x_tile, x_view, [0, tiling.total_length + offset])"},
             "OPG836", "pl.load leaves x"),
]  # fmt: skip

MUTATIONS = [*SIGNATURE, *CLASSES, *DATATYPES, *BODIES, *LAUNCHES]
