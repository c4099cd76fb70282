// Integer <-> integer conversions: sign or zero extension, truncation; one-bit integers. Compiled once per instruction
// set.
#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

template <class R>
struct Cast {
  template <class T>
  static R apply(T a) {
    return static_cast<R>(a);
  }
};
template <class R>
struct SignedBit {
  static R apply(std::uint8_t a) { return static_cast<R>(0 - static_cast<int>(a & 1)); }
};
struct LowBit {
  template <class T>
  static std::uint8_t apply(T a) {
    return static_cast<std::uint8_t>(a & 1);
  }
};

template <class T>
ConvertFn to_kind(Kind to) {
  switch (to) {
    case Kind::i1: return unary_loop<LowBit, T, std::uint8_t>;
    case Kind::i8: return unary_loop<Cast<std::int8_t>, T, std::int8_t>;
    case Kind::i16: return unary_loop<Cast<std::int16_t>, T, std::int16_t>;
    case Kind::i32: return unary_loop<Cast<std::int32_t>, T, std::int32_t>;
    case Kind::i64: return unary_loop<Cast<std::int64_t>, T, std::int64_t>;
    default: return nullptr;
  }
}
ConvertFn from_signed_bit(Kind to) {
  switch (to) {
    case Kind::i8: return unary_loop<SignedBit<std::int8_t>, std::uint8_t, std::int8_t>;
    case Kind::i16: return unary_loop<SignedBit<std::int16_t>, std::uint8_t, std::int16_t>;
    case Kind::i32: return unary_loop<SignedBit<std::int32_t>, std::uint8_t, std::int32_t>;
    case Kind::i64: return unary_loop<SignedBit<std::int64_t>, std::uint8_t, std::int64_t>;
    default: return nullptr;
  }
}

}  // namespace

ConvertFn find_convert_integer(Kind from, Kind to, bool is_unsigned) {
  switch (from) {
    case Kind::i1: return is_unsigned ? to_kind<std::uint8_t>(to) : from_signed_bit(to);
    case Kind::i8: return is_unsigned ? to_kind<std::uint8_t>(to) : to_kind<std::int8_t>(to);
    case Kind::i16: return is_unsigned ? to_kind<std::uint16_t>(to) : to_kind<std::int16_t>(to);
    case Kind::i32: return is_unsigned ? to_kind<std::uint32_t>(to) : to_kind<std::int32_t>(to);
    case Kind::i64: return to_kind<std::int64_t>(to);
    default: return nullptr;
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
