"""Kernels of several variants as one text, with branches for element types, options and absent inputs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from functools import cached_property
from typing import TYPE_CHECKING

from opgen.formula.signature import Variant
from opgen.kernel.aliases import Aliases, Texts, aliases
from opgen.kernel.branches import HALF, Axis, branches, condition, effort, merge, named
from opgen.kernel.joined import Parts, joined
from opgen.kernel.memory import Layout
from opgen.kernel.names import KernelNames
from opgen.kernel.plan import VariantPlan

if TYPE_CHECKING:
    from typing_extensions import Self


class VariantTexts(ABC):
    """Joins texts of variants. plans: those with exactly these inputs absent. whole: the texts of the variants with all
    inputs, None for itself; it joins those of all parts."""

    def __init__(self, plans: tuple[VariantPlan, ...], names: KernelNames, whole: Self | None) -> None:
        self.whole = whole or self
        self.parts: list[Self] = []
        self.whole.parts.append(self)
        self.plans = plans
        self.names = names
        self.own = names.own
        self.layouts = {p.variant: p.layout for p in plans}
        self.axes = self._axes()

    @abstractmethod
    def _kinds(self) -> list[tuple[Variant, ...]]:
        """Variants that are computed alike, of those with all inputs."""

    def _axes(self) -> list[Axis]:
        return self._axes_of([p.variant for p in self.plans])

    def _axes_of(self, variants: Collection[Variant]) -> list[Axis]:
        variants = list(variants)
        axes = [Axis(v, {x: dict(x.types)[s] for x in variants}) for s, v in self.names.dtypes.items()]
        closed = [name for name, _ in variants[0].attrs]
        return axes + [Axis(self.names.user[name], {x: dict(x.attrs)[name] for x in variants}) for name in closed]

    def _joined(self, text: Callable[[Self], list[str]]) -> list[str]:
        """The texts of all parts as one."""
        texts = [text(part) for part in self.parts]
        return texts[0] if len(texts) == 1 else joined(texts, self._connected)

    def _connected(self, parts: Parts, rest: Parts) -> str:
        """What is connected in some parts and in none of the rest, as a condition."""
        variants = [part.plans[0].variant for part in self.parts]
        axes = [Axis(flag, {v: name not in v.absent for v in variants}) for name, flag in self.names.flags.items()]
        return condition([variants[n] for n in sorted(parts)], [variants[n] for n in sorted(rest)], axes)

    @property
    def all_layouts(self) -> list[Layout]:
        return [held for part in self.parts for held in part.layouts.values()]

    def _alike_of(self, texts: Callable[[Self], Texts]) -> Aliases | None:
        """What the types of all parts compute alike, if that makes one text that is easier to read."""
        every = {v: text for part in self.parts for v, text in texts(part).items()}
        found = aliases(every, [b for held in self.all_layouts for b in held.buffers], self.names.taken)
        if found is None:
            return None
        apart, together = (self._together(texts, of) for of in (every, found.texts))
        return found if len(found.names) + effort(together, 20) < effort(apart, 20) else None

    def _together(self, texts: Callable[[Self], Texts], of: Texts) -> list[str]:
        """The texts of all parts as one, taken from `of`, with conditions as they come."""
        return self._joined(lambda part: branches(merge({v: of[v] for v in texts(part)}), part.axes, 20))

    def _shared(self, found: Aliases | None, texts: Texts, indent: int) -> list[str]:
        """The texts of a part as one."""
        if found is None:
            return self._branches(merge(texts), indent)
        kinds = [[v for v in found.texts if v.types in kind] for kind in found.kinds]
        types = [axis for axis in self._axes_of(found.texts) if axis.written in self.names.dtypes.values()]
        holds = self.own["half"] if self._half else condition(kinds[0], kinds[1], types)
        return [*found.defined(holds), *self._branches(merge({v: found.texts[v] for v in texts}), indent)]

    def _branches(self, groups: list[tuple[tuple[Variant, ...], tuple[str, ...]]], indent: int) -> list[str]:
        if not self._half:
            return branches(groups, self.axes, indent)
        axis = named(self.axes[0], HALF, self.own["half"])
        return branches(groups, [axis, *self.axes[1:]], indent)

    @property
    def _half(self) -> str:
        """The condition of the half types, if the text has two branches and they are one of them."""
        return self.whole._half_types

    @cached_property
    def _half_types(self) -> str:
        groups = self._kinds()
        if len(self.names.dtypes) != 1 or len(groups) != 2:
            return ""
        axis = self.axes[0]
        for mine, rest in (groups, groups[::-1]):
            if {axis.of[v] for v in mine} <= set(HALF) and not {axis.of[v] for v in rest} & set(HALF):
                return condition(mine, rest, [axis])
        return ""
