// Reading one lane's bits as a type, and loops that apply a function to all lanes. A domain reads (`get`) and writes
// (`put`) one element; Pair applies a domain to both halves of a register. Invariants: bits above a domain's width are
// zero in every result; a NaN made by f16, bf16 or f32 arithmetic is the canonical one of PTX, one of f64 S-36's. For
// evaluators only.
// Source: PTX ISA 8.7, floating-point instructions (NaN, .ftz, .sat, .relu).
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "interpreter/evaluators/nan.h"
#include "interpreter/ptx/program.h"

namespace lockstep::interpreter::ptx {

/// What happens to an arithmetic result.
enum Post : unsigned { kNothing = 0, kFlush = 1, kSaturate = 2, kRelu = 4 };

template <typename T>
struct Int {
  using value = T;
  static constexpr int kBits = 8 * sizeof(T);
  static T get(std::uint64_t bits) { return static_cast<T>(bits); }
  static std::uint64_t put(T v) { return static_cast<std::make_unsigned_t<T>>(v); }
};

template <unsigned post, typename T>
T finish_float(T v, T smallest_normal) {
  if constexpr ((post & kSaturate) != 0) v = v > T(0) ? (v < T(1) ? v : T(1)) : T(0);  // NaN becomes +0
  if constexpr ((post & kRelu) != 0) v = v < T(0) || v == T(0) ? (v > T(0) ? v : T(0)) : v;
  if constexpr ((post & kFlush) != 0) v = std::fabs(v) < smallest_normal ? std::copysign(T(0), v) : v;
  return v;
}

template <unsigned post = kNothing>
struct F32 {
  using value = float;
  static constexpr int kBits = 32;
  static constexpr float kNormal = 0x1p-126f;
  static float get(std::uint64_t bits) {
    const float v = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return (post & kFlush) != 0 && std::fabs(v) < kNormal ? std::copysign(0.0f, v) : v;
  }
  static std::uint64_t put(float v) {
    v = finish_float<post>(v, kNormal);
    return v != v ? 0x7fffffffu : std::bit_cast<std::uint32_t>(v);
  }
};

template <unsigned post = kNothing>
struct F64 {
  using value = double;
  static constexpr int kBits = 64;
  static double get(std::uint64_t bits) { return std::bit_cast<double>(bits); }
  static std::uint64_t put(double v) { return std::bit_cast<std::uint64_t>(finish_float<post>(v, 0x1p-1022)); }
};

inline float half_to_float(std::uint64_t bits) {
  const auto sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const auto magnitude = static_cast<std::uint32_t>(bits & 0x7fff);
  std::uint32_t made = (magnitude << 13) + (112u << 23);
  if (magnitude >= 0x7c00) made = 0x7f800000u | (magnitude << 13);
  if (magnitude < 0x400) made = std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24f);
  return std::bit_cast<float>(made | sign);
}
inline std::uint64_t float_to_half(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  const std::uint32_t sign = (bits >> 16) & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000u) return 0x7fff;
  if (magnitude >= 0x477ff000u) return sign | 0x7c00;
  if (magnitude < 0x38800000u) {  // one unit in the last place of 0.5 is the smallest subnormal
    return sign | (std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u);
  }
  return sign | ((magnitude + 0xfff + ((magnitude >> 13) & 1) - (112u << 23)) >> 13);
}
inline float bfloat_to_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits & 0xffff) << 16);
}
inline std::uint64_t float_to_bfloat(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  if ((bits & 0x7fffffff) > 0x7f800000u) return 0x7fff;
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

/// Computed in f32; every operation rounds once (24 bits are more than twice 11 and two).
template <unsigned post = kNothing>
struct F16 {
  using value = float;
  static constexpr int kBits = 16;
  static constexpr float kNormal = 0x1p-14f;
  static float get(std::uint64_t bits) {
    const float v = half_to_float(bits);
    return (post & kFlush) != 0 && std::fabs(v) < kNormal ? std::copysign(0.0f, v) : v;
  }
  static std::uint64_t put(float v) {
    const std::uint64_t rounded = float_to_half(finish_float < post & ~unsigned{kFlush} > (v, kNormal));
    return (post & kFlush) != 0 && (rounded & 0x7c00) == 0 ? rounded & 0x8000 : rounded;
  }
};

template <unsigned post = kNothing>
struct BF16 {
  using value = float;
  static constexpr int kBits = 16;
  static float get(std::uint64_t bits) { return bfloat_to_float(bits); }
  static std::uint64_t put(float v) { return float_to_bfloat(finish_float<post>(v, 0x1p-126f)); }
};

constexpr std::uint64_t mask_of(int width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

/// fn(values) in one domain.
template <typename D>
struct Scalar {
  template <auto fn, typename... Bits>
  static std::uint64_t apply(Bits... bits) {
    const auto value = static_cast<typename D::value>(fn(D::get(bits)...));
    if constexpr (std::is_same_v<typename D::value, double>) return D::put(settled(value, D::get(bits)...));
    return D::put(value);
  }
};
/// The same on the low and the high half of a register.
template <typename D>
struct Pair {
  static constexpr std::uint64_t kMask = mask_of(D::kBits);
  template <auto fn, typename... Bits>
  static std::uint64_t apply(Bits... bits) {
    const std::uint64_t low = Scalar<D>::template apply<fn>((bits & kMask)...);
    const std::uint64_t high = Scalar<D>::template apply<fn>((bits >> D::kBits & kMask)...);
    return low | high << D::kBits;
  }
};

// Loops. `fn` works on bits (bits1..) or in a domain's values (map1..).

template <auto fn>
void bits0(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) to[k] = fn(i.detail);
}
template <auto fn>
void bits1(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  const std::uint64_t* a = s.registers[i.from[0]];
  for (int k = 0; k < s.lanes; ++k) to[k] = fn(a[k]);
}
template <auto fn>
void bits2(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  const std::uint64_t *a = s.registers[i.from[0]], *b = s.registers[i.from[1]];
  for (int k = 0; k < s.lanes; ++k) to[k] = fn(a[k], b[k]);
}
template <auto fn>
void bits3(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  const std::uint64_t *a = s.registers[i.from[0]], *b = s.registers[i.from[1]], *c = s.registers[i.from[2]];
  for (int k = 0; k < s.lanes; ++k) to[k] = fn(a[k], b[k], c[k]);
}
template <auto fn>
void bits4(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  const std::uint64_t *a = s.registers[i.from[0]], *b = s.registers[i.from[1]], *c = s.registers[i.from[2]],
                      *d = s.registers[i.from[3]];
  for (int k = 0; k < s.lanes; ++k) to[k] = fn(a[k], b[k], c[k], d[k]);
}
/// As bits1..3 with the instruction's detail as last argument.
template <auto fn>
void detail1(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  const std::uint64_t* a = s.registers[i.from[0]];
  for (int k = 0; k < s.lanes; ++k) to[k] = fn(a[k], i.detail);
}
template <auto fn>
void detail2(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  const std::uint64_t *a = s.registers[i.from[0]], *b = s.registers[i.from[1]];
  for (int k = 0; k < s.lanes; ++k) to[k] = fn(a[k], b[k], i.detail);
}
template <auto fn>
void detail3(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  const std::uint64_t *a = s.registers[i.from[0]], *b = s.registers[i.from[1]], *c = s.registers[i.from[2]];
  for (int k = 0; k < s.lanes; ++k) to[k] = fn(a[k], b[k], c[k], i.detail);
}

template <typename M, auto fn>
void map1(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  const std::uint64_t* a = s.registers[i.from[0]];
  for (int k = 0; k < s.lanes; ++k) to[k] = M::template apply<fn>(a[k]);
}
template <typename M, auto fn>
void map2(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  const std::uint64_t *a = s.registers[i.from[0]], *b = s.registers[i.from[1]];
  for (int k = 0; k < s.lanes; ++k) to[k] = M::template apply<fn>(a[k], b[k]);
}
template <typename M, auto fn>
void map3(State& s, const Instruction& i) {
  std::uint64_t* to = s.registers[i.to[0]];
  const std::uint64_t *a = s.registers[i.from[0]], *b = s.registers[i.from[1]], *c = s.registers[i.from[2]];
  for (int k = 0; k < s.lanes; ++k) to[k] = M::template apply<fn>(a[k], b[k], c[k]);
}
template <int operands, typename M, auto fn>
constexpr Evaluate map() {
  if constexpr (operands == 1) return map1<M, fn>;
  if constexpr (operands == 2) return map2<M, fn>;
  if constexpr (operands == 3) return map3<M, fn>;
}

}  // namespace lockstep::interpreter::ptx
