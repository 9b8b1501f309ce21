// Reductions, broadcasting, gathering; matrices are `rows` rows, `pitch` elements apart.
#pragma once
#include "vector.h"

namespace ascend {

enum Reduction { SUM, MOST, LEAST };

template <Reduction op, class T>
inline Wide<T> merged(Wide<T> a, Wide<T> b) {
  if constexpr (op == SUM) return a + b;
  if constexpr (op == MOST) return larger(a, b);
  if constexpr (op == LEAST) return smaller(a, b);
}

// Along the last axis, or along the first when `down`. Without `clear`, what is in `out` takes part.
template <Reduction op, class T>
int32_t reduce(void *core, int down, int clear, void *out_base, int64_t out_at, const void *a_base, int64_t a_at,
               int64_t rows, int64_t cols, int64_t pitch) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at;
  const int64_t results = down ? cols : rows, count = down ? rows : cols;
  for (int64_t i = 0; i < results; i++) {
    const T *first = a + (down ? i : i * pitch);
    const int64_t stride = down ? pitch : 1;
    if (count == 0) continue;
    Wide<T> total = (Wide<T>)first[0];
    for (int64_t j = 1; j < count; j++) total = merged<op, T>(total, (Wide<T>)first[j * stride]);
    out[i] = (T)(clear ? total : merged<op, T>((Wide<T>)out[i], total));
  }
  return 0;
}

template <class T>
int32_t broadcast(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, int64_t rows,
                  int64_t cols, int64_t row_step, int64_t col_step) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at;
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++) out[i * cols + j] = a[i * row_step + j * col_step];
  return 0;
}

template <class T>
int32_t transpose(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, int64_t rows,
                  int64_t cols) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at;
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++) out[j * rows + i] = a[i * cols + j];
  return 0;
}

// Offsets are in bytes.
template <class T>
int32_t gather(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, const void *offsets_base,
               int64_t offsets_at, int64_t base, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const char *a = (const char *)((const T *)a_base + a_at) + base;
  const uint32_t *offsets = (const uint32_t *)offsets_base + offsets_at;
  for (int64_t i = 0; i < n; i++) memcpy((void *)(out + i), a + offsets[i], sizeof(T));
  return 0;
}

// Every `step`-th element from `first` on.
template <class T>
int32_t pick(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, int64_t first, int64_t step,
             int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at;
  for (int64_t i = 0; i < n; i++) out[i] = a[first + i * step];
  return 0;
}

// Each row with one number of its own.
template <Binary op, class T>
int32_t row_expand(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, const void *b_base,
                   int64_t b_at, int64_t rows, int64_t cols) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at, *b = (const T *)b_base + b_at;
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++) out[i * cols + j] = binary_of<op>(a[i * cols + j], b[i]);
  return 0;
}

}  // namespace ascend
