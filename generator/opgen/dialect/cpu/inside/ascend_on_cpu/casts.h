// Conversions between element types, and copies within the chip.
#pragma once
#include "copies.h"

namespace ascend {

enum Rounding { NONE, RINT, FLOOR, CEIL, AWAY, TRUNC, ODD };

template <Rounding mode>
inline float whole(float x) {
  return mode == FLOOR   ? floorf(x)
         : mode == CEIL  ? ceilf(x)
         : mode == AWAY  ? roundf(x)
         : mode == TRUNC ? truncf(x)
                         : nearbyintf(x);
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
    if constexpr (std::is_same<D, float>::value)
      return (float)s;
    else
      return directed<D, mode>((float)s);
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
int32_t cast(void *core, void *out_base, int64_t out_at, const void *a_base, int64_t a_at, int64_t n) {
  OPGEN_VECTOR;
  D *out = (D *)out_base + out_at;
  const S *a = (const S *)a_base + a_at;
  for (int64_t i = 0; i < n; i++) out[i] = cast_of<D, S, mode>(a[i]);
  return 0;
}

// Copies within the chip, box by box, with a cast where the types differ.
template <class D, class S, Rounding mode>
int32_t move(void *core, int role, void *to_base, int64_t to, const void *from_base, int64_t from, OPGEN_AXES) {
  if (!(((Core *)core)->roles & role)) return 0;
  const Box box = OPGEN_BOX;
  D *out = (D *)to_base + box.to;
  const S *in = (const S *)from_base + box.from;
  each(box.extent, box.from_stride, box.to_stride, [&](int64_t x, int64_t y) {
    if constexpr (std::is_same<D, S>::value)
      out[y] = in[x];
    else
      out[y] = cast_of<D, S, mode>(in[x]);
  });
  return 0;
}

}  // namespace ascend
