"""y = x - sum(x) / n: each vector core leaves its sum in a workspace, all meet, each adds the sums up."""

import tilelang
import tilelang.language as T

N, TILE, BLOCKS = 3000, 256, 2
WORKERS = 2 * BLOCKS
SLOT = 8  # float32 in 32 bytes


@T.prim_func
def centred(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32"), sums: T.Tensor((WORKERS * SLOT,), "float32")):
    with T.Kernel(BLOCKS, is_npu=True) as (cid, vid):
        v = T.alloc_ub((1, TILE), "float32")
        spread = T.alloc_ub((1, TILE), "float32")
        all_sums = T.alloc_ub((1, WORKERS * SLOT), "float32")
        own = T.alloc_ub((1, SLOT), "float32")
        part = T.alloc_ub((1, 1), "float32")
        total = T.alloc_ub((1, 1), "float32")
        worker = cid * 2 + vid
        with T.Scope("V"):
            T.tile.fill(total, 0.0)
            for i in T.serial(T.ceildiv(N, TILE * WORKERS)):
                T.barrier_all()
                T.copy(x[(i * WORKERS + worker) * TILE], v[0, :])
                T.barrier_all()
                T.reduce_sum(v, part, dim=-1)
                T.pipe_barrier("v")
                T.tile.add(total, total, part)
            T.pipe_barrier("v")
            T.tile.broadcast(own, total)
            T.pipe_barrier("v")
            T.tile.mul(own, own, 1.0 / SLOT)
            T.barrier_all()
            T.copy(own[0, :], sums[worker * SLOT])
        T.sync_all()
        with T.Scope("V"):
            T.copy(sums[0], all_sums[0, :])
            T.barrier_all()
            T.reduce_sum(all_sums, total, dim=-1)
            T.pipe_barrier("v")
            T.tile.mul(total, total, 1.0 / N)
            T.pipe_barrier("v")
            T.tile.broadcast(spread, total)
            for i in T.serial(T.ceildiv(N, TILE * WORKERS)):
                T.barrier_all()
                T.copy(x[(i * WORKERS + worker) * TILE], v[0, :])
                T.barrier_all()
                T.tile.sub(v, v, spread)
                T.barrier_all()
                T.copy(v[0, :], y[(i * WORKERS + worker) * TILE])


tilelang.compile(centred, out_idx=[1], workspace_idx=[2])
