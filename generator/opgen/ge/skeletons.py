"""What the user's own kernel holds when it is written: a start with the right command line."""

from __future__ import annotations

from textwrap import wrap

from opgen.facts.dtypes import DTYPES
from opgen.facts.socs import PLATFORMS
from opgen.formula.signature import Attr, Dim, Tensor, Variant
from opgen.formula.sizes import Size, evaluate, names, python, simplify
from opgen.kernel.interface import call_parameters, kernel_interface
from opgen.kernel.reference import docstring_line
from opgen.spec.model import Operator, OpSpec
from opgen.templating import render
from opgen.text.escape import python_string

_WIDTH = 120


def kernel_skeleton(spec: OpSpec, operator: Operator) -> str:
    """A TileLang script with the right command line and parameters, and a body to replace."""
    return render("once/kernel.py.j2", **_KernelSkeleton(spec, operator).values())


class _KernelSkeleton:
    def __init__(self, spec: OpSpec, operator: Operator) -> None:
        self.spec = spec
        self.operator = operator
        self.interface = kernel_interface(operator)
        self.sizes = {d.name: self._variable(d) for d in operator.dims}

    def values(self) -> dict[str, object]:
        copied = self._copied()
        return {
            "head": docstring_line(f"{self.operator.type} in TileLang-Ascend: {self.operator.summary.en}"),
            "usage": _wrapped(f"python3 {self.interface.script.rpartition('/')[2]} {' '.join(self._usage())}"),
            "entry_point": _wrapped(self._entry_point()),
            "copies": f": it copies `{copied[0].name}` to `{copied[1].name}`" if copied else ", its body is empty",
            "platform": self.spec.platform,
            "soc": self.spec.soc,
            "cores": PLATFORMS[self.spec.platform].cores,
            "tile": bool(copied),
            "setup": self._setup(),
            "parameters": self._parameters(),
            "body": self._copy_body(*copied) if copied else self._empty_body(),
            "description": python_string(f"Compiles the kernel of {self.operator.type}."),
            "arguments": self._arguments(),
            "optional": bool(self.interface.optional),
        }

    @staticmethod
    def _variable(dim: Dim) -> str:
        return "n" if dim.rest else dim.name.lower()

    def _usage(self) -> list[str]:
        words = [dim.name for dim in self.interface.dims] + ["OUT"]
        if self.interface.symbols:
            types = self.operator.combinations[0]
            text = types[0][1] if len(types) == 1 else ",".join(f"{symbol}={dtype}" for symbol, dtype in types)
            words.append(f"[--dtype {text}]")
        words += [f"[--{option.name} V]" for option in self.interface.options]
        words += [f"[--without {tensor.name}]" for tensor in self.interface.optional]
        return words

    def _entry_point(self) -> str:
        words = []
        tensors = {("input", t.name): t for t in self.operator.inputs}
        tensors |= {("output", t.name): t for t in self.operator.outputs}
        for parameter in call_parameters(self.operator, Variant()):
            cxx = f"{parameter.cxx} "
            if parameter.role == "stream":
                cxx = "aclrtStream "
            elif parameter.cxx.endswith("*"):
                cxx = "uint8_t *"
            tensor = tensors.get((parameter.role, parameter.name))
            words += [f"{cxx}{name}" for name in (self._instances(tensor) if tensor else [parameter.name])]
        return f"void call({', '.join(words)});"

    def _setup(self) -> list[str]:
        lines = []
        types = self.interface.symbols
        if len(types) == 1:
            lines.append("dtype = args.dtype")
        elif types:
            lines.append('types = dict(pair.split("=") for pair in args.dtype.split(","))')
        for dim in self.operator.dims:
            name = self.sizes[dim.name]
            if not self._is_used(dim):
                continue
            value = f'T.symbolic("{name}") if args.{name} == -1 else args.{name}' if dim.dynamic else f"args.{name}"
            lines.append(f"{name} = {value}")
        return lines or ["del args  # nothing is chosen on the command line"]

    def _is_used(self, dim: Dim) -> bool:
        """Whether a shape names the dim; one that only counts a list is not."""
        axes = [axis for t in (*self.operator.inputs, *self.operator.outputs) for axis in t.shape]
        return any(axis.op == "rest" if dim.rest else dim.name in names(axis) for axis in axes)

    def _dtype(self, dtype: str) -> str:
        if dtype in DTYPES:
            return python_string(dtype)
        return "dtype" if len(self.interface.symbols) == 1 else f"types[{python_string(dtype)}]"

    def _shape(self, tensor: Tensor) -> str:
        axes = []
        for axis in tensor.shape:
            axes.append("n" if axis.op == "rest" else python(simplify(axis), self._rename))
        return f"({', '.join(axes)}{',' if len(axes) == 1 else ''})" if axes else "(1,)"

    def _rename(self, name: str) -> str:
        return self.sizes.get(name) or f"args.{name}"

    def _parameters(self) -> list[str]:
        lines = []
        written = {t.name for t in self.operator.outputs if t.inplace}
        for tensor in (*self.operator.inputs, *(t for t in self.operator.outputs if not t.inplace)):
            note = "  # read and written" if tensor.name in written and tensor.role == "input" else ""
            if tensor.count is not None:
                note = f"  # {tensor.name} is a list: one parameter for each of its tensors"
            for name in self._instances(tensor):
                lines.append(f"{name}: T.Tensor({self._shape(tensor)}, {self._dtype(tensor.dtype)}),{note}")
                note = ""
        if self.operator.tiling.workspace is not None:
            lines.append('workspace: T.Tensor((1,), "uint8"),  # as many bytes as op.yaml says')
        for attr in self.operator.dynamic_attrs:
            lines.append(f"{attr.name}: T.{'float32' if attr.type == 'float' else 'int64'},")
        return lines

    def _instances(self, tensor: Tensor) -> list[str]:
        """The parameters of a tensor: of a list as many as the first case has."""
        if tensor.count is None:
            return [tensor.name]
        case = self.operator.cases[0]
        known = {name: value for name, value in (*case.dims, *case.attrs) if isinstance(value, int)}
        return [f"{tensor.name}_{i}" for i in range(evaluate(tensor.count, known))]

    def _copied(self) -> tuple[Tensor, Tensor] | None:
        """An input and an output of one axis, equal in size and type: what the start can copy."""
        outputs = [t for t in self.operator.outputs if not t.inplace and t.count is None and len(t.shape) == 1]
        for output in outputs[:1]:
            for one in self.operator.inputs:
                same = one.shape == output.shape and one.dtype == output.dtype
                if same and one.count is None and not one.optional and one.shape[0].op in ("rest", "name"):
                    return one, output
        return None

    def _copy_body(self, source: Tensor, target: Tensor) -> list[str]:
        size = self._size(source.shape[0])
        dtype = self._dtype(source.dtype)
        return [
            f"tile = T.alloc_ub((TILE,), {dtype})",
            'with T.Scope("V"):',
            "    worker = cid * 2 + vid  # a core has two vector units",
            f"    for i in T.serial(T.ceildiv({size}, 2 * CORES * TILE)):",
            "        # Copies are clipped at the end of the tensor.",
            "        start = (i * 2 * CORES + worker) * TILE",
            f"        T.copy({source.name}[start : start + TILE], tile)",
            '        T.set_flag("mte2", "mte3", 2)',
            '        T.wait_flag("mte2", "mte3", 2)',
            f"        T.copy(tile, {target.name}[start : start + TILE])",
            '        T.set_flag("mte3", "mte2", 2)',
            '        T.wait_flag("mte3", "mte2", 2)  # the tile may be overwritten',
        ]

    def _size(self, axis: Size) -> str:
        return "n" if axis.op == "rest" else self.sizes[str(axis.value)]

    @staticmethod
    def _empty_body() -> list[str]:
        return [
            "worker = cid * 2 + vid  # a core has two vector units",
            'with T.Scope("V"):',
            "    T.evaluate(worker)  # load, compute and store here",
        ]

    def _arguments(self) -> list[str]:
        lines = []
        for dim, size in zip(self.operator.dims, self.interface.dims, strict=True):
            what = "product of the leading sizes" if dim.rest else f"size {dim.name}"
            if dim.dynamic:
                what += "; -1: known at run time"
            name = self.sizes[dim.name]
            lines.append(f'parser.add_argument("{name}", metavar="{size.name}", type=int, help="{what}")')
        lines.append('parser.add_argument("out", metavar="OUT", type=Path, help="library to write")')
        if self.interface.symbols:
            types = self.operator.combinations[0]
            if len(types) == 1:
                choices = list(dict.fromkeys(row[0][1] for row in self.operator.combinations))
                items = ", ".join(map(python_string, choices))
                lines += _call(['"--dtype"', f"choices=[{items}]", f'default="{types[0][1]}"', 'help="element type"'])
            else:
                default = ",".join(f"{symbol}={dtype}" for symbol, dtype in types)
                lines += _call(['"--dtype"', f'default="{default}"', 'help="element types"'])
        for option in self.interface.options:
            lines += _call(self._option(option))
        if self.interface.optional:
            items = ", ".join(python_string(t.name) for t in self.interface.optional)
            words = ['"--without"', 'action="append"', "default=[]", f"choices=[{items}]"]
            lines += _call([*words, 'help="an input that is not connected"'])
        return lines

    @staticmethod
    def _option(option: Attr) -> list[str]:
        words = [f'"--{option.name}"']
        match option.type:
            case "int" | "float":
                words.append(f"type={option.type}")
            case "bool":
                words.append('type=lambda text: text == "true"')
            case "ints" | "floats":
                item = option.type.removesuffix("s")
                words.append(f'type=lambda text: [{item}(item) for item in text.split(",") if item]')
        return [*words, "required=True", 'help="attribute"']


def _wrapped(text: str) -> list[str]:
    """Lines for a docstring that indents them by four."""
    return wrap(text, _WIDTH - 4, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _call(words: list[str]) -> list[str]:
    """`parser.add_argument(...)`, one word a line where it does not fit; four columns stand in front of it."""
    line = f"parser.add_argument({', '.join(words)})"
    if len(line) + 4 <= _WIDTH:
        return [line]
    return ["parser.add_argument(", *(f"    {word}," for word in words), ")"]
