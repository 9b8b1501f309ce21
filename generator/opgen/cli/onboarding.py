"""Options of `opgen new` -> the values of the onboarding template, each written as op.yaml wants it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from opgen.disk.paths import part_problem
from opgen.facts.naming import camel, snake
from opgen.formula.syntax import Expr, Formula, FormulaError, parse
from opgen.text import yaml_writer
from opgen.text.findings import CannotWork, Finding, Place, Refused

# Free names of a formula that are numbers to most people; all others are taken for tensors.
_NUMBERS = frozenset(
    {"alpha", "beta", "eps", "epsilon", "slope", "negative_slope", "lr", "momentum", "threshold", "factor", "exponent"}
)
_WORDS = re.compile(r"[\w.,+*/%() -]*\Z", re.ASCII)


@dataclass(frozen=True)
class Identity:
    """name: of folder and project. op: operator type."""

    name: str
    op: str

    @property
    def project(self) -> str:
        """`project:` of op.yaml, "" where it follows from the operator type."""
        return "" if snake(self.op) == self.name else self.name


def identity(word: str, op: str | None) -> Identity:
    """NAME and --op by the rules of op.yaml. Refused, or CannotWork where NAME is no file name at all."""
    problem = part_problem(word) or ("it holds '/'" if "/" in word else None)
    if problem and len(word) <= 64:
        raise CannotWork(f'NAME "{word}": {problem}', "choose a name such as add_custom or AddCustom")
    pascal = word[:1].isupper()
    found = Identity(snake(word) if pascal else word, op or (word if pascal else camel(word)))
    _check(word, pascal, found, op is not None)
    return found


def _check(word: str, pascal: bool, found: Identity, op_given: bool) -> None:
    from opgen.spec.loader import check

    tensor = {"name": "x0", "dtype": "float32", "shape": [8]}
    document = {
        "edition": 1,
        "op": word if pascal and not op_given else found.op,
        "project": found.name,
        "scenario": "offline",
        "summary": {"en": "One.", "zh": "一。"},
        "inputs": [tensor],
        "outputs": [{**tensor, "name": "y0"}],
        "compute": "y0 = x0 + 1",
    }
    _, problems = check(json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace"), "NAME")
    wrong = [f for f in problems if f.severity == "error" and f.pointer in ("/op", "/project")]
    if not pascal:
        wrong = [f for f in wrong if f.pointer == "/project"] or wrong
    if wrong:
        raise Refused([_of_the_command_line(finding, word, found, op_given) for finding in wrong[:1]])


def _of_the_command_line(finding: Finding, word: str, found: Identity, op_given: bool) -> Finding:
    """The same finding in words of the command line, where no op.yaml is there yet."""
    by_op = finding.pointer == "/op" and op_given
    argument = "--op" if by_op else "NAME"
    value = found.op if by_op else word
    what = re.sub(r"^(op|project) ", f"{argument} ", finding.what)
    what = re.sub(r"^the (project|operator type|name) `[^`]*`(, derived from `[^`]*`,)?", f'{argument} "{value}"', what)
    if not what.startswith(argument):
        what = f'{argument} "{value}": {what}'
    fix = finding.fix.replace("op: ", "").replace("project: ", "")
    if finding.rule in ("OPG103", "OPG104", "OPG105"):
        fix = f"Choose another one, such as {f'--op {found.op}Custom' if by_op else f'{found.name}_custom'}."
    return Finding(finding.rule, what, finding.why, fix)


@dataclass(frozen=True)
class Roles:
    """What the names of a formula are taken for."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attrs: tuple[str, ...]


_DEFAULT = Roles(("x", "y"), ("z",), ())  # of the template


def roles(source: str) -> Roles:
    """Outputs are assigned and never read again; a name that is read and never assigned is an input, or an attribute
    where it is one of the usual names of numbers. Refused, with places in the option, for what is no formula."""
    formula = _parsed(source)
    assigned = {line.name for line in formula.lines}
    read = list(dict.fromkeys(_names(formula)))
    free = [name for name in read if name not in assigned and name[:1].islower()]
    outputs = [line.name for line in formula.lines if line.name not in read]
    return Roles(
        tuple(name for name in free if name not in _NUMBERS),
        tuple(dict.fromkeys(outputs or [formula.lines[-1].name])),
        tuple(name for name in free if name in _NUMBERS),
    )


def _parsed(source: str) -> Formula:
    try:
        return parse(source)
    except FormulaError as error:
        findings = []
        for problem in error.problems:
            before = source[: problem.offset]
            place = Place("--formula", before.count("\n") + 1, len(before) - before.rfind("\n"), problem.length)
            findings.append(Finding(problem.rule, problem.what, problem.why, problem.fix, place=place))
        raise Refused(findings) from None


def _names(formula: Formula) -> Iterable[str]:
    for line in formula.lines:
        yield from (str(node.value) for node in _walk(line.value) if node.op == "name")


def _walk(expr: Expr) -> Iterable[Expr]:
    # The type of a cast is no tensor.
    if expr.op == "call" and expr.value == "cast":
        yield from _walk(expr.args[0])
    else:
        yield expr
        for arg in expr.args:
            yield from _walk(arg)


def values(
    who: Identity,
    *,
    scenario: str,
    dtypes: tuple[str, ...],
    shapes: tuple[str, ...],
    formula: str | None,
    kernel: str | None,
    soc: str | None,
    cann: str | None,
    summary: tuple[str | None, str | None],
    modeline: str,
) -> dict[str, str]:
    """What to put into the template; what is left out keeps the template's default."""
    found = {"name": who.name, "op": who.op, "project": who.project, "scenario": scenario, "modeline": modeline}
    if dtypes:
        found["dtypes"] = f"[{', '.join(_words('--dtype', dtype) for dtype in dtypes)}]"
    if soc is not None:
        found["soc"] = _words("--soc", soc)
    if cann is not None:
        found["cann"] = _words("--cann", cann)
    default: tuple[str | None, str | None] = (None, None)
    named = _DEFAULT
    if formula is not None:
        formula = formula.strip("\n")
        named = roles(formula)
        found["inputs"], found["outputs"], found["attrs"] = map(" ".join, (named.inputs, named.outputs, named.attrs))
        found["compute"] = yaml_writer.formula(formula)
        default = _summary(formula, named)
    tensors = (*named.inputs, *named.outputs)
    chosen = dict(_shape(text, tensors) for text in shapes)
    if not chosen and formula is not None:
        chosen = _of_product(formula, named)
    if "" in chosen:
        found["shape"] = chosen.pop("")
    found["shapes"] = "\n".join(f"{name}={shape}" for name, shape in chosen.items())
    if kernel is not None:
        found["kernel"] = f"{who.name}.py" if scenario == "pypto" and _file(kernel) else _file(kernel)
        if formula is None:
            found["compute"] = ""
            default = (f"{who.op}, with a kernel of its own.", f"{who.op}：使用自有 kernel 的自定义算子。")
    for key, given, written in zip(("summary_en", "summary_zh"), summary, default, strict=True):
        if given is not None or written is not None:
            found[key] = yaml_writer.scalar(str(given if given is not None else written))
    return found


def _shape(text: str, tensors: Iterable[str]) -> tuple[str, str]:
    """--shape -> the tensor that it is of, "" for all, and the shape as op.yaml writes it."""
    name, given, axes = (part.strip() for part in text.rpartition("="))
    if given and name not in tensors:
        raise CannotWork(f'--shape "{text}": the formula has no tensor `{name}`', f"one of {', '.join(tensors)}")
    inner = axes[1:-1] if axes[:1] == "[" and axes[-1:] == "]" else axes
    _words("--shape", inner.replace("[", "").replace("]", ""))
    if "[" in inner or "]" in inner:
        raise CannotWork(f'--shape "{text}": a bracket has no partner', 'write "[..., C]" or "..., C"')
    return name, f"[{', '.join(axis.strip() for axis in inner.split(','))}]"


def _of_product(formula: str, named: Roles) -> dict[str, str]:
    """Shapes where two inputs are multiplied as matrices: those of the product for the others too, but for a bias."""
    for node in (node for line in _parsed(formula).lines for node in _walk(line.value)):
        product = node.op == "matmul" or (node.op == "call" and node.value == "matmul")
        names = [str(arg.value) for arg in node.args if arg.op == "name" and arg.value in named.inputs]
        if not product or len(set(names)) != 2:
            continue
        turned = {option for option, value in node.options if value.value is True}
        rest = {name: "[N]" if "bias" in name else "[M, N]" for name in (*named.inputs, *named.outputs)}
        first = "[K, M]" if "transpose_a" in turned else "[M, K]"
        second = "[N, K]" if "transpose_b" in turned else "[K, N]"
        return {**rest, names[0]: first, names[1]: second}
    return {}


def _words(option: str, text: str) -> str:
    if not _WORDS.match(text):
        raise CannotWork(f"{option} {text!r}: only letters, digits and . , + * / % ( ) - _ may stand there")
    return text


def _file(kernel: str) -> str:
    name = Path(kernel).name
    if name != kernel and not Path(kernel).is_file():
        raise CannotWork(
            f'--kernel: there is no file "{kernel}"', "name a file that is there, or one that is to be written"
        )
    problem = part_problem(name)
    if problem or not name.endswith(".py"):
        raise CannotWork(f'--kernel "{kernel}": {problem or "it does not end with .py"}', "such as my_kernel.py")
    return yaml_writer.scalar(name)


def _summary(formula: str, named: Roles) -> tuple[str, str]:
    if "\n" not in formula:
        return f"Computes {formula.strip()}.", f"计算 {formula.strip()}。"
    english = f"Computes {', '.join(named.outputs)} from {', '.join(named.inputs) or 'nothing'}."
    return english, f"由 {'、'.join(named.inputs) or '常量'} 计算 {'、'.join(named.outputs)}。"
