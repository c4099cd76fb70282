// Lanes of one execution as plain vectors, and the first lane whose sum, difference or product leaves its type. Answers
// from the forms of tiles where they tell (uniform, affine) and looks at lanes else. Private to the room.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/memory/value_ranges.h"

namespace lockstep::sanitizer {

/// Signed, row-major, all lanes. Precondition: integers or pointers.
std::vector<std::int64_t> read_integers(Execution& run, const ir::Value& value);
/// Between which numbers all lanes lie; nullopt where the form does not say without looking at lanes.
std::optional<Range> quick_range(const Execution& run, const ir::Value& value);
/// The op's operand of that name, as its row names it; null: none.
const ir::Value* named_operand(const ir::Op& op, std::string_view name);

/// Which lanes of a memory op are on, as its mask says (whether in bounds or not).
class LaneMask {
 public:
  explicit LaneMask(Execution& run);
  bool is_on(std::int64_t lane);

 private:
  Execution& run_;
  const ir::Value* mask_;
};

/// An operand pair whose result does not fit.
struct WrappedLane {
  std::int64_t lane = 0;
  Wide a = 0, b = 0, exact = 0;
  std::int64_t wrapped = 0;
  std::int64_t lanes = 0;  // how many lanes of the tile wrap
};
/// Of arith.addi, subi or muli, before it runs.
std::optional<WrappedLane> find_wrapped(Execution& run);
/// "319*7864320 = 2508718080 wraps to -1786249216".
std::string equation_text(const ir::Op& op, const WrappedLane& lane);
bool is_wrapping_op(const ir::Op& op);
/// The low bits as a signed number of the kind.
std::int64_t wrap(ScalarKind kind, Wide value);
Wide apply_wide(const ir::Op& op, Wide a, Wide b);  // the largest or lowest Wide where not even that holds it

}  // namespace lockstep::sanitizer
