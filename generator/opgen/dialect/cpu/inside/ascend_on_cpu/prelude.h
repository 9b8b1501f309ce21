// What a kernel in the Ascend dialect does, on a CPU. The text that TileLang generates for a kernel calls these
// functions; each names its element types as template arguments and gets addresses as untyped pointers.
//
// Values: float16 and bfloat16 are computed in float32 and rounded to nearest even at every result; integers wrap
// around. Casts round as the Ascend C documentation says; a floating value that an integer type cannot hold becomes
// the nearest one that it can, NaN becomes 0.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <new>
#include <type_traits>

#define OPGEN_EXPORT __attribute__((visibility("default")))

// ---- 16-bit floating types: bits, converted to float32 and back ----

namespace ascend {

inline float from_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
inline uint32_t to_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}

inline float half_to_float(uint16_t bits) {
  const uint32_t sign = (uint32_t)(bits & 0x8000) << 16, rest = bits & 0x7fff;
  if (rest >= 0x7c00) return from_bits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
  // 2^112 moves the exponent from the bias of one type to that of the other, and makes subnormal numbers normal.
  return from_bits(sign | to_bits(from_bits(rest << 13) * from_bits(0x77800000)));
}

inline uint16_t float_to_half(float value) {
  const uint32_t bits = to_bits(value), rest = bits & 0x7fffffff;
  const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  if (rest > 0x7f800000) return sign | 0x7e00;
  if (rest >= 0x477ff000) return sign | 0x7c00;  // 65520 and more
  if (rest < 0x38800000)                         // below 2^-14: in units of 2^-24
    return sign | (uint16_t)(to_bits(from_bits(rest) + 0.5f) - to_bits(0.5f));
  return sign | (uint16_t)((rest + 0xfff + (rest >> 13 & 1) - 0x38000000) >> 13);
}

inline float brain_to_float(uint16_t bits) { return from_bits((uint32_t)bits << 16); }

inline uint16_t float_to_brain(float value) {
  const uint32_t bits = to_bits(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace ascend

struct half {
  uint16_t bits;
  half() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
  half(T value) : bits(ascend::float_to_half((float)value)) {}
  operator float() const { return ascend::half_to_float(bits); }
};

struct bfloat16 {
  uint16_t bits;
  bfloat16() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
  bfloat16(T value) : bits(ascend::float_to_brain((float)value)) {}
  operator float() const { return ascend::brain_to_float(bits); }
};

namespace ascend {

template <class T>
constexpr bool floating = std::is_same<T, float>::value || std::is_same<T, half>::value || std::is_same<T, bfloat16>::value;

// What T is computed in.
template <class T>
using Wide = std::conditional_t<floating<T>, float, std::conditional_t<std::is_unsigned<T>::value, uint64_t, int64_t>>;

// ---- cores ----

// What a core executes, as bits.
enum Role { CUBE = 1, VECTOR = 2 };

struct Launch;

// One of the cores that execute a block: the cube core, or one of two vector cores, `sub`. Where a kernel leaves it to
// the compiler which core does what, one core does everything. A core that counts tells the number of blocks and
// executes nothing.
struct Core {
  Launch* launch;
  int32_t block;
  int32_t sub;
  int roles;
  bool counts;
};

struct Launch {
  int64_t blocks = 0;
};

inline int32_t enter(void* core, int64_t blocks) {
  Core* self = (Core*)core;
  if (self->counts) self->launch->blocks = blocks;
  return !self->counts;
}

inline int32_t is_cube(void* core) { return (((Core*)core)->roles & CUBE) != 0; }
inline int32_t is_vector(void* core) { return (((Core*)core)->roles & VECTOR) != 0; }

// Any pointer: `call` passes its untyped parameters on without naming their types.
struct Pointer {
  void* address;
  template <class T>
  operator T*() const {
    return (T*)address;
  }
};

// A buffer on chip. It starts with bits that are NaN in every floating type, so that what a kernel never wrote shows.
template <class T, int64_t N>
struct Local {
  T* data;
  Local() : data((T*)malloc(N * sizeof(T))) {
    if (!data) abort();
    memset((void*)data, 0xff, N * sizeof(T));
  }
  Local(const Local&) = delete;
  ~Local() { free((void*)data); }
  operator T*() const { return data; }
};

// ---- copies ----

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

#define OPGEN_AXES                                                                                                     \
  int64_t e0, int64_t v0, int64_t f0, int64_t t0, int64_t e1, int64_t v1, int64_t f1, int64_t t1, int64_t e2,          \
      int64_t v2, int64_t f2, int64_t t2, int64_t e3, int64_t v3, int64_t f3, int64_t t3
#define OPGEN_BOX \
  make_box(from, to, {{e0, v0, f0, t0}, {e1, v1, f1, t1}, {e2, v2, f2, t2}, {e3, v3, f3, t3}})

inline bool clipped(const Box& box) {
  for (int i = 0; i < 4; i++)
    if (box.valid[i] != box.extent[i]) return true;
  return false;
}

// Global memory to the chip. A clipped tile is filled with `pad` first, as far as the chip can: `fill` is 2 for types
// that the vector unit fills, 1 where zeros are written (L1), 0 where the rest stays as it was.
template <class T>
int32_t load(void* core, int role, int fill, void* to_base, int64_t to, const void* from_base, int64_t from, float pad,
             OPGEN_AXES) {
  if (!(((Core*)core)->roles & role)) return 0;
  const Box box = OPGEN_BOX;
  T* out = (T*)to_base + box.to;
  const T* in = (const T*)from_base + box.from;
  if (fill && clipped(box)) {
    const T rest = fill == 2 ? (T)pad : T(0);
    each(box.extent, box.from_stride, box.to_stride, [&](int64_t, int64_t y) { out[y] = rest; });
  }
  each(box.valid, box.from_stride, box.to_stride, [&](int64_t x, int64_t y) { out[y] = in[x]; });
  return 0;
}

// The chip to global memory; D may differ from S where the way converts.
template <class D, class S>
int32_t store(void* core, int role, int relu, void* to_base, int64_t to, const void* from_base, int64_t from,
              OPGEN_AXES) {
  if (!(((Core*)core)->roles & role)) return 0;
  const Box box = OPGEN_BOX;
  D* out = (D*)to_base + box.to;
  const S* in = (const S*)from_base + box.from;
  each(box.valid, box.from_stride, box.to_stride, [&](int64_t x, int64_t y) {
    const Wide<S> value = (Wide<S>)in[x];
    out[y] = (D)(relu && value < 0 ? Wide<S>(0) : value);
  });
  return 0;
}

template <class D, class S>
int32_t store_add(void* core, int role, void* to_base, int64_t to, const void* from_base, int64_t from, OPGEN_AXES) {
  if (!(((Core*)core)->roles & role)) return 0;
  const Box box = OPGEN_BOX;
  D* out = (D*)to_base + box.to;
  const S* in = (const S*)from_base + box.from;
  each(box.valid, box.from_stride, box.to_stride,
       [&](int64_t x, int64_t y) { out[y] = (D)((Wide<D>)out[y] + (Wide<D>)(D)(Wide<S>)in[x]); });
  return 0;
}

// ---- vector operations on n contiguous elements ----

#define OPGEN_VECTOR \
  if (!(((Core*)core)->roles & VECTOR)) return 0

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
  if constexpr (op == MAX) return x > y ? a : b;
  if constexpr (op == MIN) return x < y ? a : b;
  if constexpr (op == AND && !floating<T>) return (T)(x & y);
  if constexpr (op == OR && !floating<T>) return (T)(x | y);
  if constexpr (op == XOR && !floating<T>) return (T)(x ^ y);
}

template <Binary op, class T>
int32_t binary(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, const void* b_base,
               int64_t b_at, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T *a = (const T*)a_base + a_at, *b = (const T*)b_base + b_at;
  for (int64_t i = 0; i < n; i++) out[i] = binary_of<op>(a[i], b[i]);
  return 0;
}

// With a scalar, which is rounded to T first. Division multiplies with the reciprocal, as the device does.
template <Binary op, class T, class S>
int32_t binary_scalar(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, S scalar,
                      int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T* a = (const T*)a_base + a_at;
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
      case EXP: return (T)expf(x);
      case LN: return (T)logf(x);
      case ABS: return (T)fabsf(x);
      case RECIPROCAL: return (T)(1.0f / x);
      case SQRT: return (T)sqrtf(x);
      case RSQRT: return (T)(1.0f / sqrtf(x));
      case SIGMOID: return (T)(1.0f / (1.0f + expf(-x)));
      case SILU: return (T)(x / (1.0f + expf(-x)));
      case SIN: return (T)sinf(x);
      case COS: return (T)cosf(x);
      default: return (T)nearbyintf(x);
    }
  }
}

template <Unary op, class T>
int32_t unary(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T* a = (const T*)a_base + a_at;
  for (int64_t i = 0; i < n; i++) out[i] = unary_of<op>(a[i]);
  return 0;
}

template <class T>
int32_t power(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, const void* b_base,
              int64_t b_at, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T *a = (const T*)a_base + a_at, *b = (const T*)b_base + b_at;
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
int32_t leaky_relu(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, float slope,
                   int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T* a = (const T*)a_base + a_at;
  const float s = (float)(T)slope;
  for (int64_t i = 0; i < n; i++) out[i] = (float)a[i] < 0 ? (T)((float)a[i] * s) : a[i];
  return 0;
}

// out += a * scalar, rounded once.
template <class T>
int32_t axpy(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, float scalar, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T* a = (const T*)a_base + a_at;
  const float s = (float)(T)scalar;
  for (int64_t i = 0; i < n; i++) out[i] = (T)((float)a[i] * s + (float)out[i]);
  return 0;
}

template <class T>
int32_t mul_add(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, const void* b_base,
                int64_t b_at, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T *a = (const T*)a_base + a_at, *b = (const T*)b_base + b_at;
  for (int64_t i = 0; i < n; i++) out[i] = (T)((float)a[i] * (float)b[i] + (float)out[i]);
  return 0;
}

// Left shifts bring in zeros; right shifts of signed types keep the sign.
template <class T>
int32_t shift(void* core, int left, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, int64_t bits,
              int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T* a = (const T*)a_base + a_at;
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
int32_t clamp(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, int low, float least,
              int high, float most, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T* a = (const T*)a_base + a_at;
  for (int64_t i = 0; i < n; i++) {
    T value = a[i];
    if (low) value = (float)value > (float)(T)least ? value : (T)least;
    if (high) value = (float)value > (float)(T)most ? (T)most : value;
    out[i] = value;
  }
  return 0;
}

template <class T, class S>
int32_t fill(void* core, void* out_base, int64_t out_at, S scalar, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  for (int64_t i = 0; i < n; i++) out[i] = (T)scalar;
  return 0;
}

// first, first + step, ...
template <class T, class S>
int32_t progression(void* core, void* out_base, int64_t out_at, S first, S step, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  for (int64_t i = 0; i < n; i++) out[i] = (T)(first + (S)i * step);
  return 0;
}

// ---- comparison and selection: one bit an element, the lowest first ----

enum Relation { EQ, NE, GT, GE, LT, LE };

template <Relation relation, class W>
inline bool holds(W a, W b) {
  return relation == EQ ? a == b : relation == NE ? a != b : relation == GT ? a > b : relation == GE ? a >= b
       : relation == LT ? a < b
                        : a <= b;
}

template <class Bit>
void write_bits(uint8_t* out, int64_t n, Bit bit) {
  for (int64_t i = 0; i < n; i += 8) {
    unsigned byte = 0;
    for (int64_t j = 0; j < 8 && i + j < n; j++) byte |= (unsigned)bit(i + j) << j;
    out[i / 8] = (uint8_t)byte;
  }
}

template <Relation relation, class T>
int32_t compare(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, const void* b_base,
                int64_t b_at, int64_t n) {
  OPGEN_VECTOR;
  const T *a = (const T*)a_base + a_at, *b = (const T*)b_base + b_at;
  write_bits((uint8_t*)out_base + out_at, n, [&](int64_t i) { return holds<relation>((Wide<T>)a[i], (Wide<T>)b[i]); });
  return 0;
}

template <Relation relation, class T, class S>
int32_t compare_scalar(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, S scalar,
                       int64_t n) {
  OPGEN_VECTOR;
  const T* a = (const T*)a_base + a_at;
  const Wide<T> b = (Wide<T>)(T)scalar;
  write_bits((uint8_t*)out_base + out_at, n, [&](int64_t i) { return holds<relation>((Wide<T>)a[i], b); });
  return 0;
}

// The same `period` bits serve all elements, unless it is 0.
template <class T>
int32_t select(void* core, void* out_base, int64_t out_at, const void* bits_base, int64_t bits_at, const void* a_base,
               int64_t a_at, const void* b_base, int64_t b_at, int64_t period, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const uint8_t* bits = (const uint8_t*)bits_base + bits_at;
  const T *a = (const T*)a_base + a_at, *b = (const T*)b_base + b_at;
  for (int64_t i = 0; i < n; i++) {
    const int64_t bit = period ? i % period : i;
    out[i] = bits[bit / 8] >> bit % 8 & 1 ? a[i] : b[i];
  }
  return 0;
}

template <class T>
int32_t select_scalar(void* core, void* out_base, int64_t out_at, const void* bits_base, int64_t bits_at,
                      const void* a_base, int64_t a_at, float scalar, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const uint8_t* bits = (const uint8_t*)bits_base + bits_at;
  const T *a = (const T*)a_base + a_at, b = (T)scalar;
  for (int64_t i = 0; i < n; i++) out[i] = bits[i / 8] >> i % 8 & 1 ? a[i] : b;
  return 0;
}

// ---- casts ----

enum Rounding { NONE, RINT, FLOOR, CEIL, AWAY, TRUNC, ODD };

template <Rounding mode>
inline float whole(float x) {
  return mode == FLOOR ? floorf(x) : mode == CEIL ? ceilf(x) : mode == AWAY ? roundf(x) : mode == TRUNC ? truncf(x) : nearbyintf(x);
}

// To a type of 16 bits in another mode than to nearest even: the two neighbours of x are `near` and the next one.
template <class D, Rounding mode>
inline D directed(float x) {
  const D near = (D)x;
  const float value = (float)near;
  if (mode == NONE || mode == RINT || value == x || x != x) return near;
  if (value - value != 0) {  // infinite: only a mode that rounds toward zero keeps a finite x finite
    const bool inward = mode == TRUNC || mode == ODD || (mode == FLOOR && x > 0) || (mode == CEIL && x < 0);
    if (x - x != 0 || !inward) return near;
    D largest = near;
    largest.bits -= 1;
    return largest;
  }
  D other = near;
  const bool outside = fabsf(value) > fabsf(x);  // `near` is farther from zero than x
  if (outside)
    other.bits -= 1;
  else if ((other.bits & 0x7fff) == 0)
    other.bits = (uint16_t)((x < 0 ? 0x8000 : 0) | 1);
  else
    other.bits += 1;
  const D inner = outside ? other : near, outer = outside ? near : other;
  if (mode == AWAY) {  // to nearest; a tie goes away from zero
    const float to_inner = fabsf(x - (float)inner), to_outer = fabsf((float)outer - x);
    return to_outer <= to_inner ? outer : inner;
  }
  if (mode == TRUNC) return inner;
  if (mode == ODD) return inner.bits & 1 ? inner : outer;
  return (mode == FLOOR) == (x < 0) ? outer : inner;
}

template <class D>
inline D saturate(float x) {
  if (x != x) return D(0);
  constexpr int bits = 8 * (int)sizeof(D) - (std::is_signed<D>::value ? 1 : 0);
  const float above = ldexpf(1.0f, bits);
  if (x >= above) return (D)(std::is_signed<D>::value ? ~((uint64_t)1 << (8 * sizeof(D) - 1)) : ~(uint64_t)0);
  if (std::is_signed<D>::value ? x < -above : x <= 0)
    return std::is_signed<D>::value ? (D)((uint64_t)1 << (8 * sizeof(D) - 1)) : D(0);
  return (D)x;
}

template <class D, class S, Rounding mode>
inline D cast_of(S s) {
  if constexpr (floating<S> && std::is_same<D, S>::value && std::is_same<S, float>::value) {
    return whole<mode>(s);
  } else if constexpr (floating<S> && floating<D>) {
    if constexpr (std::is_same<D, float>::value) return (float)s;
    else return directed<D, mode>((float)s);
  } else if constexpr (floating<S>) {
    return saturate<D>(whole<mode>((float)s));
  } else if constexpr (std::is_same<D, float>::value) {
    return (float)s;
  } else if constexpr (floating<D>) {
    return directed<D, mode>((float)s);
  } else {
    return (D)s;
  }
}

template <class D, class S, Rounding mode>
int32_t cast(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, int64_t n) {
  OPGEN_VECTOR;
  D* out = (D*)out_base + out_at;
  const S* a = (const S*)a_base + a_at;
  for (int64_t i = 0; i < n; i++) out[i] = cast_of<D, S, mode>(a[i]);
  return 0;
}

// Copies within the chip, box by box, with a cast where the types differ.
template <class D, class S, Rounding mode>
int32_t move(void* core, int role, void* to_base, int64_t to, const void* from_base, int64_t from, OPGEN_AXES) {
  if (!(((Core*)core)->roles & role)) return 0;
  const Box box = OPGEN_BOX;
  D* out = (D*)to_base + box.to;
  const S* in = (const S*)from_base + box.from;
  each(box.extent, box.from_stride, box.to_stride, [&](int64_t x, int64_t y) {
    if constexpr (std::is_same<D, S>::value)
      out[y] = in[x];
    else
      out[y] = cast_of<D, S, mode>(in[x]);
  });
  return 0;
}

// ---- reductions and broadcasting of a matrix of `rows` rows, `pitch` elements apart ----

enum Reduction { SUM, MOST, LEAST };

template <Reduction op, class T>
inline Wide<T> merged(Wide<T> a, Wide<T> b) {
  if constexpr (op == SUM) return a + b;
  if constexpr (op == MOST) return a > b ? a : b;
  if constexpr (op == LEAST) return a < b ? a : b;
}

// Along the last axis, or along the first when `down`. Without `clear`, what is in `out` takes part.
template <Reduction op, class T>
int32_t reduce(void* core, int down, int clear, void* out_base, int64_t out_at, const void* a_base, int64_t a_at,
               int64_t rows, int64_t cols, int64_t pitch) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T* a = (const T*)a_base + a_at;
  const int64_t results = down ? cols : rows, count = down ? rows : cols;
  for (int64_t i = 0; i < results; i++) {
    const T* first = a + (down ? i : i * pitch);
    const int64_t stride = down ? pitch : 1;
    if (count == 0) continue;
    Wide<T> total = (Wide<T>)first[0];
    for (int64_t j = 1; j < count; j++) total = merged<op, T>(total, (Wide<T>)first[j * stride]);
    out[i] = (T)(clear ? total : merged<op, T>((Wide<T>)out[i], total));
  }
  return 0;
}

template <class T>
int32_t broadcast(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, int64_t rows,
                  int64_t cols, int64_t row_step, int64_t col_step) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T* a = (const T*)a_base + a_at;
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++) out[i * cols + j] = a[i * row_step + j * col_step];
  return 0;
}

template <class T>
int32_t transpose(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, int64_t rows,
                  int64_t cols) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T* a = (const T*)a_base + a_at;
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++) out[j * rows + i] = a[i * cols + j];
  return 0;
}

// Offsets are in bytes.
template <class T>
int32_t gather(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, const void* offsets_base,
               int64_t offsets_at, int64_t base, int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const char* a = (const char*)((const T*)a_base + a_at) + base;
  const uint32_t* offsets = (const uint32_t*)offsets_base + offsets_at;
  for (int64_t i = 0; i < n; i++) memcpy((void*)(out + i), a + offsets[i], sizeof(T));
  return 0;
}

// Every `step`-th element from `first` on.
template <class T>
int32_t pick(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, int64_t first, int64_t step,
             int64_t n) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T* a = (const T*)a_base + a_at;
  for (int64_t i = 0; i < n; i++) out[i] = a[first + i * step];
  return 0;
}

// Each row with one number of its own.
template <Binary op, class T>
int32_t row_expand(void* core, void* out_base, int64_t out_at, const void* a_base, int64_t a_at, const void* b_base,
                   int64_t b_at, int64_t rows, int64_t cols) {
  OPGEN_VECTOR;
  T* out = (T*)out_base + out_at;
  const T *a = (const T*)a_base + a_at, *b = (const T*)b_base + b_at;
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++) out[i * cols + j] = binary_of<op>(a[i * cols + j], b[i]);
  return 0;
}

// ---- sorting: (value, index) pairs, the largest value first; equal values keep their order ----

struct Ranked {
  float value, index;
  int64_t place;
};

inline int by_rank(const void* left, const void* right) {
  const Ranked *a = (const Ranked*)left, *b = (const Ranked*)right;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->place < b->place ? -1 : 1;
}

inline Ranked* ranked(int64_t n) {
  Ranked* pairs = (Ranked*)malloc((size_t)(n ? n : 1) * sizeof(Ranked));
  if (!pairs) abort();
  return pairs;
}

template <class T>
void write_ranked(T* out, Ranked* pairs, int64_t n, int64_t keep) {
  qsort(pairs, (size_t)n, sizeof(Ranked), by_rank);
  for (int64_t i = 0; i < keep && i < n; i++) out[2 * i] = (T)pairs[i].value, out[2 * i + 1] = (T)pairs[i].index;
  free(pairs);
}

// Sorts `actual` elements, after which `a` is filled up to n with -infinity. Keeps the first `keep` pairs.
template <class T>
int32_t sort(void* core, void* out_base, int64_t out_at, void* a_base, int64_t a_at, int64_t keep, int64_t n,
             int64_t actual) {
  OPGEN_VECTOR;
  T* a = (T*)a_base + a_at;
  Ranked* pairs = ranked(n);
  for (int64_t i = 0; i < n; i++) {
    if (i >= actual) a[i] = (T)-INFINITY;
    pairs[i] = Ranked{(float)a[i], (float)i, i};
  }
  write_ranked((T*)out_base + out_at, pairs, n, keep);
  return 0;
}

// Merges sorted lists of pairs; absent ones have length 0.
template <class T>
int32_t merge(void* core, void* out_base, int64_t out_at, const void* b0, int64_t at0, int64_t n0, const void* b1,
              int64_t at1, int64_t n1, const void* b2, int64_t at2, int64_t n2, const void* b3, int64_t at3,
              int64_t n3) {
  OPGEN_VECTOR;
  const T* lists[] = {(const T*)b0 + at0, (const T*)b1 + at1, (const T*)b2 + at2, (const T*)b3 + at3};
  const int64_t lengths[] = {n0, n1, n2, n3}, n = n0 + n1 + n2 + n3;
  Ranked* pairs = ranked(n);
  int64_t place = 0;
  for (int list = 0; list < 4; list++)
    for (int64_t i = 0; i < lengths[list]; i++, place++)
      pairs[place] = Ranked{(float)lists[list][2 * i], (float)lists[list][2 * i + 1], place};
  write_ranked((T*)out_base + out_at, pairs, n, n);
  return 0;
}

// ---- cube core ----

// c[rows, cols] (+)= a[rows, depth] * b[depth, cols], each read by its strides; sums are float32, or int32 for int8.
template <class In, class Out>
int32_t multiply(void* core, void* c_base, int64_t c_at, const void* a_base, int64_t a_at, int64_t a_row, int64_t a_col,
                 const void* b_base, int64_t b_at, int64_t b_row, int64_t b_col, int init, int64_t rows, int64_t cols,
                 int64_t depth) {
  if (!(((Core*)core)->roles & CUBE)) return 0;
  Out* c = (Out*)c_base + c_at;
  const In *a = (const In*)a_base + a_at, *b = (const In*)b_base + b_at;
  Out* right = (Out*)malloc((size_t)(depth * cols) * sizeof(Out));
  if (!right) abort();
  for (int64_t k = 0; k < depth; k++)
    for (int64_t j = 0; j < cols; j++) right[k * cols + j] = (Out)(Wide<In>)b[k * b_row + j * b_col];
  for (int64_t i = 0; i < rows; i++) {
    Out* row = c + i * cols;
    if (init)
      for (int64_t j = 0; j < cols; j++) row[j] = Out(0);
    for (int64_t k = 0; k < depth; k++) {
      const Out factor = (Out)(Wide<In>)a[i * a_row + k * a_col];
      const Out* line = right + k * cols;
      for (int64_t j = 0; j < cols; j++) row[j] += factor * line[j];
    }
  }
  free(right);
  return 0;
}

// ---- single elements; bfloat16 buffers are held as their bits in the generated text ----

template <class T>
T read(const void* base, int64_t at) {
  return ((const T*)base)[at];
}
inline float widen(const void* base, int64_t at) { return brain_to_float(((const uint16_t*)base)[at]); }
inline uint16_t narrow(float value) { return float_to_brain(value); }

}  // namespace ascend
