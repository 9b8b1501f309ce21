"""`ignore` of op.yaml: which rules are a matter of judgement, and what silencing one does."""

from __future__ import annotations

from typing import Any

from opgen.spec.collect import Collector, at, listed
from opgen.spec.names import operators_of
from opgen.text.findings import Finding

# Findings that somebody may know better than opgen: everything that is no error, and of the errors these. All other
# errors say that there is no such operator, file or kernel, so that silencing them leaves nothing to generate.
IGNORABLE_ERRORS = {
    "OPG104": "the list of CANN's operators is opgen's own",
    "OPG205": "an unused symbol costs kernels, and breaks nothing",
    "OPG308": "an unused input costs bandwidth, and breaks nothing",
}
ADVICE = frozenset(("OPG213", "OPG501"))


def check_ignores(data: Any, out: Collector) -> None:
    """OPG106: an ignore that would do nothing."""
    if not isinstance(data, dict):
        return
    places = [("", data)] + [place for place in operators_of(data) if place[0]]
    for pointer, owner in places:
        items = owner.get("ignore")
        for number, item in enumerate(items if isinstance(items, list) else ()):
            from opgen.spec.rules import RULES  # all pages, which hardly any op.yaml needs

            rule = item.get("rule") if isinstance(item, dict) else None
            if not isinstance(rule, str):
                continue
            where = at(pointer, "ignore", number, "rule")
            if rule not in RULES:
                why = "An ignore of a rule that does not exist hides nothing, and misleads its readers."
                out.add("OPG106", where, f"there is no rule `{rule}`", why, "`opgen explain` lists the rules.")
            elif rule not in IGNORABLE_ERRORS and rule not in ADVICE:
                why = "What breaks this rule cannot be generated, built or run; there is nothing to judge."
                choice = listed(sorted((*IGNORABLE_ERRORS, *ADVICE)))
                fix = f"Change what the rule complains about. Rules that can be ignored: {choice}."
                out.add("OPG106", where, f"`{rule}` cannot be ignored", why, fix)


def silenced(finding: Finding, data: Any) -> bool:
    """Whether an ignore of the library or of the finding's operator silences it."""
    if finding.severity == "error" and finding.rule not in IGNORABLE_ERRORS:
        return False
    if not isinstance(data, dict):
        return False
    owners = [data]
    owners += [operator for pointer, operator in operators_of(data) if pointer and _below(finding.pointer, pointer)]
    return any(finding.rule in ignored_rules(owner) for owner in owners)


def _below(pointer: str, parent: str) -> bool:
    return pointer == parent or pointer.startswith(parent + "/")


def ignored_rules(owner: dict[str, Any]) -> tuple[str, ...]:
    """Ids under `ignore` of op.yaml or of one operator."""
    items = owner.get("ignore")
    rules = [item.get("rule") for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return tuple(rule for rule in rules if isinstance(rule, str))
