// The operations that reductions and scans may fold with, by name: one list for both. A picker gets the operation as a
// type and returns the loop built from it. Included only by isa_*.cpp; everything is inside the instruction set's
// namespace.
#pragma once

#include <cstdint>

#include "interpreter/kernels/isa/isa_float_ops.h"
#include "interpreter/kernels/isa/isa_integer_ops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

template <class Fn, class Pick>
Fn pick_integer_fold(Binary op, Pick pick) {
  switch (op) {
    case Binary::addi: return pick.template operator()<Add>();
    case Binary::muli: return pick.template operator()<Mul>();
    case Binary::andi: return pick.template operator()<And>();
    case Binary::ori: return pick.template operator()<Or>();
    case Binary::xori: return pick.template operator()<Xor>();
    case Binary::minsi: return pick.template operator()<MinSigned>();
    case Binary::maxsi: return pick.template operator()<MaxSigned>();
    case Binary::minui: return pick.template operator()<MinUnsigned>();
    case Binary::maxui: return pick.template operator()<MaxUnsigned>();
    default: return nullptr;
  }
}

/// i1 in bytes 0 and 1: + is xor, signed true is -1.
template <class Fn, class Pick>
Fn pick_bit_fold(Binary op, Pick pick) {
  switch (op) {
    case Binary::addi:
    case Binary::xori: return pick.template operator()<BitXor>();
    case Binary::muli:
    case Binary::andi:
    case Binary::maxsi:
    case Binary::minui: return pick.template operator()<BitAnd>();
    case Binary::ori:
    case Binary::minsi:
    case Binary::maxui: return pick.template operator()<BitOr>();
    default: return nullptr;
  }
}

template <class Fn, class Pick>
Fn pick_float_fold(Binary op, Pick pick) {
  switch (op) {
    case Binary::addf: return pick.template operator()<AddFloat>();
    case Binary::mulf: return pick.template operator()<MulFloat>();
    case Binary::minnumf: return pick.template operator()<MinNumber>();
    case Binary::maxnumf: return pick.template operator()<MaxNumber>();
    case Binary::minimumf: return pick.template operator()<Minimum>();
    case Binary::maximumf: return pick.template operator()<Maximum>();
    default: return nullptr;
  }
}

/// The loop of an operation on a kind: Loops offers bit, integer<T>, real<T> and small<kind>, each from the operation.
template <class Fn, class Loops>
Fn find_fold(Binary op, Kind kind) {
  switch (kind) {
    case Kind::i1: return Loops::bit(op);
    case Kind::i8: return Loops::template integer<std::int8_t>(op);
    case Kind::i16: return Loops::template integer<std::int16_t>(op);
    case Kind::i32: return Loops::template integer<std::int32_t>(op);
    case Kind::i64: return Loops::template integer<std::int64_t>(op);
    case Kind::f8E4M3FN: return Loops::template small<Kind::f8E4M3FN>(op);
    case Kind::f8E5M2: return Loops::template small<Kind::f8E5M2>(op);
    case Kind::f8E4M3FNUZ: return Loops::template small<Kind::f8E4M3FNUZ>(op);
    case Kind::f8E5M2FNUZ: return Loops::template small<Kind::f8E5M2FNUZ>(op);
    case Kind::f16: return Loops::template small<Kind::f16>(op);
    case Kind::bf16: return Loops::template small<Kind::bf16>(op);
    case Kind::f32: return Loops::template real<float>(op);
    case Kind::f64: return Loops::template real<double>(op);
    default: return nullptr;
  }
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
