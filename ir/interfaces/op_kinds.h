// What kind an op is, asked of its row's traits (ir/op_traits.h), under the words that analyses use. Not here: whose
// values go where (region_branch.h), which lanes (lane_movement.h).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::ir {

// ---- what it makes ----

inline bool is_constant(const Op& op) { return op.def().origin == Origin::constant; }
inline bool is_range(const Op& op) { return op.def().origin == Origin::range; }
inline bool is_program_id(const Op& op) { return op.def().origin == Origin::program_id; }

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
inline bool is_conditional_jump(const Op& op) { return op.def().control == Control::conditional_jump; }

// ---- arithmetic ----

inline bool computes(const OpDef& def, Arithmetic arithmetic, Numbers numbers) {
  return def.arithmetic == arithmetic && def.numbers == numbers;
}
inline bool computes(const Op& op, Arithmetic arithmetic, Numbers numbers) {
  return computes(op.def(), arithmetic, numbers);
}
inline bool is_selection(const Op& op) { return op.def().arithmetic == Arithmetic::selection; }
inline bool is_displacement(const Op& op) { return op.def().arithmetic == Arithmetic::displacement; }
inline bool is_integer_comparison(const Op& op) { return computes(op, Arithmetic::comparison, Numbers::integers); }
inline bool is_float_comparison(const Op& op) { return computes(op, Arithmetic::comparison, Numbers::floats); }

// ---- lanes ----

/// Reductions and scans: lines along an axis become one number, or as many.
inline bool folds_lines(const OpDef& def) {
  return def.combination == Combination::reduction || def.combination == Combination::scan;
}
inline bool folds_lines(const Op& op) { return folds_lines(op.def()); }
inline bool is_reduction(const Op& op) { return op.def().combination == Combination::reduction; }
inline bool is_scan(const Op& op) { return op.def().combination == Combination::scan; }
/// A product of matrices, not of scaled ones.
inline bool is_matrix_product(const Op& op) { return op.def().combination == Combination::product; }
inline bool multiplies_matrices(const Op& op) {
  return is_matrix_product(op) || op.def().combination == Combination::scaled_product;
}
inline bool moves_as(const Op& op, Movement movement) { return op.def().movement == movement; }
inline bool is_splat(const Op& op) { return moves_as(op, Movement::splat); }
inline bool is_gather(const Op& op) { return moves_as(op, Movement::gather); }

// ---- memory ----

/// Loads and stores through pointers or block pointers, not atomic ones.
inline bool is_pointer_load(const Op& op) { return op.def().access.is_plain_load(); }
inline bool is_pointer_store(const Op& op) { return op.def().access.is_plain_store(); }
inline bool does_atomic(const Op& op, MemoryAccess::Atomic what) { return op.def().access.atomic == what; }

}  // namespace lockstep::ir
