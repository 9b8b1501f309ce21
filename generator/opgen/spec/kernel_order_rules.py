"""Pages of the rules about order in kernels: pipes, flags, cores (OPG72x)."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

_LOAD = 'a = T.alloc_ub((1024,), "float32")\nwith T.Scope("V"):\n    T.copy(x[vid * 1024], a)\n'

KERNEL_ORDER_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG720",
        Text("nothing orders two pipes", "两条流水之间没有同步"),
        Text(
            "Loads (MTE2), vector operations (V), stores (MTE3) and the units of the cube core run side by side. One "
            "that needs what another writes, or overwrites what another still reads, waits for it through a flag or "
            "a barrier. TL_ASCEND_AUTO_SYNC inserts them.",
            "搬入（MTE2）、向量运算（V）、搬出（MTE3）以及 Cube 核的各单元并行执行。若一条流水要用到另一条流水写入的"
            "数据，或要覆盖其仍在读取的数据，必须通过事件或屏障等待。TL_ASCEND_AUTO_SYNC 会自动插入这些同步。",
        ),
        _LOAD + "    T.tile.exp(a, a)\n",
        _LOAD + '    T.set_flag("mte2", "v", 2)\n    T.wait_flag("mte2", "v", 2)\n    T.tile.exp(a, a)\n',
    ),
    Rule(
        "OPG721",
        Text("dependent vector operations without a barrier", "相互依赖的向量运算之间没有屏障"),
        Text(
            "The vector unit starts an operation before the one in front of it is finished. Between two that share "
            'data, one of them writing, stands `T.pipe_barrier("v")`. It is an error in kernels that opgen '
            "generates and a warning elsewhere.",
            "向量单元会在前一条运算结束之前启动下一条。两条运算访问同一数据且至少有一条写入时，中间需要 "
            '`T.pipe_barrier("v")`。对 opgen 生成的 kernel 报错误，其他 kernel 报警告。',
        ),
        'a = T.alloc_ub((1024,), "float32")\nwith T.Scope("V"):\n    T.tile.fill(a, 1.0)\n    T.tile.exp(a, a)\n',
        'a = T.alloc_ub((1024,), "float32")\nwith T.Scope("V"):\n    T.tile.fill(a, 1.0)\n    T.pipe_barrier("v")\n'
        "    T.tile.exp(a, a)\n",
    ),
    Rule(
        "OPG722",
        Text("flags are not balanced", "事件的设置与等待不成对"),
        Text(
            "Every T.set_flag needs exactly one T.wait_flag with the same pipes and the same id before it is set "
            "again and before the kernel ends. A wait without a set hangs the core; a flag that is left set disturbs "
            "the next kernel.",
            "每个 T.set_flag 都要有且仅有一个流水和编号都相同的 T.wait_flag 与之对应，且须在再次设置之前、kernel 结束"
            "之前等待。只等待不设置会使核挂死；遗留的事件会影响下一个 kernel。",
        ),
        _LOAD + '    T.set_flag("mte2", "v", 2)\n    T.wait_flag("mte2", "v", 3)\n',
        _LOAD + '    T.set_flag("mte2", "v", 2)\n    T.wait_flag("mte2", "v", 2)\n',
    ),
    Rule(
        "OPG723",
        Text("an event id that cannot be used", "不可用的事件编号"),
        Text(
            "A pair of pipes has the events 0 to 7. A load that is clipped sets event 0 between MTE2, MTE3 and V "
            "itself, and gemm_v0 the events 0 and 1 of the cube core: a kernel's own flags use 2 to 7.",
            "每一对流水有 0 到 7 号事件。被裁剪的搬入会自行使用 MTE2、MTE3、V 之间的 0 号事件，gemm_v0 会使用 Cube 核"
            "的 0、1 号事件，因此手写的事件应使用 2 到 7。",
        ),
        _LOAD + '    T.set_flag("mte2", "v", 8)\n    T.wait_flag("mte2", "v", 8)\n',
        _LOAD + '    T.set_flag("mte2", "v", 7)\n    T.wait_flag("mte2", "v", 7)\n',
    ),
    Rule(
        "OPG724",
        Text("cores do not meet", "核间同步不成对"),
        Text(
            "A cross-core flag goes from one kind of core to the other in its block, and each set needs its wait. "
            "T.sync_all() waits for all cores, cube cores among them: it stands outside T.Scope, every core executes "
            "it equally often, and there are no more blocks than AI cores.",
            "核间事件在同一 block 内从一种核发往另一种核，每次设置都要有对应的等待。T.sync_all() 等待包括 Cube "
            "核在内的所有核：须写在 T.Scope 之外，每个核执行的次数相同，且 block 数不能超过 AI 核数。",
        ),
        'with T.Scope("V"):\n    T.wait_cross_flag(3)\n',
        'with T.Scope("V"):\n    T.set_cross_flag("MTE3", 3)\nwith T.Scope("C"):\n    T.wait_cross_flag(3)\n',
    ),
    Rule(
        "OPG725",
        Text("cores race in global memory", "多核在全局内存上存在竞争"),
        Text(
            "Cores run at any time and in any order. Two that store different values to one place, or one that reads "
            "what another stores, need T.sync_all() or cross-core flags in between. Both vector cores of a block run "
            "the same code, so vid is part of the index. Equal values may be stored twice.",
            "各核的执行时间和先后顺序都不确定。两个核向同一位置写入不同的值，或一个核读取另一个核写入的数据时，中间必"
            "须有 T.sync_all() 或核间事件。同一 block 的两个向量核执行相同的代码，因此下标中必须包含 vid。写入相同的"
            "值是允许的。",
        ),
        'a = T.alloc_ub((1024,), "float32")\nT.copy(x[vid * 1024], a)\nT.copy(a, y[cid * 1024])\n',
        'a = T.alloc_ub((1024,), "float32")\nT.copy(x[vid * 1024], a)\nT.copy(a, y[(cid * 2 + vid) * 1024])\n',
    ),
)
