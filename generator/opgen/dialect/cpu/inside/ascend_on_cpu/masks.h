// Comparison and selection: one bit an element, the lowest first.
#pragma once
#include "base.h"

namespace ascend {

enum Relation { EQ, NE, GT, GE, LT, LE };

template <Relation relation, class W>
inline bool holds(W a, W b) {
  return relation == EQ   ? a == b
         : relation == NE ? a != b
         : relation == GT ? a > b
         : relation == GE ? a >= b
         : relation == LT ? a < b
                          : a <= b;
}

template <class Bit>
void write_bits(uint8_t *out, int64_t n, Bit bit) {
  for (int64_t i = 0; i < n; i += 8) {
    unsigned byte = 0;
    for (int64_t j = 0; j < 8 && i + j < n; j++) byte |= (unsigned)bit(i + j) << j;
    out[i / 8] = (uint8_t)byte;
  }
}

template <Relation relation, class T>
int32_t compare(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, const void *b_base,
                int64_t b_at, int64_t n) {
  OPGEN_VECTOR;
  const T *a = (const T *)a_base + a_at, *b = (const T *)b_base + b_at;
  write_bits((uint8_t *)out_base + out_at, n, [&](int64_t i) { return holds<relation>((Wide<T>)a[i], (Wide<T>)b[i]); });
  return 0;
}

template <Relation relation, class T, class S>
int32_t compare_scalar(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, S scalar,
                       int64_t n) {
  OPGEN_VECTOR;
  const T *a = (const T *)a_base + a_at;
  const Wide<T> b = (Wide<T>)(T)scalar;
  write_bits((uint8_t *)out_base + out_at, n, [&](int64_t i) { return holds<relation>((Wide<T>)a[i], b); });
  return 0;
}

// The same `period` bits serve all elements, unless it is 0.
template <class T>
int32_t select(void *core, void *out_base, int64_t out_at, const void *bits_base, int64_t bits_at, const void *a_base,
               int64_t a_at, const void *b_base, int64_t b_at, int64_t period, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const uint8_t *bits = (const uint8_t *)bits_base + bits_at;
  const T *a = (const T *)a_base + a_at, *b = (const T *)b_base + b_at;
  for (int64_t i = 0; i < n; i++) {
    const int64_t bit = period ? i % period : i;
    out[i] = bits[bit / 8] >> bit % 8 & 1 ? a[i] : b[i];
  }
  return 0;
}

template <class T>
int32_t select_scalar(void *core, void *out_base, int64_t out_at, const void *bits_base, int64_t bits_at,
                      const void *a_base, int64_t a_at, float scalar, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const uint8_t *bits = (const uint8_t *)bits_base + bits_at;
  const T *a = (const T *)a_base + a_at, b = (T)scalar;
  for (int64_t i = 0; i < n; i++) out[i] = bits[i / 8] >> i % 8 & 1 ? a[i] : b;
  return 0;
}

}  // namespace ascend
