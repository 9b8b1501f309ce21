// Products of the cube core.
#pragma once
#include "base.h"

namespace ascend {

// c[rows, cols] (+)= a[rows, depth] * b[depth, cols], each read by its strides; sums are float32, or int32 for int8.
template <class In, class Out>
int32_t multiply(void *core, void *c_base, int64_t c_at, const void *a_base, int64_t a_at, int64_t a_row, int64_t a_col,
                 const void *b_base, int64_t b_at, int64_t b_row, int64_t b_col, int init, int64_t rows, int64_t cols,
                 int64_t depth) {
  if (!(((Core *)core)->roles & CUBE)) return 0;
  Out *c = (Out *)c_base + c_at;
  const In *a = (const In *)a_base + a_at, *b = (const In *)b_base + b_at;
  Out *right = (Out *)malloc((size_t)(depth * cols) * sizeof(Out));
  if (!right) abort();
  for (int64_t k = 0; k < depth; k++)
    for (int64_t j = 0; j < cols; j++) right[k * cols + j] = (Out)(Wide<In>)b[k * b_row + j * b_col];
  for (int64_t i = 0; i < rows; i++) {
    Out *row = c + i * cols;
    if (init)
      for (int64_t j = 0; j < cols; j++) row[j] = Out(0);
    for (int64_t k = 0; k < depth; k++) {
      const Out factor = (Out)(Wide<In>)a[i * a_row + k * a_col];
      const Out *line = right + k * cols;
      for (int64_t j = 0; j < cols; j++) row[j] += factor * line[j];
    }
  }
  free(right);
  return 0;
}

}  // namespace ascend
