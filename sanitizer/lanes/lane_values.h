// Lanes of one execution as plain vectors, and the first lane whose sum, difference or product overflows its type. It
// answers from the forms of tiles (uniform, affine) where they suffice and reads lanes otherwise. Private to this
// folder.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/memory/value_ranges.h"

namespace lockstep::sanitizer {

/// Signed, row-major, all lanes. Precondition: integers or pointers.
std::vector<std::int64_t> read_integers(Execution& run, const ir::Value& value);
/// The interval of all lanes; nullopt if the form alone does not give one.
std::optional<Range> quick_range(const Execution& run, const ir::Value& value);
/// The op's operand with that name in its row; null: none.
const ir::Value* named_operand(const ir::Op& op, std::string_view name);

/// Which lanes of a memory op its mask enables (whether in bounds or not).
class LaneMask {
 public:
  explicit LaneMask(Execution& run);
  bool is_on(std::int64_t lane);

 private:
  Execution& run_;
  const ir::Value* mask_;
};

/// Operands whose result does not fit.
struct WrappedLane {
  std::int64_t lane = 0;
  Wide a = 0, b = 0, exact = 0;
  std::int64_t wrapped = 0;
  std::int64_t lanes = 0;  // how many lanes of the tile wrap
};
/// For arith.addi, subi or muli, before it runs.
std::optional<WrappedLane> find_wrapped(Execution& run);
/// "319*7864320 = 2508718080 wraps to -1786249216".
std::string equation_text(const ir::Op& op, const WrappedLane& lane);
bool is_wrapping_op(const ir::Op& op);
/// The low bits as a signed number of the kind.
std::int64_t wrap(ScalarKind kind, Wide value);
Wide apply_wide(const ir::Op& op, Wide a, Wide b);  // the largest or lowest Wide where not even that holds it

}  // namespace lockstep::sanitizer
