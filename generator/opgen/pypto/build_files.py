"""CMake of an operator folder, what the repository around it needs, and the commands that build it."""

from __future__ import annotations

import json

from opgen.spec.model import Operator, OpSpec
from opgen.templating import render
from opgen.text.escape import shell_word


def root_cmake(spec: OpSpec, operator: Operator) -> str:
    """CMakeLists.txt of the folder, for repositories whose macro works there."""
    return render("pypto/CMakeLists.txt.j2", name=operator.name, require=spec.repository.require_pypto_pro)


def host_cmake(spec: OpSpec, operator: Operator) -> str:
    """op_host/CMakeLists.txt."""
    repository = spec.repository
    return render(
        "pypto/op_host/CMakeLists.txt.j2",
        name=operator.name,
        macro=repository.macro,
        at_root=repository.at_root,
        require=repository.require_pypto_pro and not repository.at_root,
    )


def registration(operator: Operator, soc: str) -> str:
    """The operator's entry in scripts/kernel/binary_config/ascendc_config.json, where a repository has that file."""
    entry = {"name": operator.type, "compute_units": [soc], "auto_sync": True, "impl_mode": "high_performance"}
    return json.dumps(entry)


def package_command(spec: OpSpec) -> str:
    """Builds the operator package; run in the root of the operator repository."""
    names = ",".join(operator.name for operator in spec.operators)
    vendor = shell_word(spec.repository.vendor)
    return f"bash build.sh --pkg --soc={spec.soc} --vendor_name={vendor} --ops={names}"
