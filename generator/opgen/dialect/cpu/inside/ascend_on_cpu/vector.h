// Operations of the vector unit on n contiguous elements.
#pragma once
#include "base.h"

namespace ascend {

// NaN of either operand is the result: A2 and A3 compute in Inf/NaN mode, as IEEE 754 says.
template <class W>
inline bool keeps_first(bool wins, W first) {
  if constexpr (std::is_same<W, float>::value) return wins || first != first;
  return wins;
}
template <class W>
inline W larger(W x, W y) {
  return keeps_first(x > y, x) ? x : y;
}
template <class W>
inline W smaller(W x, W y) {
  return keeps_first(x < y, x) ? x : y;
}

enum Binary { ADD, SUB, MUL, DIV, MAX, MIN, AND, OR, XOR };

template <Binary op, class T>
inline T binary_of(T a, T b) {
  const Wide<T> x = (Wide<T>)a, y = (Wide<T>)b;
  if constexpr (op == ADD && floating<T>) return (T)(x + y);
  if constexpr (op == SUB && floating<T>) return (T)(x - y);
  if constexpr (op == MUL && floating<T>) return (T)(x * y);
  if constexpr (op == DIV && floating<T>) return (T)(x / y);
  if constexpr (op == ADD && !floating<T>) return (T)((uint64_t)x + (uint64_t)y);
  if constexpr (op == SUB && !floating<T>) return (T)((uint64_t)x - (uint64_t)y);
  if constexpr (op == MUL && !floating<T>) return (T)((uint64_t)x * (uint64_t)y);
  if constexpr (op == MAX) return (T)larger(x, y);
  if constexpr (op == MIN) return (T)smaller(x, y);
  if constexpr (op == AND && !floating<T>) return (T)(x & y);
  if constexpr (op == OR && !floating<T>) return (T)(x | y);
  if constexpr (op == XOR && !floating<T>) return (T)(x ^ y);
}

template <Binary op, class T>
int32_t binary(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, const void *b_base,
               int64_t b_at, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at, *b = (const T *)b_base + b_at;
  for (int64_t i = 0; i < n; i++) out[i] = binary_of<op>(a[i], b[i]);
  return 0;
}

// With a scalar, which is rounded to T first. Division multiplies with the reciprocal, as the device does.
template <Binary op, class T, class S>
int32_t binary_scalar(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, S scalar,
                      int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at;
  if constexpr (op == DIV) {
    const T b = (T)(1.0f / (float)scalar);
    for (int64_t i = 0; i < n; i++) out[i] = binary_of<MUL>(a[i], b);
  } else {
    const T b = (T)scalar;
    for (int64_t i = 0; i < n; i++) out[i] = binary_of<op>(a[i], b);
  }
  return 0;
}

enum Unary { EXP, LN, ABS, RECIPROCAL, SQRT, RSQRT, RELU, NOT, SIGMOID, SILU, SIN, COS, ROUND };

template <Unary op, class T>
inline T unary_of(T a) {
  if constexpr (op == NOT) {
    return (T)~a;
  } else if constexpr (op == RELU) {
    return (Wide<T>)a < 0 ? T(0) : a;
  } else {
    const float x = (float)a;
    switch (op) {
      case EXP:
        return (T)expf(x);
      case LN:
        return (T)logf(x);
      case ABS:
        return (T)fabsf(x);
      case RECIPROCAL:
        return (T)(1.0f / x);
      case SQRT:
        return (T)sqrtf(x);
      case RSQRT:
        return (T)(1.0f / sqrtf(x));
      case SIGMOID:
        return (T)(1.0f / (1.0f + expf(-x)));
      case SILU:
        return (T)(x / (1.0f + expf(-x)));
      case SIN:
        return (T)sinf(x);
      case COS:
        return (T)cosf(x);
      default:
        return (T)nearbyintf(x);
    }
  }
}

template <Unary op, class T>
int32_t unary(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at;
  for (int64_t i = 0; i < n; i++) out[i] = unary_of<op>(a[i]);
  return 0;
}

template <class T>
int32_t power(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, const void *b_base,
              int64_t b_at, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at, *b = (const T *)b_base + b_at;
  for (int64_t i = 0; i < n; i++) {
    if constexpr (floating<T>) {
      out[i] = (T)powf((float)a[i], (float)b[i]);
    } else {
      uint64_t result = 1, base = (uint64_t)(int64_t)a[i];
      for (uint64_t e = (uint64_t)(int64_t)b[i]; e && (int64_t)e > 0; e >>= 1, base *= base)
        if (e & 1) result *= base;
      out[i] = (T)result;
    }
  }
  return 0;
}

template <class T>
int32_t leaky_relu(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, float slope,
                   int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at;
  const float s = (float)(T)slope;
  for (int64_t i = 0; i < n; i++) out[i] = (float)a[i] < 0 ? (T)((float)a[i] * s) : a[i];
  return 0;
}

// out += a * scalar, rounded once.
template <class T>
int32_t axpy(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, float scalar, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at;
  const float s = (float)(T)scalar;
  for (int64_t i = 0; i < n; i++) out[i] = (T)((float)a[i] * s + (float)out[i]);
  return 0;
}

template <class T>
int32_t mul_add(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, const void *b_base,
                int64_t b_at, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at, *b = (const T *)b_base + b_at;
  for (int64_t i = 0; i < n; i++) out[i] = (T)((float)a[i] * (float)b[i] + (float)out[i]);
  return 0;
}

// Left shifts bring in zeros; right shifts of signed types keep the sign.
template <class T>
int32_t shift(void *core, int left, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, int64_t bits,
              int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at;
  const int64_t width = 8 * (int64_t)sizeof(T);
  for (int64_t i = 0; i < n; i++) {
    if (left)
      out[i] = bits >= width ? T(0) : (T)((uint64_t)a[i] << bits);
    else
      out[i] = (T)((Wide<T>)a[i] >> (bits < width ? bits : width - 1));
  }
  return 0;
}

template <class T>
int32_t clamp(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, int low, float least,
              int high, float most, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  const T *a = (const T *)a_base + a_at;
  for (int64_t i = 0; i < n; i++) {
    float value = (float)a[i];
    if (low) value = larger(value, (float)(T)least);
    if (high) value = smaller(value, (float)(T)most);
    out[i] = (T)value;
  }
  return 0;
}

template <class T, class S>
int32_t fill(void *core, void *out_base, int64_t out_at, S scalar, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  for (int64_t i = 0; i < n; i++) out[i] = (T)scalar;
  return 0;
}

// first, first + step, ...
template <class T, class S>
int32_t progression(void *core, void *out_base, int64_t out_at, S first, S step, int64_t n) {
  OPGEN_VECTOR;
  T *out = (T *)out_base + out_at;
  for (int64_t i = 0; i < n; i++) out[i] = (T)(first + (S)i * step);
  return 0;
}

}  // namespace ascend
