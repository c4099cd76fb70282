// Elementwise integer arithmetic without division: wrapping add, sub, mul, bit operations, shifts, minima, maxima, high
// product. Compiled once per instruction set. Source of the shift rule (amount >= width gives 0 or the sign; an i1
// stays as it is): measured on sm_90.
#include "interpreter/kernels/isa/isa_integer_ops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

struct Abs {
  template <class T>
  static T apply(T a) {
    return a < 0 ? static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a)) : a;
  }
};

// The most negative number of one bit, -1, is its own magnitude, like that of every width.
struct BitSame {
  static std::uint8_t apply(std::uint8_t a) { return a; }
};
struct BitFirst {
  static std::uint8_t apply(std::uint8_t a, std::uint8_t) { return a; }
};
struct BitZero {
  static std::uint8_t apply(std::uint8_t, std::uint8_t) { return 0; }
};

BinaryFn find_bit(Binary op) {
  switch (op) {
    case Binary::addi:
    case Binary::subi:
    case Binary::xori: return binary_loop<BitXor, std::uint8_t>;
    case Binary::muli:
    case Binary::andi:
    case Binary::maxsi:
    case Binary::minui: return binary_loop<BitAnd, std::uint8_t>;
    case Binary::ori:
    case Binary::minsi:
    case Binary::maxui: return binary_loop<BitOr, std::uint8_t>;
    case Binary::shli:
    case Binary::shrui:
    case Binary::shrsi: return binary_loop<BitFirst, std::uint8_t>;
    case Binary::mulhiui: return binary_loop<BitZero, std::uint8_t>;
    default: return nullptr;
  }
}

template <class T>
BinaryFn find_of(Binary op) {
  switch (op) {
    case Binary::addi: return binary_loop<Add, T>;
    case Binary::subi: return binary_loop<Sub, T>;
    case Binary::muli: return binary_loop<Mul, T>;
    case Binary::andi: return binary_loop<And, T>;
    case Binary::ori: return binary_loop<Or, T>;
    case Binary::xori: return binary_loop<Xor, T>;
    case Binary::shli: return binary_loop<ShiftLeft, T>;
    case Binary::shrsi: return binary_loop<ShiftRightSigned, T>;
    case Binary::shrui: return binary_loop<ShiftRightUnsigned, T>;
    case Binary::minsi: return binary_loop<MinSigned, T>;
    case Binary::maxsi: return binary_loop<MaxSigned, T>;
    case Binary::minui: return binary_loop<MinUnsigned, T>;
    case Binary::maxui: return binary_loop<MaxUnsigned, T>;
    case Binary::mulhiui: return binary_loop<MulHighUnsigned, T>;
    default: return nullptr;
  }
}

}  // namespace

BinaryFn find_integer_binary(Binary op, Kind kind) {
  switch (kind) {
    case Kind::i1: return find_bit(op);
    case Kind::i8: return find_of<std::int8_t>(op);
    case Kind::i16: return find_of<std::int16_t>(op);
    case Kind::i32: return find_of<std::int32_t>(op);
    case Kind::i64:
    case Kind::pointer: return find_of<std::int64_t>(op);
    default: return nullptr;
  }
}

UnaryFn find_integer_unary(Unary op, Kind kind) {
  if (op != Unary::absi) return nullptr;
  switch (kind) {
    case Kind::i1: return unary_loop<BitSame, std::uint8_t>;
    case Kind::i8: return unary_loop<Abs, std::int8_t>;
    case Kind::i16: return unary_loop<Abs, std::int16_t>;
    case Kind::i32: return unary_loop<Abs, std::int32_t>;
    case Kind::i64: return unary_loop<Abs, std::int64_t>;
    default: return nullptr;
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
