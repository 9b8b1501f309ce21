// Copies between global memory and the chip: boxes of up to four axes, clipped where a tensor ends.
#pragma once
#include "base.h"

namespace ascend {

// A corner of one tensor and of another, and how many elements each of four axes has: `extent` as the kernel asks,
// `valid` of them inside the tensor in global memory. Strides are in elements.
struct Box {
  int64_t from, to;
  int64_t extent[4], valid[4], from_stride[4], to_stride[4];
};

inline int64_t clip(int64_t size, int64_t start, int64_t extent) {
  const int64_t left = size - start;
  return left < 0 ? 0 : left < extent ? left : extent;
}

inline Box make_box(int64_t from, int64_t to, const int64_t (&axes)[4][4]) {
  Box box{from, to, {}, {}, {}, {}};
  for (int i = 0; i < 4; i++) {
    box.extent[i] = axes[i][0], box.valid[i] = axes[i][1];
    box.from_stride[i] = axes[i][2], box.to_stride[i] = axes[i][3];
  }
  return box;
}

template <class Move>
void each(const int64_t (&count)[4], const int64_t (&a)[4], const int64_t (&b)[4], Move move) {
  for (int64_t i = 0; i < count[0]; i++)
    for (int64_t j = 0; j < count[1]; j++)
      for (int64_t k = 0; k < count[2]; k++) {
        const int64_t x = i * a[0] + j * a[1] + k * a[2], y = i * b[0] + j * b[1] + k * b[2];
        for (int64_t l = 0; l < count[3]; l++) move(x + l * a[3], y + l * b[3]);
      }
}

#define OPGEN_AXES                                                                                            \
  int64_t e0, int64_t v0, int64_t f0, int64_t t0, int64_t e1, int64_t v1, int64_t f1, int64_t t1, int64_t e2, \
      int64_t v2, int64_t f2, int64_t t2, int64_t e3, int64_t v3, int64_t f3, int64_t t3
#define OPGEN_BOX make_box(from, to, {{e0, v0, f0, t0}, {e1, v1, f1, t1}, {e2, v2, f2, t2}, {e3, v3, f3, t3}})

inline bool clipped(const Box &box) {
  for (int i = 0; i < 4; i++)
    if (box.valid[i] != box.extent[i]) return true;
  return false;
}

// Global memory to the chip. A clipped tile is filled with `pad` first, as far as the chip can: `fill` is 2 for types
// that the vector unit fills, 1 where zeros are written (L1), 0 where the rest stays as it was.
template <class T>
int32_t load(void *core, int role, int fill, void *to_base, int64_t to, const void *from_base, int64_t from, float pad,
             OPGEN_AXES) {
  if (!(((Core *)core)->roles & role)) return 0;
  const Box box = OPGEN_BOX;
  T *out = (T *)to_base + box.to;
  const T *in = (const T *)from_base + box.from;
  if (fill && clipped(box)) {
    const T rest = fill == 2 ? (T)pad : T(0);
    each(box.extent, box.from_stride, box.to_stride, [&](int64_t, int64_t y) { out[y] = rest; });
  }
  each(box.valid, box.from_stride, box.to_stride, [&](int64_t x, int64_t y) { out[y] = in[x]; });
  return 0;
}

// The chip to global memory; D may differ from S where the way converts.
template <class D, class S>
int32_t store(void *core, int role, int relu, void *to_base, int64_t to, const void *from_base, int64_t from,
              OPGEN_AXES) {
  if (!(((Core *)core)->roles & role)) return 0;
  const Box box = OPGEN_BOX;
  D *out = (D *)to_base + box.to;
  const S *in = (const S *)from_base + box.from;
  each(box.valid, box.from_stride, box.to_stride, [&](int64_t x, int64_t y) {
    const Wide<S> value = (Wide<S>)in[x];
    out[y] = (D)(relu && value < 0 ? Wide<S>(0) : value);
  });
  return 0;
}

template <class D, class S>
int32_t store_add(void *core, int role, void *to_base, int64_t to, const void *from_base, int64_t from, OPGEN_AXES) {
  if (!(((Core *)core)->roles & role)) return 0;
  const Box box = OPGEN_BOX;
  D *out = (D *)to_base + box.to;
  const S *in = (const S *)from_base + box.from;
  each(box.valid, box.from_stride, box.to_stride,
       [&](int64_t x, int64_t y) { out[y] = (D)((Wide<D>)out[y] + (Wide<D>)(D)(Wide<S>)in[x]); });
  return 0;
}

}  // namespace ascend
