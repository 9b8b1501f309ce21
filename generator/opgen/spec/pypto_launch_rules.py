"""Pages of the rules about what PyPTO kernels do when they run (OPG830 to OPG844). wrong and right: statements of a
kernel with a view x_view of [1, n] float32 elements, and tiles of [1, 1024] float32 elements."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

PYPTO_LAUNCH_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG830",
        Text("the kernel cannot be translated", "kernel 无法翻译"),
        Text(
            "The file is executed with modules that stand for `pypto_pro`, `torch` and `torch_npu`, and the kernel "
            "once for every worker. It raised an exception, or it does what PyPTO's front end refuses.",
            "检查时用替身模块代替 `pypto_pro`、`torch`、`torch_npu` 执行该文件，并为每个 worker 执行一次 kernel。"
            "执行时抛出了异常，或使用了 PyPTO 前端拒绝的写法。",
        ),
        "tile = pl.TileType(shape=[1, tiling.block], dtype=pl.DT_FP32)\n",
        "tile = pl.TileType(shape=[1, 1024], dtype=pl.DT_FP32)\n",
    ),
    Rule(
        "OPG831",
        Text("the Unified Buffer overflows", "Unified Buffer 溢出"),
        Text(
            "A vector core of Ascend 950 has 253952 bytes, 248 KiB. Neither the front end nor the compiler adds up "
            "the tiles: addresses run past the end. What counts is the widest type of the definition.",
            "Ascend 950 的向量核有 253952 字节（248 KiB）。前端和编译器都不会累加分块大小，地址会直接越界。应按原"
            "型中最宽的数据类型计算。",
        ),
        "big = pl.TileType(shape=[1, 65536], dtype=pl.DT_FP32)\ntiles = pl.make_tile_group(type=big, addrs=0, "
        "mutex_ids=[0])\n",
        "big = pl.TileType(shape=[1, 32768], dtype=pl.DT_FP32)\ntiles = pl.make_tile_group(type=big, addrs=0, "
        "mutex_ids=[0])\n",
    ),
    Rule(
        "OPG832",
        Text("an address or a row is not a multiple of 32 bytes", "地址或行宽不是 32 字节的整数倍"),
        Text(
            "The chip addresses the Unified Buffer in blocks of 32 bytes, and each row of a tile begins with one. "
            "A column of results has the layout `pl.DN`, so that its elements lie one behind the other.",
            "芯片以 32 字节块访问 Unified Buffer，分块的每一行都从块首开始。一列结果应使用 `pl.DN` 布局，使元素连"
            "续存放。",
        ),
        "odd = pl.TileType(shape=[8, 100], dtype=pl.DT_FP16)\ntiles = pl.make_tile_group(type=odd, addrs=0, "
        "mutex_ids=[0])\n",
        "even = pl.TileType(shape=[8, 112], dtype=pl.DT_FP16)\ntiles = pl.make_tile_group(type=even, addrs=0, "
        "mutex_ids=[0])\n",
    ),
    Rule(
        "OPG833",
        Text("tiles share bytes or mutex ids", "分块共用内存或 mutex id"),
        Text(
            "Addresses are the kernel's own business: nothing complains when two tiles overlap, and writing to the "
            "one changes the other. Mutex ids are 0 to 31; two rings with one id wait for each other for nothing. "
            "Some operations write to a tile before they have read another, which then must lie elsewhere.",
            "地址由 kernel 自行安排：两个分块重叠时不会有任何报错，写其中一个会改变另一个。mutex id 的范围为 0 到 "
            "31；两个环共用一个 id 会造成无谓的等待。有些运算在读完一个分块之前就会写另一个分块，两者必须放在不同"
            "位置。",
        ),
        "a = pl.make_tile_group(type=tile, addrs=0x0000, mutex_ids=[0])\nb = pl.make_tile_group(type=tile, "
        "addrs=0x0800, mutex_ids=[1])\n",
        "a = pl.make_tile_group(type=tile, addrs=0x0000, mutex_ids=[0])\nb = pl.make_tile_group(type=tile, "
        "addrs=0x1000, mutex_ids=[1])\n",
    ),
    Rule(
        "OPG834",
        Text("the operation does not have this element type", "该运算不支持此元素类型"),
        Text(
            "Every operation of Ascend 950 takes certain element types: exp, log and sqrt float16 and float32 "
            "only, bit operations integers only, and a cast connects certain pairs. The front end accepts all of "
            "them; the device compiler fails, or the result is wrong. Comparisons make bits, which only "
            "`pl.select` reads.",
            "Ascend 950 的每种运算只支持特定的元素类型：exp、log、sqrt 仅支持 float16 和 float32，位运算仅支持整数，"
            "cast 只支持特定的类型组合。前端不做检查；设备编译器会失败，或者结果错误。比较的结果是按位存放的，只"
            "有 `pl.select` 能读取。",
        ),
        "# tiles of int32\npl.exp(y_tile, x_tile)\n",
        "# wide tiles of float32\npl.cast(wide, x_tile, mode=pl.RoundMode.CAST_NONE)\npl.exp(wide, wide)\n",
    ),
    Rule(
        "OPG835",
        Text("operands do not fit each other", "操作数之间不匹配"),
        Text(
            "The operands of an operation have one element type, one shape and one valid shape, and a copy moves "
            "bytes between a tile and a view of the same type. A reduction of rows leaves a column in the layout "
            "`pl.DN`, one of columns a row. Nothing checks it: the kernel computes with other elements.",
            "一次运算的操作数应有相同的元素类型、形状和有效形状；搬运只在类型相同的分块与视图之间移动字节。按行归"
            "约得到 `pl.DN` 布局的一列，按列归约得到一行。工具不做检查，kernel 会用错误的元素参与计算。",
        ),
        "pl.set_validshape(x_tile, [1, length])\npl.add(z_tile, x_tile, y_tile)\n",
        "pl.set_validshape(x_tile, [1, length])\npl.set_validshape(y_tile, [1, length])\npl.set_validshape(z_tile, "
        "[1, length])\npl.add(z_tile, x_tile, y_tile)\n",
    ),
    Rule(
        "OPG836",
        Text("an access leaves its tensor", "访问越出张量"),
        Text(
            "Loads and stores move the valid shape of the tile from the offset on, and nothing is clipped at the "
            "end of a view. A view may be larger than its tensor, and inputs belong to the caller: both are found "
            "here too.",
            "搬运从偏移处开始移动分块的有效形状，视图末尾不会自动截断。视图可能大于其张量，输入属于调用者：这两种"
            "情况也在此报告。",
        ),
        "pl.load(x_tile, x_view, [0, offset])\n",
        "pl.set_validshape(x_tile, [1, pl.min(1024, tiling.n - offset)])\npl.load(x_tile, x_view, [0, offset])\n",
    ),
    Rule(
        "OPG837",
        Text("something is read that nobody wrote", "读取了未写入的内容"),
        Text(
            "On-chip memory, outputs and the workspace hold what was there before. The valid shape decides which "
            "elements an operation reads; a mask is bits that a comparison has put there, not a tile of zeros and "
            "ones.",
            "片上内存、输出和 workspace 中保留着之前的内容。运算读取哪些元素由有效形状决定；掩码是比较运算写入的位，"
            "而不是由 0 和 1 组成的分块。",
        ),
        "pl.add(z_tile, x_tile, y_tile)\n",
        "pl.load(x_tile, x_view, [0, 0])\npl.load(y_tile, y_view, [0, 0])\npl.add(z_tile, x_tile, y_tile)\n",
    ),
    Rule(
        "OPG838",
        Text("nothing orders two pipes", "两条流水之间缺少同步"),
        Text(
            "Loads run on MTE2, vector operations on V, stores on MTE3, side by side. `auto_mutex` orders "
            "different pipes that use one slot of a ring with mutex ids, and nothing else: not two loads into one "
            "slot, and not a store to global memory with a load of the same elements through another tile. Flags "
            "are set and waited for in pairs.",
            "搬入在 MTE2、向量运算在 V、搬出在 MTE3 上并行执行。`auto_mutex` 只对使用同一个带 mutex id 的环槽位的"
            "不同流水排序：不包括向同一槽位的两次搬入，也不包括写回全局内存后经另一个分块读取相同元素。flag 的置位"
            "与等待必须成对。",
        ),
        "pl.load(x_tile, x_view, [0, 0])\npl.load(x_tile, y_view, [0, 0])\n",
        "pl.load(x_tile, x_view, [0, 0])\npl.system.bar_mte2()\npl.load(x_tile, y_view, [0, 0])\n",
    ),
    Rule(
        "OPG839",
        Text("two workers touch one element", "两个 worker 访问同一元素"),
        Text(
            "Workers run at any time and in any order. When two store to one element, or one reads what another "
            "stores, the result is chance; when two do the same tile, an in-place operator computes it twice.",
            "各 worker 的执行时间和顺序是任意的。两个 worker 写同一元素，或一个读取另一个写入的元素时，结果不确定；"
            "两个 worker 处理同一分块时，原地计算的算子会重复计算。",
        ),
        "for i in pl.range(0, tiling.tile_num, 1):\n    pl.store(z_view, z_tile, [0, i * 1024])\n",
        "workers = pl.get_block_num() * pl.get_subblock_num()\nfor i in pl.range(pl.get_block_idx(), "
        "tiling.tile_num, workers):\n    pl.store(z_view, z_tile, [0, i * 1024])\n",
    ),
    Rule(
        "OPG840",
        Text("part of an output is not stored", "输出的一部分没有写入"),
        Text(
            "The tiles of all workers have to cover every output. What is not stored keeps whatever the memory held.",
            "所有 worker 的分块必须覆盖每个输出。没有写入的部分会保留内存中原有的内容。",
        ),
        "for i in pl.range(pl.get_block_idx(), tiling.n // 1024, workers):\n    pass\n",
        "for i in pl.range(pl.get_block_idx(), tiling.tile_num, workers):\n    pass\n",
    ),
    Rule(
        "OPG841",
        Text("a valid shape outside of its tile", "有效形状超出分块"),
        Text(
            "Both sizes of a valid shape are at least 1 and at most those of the tile. A type that names numbers "
            "in `valid_shape` keeps them; `[-1, -1]` lets the kernel set them.",
            "有效形状的两个大小都不小于 1，且不超过分块的大小。类型的 `valid_shape` 写明数字时不可更改；写 `[-1, "
            "-1]` 时由 kernel 设置。",
        ),
        "pl.set_validshape(x_tile, [1, tiling.n - offset])\n",
        "pl.set_validshape(x_tile, [1, pl.min(1024, tiling.n - offset)])\n",
    ),
    Rule(
        "OPG842",
        Text("something the checker does not carry out", "检查器不执行的用法"),
        Text(
            "The name exists in PyPTO Pro, and the checker does not carry it out: tiles that are passed to it "
            "count as written, and what follows is checked less.",
            "该名称在 PyPTO Pro 中存在，但检查器不执行它：传给它的分块视为已写入，其后的检查会相应减弱。",
        ),
        "pl.transpose(out_tile, in_tile)\n",
        "pl.add(out_tile, in_tile, in_tile)\n",
    ),
    Rule(
        "OPG843",
        Text("a view with one axis is loaded or stored", "对一维视图做搬运"),
        Text(
            "A tile has two axes, and the front end looks for both in the view: a flattened tensor is one row.",
            "分块有两个轴，前端会在视图中查找这两个轴：展平后的张量应表示为一行。",
        ),
        "x_view = pl.make_tensor(x, [tiling.n], [1], dtype=pl.DT_FP32)\npl.load(x_tile, x_view, [0])\n",
        "x_view = pl.make_tensor(x, [1, tiling.n], [tiling.n, 1], dtype=pl.DT_FP32)\npl.load(x_tile, x_view, [0, 0])\n",
    ),
    Rule(
        "OPG844",
        Text("the kernel cannot be translated with FP16", "以 FP16 无法翻译 kernel"),
        Text(
            "Older tools translate the kernel once when the project is configured, with FP16 for every datatype "
            "variable, even where the definition has no FP16.",
            "旧版工具在配置工程时会以 FP16 作为所有 datatype 变量翻译一次 kernel，即使原型中没有 FP16。",
        ),
        'limit = pl.max(x_tile[0, 0], 0)  # datatype={"x": "data_dtype"} of int32\n',
        "limit = pl.max(pl.const(3, pl.DT_INT32), 0)\n",
    ),
)
