// Element types, cores and buffers.
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

inline float brain_to_float(uint16_t bits) {
  return from_bits((uint32_t)bits << 16);
}

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
constexpr bool floating =
    std::is_same<T, float>::value || std::is_same<T, half>::value || std::is_same<T, bfloat16>::value;

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
  Launch *launch;
  int32_t block;
  int32_t sub;
  int roles;
  bool counts;
};

struct Launch {
  int64_t blocks = 0;
};

inline int32_t enter(void *core, int64_t blocks) {
  Core *self = (Core *)core;
  if (self->counts) self->launch->blocks = blocks;
  return !self->counts;
}

inline int32_t is_cube(void *core) {
  return (((Core *)core)->roles & CUBE) != 0;
}
inline int32_t is_vector(void *core) {
  return (((Core *)core)->roles & VECTOR) != 0;
}

// Any pointer: `call` passes its untyped parameters on without naming their types.
struct Pointer {
  void *address;
  template <class T>
  operator T *() const {
    return (T *)address;
  }
};

// A buffer on chip. It starts with bits that are NaN in every floating type, so that what a kernel never wrote shows.
template <class T, int64_t N>
struct Local {
  T *data;
  Local() : data((T *)malloc(N * sizeof(T))) {
    if (!data) abort();
    memset((void *)data, 0xff, N * sizeof(T));
  }
  Local(const Local &) = delete;
  ~Local() { free((void *)data); }
  operator T *() const { return data; }
};

// What only a vector core does.
#define OPGEN_VECTOR \
  if (!(((Core *)core)->roles & VECTOR)) return 0

// ---- single elements; bfloat16 buffers are held as their bits in the generated text ----

template <class T>
T read(const void *base, int64_t at) {
  return ((const T *)base)[at];
}
inline float widen(const void *base, int64_t at) {
  return brain_to_float(((const uint16_t *)base)[at]);
}
inline uint16_t narrow(float value) {
  return float_to_brain(value);
}

}  // namespace ascend
