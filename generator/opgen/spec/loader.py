"""op.yaml to OpSpec: everything that is wrong with it, in one run."""

from __future__ import annotations

from functools import partial

from opgen.spec.build import build, check_parts
from opgen.spec.collect import Collector
from opgen.spec.defaults import Defaults
from opgen.spec.ignoring import check_ignores, silenced
from opgen.spec.languages import check_languages
from opgen.spec.model import OpSpec
from opgen.spec.names import check_names
from opgen.spec.pypto import check_pypto
from opgen.spec.schema import validate
from opgen.text.findings import Finding, Refused
from opgen.text.yaml_reader import Document, read

_DEFAULTS = Defaults()


def load(data: bytes, name: str, defaults: Defaults = _DEFAULTS) -> OpSpec:
    """The spec in the bytes of an op.yaml. Refused: there is an error. name: of the file, for places."""
    spec, findings = check(data, name, defaults)
    if spec is None:
        raise Refused(findings)
    return spec


def check(data: bytes, name: str, defaults: Defaults = _DEFAULTS) -> tuple[OpSpec | None, tuple[Finding, ...]]:
    """The spec, or None when there is an error; and every finding with its place, in the order of the text.

    Where the text is no YAML, nothing else is looked at. Where its form is wrong, names, languages, ignores, the chip
    and the syntax of formulas are checked all the same, but for a value whose own form is wrong; what the parts mean
    together waits until the form is right. defaults: what the repository says.
    """
    document = read(data, name)
    if document.data is None:
        return None, document.findings
    formal = [*document.findings, *validate(document)]
    out = Collector(partial(silenced, data=document.data))
    check_names(document.data, out)
    check_pypto(document.data, out)
    check_languages(document.data, out)
    check_ignores(document.data, out)
    spec = None
    if any(finding.severity == "error" for finding in formal):
        check_parts(document.data, out, defaults)
    else:
        spec = build(document.data, out, defaults)
    malformed = {finding.pointer for finding in formal if finding.pointer}
    meant = [finding for finding in out.findings if finding.pointer not in malformed]
    return None if out.errors else spec, _located(document, formal + meant)


def _located(document: Document, findings: list[Finding]) -> tuple[Finding, ...]:
    located = dict.fromkeys(document.locate(finding) for finding in findings)
    return tuple(sorted(located, key=lambda f: (f.place.line, f.place.column, f.rule) if f.place else (0, 0, f.rule)))
