// Traits: properties of an op's row, so that analyses need not name ops. Each is a column of OpDef with a safe default:
// the op computes nothing known, moves no lanes, touches no memory, is not control flow, passes no pointer on, and is
// lifted by its effects alone. Not here: predicates over ops (ir/interfaces/).
#pragma once

#include <cstdint>

namespace lockstep::ir {

/// The calculation of the results' elements from the operands'; the same for integers and floats, which Numbers
/// distinguishes.
enum class Arithmetic : std::uint8_t {
  none,  // not arithmetic, or a function of its own (math.exp)
  sum,
  difference,
  product,
  quotient,  // toward zero
  floor_quotient,
  ceiling_quotient,
  remainder,
  minimum,  // of floats: NaN if either is NaN
  maximum,
  minimum_number,  // of floats: the number if one is NaN
  maximum_number,
  conjunction,  // bit by bit
  disjunction,
  parity,
  shift_left,
  shift_right,
  negation,
  magnitude,
  fused_product,  // a * b + c, rounded once
  clamp,
  comparison,
  selection,
  conversion,
  reinterpretation,
  displacement,  // of a pointer
  floor,         // the nearest whole number below, or above
  ceiling,
  sum_with_carry,  // two results: the sum, and whether it leaves the type
  difference_with_borrow,
  whole_product,  // two results: its halves
};

/// How Arithmetic reads its operands. `integers`: the bits of the result are those of either reading.
enum class Numbers : std::uint8_t { none, integers, with_sign, without_sign, floats };

/// The two together: an op's calculation and its numbers.
struct Calculation {
  Arithmetic arithmetic = Arithmetic::none;
  Numbers numbers = Numbers::none;
  constexpr bool operator==(const Calculation&) const = default;
};

/// Bit by bit, and by whole bits.
constexpr bool is_bitwise(Arithmetic what) {
  return what == Arithmetic::conjunction || what == Arithmetic::disjunction || what == Arithmetic::parity;
}
constexpr bool is_shift(Arithmetic what) { return what == Arithmetic::shift_left || what == Arithmetic::shift_right; }
/// The result is one of the operands, by their order.
constexpr bool is_maximum(Arithmetic what) { return what == Arithmetic::maximum || what == Arithmetic::maximum_number; }
constexpr bool is_minimum(Arithmetic what) { return what == Arithmetic::minimum || what == Arithmetic::minimum_number; }
constexpr bool is_extremum(Arithmetic what) { return is_maximum(what) || is_minimum(what); }
/// Quotients with any rounding, and remainders.
constexpr bool is_division(Arithmetic what) {
  return what == Arithmetic::quotient || what == Arithmetic::floor_quotient || what == Arithmetic::ceiling_quotient ||
         what == Arithmetic::remainder;
}

/// Where the lanes of the results come from (ir/interfaces/lane_movement.h).
enum class Movement : std::uint8_t {
  none,
  splat,
  unsplat,
  broadcast,
  expand_dims,
  reshape,
  transpose,
  join,
  split,
  concatenate,
  gather,  // by the values of an operand
};

/// How lanes are combined with each other.
enum class Combination : std::uint8_t {
  none,
  reduction,  // along an axis, by a region
  scan,
  product,  // of matrices
  scaled_product,
  counts,  // a histogram
  code,    // lane by lane, in packs of a size that the op says: a region or assembly
};

/// The result of an op without operands.
enum class Origin : std::uint8_t { none, constant, range, program_id, program_count, poison };

/// An op's role in control flow (ir/interfaces/region_branch.h).
enum class Control : std::uint8_t {
  none,
  module,
  function,
  call,
  function_return,
  counted_loop,
  open_loop,
  choice,
  yield,
  condition,
  jump,
  conditional_jump,
  region_return,  // ends a region that combines lanes
};

/// The statement of an op that computes nothing.
enum class Statement : std::uint8_t { none, print, assertion, assumption };

/// An op's effect on memory, and the operand groups that take part: operand 0 is always the place.
struct MemoryAccess {
  enum class Kind : std::uint8_t { none, load, store, atomic } kind = Kind::none;
  /// The form of operand 0: pointers (or a block pointer), or a descriptor with offsets, or one with rows.
  enum class Place : std::uint8_t { pointers, block, rows } place = Place::pointers;
  enum class Atomic : std::uint8_t { none, update, exchange_if_equal, load, store, poll, reduce } atomic = Atomic::none;
  std::int8_t mask = -1;     // -1: has none
  std::int8_t value = -1;    // the tile that is moved or compared; -1: the result
  std::int8_t indices = -1;  // offsets into a descriptor
  std::int8_t other = -1;    // what lanes read that are masked off

  constexpr bool is_access() const { return kind != Kind::none; }
  constexpr bool is_pointer_access() const { return is_access() && place == Place::pointers; }
  constexpr bool is_descriptor_access() const { return is_access() && place != Place::pointers; }
  constexpr bool is_plain_load() const { return kind == Kind::load && place == Place::pointers; }
  constexpr bool is_plain_store() const { return kind == Kind::store && place == Place::pointers; }
  /// Through pointers or a descriptor's block, not rows of one.
  constexpr bool is_tile_load() const { return kind == Kind::load && place != Place::rows; }
  constexpr bool is_tile_store() const { return kind == Kind::store && place != Place::rows; }
};

/// The memory behind the pointers among an op's results.
enum class Provenance : std::uint8_t {
  unknown,
  first_operand,
  first_operand_if_pointer,
  operands_of_type,  // any operand of the result's element type
  nobody,
};

/// How to lift an op whose operands differ between the programs of a batch, so that it runs once for all of them.
enum class BatchingRule : std::uint8_t {
  by_effects,   // shared_only where it is evaluated and writes nothing, else refused
  refused,      // may not occur at all, varying or not
  shared_only,  // may occur where nothing of it varies
  elementwise,
  elementwise_if_pure,      // by the op's attribute
  elementwise_in_packs,     // where packs divide the tile, and the code does not depend on the program
  assumption_if_breakpoint,
  load,
  store,
  splat,
  unsplat,
  broadcast,
  expand_dims,
  reshape,
  trans,
  join,
  split,
  cat,
  along_axis,  // reduce, scan, gather
  product,     // of matrices: a matrix for each program
  program_id,
  assertion,
  assumption,
  control,
};

}  // namespace lockstep::ir
