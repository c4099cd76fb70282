// The kind of an op, from its row's traits (ir/op_traits.h), under the names that analyses use. Not here: which values
// go where (region_branch.h), which lanes (lane_movement.h).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::ir {

// ---- results ----

inline bool is_constant(const Op& op) { return op.def().origin == Origin::constant; }
inline bool is_range(const Op& op) { return op.def().origin == Origin::range; }
inline bool is_program_id(const Op& op) { return op.def().origin == Origin::program_id; }

// ---- statements ----

inline bool is_print(const Op& op) { return op.def().statement == Statement::print; }
inline bool is_assumption(const Op& op) { return op.def().statement == Statement::assumption; }

// ---- control flow ----

inline bool is_function(const Op& op) { return op.def().control == Control::function; }
inline bool is_call(const Op& op) { return op.def().control == Control::call; }
inline bool is_return(const Op& op) { return op.def().control == Control::function_return; }
inline bool is_counted_loop(const Op& op) { return op.def().control == Control::counted_loop; }
inline bool is_open_loop(const Op& op) { return op.def().control == Control::open_loop; }
inline bool is_loop(const Op& op) { return is_counted_loop(op) || is_open_loop(op); }
inline bool is_choice(const Op& op) { return op.def().control == Control::choice; }
inline bool is_structured(const Op& op) { return is_loop(op) || is_choice(op); }
inline bool is_yield(const Op& op) { return op.def().control == Control::yield; }
inline bool is_loop_condition(const Op& op) { return op.def().control == Control::condition; }
/// Structured and unstructured control flow, calls and returns.
inline bool is_control_flow(const Op& op) {
  switch (op.def().control) {
    case Control::none:
    case Control::module:
    case Control::function:
    case Control::region_return: return false;
    default: return true;
  }
}
inline bool is_jump(const Op& op) { return op.def().control == Control::jump; }
inline bool is_conditional_jump(const Op& op) { return op.def().control == Control::conditional_jump; }

// ---- arithmetic ----

inline bool computes(const OpDef& def, Arithmetic arithmetic, Numbers numbers) {
  return def.arithmetic == arithmetic && def.numbers == numbers;
}
inline bool computes(const Op& op, Arithmetic arithmetic, Numbers numbers) {
  return computes(op.def(), arithmetic, numbers);
}
inline Calculation calculation(const Op& op) { return {op.def().arithmetic, op.def().numbers}; }
inline bool is_integer_sum(const Op& op) { return computes(op, Arithmetic::sum, Numbers::integers); }
inline bool is_integer_difference(const Op& op) { return computes(op, Arithmetic::difference, Numbers::integers); }
inline bool is_integer_product(const Op& op) { return computes(op, Arithmetic::product, Numbers::integers); }
inline bool is_float_sum(const Op& op) { return computes(op, Arithmetic::sum, Numbers::floats); }
inline bool is_float_difference(const Op& op) { return computes(op, Arithmetic::difference, Numbers::floats); }
inline bool is_float_product(const Op& op) { return computes(op, Arithmetic::product, Numbers::floats); }
inline bool is_bitwise(const Op& op) { return is_bitwise(op.def().arithmetic); }
inline bool is_shift(const Op& op) { return is_shift(op.def().arithmetic); }
inline bool is_selection(const Op& op) { return op.def().arithmetic == Arithmetic::selection; }
inline bool is_displacement(const Op& op) { return op.def().arithmetic == Arithmetic::displacement; }
inline bool is_integer_comparison(const Op& op) { return computes(op, Arithmetic::comparison, Numbers::integers); }
inline bool is_float_comparison(const Op& op) { return computes(op, Arithmetic::comparison, Numbers::floats); }

// ---- conversions ----

namespace detail {
inline bool converts(const Op& op, bool from_float, bool to_float) {
  return op.def().arithmetic == Arithmetic::conversion && op.operand(0)->type().element().is_float() == from_float &&
         op.result()->type().element().is_float() == to_float;
}
}  // namespace detail

/// To more bits, to fewer, and between integers and index.
inline bool resizes_integer(const Op& op) { return detail::converts(op, false, false); }
/// The number stays, as long as it fits, and is read with its sign.
inline bool keeps_signed_integer(const Op& op) {
  return resizes_integer(op) && op.def().numbers != Numbers::without_sign;
}
/// To more bits, or to index, zeros above.
inline bool extends_without_sign(const Op& op) {
  return resizes_integer(op) && op.def().numbers == Numbers::without_sign;
}
/// To more bits, not to index.
inline bool extends_integer(const Op& op) {
  return resizes_integer(op) && op.def().numbers != Numbers::integers &&
         !op.operand(0)->type().element().is_index() && !op.result()->type().element().is_index();
}
inline bool extends_with_sign(const Op& op) { return extends_integer(op) && op.def().numbers == Numbers::with_sign; }
inline bool converts_to_integer(const Op& op) { return detail::converts(op, true, false); }
inline bool converts_to_float(const Op& op) { return detail::converts(op, false, true); }
inline bool resizes_float(const Op& op) { return detail::converts(op, true, true); }
/// Rounds to fewer numbers.
inline bool narrows_float(const Op& op) { return resizes_float(op) && op.def().makes_nan; }
/// To a wider format: the number stays.
inline bool widens_float(const Op& op) { return resizes_float(op) && !op.def().makes_nan; }

/// Bits that become an address, and an address that becomes a number.
inline bool makes_pointer_of_bits(const Op& op) {
  return op.def().arithmetic == Arithmetic::reinterpretation && op.result()->type().element().is_pointer() &&
         !op.operand(0)->type().element().is_pointer();
}
inline bool makes_number_of_pointer(const Op& op) {
  return op.def().arithmetic == Arithmetic::reinterpretation && op.operand(0)->type().element().is_pointer() &&
         !op.result()->type().element().is_pointer();
}

// ---- lanes ----

/// Reductions and scans: lines along an axis become one number, or as many.
inline bool folds_lines(const OpDef& def) {
  return def.combination == Combination::reduction || def.combination == Combination::scan;
}
inline bool folds_lines(const Op& op) { return folds_lines(op.def()); }
/// By a region, a product or code of its own: its regions are not control flow.
inline bool combines_lanes(const Op& op) { return op.def().combination != Combination::none; }
inline bool is_reduction(const Op& op) { return op.def().combination == Combination::reduction; }
inline bool is_scan(const Op& op) { return op.def().combination == Combination::scan; }
/// A product of matrices, not of scaled ones.
inline bool is_matrix_product(const Op& op) { return op.def().combination == Combination::product; }
inline bool is_scaled_product(const Op& op) { return op.def().combination == Combination::scaled_product; }
inline bool multiplies_matrices(const Op& op) {
  return is_matrix_product(op) || is_scaled_product(op);
}
inline bool moves_as(const Op& op, Movement movement) { return op.def().movement == movement; }
/// Its result holds elements of its one operand, in other places or other numbers, independent of values.
inline bool reshapes(const Op& op) {
  switch (op.def().movement) {
    case Movement::splat:
    case Movement::unsplat:
    case Movement::broadcast:
    case Movement::expand_dims:
    case Movement::reshape:
    case Movement::transpose: return true;
    default: return false;
  }
}
/// The same elements, repeated.
inline bool spreads(const Op& op) {
  return moves_as(op, Movement::splat) || moves_as(op, Movement::broadcast) || moves_as(op, Movement::expand_dims);
}
inline bool is_splat(const Op& op) { return moves_as(op, Movement::splat); }
inline bool is_gather(const Op& op) { return moves_as(op, Movement::gather); }

// ---- memory ----

/// Loads and stores through pointers or block pointers, not atomic ones.
inline bool is_pointer_load(const Op& op) { return op.def().access.is_plain_load(); }
inline bool is_pointer_store(const Op& op) { return op.def().access.is_plain_store(); }
/// The same and those of a descriptor's blocks.
inline bool is_tile_load(const Op& op) { return op.def().access.is_tile_load(); }
inline bool is_tile_store(const Op& op) { return op.def().access.is_tile_store(); }
inline bool does_atomic(const Op& op, MemoryAccess::Atomic what) { return op.def().access.atomic == what; }

}  // namespace lockstep::ir
