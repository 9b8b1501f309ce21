"""The rung of files: what lies on disk is what op.yaml says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opgen.disk.compare import compare
from opgen.disk.drift import drift
from opgen.text.findings import Refused
from opgen.verify.result import Result

if TYPE_CHECKING:
    from opgen.verify.ladder import Site


def files_rung(site: Site) -> Result:
    count = len(site.plan.files)
    if site.fresh:
        return Result("files", "passed", f"{count} files, generated in a temporary copy")
    try:
        found = list(drift(compare(site.plan, site.folder), "PATH"))
    except Refused as refused:
        found = [("refused", finding) for finding in refused.findings]
    if not found:
        return Result("files", "passed", f"{count} files in sync")
    lines = [f"{finding.place.file if finding.place else ''}: {kind} [{finding.rule}]" for kind, finding in found]
    return Result("files", "failed", f"{len(found)} of {count} files not in sync", "\n".join(lines))
