"""Names inside the script of a matrix product."""

from __future__ import annotations

from dataclasses import replace

from opgen.kernel.matmul_forms import ROLES, product, sizes_of
from opgen.kernel.matmul_rest import WORKSPACE
from opgen.kernel.names import KernelNames, kernel_names
from opgen.spec.model import Operator
from opgen.spec.variants import typed, variants

# What the script calls its own things. Buffers are called after what is multiplied.
_OWN = (
    *("batch", "m", "n", "k", "cores", "dtype", "main", "blocks", "sum_dtype"),
    *("rows", "columns", "depth", "sums", "whole", "i", "s", "slot", "step", "stage", "half", "l0_half"),
    *("index", "row", "column", "a_step", "b_step"),
    *("j", "each", "part", "place", "turn", "start"),
)
_BUFFERS = ("l1", "edge", "l0")


def matmul_names(operator: Operator) -> KernelNames:
    """Sizes are called as op.yaml's dims, buffers after the tensors that they hold."""
    found = product(typed(operator, variants(operator)[0]))
    sizes: dict[str, str] = {}
    for name, extent in sizes_of(operator):
        sizes |= {role: name.lower() for role in ROLES if found.extent(role) == extent and role not in sizes}
    tensors = {"a": found.a.tensor, "b": found.b.tensor, "c": operator.outputs[0].name}
    buffers = {f"{side}_{kind}": f"{name}_{kind}" for side, name in tensors.items() for kind in _BUFFERS}
    wanted = [role for role in ROLES if role in sizes]
    own = [*wanted, *(name for name in _OWN if name not in ROLES), *buffers]
    renamed = {"half": "half_type", "l0_half": "half"}  # whether types are halves; which half of L0A and L0B
    names = kernel_names(operator, own, sizes | buffers | renamed)
    slot = "sums_ub"
    while slot in names.taken:
        slot += "_"
    return replace(names, slots={**names.slots, (WORKSPACE, False): slot}, user={**names.user, WORKSPACE: WORKSPACE})
