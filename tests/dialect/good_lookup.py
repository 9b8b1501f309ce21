"""Rows of a table by indices: eight indices a round, one copy a row, one store."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
ROWS, WIDTH, COUNT, EACH = 8, 48, 40, 8


@T.prim_func
def lookup(
    table: T.Tensor((ROWS, WIDTH), "float16"),
    index: T.Tensor((COUNT,), "int32"),
    y: T.Tensor((COUNT, WIDTH), "float16"),
):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        wanted = T.alloc_ub((EACH,), "int32")
        found = T.alloc_ub((EACH, WIDTH), "float16")
        for i in T.serial(T.ceildiv(COUNT, EACH * 4)):
            first = (i * 4 + cid * 2 + vid) * EACH
            if first < COUNT:
                T.copy(index[first], wanted)
                for j in T.serial(EACH):
                    T.copy(table[wanted[j], 0:WIDTH], found[j, :])
                T.copy(found, y[first, 0])


tilelang.compile(lookup, out_idx=[2], pass_configs={KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True})
