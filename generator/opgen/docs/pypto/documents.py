"""Every document of an operator folder, by path."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.docs.pypto.aclnn_page import aclnn_page
from opgen.docs.pypto.folder import LANGUAGES, Folder
from opgen.docs.pypto.readme import readme
from opgen.docs.pypto.tiling_page import tiling_page
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.spec.model import OpSpec
from opgen.spec.outline import Outline


def documents(spec: OpSpec, outline: Outline, plans: Mapping[str, PyptoPlan]) -> dict[str, str]:
    """README, aclnn page and tiling page in both languages. plans: by the name of the operator."""
    folder = Folder(spec, outline, plans[spec.operators[0].name])
    texts = {}
    for language in LANGUAGES:
        texts[folder.page("README", language)] = readme(folder, language)
        texts[folder.page(folder.aclnn_page, language)] = aclnn_page(folder, language)
        texts[folder.page(folder.tiling_page, language)] = tiling_page(folder, language)
    return texts
