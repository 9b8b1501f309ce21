"""What the cube core does with a matrix product, as lines of TileLang."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from opgen.kernel.branches import branches, merge
from opgen.kernel.lines import comment, indented
from opgen.kernel.matmul_forms import Operand, Product
from opgen.kernel.matmul_rest import WORKSPACE, ends_in_relu
from opgen.spec.variants import typed

if TYPE_CHECKING:
    from opgen.kernel.matmul_factory import MatmulFactory

_CLIPPED = (
    "Where a matrix ends inside a step, the copy leaves the rest of its buffer as it was, unless it is the whole "
    "buffer: the compiler clears that first, and zeros add nothing."
)


class CubePart:
    """The text for the cube core of one kernel: steps along k go through L1 and L0 by turns, the sums stay in L0C."""

    def __init__(self, factory: MatmulFactory) -> None:
        self.factory = factory
        self.own = factory.own

    def lines(self) -> list[str]:
        """The loop over the tiles of a core."""
        own = self.own
        i, event, slot = own["i"], own["s"], own["slot"]
        flags = {
            "STAGES": ("mte1", "mte2", "steps in L1"),
            "2": ("m", "mte1", "halves of L0A and L0B"),
            own["sums"]: ("fix", "m", "tiles in L0C"),
        }

        def all_flags(verb: str) -> Iterator[str]:
            for count, (source, target, what) in flags.items():
                why = f"  # {what} are free" if verb == "set" else ""
                yield f"for {event} in T.serial({count}):{why}"
                yield f'    T.{verb}_flag("{source}", "{target}", EVENT + {event})'

        lines = [*all_flags("set"), f"for {i} in T.serial({self.factory.turns}):"]
        body = [
            *self.factory.where(),
            f"{slot} = {i} % {own['sums']}",
            "",
            f'T.wait_flag("fix", "m", EVENT + {slot})  # the sums of an earlier tile are stored',
            f"for {own['step']} in T.serial({own['whole']}):",
            *indented(self._whole_step(), 4),
            *comment(_CLIPPED, 20),
            f"for {own['step']} in T.serial({own['whole']}, T.ceildiv({self.factory.size('k')}, {own['depth']})):",
            *indented(self._clipped_step(), 4),
            f'T.set_flag("m", "fix", EVENT + {slot})',
            "",
            f'T.wait_flag("m", "fix", EVENT + {slot})  # the sums are complete',
            *self.copy_out(),
            f'T.set_flag("fix", "m", EVENT + {slot})',
        ]
        lines += [*indented(body, 4), *all_flags("wait")]
        if self.factory.rest:
            lines += [f"for {event} in T.serial(2):", f"    T.wait_cross_flag(FREE + {event})"]
        return lines

    def _loads(self, target: str) -> Iterator[str]:
        """Copies of one step into L1. target: what the buffers are called behind the side."""
        own = self.own
        start = f"{own['step']} * {own['depth']}"
        for side in ("a", "b"):
            place = own["row"] if side == "a" else own["column"]
            plain = (place, start) if side == "a" else (start, place)

            def corner(found: Product, operand: Operand, plain: tuple[str, str] = plain) -> str:
                both = plain[::-1] if operand.transposed else plain
                return ", ".join([*([own["index"]] if operand.batched else []), *both])

            stage = f"[{own['stage']}, :, :]" if target == "l1" else ""
            name = self.factory.names.user[self.factory.side(self.factory.product, side).tensor]
            yes, no = (
                f"T.copy({name}[{at}], {own[f'{side}_{target}']}{stage})" for at in self.factory.texts(side, corner)
            )
            if yes == no:
                yield yes
            else:
                yield from (f"if {self.factory.transposed(side)}:", f"    {yes}", "else:", f"    {no}")

    def _whole_step(self) -> list[str]:
        own = self.own
        stage, half = own["stage"], own["l0_half"]
        turn = f"({own['i']} * {own['whole']} + {own['step']})"

        def move(side: str) -> str:
            flag = self.factory.transposed(side)
            across = "" if flag == "False" else f", transpose={flag}"
            return f"T.copy({own[f'{side}_l1']}[{stage}, :, :], {own[f'{side}_l0']}[{half}, :, :]{across})"

        return [
            f"{stage} = {turn} % STAGES",
            f"{half} = {turn} % 2",
            f'T.wait_flag("mte1", "mte2", EVENT + {stage})',
            *self._loads("l1"),
            f'T.set_flag("mte2", "mte1", EVENT + {stage})',
            "",
            f'T.wait_flag("mte2", "mte1", EVENT + {stage})',
            f'T.wait_flag("m", "mte1", EVENT + {half})',
            move("a"),
            move("b"),
            f'T.set_flag("mte1", "mte2", EVENT + {stage})',
            f'T.set_flag("mte1", "m", EVENT + {half})',
            "",
            f'T.wait_flag("mte1", "m", EVENT + {half})',
            'T.pipe_barrier("m")  # the sums of the step before are complete',
            f"T.mma({own['a_l0']}[{half}, :, :], {own['b_l0']}[{half}, :, :], {own['c_l0']}[{own['slot']}, :, :], "
            f"init={own['step']} == 0)",
            f'T.set_flag("m", "mte1", EVENT + {half})',
        ]

    def _clipped_step(self) -> list[str]:
        own = self.own
        across = "".join(
            f", transpose_{side.upper()}={flag}"
            for side in ("a", "b")
            if (flag := self.factory.transposed(side)) != "False"
        )
        return [
            *self._loads("edge"),
            f"T.gemm_v0({own['a_edge']}, {own['b_edge']}, {own['c_l0']}[{own['slot']}, :, :]{across}, "
            f"init={own['step']} == 0)",
        ]

    def copy_out(self) -> list[str]:
        own = self.own
        place = ", ".join([*([own["index"]] if self.factory.batched else []), own["row"], own["column"]])
        name = self.factory.names.user[self.factory.operator.outputs[0].name]

        def copy(relu: bool) -> str:
            through = ", enable_relu=True" if relu else ""
            return f"T.copy({own['c_l0']}[{own['slot']}, :, :], {name}[{place}]{through})"

        if self.factory.rest:
            place = own["place"]
            return [
                f"{place} = {own['i']} % 2",
                f"T.wait_cross_flag(FREE + {place})  # the vector cores have read an earlier tile",
                f"T.copy({own['c_l0']}[{own['slot']}, :, :], {WORKSPACE}[cid * 2 + {place}, 0, 0])",
                f'T.set_cross_flag("FIX", READY + {place})',
            ]
        texts = {
            p.variant: (copy(bool(ends_in_relu(typed(self.factory.operator, p.variant)))),) for p in self.factory.plans
        }
        return branches(merge(texts), self.factory.axes, 20)
