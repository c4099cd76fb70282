// Elementwise integer division and remainder. Compiled once per instruction set. Up to 32 bits the quotient is computed
// in a float kind wide enough to truncate exactly (so that it vectorises); 64 bits use the processor's division. Source
// of the rules for a zero divisor and for INT_MIN / -1: measured on sm_90.
#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

// a/b and a%b of |a|, |b| < 2^p: the rounded quotient truncates exactly if the float kind has more than p + 1 mantissa
// bits, for a/b then differs from the next integer by at least one part in 2^p.
template <class T>
struct DivisionTypes;
template <>
struct DivisionTypes<std::int8_t> {
  using real = float;
  using whole = std::int32_t;
  using bits = std::uint8_t;
};
template <>
struct DivisionTypes<std::int16_t> {
  using real = float;
  using whole = std::int32_t;
  using bits = std::uint16_t;
};
template <>
struct DivisionTypes<std::int32_t> {
  using real = double;
  using whole = std::int64_t;
  using bits = std::uint32_t;
};
template <>
struct DivisionTypes<std::int64_t> {
  using bits = std::uint64_t;
};

template <class T>
inline T quotient_signed(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    if (b == 0) return -1;
    if (b == -1) return static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(a));
    return a / b;
  } else if constexpr (sizeof(T) == 4) {
    // 2^31 (INT_MIN / -1) is the only quotient outside i32; converted it gives INT_MIN, which is the rule.
    const double divisor = b == 0 ? 1.0 : static_cast<double>(b);
    const double quotient = static_cast<double>(a) / divisor;
    const T truncated = static_cast<T>(quotient >= 2147483648.0 ? -2147483648.0 : quotient);
    return b == 0 ? -1 : truncated;
  } else {
    const float divisor = b == 0 ? 1.0f : static_cast<float>(b);
    const std::int32_t truncated = static_cast<std::int32_t>(static_cast<float>(a) / divisor);
    return static_cast<T>(b == 0 ? -1 : truncated);
  }
}

template <class T>
inline T quotient_unsigned(T a, T b) {
  using U = typename DivisionTypes<T>::bits;
  if constexpr (sizeof(T) == 8) {
    if (b == 0) return -1;
    return static_cast<T>(static_cast<U>(a) / static_cast<U>(b));
  } else if constexpr (sizeof(T) == 4) {
    // By way of signed conversions: the unsigned ones do not vectorise on older processors.
    const double x = static_cast<double>(static_cast<std::int32_t>(static_cast<U>(a) ^ 0x80000000u)) + 2147483648.0;
    const double y = static_cast<double>(static_cast<std::int32_t>(static_cast<U>(b) ^ 0x80000000u)) + 2147483648.0;
    const double quotient = x / (b == 0 ? 1.0 : y);
    const T truncated = static_cast<T>(static_cast<std::int32_t>(__builtin_floor(quotient) - 2147483648.0) ^
                                       static_cast<std::int32_t>(0x80000000u));
    return b == 0 ? -1 : truncated;
  } else {
    const std::int32_t x = static_cast<U>(a);
    const std::int32_t y = static_cast<U>(b);
    const float divisor = y == 0 ? 1.0f : static_cast<float>(y);
    const std::int32_t truncated = static_cast<std::int32_t>(static_cast<float>(x) / divisor);
    return static_cast<T>(y == 0 ? -1 : truncated);
  }
}

// a - q * b, wrapping. With q = -1 for b = 0 this is a, as the rule wants.
template <class T>
inline T remainder_of(T a, T b, T q) {
  using U = typename DivisionTypes<T>::bits;
  return static_cast<T>(static_cast<U>(a) - static_cast<U>(1u * static_cast<U>(q) * static_cast<U>(b)));
}

template <class T>
inline T sum_wrapped(T a, T b) {
  using U = typename DivisionTypes<T>::bits;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}

struct DivSigned {
  template <class T>
  static T apply(T a, T b) {
    return quotient_signed(a, b);
  }
};
struct DivUnsigned {
  template <class T>
  static T apply(T a, T b) {
    return quotient_unsigned(a, b);
  }
};
struct RemSigned {
  template <class T>
  static T apply(T a, T b) {
    return remainder_of(a, b, quotient_signed(a, b));
  }
};
struct RemUnsigned {
  template <class T>
  static T apply(T a, T b) {
    return remainder_of(a, b, quotient_unsigned(a, b));
  }
};
struct CeilDivSigned {
  template <class T>
  static T apply(T a, T b) {
    const T q = quotient_signed(a, b);
    const T r = remainder_of(a, b, q);
    const T up = static_cast<T>((r != 0) & (b != 0) & ((r < 0) == (b < 0)));
    return sum_wrapped(q, up);
  }
};
struct CeilDivUnsigned {
  template <class T>
  static T apply(T a, T b) {
    const T q = quotient_unsigned(a, b);
    const T up = static_cast<T>((remainder_of(a, b, q) != 0) & (b != 0));
    return sum_wrapped(q, up);
  }
};
struct FloorDivSigned {
  template <class T>
  static T apply(T a, T b) {
    const T q = quotient_signed(a, b);
    const T r = remainder_of(a, b, q);
    const bool is_below = (r != 0) & (b != 0) & ((r < 0) != (b < 0));
    return sum_wrapped(q, static_cast<T>(is_below ? -1 : 0));
  }
};

// i1 holds 0 and 1 (signed: 0 and -1). Divided by 1 a number is itself, whatever the sign; by 0 the rules of the other
// widths hold.
struct BitQuotient {
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a | (b ^ 1)); }
};
struct BitRemainder {
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a & (b ^ 1)); }
};

BinaryFn find_bit(Binary op) {
  switch (op) {
    case Binary::divsi:
    case Binary::divui:
    case Binary::ceildivsi:
    case Binary::ceildivui:
    case Binary::floordivsi: return binary_loop<BitQuotient, std::uint8_t>;
    case Binary::remsi:
    case Binary::remui: return binary_loop<BitRemainder, std::uint8_t>;
    default: return nullptr;
  }
}

template <class T>
BinaryFn find_of(Binary op) {
  switch (op) {
    case Binary::divsi: return binary_loop<DivSigned, T>;
    case Binary::divui: return binary_loop<DivUnsigned, T>;
    case Binary::remsi: return binary_loop<RemSigned, T>;
    case Binary::remui: return binary_loop<RemUnsigned, T>;
    case Binary::ceildivsi: return binary_loop<CeilDivSigned, T>;
    case Binary::ceildivui: return binary_loop<CeilDivUnsigned, T>;
    case Binary::floordivsi: return binary_loop<FloorDivSigned, T>;
    default: return nullptr;
  }
}

}  // namespace

BinaryFn find_integer_division(Binary op, Kind kind) {
  switch (kind) {
    case Kind::i1: return find_bit(op);
    case Kind::i8: return find_of<std::int8_t>(op);
    case Kind::i16: return find_of<std::int16_t>(op);
    case Kind::i32: return find_of<std::int32_t>(op);
    case Kind::i64: return find_of<std::int64_t>(op);
    default: return nullptr;
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
