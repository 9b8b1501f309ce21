"""Every rule that a finding may name, with its page. `opgen explain` prints them."""

from __future__ import annotations

from opgen.spec.disk_rules import DISK_RULES
from opgen.spec.document_rules import DOCUMENT_RULES
from opgen.spec.formula_rules import FORMULA_RULES
from opgen.spec.kernel_rules import KERNEL_RULES
from opgen.spec.name_rules import NAME_RULES
from opgen.spec.pypto_kernel_rules import PYPTO_KERNEL_RULES
from opgen.spec.pypto_rules import PYPTO_RULES
from opgen.spec.repository_rules import REPOSITORY_RULES
from opgen.spec.rule import Rule
from opgen.spec.schema_rules import SCHEMA_RULES
from opgen.spec.tiling_rules import TILING_RULES
from opgen.spec.type_rules import TYPE_RULES

_ALL = (
    *SCHEMA_RULES, *NAME_RULES, *TYPE_RULES, *FORMULA_RULES, *TILING_RULES, *DOCUMENT_RULES, *DISK_RULES,
    *REPOSITORY_RULES, *KERNEL_RULES, *PYPTO_RULES, *PYPTO_KERNEL_RULES,
)  # fmt: skip

RULES: dict[str, Rule] = {rule.id: rule for rule in sorted(_ALL, key=lambda rule: rule.id)}
