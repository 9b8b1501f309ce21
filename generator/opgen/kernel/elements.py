"""One-element inputs: brought on chip and read into scalars before the first tile, as lines of TileLang."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import BLOCK_BYTES
from opgen.kernel.names import KernelNames
from opgen.kernel.vector import Element


class Elements:
    """Names the buffers of one-element inputs, for all variants of a kernel. taken: names that they must not have."""

    def __init__(self, elements: tuple[Element, ...], names: KernelNames, taken: set[str]) -> None:
        self.names = names
        self.tensors = [element.tensor for element in elements]
        self.taken = taken
        self.steps: dict[tuple[str, str], str] = {}  # (tensor, type) -> buffer
        self.scalars = {tensor: self._unique(f"{tensor}_value") for tensor in self.tensors}

    def _unique(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def _step(self, tensor: str, dtype: str) -> str:
        if (tensor, dtype) not in self.steps:
            self.steps[tensor, dtype] = self._unique(f"{tensor}_one_{dtype}")
        return self.steps[tensor, dtype]

    def loads(self, elements: tuple[Element, ...]) -> list[str]:
        """The copies for one variant."""
        held = [(self.names.user[e.tensor], self.names.slots[e.tensor, False]) for e in elements]
        return [f"T.copy({name}[0:1], {buffer}[0:1])" for name, buffer in held]

    def casts(self, elements: tuple[Element, ...]) -> tuple[str, ...]:
        """What stands between the copies and the reads of one variant."""
        chains = []
        for element in elements:
            held = self.names.slots[element.tensor, False]
            chain = []
            for dtype, mode in element.steps:
                step = self._step(element.tensor, dtype)
                chain.append(f'T.tile.cast({step}, {held}, "{mode}", 1)')
                held = step
            chains.append(chain)
        lines = []
        if any(chains):
            lines += _flag("mte2", "v")
            for number in range(max(map(len, chains))):
                lines += ['T.pipe_barrier("v")'] if number else []
                lines += [chain[number] for chain in chains if len(chain) > number]
            lines += _flag("v", "s")
        if not all(chains):
            lines += _flag("mte2", "s")
        return tuple(lines)

    def last(self, element: Element) -> str:
        """The buffer that the scalar unit reads."""
        if not element.steps:
            return self.names.slots[element.tensor, False]
        return self._step(element.tensor, element.steps[-1][0])

    def buffers(self, dtypes: Mapping[str, str], sizes: Mapping[str, int]) -> list[str]:
        """Allocations. dtypes: tensor -> its type in the script. sizes: tensor -> bytes of its smallest type."""
        result = []
        for tensor in self.tensors:
            block = BLOCK_BYTES // sizes[tensor]
            result.append(f"{self.names.slots[tensor, False]} = T.alloc_ub(({block},), {dtypes[tensor]})")
        for (_, dtype), name in self.steps.items():
            result.append(f'{name} = T.alloc_ub(({BLOCK_BYTES // DTYPES[dtype].size},), "{dtype}")')
        return result


def _flag(source: str, target: str) -> list[str]:
    return [f'T.set_flag("{source}", "{target}", EVENT)', f'T.wait_flag("{source}", "{target}", EVENT)']
