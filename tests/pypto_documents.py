"""What the documents of a PyPTO folder are made of, for tests."""

from __future__ import annotations

from conftest import ROOT
from opgen.docs.pypto.folder import Folder
from opgen.project.plan import plan_pypto_kernels
from opgen.pypto.outline import outline
from opgen.spec.loader import load


def folder_of(name: str) -> Folder:
    """Of an operator of the gallery."""
    return folder_from((ROOT / "specs" / name / "op.yaml").read_bytes())


def folder_from(data: bytes) -> Folder:
    spec = load(data, "op.yaml")
    plans, _ = plan_pypto_kernels(spec, data, "op.yaml")
    return Folder(spec, outline(spec), plans[spec.operators[0].name])
