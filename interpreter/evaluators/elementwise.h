// Elementwise ops: one record and one way to run them. A step first tries the exact cheaper forms (structure.h), then
// runs the vector kernel over contiguous runs. Invariant: only the kernel defines an op's meaning; the structured forms
// must reproduce it exactly (checked by tests against dense operands).
#pragma once

#include <cstdint>

#include "interpreter/evaluators/loops.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

/// The facts of an op's types for steps on ranges (affine_step.h).
struct AffineLimits {
  int shift = 0;                         // 64 - bits of operand 0
  std::uint64_t result_mask = 0;         // the bits of the result's kind
  std::int64_t lowest = 0, highest = 0;  // of the result
  std::int64_t with_equal = 0;           // of comparisons: 1 where equal numbers compare true
  std::array<std::int64_t, 3> last{};    // highest index of each dimension
};

struct Elementwise {
  enum class Arity : std::uint8_t { unary, binary, ternary, convert, copy } arity = Arity::unary;
  using Rule = StructuredRule;
  Rule rule = Rule::none;
  kernels::CompareInt predicate{};
  int operands = 1;
  kernels::UnaryFn unary = nullptr;
  kernels::BinaryFn binary = nullptr;
  kernels::TernaryFn ternary = nullptr;
  kernels::ConvertFn convert = nullptr;
  const TileType* result = nullptr;
  std::array<const TileType*, 3> operand{};
  AffineLimits limits;
};

/// Runs the op on tiles; the result holds its own count. `may_reuse[i]`: operand i dies, its buffer may take the
/// result.
Tile run_elementwise(Machine& machine, const Elementwise& op, const std::array<const Tile*, 3>& operands,
                     const std::array<bool, 3>& may_reuse);

/// The step for tiles in any form; its record is the Elementwise.
const Step* step_elementwise(Machine& machine, const Step* step);

}  // namespace lockstep::interpreter
