"""C = A B^T on the cube core with every step of the pipeline ordered by hand, two stages in L1."""

import tilelang
import tilelang.language as T

M, N, K = 64, 96, 128
ROWS, COLUMNS, DEPTH = 32, 48, 32
STAGES = K // DEPTH
EVENT = 2


@T.prim_func
def product(a: T.Tensor((M, K), "float16"), b: T.Tensor((N, K), "float16"), c: T.Tensor((M, N), "float16")):
    with T.Kernel((M // ROWS) * (N // COLUMNS), is_npu=True) as (cid, vid):
        a_l1 = T.alloc_L1((2, ROWS, DEPTH), "float16")
        b_l1 = T.alloc_L1((2, COLUMNS, DEPTH), "float16")
        a_l0 = T.alloc_L0A((ROWS, DEPTH), "float16")
        b_l0 = T.alloc_L0B((DEPTH, COLUMNS), "float16")
        sums = T.alloc_L0C((ROWS, COLUMNS), "float32")
        row, column = cid // (N // COLUMNS) * ROWS, cid % (N // COLUMNS) * COLUMNS
        with T.Scope("C"):
            for slot in T.serial(2):
                T.set_flag("mte1", "mte2", EVENT + slot)
            T.set_flag("m", "mte1", EVENT)
            for i in T.serial(STAGES):
                slot = i % 2
                T.wait_flag("mte1", "mte2", EVENT + slot)
                T.copy(a[row : row + ROWS, i * DEPTH : (i + 1) * DEPTH], a_l1[slot, :, :])
                T.copy(b[column : column + COLUMNS, i * DEPTH : (i + 1) * DEPTH], b_l1[slot, :, :])
                T.set_flag("mte2", "mte1", EVENT + slot)
                T.wait_flag("mte2", "mte1", EVENT + slot)
                T.wait_flag("m", "mte1", EVENT)
                T.copy(a_l1[slot, :, :], a_l0)
                T.copy(b_l1[slot, :, :], b_l0, transpose=True)
                T.set_flag("mte1", "mte2", EVENT + slot)
                T.set_flag("mte1", "m", EVENT)
                T.wait_flag("mte1", "m", EVENT)
                T.mma(a_l0, b_l0, sums, init=(i == 0))
                T.set_flag("m", "mte1", EVENT)
            T.set_flag("m", "fix", EVENT)
            T.wait_flag("m", "fix", EVENT)
            T.copy(sums, c[row, column])
            T.wait_flag("m", "mte1", EVENT)
            for slot in T.serial(2):
                T.wait_flag("mte1", "mte2", EVENT + slot)


tilelang.compile(product, out_idx=[2])
