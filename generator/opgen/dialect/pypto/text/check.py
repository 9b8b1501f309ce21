"""All that a kernel file's text decides."""

from __future__ import annotations

import ast
from pathlib import Path

from opgen.dialect.pypto.text.body import check_bodies
from opgen.dialect.pypto.text.classes import check_key, check_tiling
from opgen.dialect.pypto.text.fields import check_fields
from opgen.dialect.pypto.text.mapping import check_datatype
from opgen.dialect.pypto.text.signature import check_options, check_parameters, kernel_of
from opgen.dialect.pypto.text.source import Interface, Source
from opgen.dialect.pypto.text.stride import check_stride
from opgen.text.findings import Finding, Place


def check_text(path: str, text: str, interface: Interface | None = None) -> tuple[Finding, ...]:
    """Findings of a kernel file in order of their lines. path: as it is to be called; its stem is the kernel's name.

    interface: what op.yaml says of the kernel, where there is one.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        where = Place(path, error.lineno or 1, error.offset or 1)
        return (Finding("OPG830", f"the file cannot be read: {error.msg}", place=where),)
    source = Source(path, text, tree)
    kernel = kernel_of(source, Path(path).stem, interface)
    if kernel is not None:
        check_options(source, kernel)
        check_parameters(source, kernel, interface)
        check_tiling(source, kernel, interface)
        check_key(source, kernel, interface)
        check_datatype(source, kernel, interface)
        check_bodies(source, kernel)
        check_stride(source, kernel)
        check_fields(source, kernel)
    found = {(f.rule, f.what, f.place): f for f in source.findings}
    return tuple(sorted(found.values(), key=lambda f: (f.place.line, f.place.column) if f.place else (0, 0)))
