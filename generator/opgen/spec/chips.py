"""The chip that `soc` names: canonical, known to the CANN version, served by the scenario (OPG209)."""

from __future__ import annotations

from typing import Any

from opgen.facts.socs import (
    DEFAULT_PYPTO_SOC,
    DEFAULT_SOC,
    FAMILIES,
    PLATFORMS,
    SOCS,
    UNSUPPORTED,
    UNSUPPORTED_EXACT,
    Soc,
    supported_socs,
)
from opgen.spec.collect import Collector, did_you_mean, listed
from opgen.spec.defaults import Defaults

_PYPTO_PLATFORMS = ("A5",)
_WHY = "GE and ATC compare the name letter by letter, and a build for an unknown chip fails deep inside the toolkit."


def find_chip(data: dict[str, Any], out: Collector, defaults: Defaults) -> Soc | None:
    """The chip of an op.yaml; None when there is none, which is reported."""
    scenario, cann = data.get("scenario"), data.get("cann", defaults.cann)
    pypto = scenario == "pypto"
    usual = DEFAULT_PYPTO_SOC if pypto else defaults.soc or DEFAULT_SOC
    name = data.get("soc", usual)
    if not isinstance(name, str):
        return None  # the schema says so
    platforms = _PYPTO_PLATFORMS if pypto else tuple(PLATFORMS)
    served = supported_socs(cann if cann in ("9.1", "9.2") else "9.2", platforms)
    choice = f"Chips: {', '.join(soc.name for soc in served)}."
    exact = next((soc for soc in SOCS if name == soc.name or name in soc.aliases), None)
    if exact is not None:
        if exact in served:
            return exact
        if exact.platform not in platforms:
            why = "Its documentation names Ascend 950 only."
            out.add("OPG209", "/soc", f"PyPTO Pro does not run on `{exact.name}`", why, choice)
        else:
            out.add("OPG209", "/soc", f"CANN {cann} does not know `{exact.name}`", _WHY, choice)
        return None
    what, why, fix = _explain(name, served, choice)
    out.add("OPG209", "/soc", what, why, fix)
    return None


def _explain(name: str, served: tuple[Soc, ...], choice: str) -> tuple[str, str, str]:
    """what, why and fix for a name that is no chip's."""
    small = name.casefold()
    for soc in served:
        if small in (soc.name.casefold(), *(alias.casefold() for alias in soc.aliases)):
            return f"`{name}` differs from `{soc.name}` in letter case", _WHY, f"Write `{soc.name}`."
    if small in FAMILIES:
        members = [soc.name for soc in served if soc.name.startswith(FAMILIES[small])]
        why = "It names a family of chips, and the older one of that name is yet another chip."
        fix = f"Name the chip that `npu-smi info` shows: {listed(members, 'or')}." if members else choice
        return f"`{name}` is not one chip", why, fix
    if small in UNSUPPORTED_EXACT:
        return f"the chip `{name}` is not supported", f"{_sentence(UNSUPPORTED_EXACT[small])}", choice
    for prefix, reason in UNSUPPORTED.items():
        if small.startswith(prefix):
            return f"the chip `{name}` is not supported", _sentence(reason), choice
    known = [word for soc in served for word in (soc.name, *soc.aliases)]
    near = did_you_mean(name, known)
    return f"unknown chip `{name}`", _WHY, f"{near} {choice}".strip()


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
