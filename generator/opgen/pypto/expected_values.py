"""ComputeExpected of the golden header: the formula, over sizes, attributes and types that a test chooses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from opgen.cxx.arrays import SizedFormula, product
from opgen.cxx.expected import expected_body
from opgen.cxx.extents import Axis, Extent, elements
from opgen.cxx.layout import call, statement
from opgen.facts.naming import camel
from opgen.formula.signature import Shape, Tensor
from opgen.formula.sizes import Size, evaluate, simplify, substitute
from opgen.kernel.pypto.plan import REST
from opgen.pypto.example_model import ExampleModel, ExampleTest, element
from opgen.pypto.names import lower_camel
from opgen.spec.variants import typed
from opgen.text.escape import cxx_comment

_INDENT = 4
_NUMBERS = ("int", "float", "bool")


@dataclass(frozen=True)
class ExpectedFunctions:
    """text: the functions, ComputeExpected last. includes: standard headers that they need."""

    text: str
    includes: frozenset[str]


def expected_functions(model: ExampleModel) -> ExpectedFunctions:
    """`Expected<T> ComputeExpected(const TestCase& test, const Inputs<T>& inputs)`."""
    return _Writer(model).write()


class _Writer:
    def __init__(self, model: ExampleModel) -> None:
        self.model = model
        self.operator = model.operator
        self.includes: set[str] = set()
        # Sizes have variables that no name of the formula can meet: those are lower snake case.
        self.variables = {
            dim.name: "leadingSize" if dim.rest else f"{model.members[dim.name]}Size" for dim in model.free_dims
        }
        self.counts: dict[Shape, str] = {}  # shape -> the variable of its product, where one is needed
        if tuple(self.variables) == (REST,):
            self.variables[REST] = "elementCount"

    def write(self) -> ExpectedFunctions:
        bodies: dict[tuple[str, ...], ExampleTest] = {}  # by text for every column -> the first test of it
        texts: list[tuple[ExampleTest, tuple[str, ...]]] = []
        met: set[str] = set()
        for test in self.model.tests:
            condition = self.model.condition(test)
            if condition in met:
                continue
            met.add(condition)
            body = tuple("\n".join(self._body(test, types)) for types in self.operator.combinations)
            texts.append((test, body))
            bodies.setdefault(body, test)
        functions: list[str] = []
        names: dict[tuple[str, ...], str] = {}
        for number, (body, test) in enumerate(bodies.items()):
            names[body] = "ComputeExpected" if len(bodies) == 1 else self._name(test)
            functions += self._functions(names[body], body, with_comment=number == 0)
        if len(bodies) > 1:
            functions.append(self._chooser(texts, names))
        return ExpectedFunctions("\n\n".join(functions), frozenset(self.includes))

    def _name(self, test: ExampleTest) -> str:
        optional = [tensor.name for tensor in self.operator.optional_inputs]
        words = [("Without" if name in test.absent else "With") + camel(name) for name in optional]
        for attr in self.operator.static_attrs:
            if attr.closed:
                value = test.attrs[attr.name]
                if isinstance(value, bool):
                    words.append(("" if value else "Not") + camel(attr.name))
                else:
                    words.append(camel(attr.name) + re.sub(r"\W+", "", str(value).title()))
        return f"ComputeExpected{''.join(words)}"

    def _head(self, start: str, name: str, arguments: str, body: str) -> str:
        """start: "inline " or nothing."""
        test = "test" if re.search(r"\btest\b[.)]", body) else ""
        inputs = "inputs" if "inputs." in body else ""
        parameters = f"const TestCase& {test}".rstrip(), f"const Inputs{arguments}& {inputs}".rstrip()
        return statement(f"{start}Expected{arguments} ", call(name, *parameters), "\n{\n")

    def _functions(self, name: str, body: tuple[str, ...], with_comment: bool) -> Iterator[str]:
        """One template where all columns have one text, else one function for each of them."""
        comment = "\n".join(self._comment()) + "\n" if with_comment else ""
        arguments = self.model.arguments
        if len(set(body)) == 1:
            template = f"{self.model.template}\n" if self.model.symbols else ""
            head = self._head("" if template else "inline ", name, arguments, body[0])
            yield f"{comment}{template}{head}{body[0]}\n}}"
            return
        yield (
            f"{comment}{self.model.template}\n"
            f"Expected{arguments} {name}(const TestCase& test, const Inputs{arguments}& inputs);"
        )
        for types, text in zip(self.operator.combinations, body, strict=True):
            own = self.model.column(types)
            text = text.replace(f"Expected{arguments} expected;", f"Expected{own} expected;")
            yield f"template <>\n{self._head('inline ', name + own, own, text)}{text}\n}}"

    def _chooser(self, texts: list[tuple[ExampleTest, tuple[str, ...]]], names: dict[tuple[str, ...], str]) -> str:
        arguments = self.model.arguments
        template = f"{self.model.template}\n" if self.model.symbols else ""
        head = self._head("" if template else "inline ", "ComputeExpected", arguments, "test.inputs.")
        lines = [f"{template}{head}".rstrip("\n")]
        for test, body in texts[:-1]:
            lines.append(f"    if ({self.model.condition(test)}) {{")
            lines.append(f"        return {names[body]}{arguments}(test, inputs);")
            lines.append("    }")
        lines += [f"    return {names[texts[-1][1]]}{arguments}(test, inputs);", "}"]
        return "\n".join(lines)

    def _comment(self) -> Iterator[str]:
        lines = [cxx_comment(line) for line in self.operator.compute.splitlines() if line.strip()]
        if len(lines) == 1:
            yield f"// {lines[0].strip()}, in double."
            return
        yield "// The formula, in double:"
        yield from (f"//   {line}" for line in lines)

    # The statements

    def _body(self, test: ExampleTest, types: tuple[tuple[str, str], ...]) -> list[str]:
        model = self.model
        present = [t for t in self.operator.inputs if t.name not in test.absent]
        sizes: dict[str, Axis] = {}
        for dim in self.operator.dims:
            if not dim.rest:
                fixed = dim.fixed and isinstance(dim.default, int)
                sizes[dim.name] = int(dim.default) if fixed else self._extent(dim.name)  # type: ignore[arg-type]
        static = {a.name: test.attrs[a.name] for a in self.operator.static_attrs}
        whole = {name: int(value) for name, value in static.items() if isinstance(value, bool | int)}
        formula = SizedFormula(
            typed=typed(self.operator, model.variant(test, types)),
            inputs=tuple((t.name, self._axes(t.shape, sizes, whole)) for t in present),
            outputs=tuple((t.name, self._axes(t.shape, sizes, whole)) for t in self.operator.outputs),
            counts={t.name: self._count(t, product(self._axes(t.shape, sizes, whole))) for t in self.operator.outputs},
            sizes={**sizes, **whole},
            rest=(self._extent(REST),) if REST in self.variables else (),
            attrs={a.name: f"test.{model.members[a.name]}" for a in model.plain_attrs if a.type in _NUMBERS},
            rounding=lambda dtype, expression: f"static_cast<double>({element(dtype)}({expression}))",
            indent=_INDENT,
            taken=("test",),
        )
        lines, headers = expected_body(formula)
        self.includes |= headers
        own = self.model.arguments
        lines = [_restyled(line).replace("Expected expected;", f"Expected{own} expected;") for line in lines]
        text = "\n".join(lines)
        return [*self._sizes(text), *lines, "    return expected;"]

    def _sizes(self, text: str) -> Iterator[str]:
        """The variables of the sizes that the statements name."""
        for name, variable in self.variables.items():
            if re.search(rf"\b{variable}\b", text):
                member = f"test.{self.model.members[name]}"
                value = f"ElementCount({member})" if name == REST else f"static_cast<size_t>({member})"
                yield f"    const size_t {variable} = {value};"
        for shape, variable in self.counts.items():
            if re.search(rf"\b{variable}\b", text):
                yield f"    const size_t {variable} = ElementCount({self.model.shape_functions[shape]}(test));"

    def _count(self, tensor: Tensor, count: Axis) -> str:
        """The elements of an output: a product has a variable of its own."""
        if isinstance(count, Extent) and count.size.op != "name":
            return self.counts.setdefault(tensor.shape, f"{lower_camel(tensor.name)}Count")
        return elements(count)

    def _extent(self, name: str) -> Extent:
        return Extent(Size.name(self.variables[name]))

    def _axes(self, shape: Shape, sizes: dict[str, Axis], whole: dict[str, int]) -> tuple[Axis, ...]:
        found: list[Axis] = []
        for axis in shape:
            if axis.op == "rest":
                found.append(self._extent(REST))
                continue
            known: dict[str, int | Size] = {n: a.size if isinstance(a, Extent) else a for n, a in sizes.items()}
            plain = simplify(substitute(axis, {**known, **whole}))
            found.append(evaluate(plain, {}) if plain.number is not None else Extent(plain))
        return tuple(found)


def _restyled(line: str) -> str:
    """A line in the style of the operator repositories: four columns a level, the star at the type."""
    level = (len(line) - len(line.lstrip())) // 2
    return " " * (_INDENT * level) + re.sub(r"> &(?=\w)", ">& ", line.lstrip())
