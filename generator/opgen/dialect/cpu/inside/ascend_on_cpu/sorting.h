// Sorting: (value, index) pairs, the largest value first; equal values keep their order.
#pragma once
#include "base.h"

namespace ascend {

struct Ranked {
  float value, index;
  int64_t place;
};

inline int by_rank(const void *left, const void *right) {
  const Ranked *a = (const Ranked *)left, *b = (const Ranked *)right;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->place < b->place ? -1 : 1;
}

inline Ranked *ranked(int64_t n) {
  Ranked *pairs = (Ranked *)malloc((size_t)(n ? n : 1) * sizeof(Ranked));
  if (!pairs) abort();
  return pairs;
}

template <class T>
void write_ranked(T *out, Ranked *pairs, int64_t n, int64_t keep) {
  qsort(pairs, (size_t)n, sizeof(Ranked), by_rank);
  for (int64_t i = 0; i < keep && i < n; i++) out[2 * i] = (T)pairs[i].value, out[2 * i + 1] = (T)pairs[i].index;
  free(pairs);
}

// Sorts `actual` elements, after which `a` is filled up to n with -infinity. Keeps the first `keep` pairs.
template <class T>
int32_t sort(void *core, void *out_base, int64_t out_at, void *a_base, int64_t a_at, int64_t keep, int64_t n,
             int64_t actual) {
  OPGEN_VECTOR;
  T *a = (T *)a_base + a_at;
  Ranked *pairs = ranked(n);
  for (int64_t i = 0; i < n; i++) {
    if (i >= actual) a[i] = (T)-INFINITY;
    pairs[i] = Ranked{(float)a[i], (float)i, i};
  }
  write_ranked((T *)out_base + out_at, pairs, n, keep);
  return 0;
}

// Merges sorted lists of pairs; absent ones have length 0.
template <class T>
int32_t merge(void *core, void *out_base, int64_t out_at, const void *b0, int64_t at0, int64_t n0, const void *b1,
              int64_t at1, int64_t n1, const void *b2, int64_t at2, int64_t n2, const void *b3, int64_t at3,
              int64_t n3) {
  OPGEN_VECTOR;
  const T *lists[] = {(const T *)b0 + at0, (const T *)b1 + at1, (const T *)b2 + at2, (const T *)b3 + at3};
  const int64_t lengths[] = {n0, n1, n2, n3}, n = n0 + n1 + n2 + n3;
  Ranked *pairs = ranked(n);
  int64_t place = 0;
  for (int list = 0; list < 4; list++)
    for (int64_t i = 0; i < lengths[list]; i++, place++)
      pairs[place] = Ranked{(float)lists[list][2 * i], (float)lists[list][2 * i + 1], place};
  write_ranked((T *)out_base + out_at, pairs, n, n);
  return 0;
}

}  // namespace ascend
