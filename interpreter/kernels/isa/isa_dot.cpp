// The matrix product of a dot on floats: out = start + a * b on tiles in place. Compiled once per instruction set.
// Invariant: one rounding per step of an element's chain. v3 and v4 have an instruction for it; v2 computes it in wider
// numbers, and multiplies and adds where the products are known to be exact. Tiles (AMX) are not used: they flush
// subnormals and add in another order, so they would not give these bytes. Not here: vdpbf16ps (isa_dot_bf16.cpp).
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_dot_blocks.h"
#include "interpreter/kernels/isa/isa_fused.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

/// One step of a chain. Integers wrap; floats round once.
template <class T>
struct Fused : CanonicalSums<T> {
  template <class V>
  static V apply(V a, V b, V c) {
    if constexpr (static_cast<T>(1.5) == T{1})
      return a * b + c;
    else
      return fused(a, b, c);
  }
};
/// The same if a * b is known to be exact, which needs no special instruction.
struct ExactProduct : CanonicalSums<float> {
  template <class V>
  static V apply(V a, V b, V c) {
    return a * b + c;
  }
};

// The pieces that a dot of f32 operands multiplies, each an f32.
constexpr std::uint32_t kBelowTf32 = 0x1fff;
/// The hardware ignores lower bits; a NaN with only lower bits becomes infinity.
inline float cut_tf32(float a) { return bits_as<float>(bits_as<std::uint32_t>(a) & ~kBelowTf32); }
/// To the nearest tf32 number, ties away from zero (cvt.rna.tf32.f32).
inline float nearest_tf32(float a) {
  const std::uint32_t bits = bits_as<std::uint32_t>(a);
  return bits_as<float>((a != a ? bits | 0x400000u : bits + 0x1000u) & ~kBelowTf32);
}
inline float nearest_bf16(float a) {
  const std::uint32_t bits = bits_as<std::uint32_t>(a);
  return bits_as<float>((a != a ? bits | 0x400000u : bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
}
struct TruncatedTf32 {
  static float apply(float a) { return cut_tf32(a); }
};
struct LargeTf32 {
  static float apply(float a) { return nearest_tf32(a); }
};
struct SmallTf32 {
  static float apply(float a) { return cut_tf32(a - nearest_tf32(a)); }
};
struct HighBf16 {
  static float apply(float a) { return nearest_bf16(a); }
};
struct MiddleBf16 {
  static float apply(float a) { return nearest_bf16(a - nearest_bf16(a)); }
};
struct LowBf16 {
  static float apply(float a) {
    const float rest = a - nearest_bf16(a);
    return nearest_bf16(rest - nearest_bf16(rest));
  }
};

}  // namespace

UnaryFn find_dot_piece(DotPiece piece) {
  switch (piece) {
    case DotPiece::whole: return nullptr;
    case DotPiece::truncated_tf32: return unary_loop<TruncatedTf32, float>;
    case DotPiece::large_tf32: return unary_loop<LargeTf32, float>;
    case DotPiece::small_tf32: return unary_loop<SmallTf32, float>;
    case DotPiece::high_bf16: return unary_loop<HighBf16, float>;
    case DotPiece::middle_bf16: return unary_loop<MiddleBf16, float>;
    case DotPiece::low_bf16: return unary_loop<LowBf16, float>;
  }
  return nullptr;
}

GemmFn find_gemm(Kind kind) {
  switch (kind) {
    case Kind::f32: return gemm_loop<Fused<float>, float>;
    case Kind::f64: return gemm_loop<Fused<double>, double>;
    case Kind::i32: return gemm_loop<Fused<std::uint32_t>, std::uint32_t>;
    default: return nullptr;
  }
}

GemmFn find_gemm_of_exact_products() {
#ifdef LOCKSTEP_HAS_FUSED
  return find_gemm(Kind::f32);
#else
  return gemm_loop<ExactProduct, float>;
#endif
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
