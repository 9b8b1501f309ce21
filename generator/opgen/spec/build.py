"""op.yaml, whose form is right, to an OpSpec; and every rule that needs to know what the parts mean together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from opgen.formula.signature import Signature, Variant
from opgen.formula.tidy import tidy
from opgen.spec.attributes import build_attrs
from opgen.spec.binding import check_binding, closed_values
from opgen.spec.cases import CaseBuilder, build_tolerance
from opgen.spec.chips import find_chip
from opgen.spec.collect import Collector, at
from opgen.spec.defaults import Defaults
from opgen.spec.dims import build_dims, text
from opgen.spec.formulas import check_formula, read_formula
from opgen.spec.ignoring import ignored_rules
from opgen.spec.kernels import check_kernels
from opgen.spec.model import Operator, OpSpec, Tiling
from opgen.spec.names import operator_name, operators_of
from opgen.spec.tensors import TensorBuilder
from opgen.spec.tiling import TilingBuilder
from opgen.spec.types import Types, build_types
from opgen.spec.variants import variants


def build(data: dict[str, Any], out: Collector, defaults: Defaults) -> OpSpec | None:
    """The spec; None when findings of error severity were added."""
    scenario = data["scenario"]
    chip = find_chip(data, out, defaults)
    operators = [_Builder(pointer, item, scenario, out).build() for pointer, item in operators_of(data)]
    built = tuple(operator for operator in operators if operator is not None)
    if out.errors or chip is None or len(built) < len(operators):
        return None
    several = "ops" in data
    return OpSpec(
        project=data.get("project") or built[0].name,
        scenario=scenario,
        cann=data.get("cann", defaults.cann),
        soc=chip.name,
        platform=chip.platform,
        summary=text(data["summary"]),
        operators=built,
        neighbour=data.get("neighbour", ""),
        notes=tuple(map(text, data.get("notes", ()))) if several else built[0].notes,
        first=defaults.first,
        extra=tuple(data.get("extra", ())),
        ignore=ignored_rules(data),
        repository=defaults.repository,
    )


def check_parts(data: Any, out: Collector, defaults: Defaults) -> None:
    """What can be said about an op.yaml whose form is wrong: its chip, and the syntax of its formulas."""
    if not isinstance(data, dict):
        return
    find_chip(data, out, defaults)
    for pointer, operator in operators_of(data):
        if isinstance(operator.get("compute"), str):
            read_formula(operator["compute"], at(pointer, "compute"), out)


@dataclass
class _Builder:
    """One operator."""

    pointer: str
    data: dict[str, Any]
    scenario: str
    out: Collector

    def build(self) -> Operator | None:
        """The operator; None when errors were added."""
        data, out = self.data, self.out
        before = out.errors
        kernel = data.get("kernel")
        attrs = build_attrs(data.get("attrs", []), self._at("attrs"), out)
        types = build_types(data.get("dtypes"), attrs, self._at("dtypes"), out)
        dims = build_dims(data.get("dims", {}), self._at("dims"), out)
        tensors = TensorBuilder(dims, attrs, types, out)
        inputs = tensors.inputs(data["inputs"], self._at("inputs"))
        outputs = tensors.outputs(data["outputs"], self._at("outputs"), inputs)
        signature = Signature(dims, inputs, outputs, attrs)
        compute = data.get("compute", "")
        if out.errors == before:
            check_binding(signature, types, compute, self.pointer, out)
        check_kernels(signature, types, self.scenario, self.pointer, out)
        tests = data.get("tests", {})
        cases = CaseBuilder(signature, types, self.pointer, out).build(tests.get("cases"))
        tolerance = build_tolerance(tests.get("tolerance", {}), signature, types, self._at("tests", "tolerance"), out)
        tiling, in_tiling = Tiling(), set[str]()
        if "tiling" in data:
            builder = TilingBuilder(data["tiling"], signature, types, self._at("tiling"), out)
            tiling = builder.build(self.scenario, kernel is not None)
            in_tiling = {name for _, uses in builder.edges.values() for name in uses}
        self._check_lists(kernel is not None)
        self._check_golden(kernel)
        formula = read_formula(compute, self._at("compute"), out) if compute else None
        if out.errors > before:
            if formula is not None:
                variant = _any_variant(signature, types)
                check_formula(formula, signature, [variant], self._at("compute"), out, only_names=True)
            return None
        sample = cases[0].types
        operator = Operator(
            type=data["op"],
            name=operator_name(data),
            summary=text(data["summary"]),
            signature=signature,
            combinations=(sample, *(c for c in types.combinations if c != sample)),
            formula=formula,
            compute="\n".join(tidy(compute)),
            kernel=kernel,
            reference=data.get("reference"),
            tiling=tiling,
            cases=cases,
            tolerance=tolerance,
            type_symbols=tuple(types.symbols),
            notes=tuple(map(text, data.get("notes", ()))),
            ignore=ignored_rules(data),
            pointer=self.pointer,
        )
        if formula is not None:
            check_formula(formula, signature, variants(operator), self._at("compute"), out, read_elsewhere=in_tiling)
        return operator if out.errors == before else None

    def _at(self, *steps: str | int) -> str:
        return at(self.pointer, *steps)

    def _check_lists(self, kernel: bool) -> None:
        for key in ("inputs", "outputs"):
            for number, item in enumerate(self.data[key]):
                if "count" not in item:
                    continue
                where = self._at(key, number, "count")
                if self.scenario == "pypto":
                    why = "The parameters of a PyPTO kernel are single tensors."
                    self.out.add("OPG212", where, "`count` in pypto", why, "Choose another scenario.", key=True)
                elif not kernel:
                    why = "A formula has no lists of tensors, so a kernel for them is written by hand."
                    fix = "Name your kernel under `kernel`, or declare the tensors one by one."
                    self.out.add("OPG212", where, "`count` without `kernel`", why, fix, key=True)

    def _check_golden(self, kernel: str | None) -> None:
        if kernel is not None and "compute" not in self.data and "reference" not in self.data:
            what = "nothing says what this operator computes"
            why = "The sample programs run it and compare nothing, which they and the README say."
            fix = "Write `compute`, or name a file with a function `reference` under `reference`."
            self.out.add("OPG213", self._at("kernel"), what, why, fix, severity="note", key=True)


def _any_variant(signature: Signature, types: Types) -> Variant:
    """A variant good enough to look for unknown names."""
    combination = types.combinations[0] if types.combinations else ()
    closed = tuple((a.name, closed_values(a)[0]) for a in signature.attrs if not a.dynamic and closed_values(a))
    return Variant(combination, tuple(pair for pair in closed if pair[0] not in types.choices))
