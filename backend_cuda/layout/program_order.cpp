#include "backend_cuda/layout/program_order.h"

#include <algorithm>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/passes/passes.h"
#include "ir/walk.h"

namespace lockstep::backend_cuda {
namespace {

constexpr int kDeepest = 32;
/// Neighbours along the other axis that start together: few enough that what they share stays in the cache of the second level.
/// Measured for causal attention: docs/performance.md.
constexpr unsigned kGroup = 16;

std::size_t other_axis(std::size_t axis) { return axis == 0 ? 1 : 0; }

bool is_positive_constant(const ir::Value* value) {
  const auto bits = ir::passes::splat_bits(value);
  return bits && *bits > 0 && *bits < (std::uint64_t{1} << 31);
}

/// 1: grows with the program's number on `axis`; -1: falls; 0: does not depend on it; nullopt: not known.
class Slope {
 public:
  explicit Slope(std::size_t axis) : axis_(axis) {}

  std::optional<int> of(const ir::Value* value, int depth = 0) const {
    const ir::Op* made = value->defining_op();
    if (made == nullptr && value->owner_block() != nullptr && ir::is_function(*value->owner_block()->parent_op())) return 0;
    if (made == nullptr || depth > kDeepest) return std::nullopt;
    if (ir::is_program_id(*made)) return made->integer_attribute("axis", 0) == static_cast<std::int64_t>(axis_) ? 1 : 0;
    if (made->def().effects != ir::Effects::pure || !made->regions().empty()) return std::nullopt;
    std::vector<std::optional<int>> slopes;
    for (const ir::Value* operand : made->operands()) slopes.push_back(of(operand, depth + 1));
    if (std::all_of(slopes.begin(), slopes.end(), [](const auto& slope) { return slope == 0; })) return 0;
    if (std::find(slopes.begin(), slopes.end(), std::nullopt) != slopes.end()) return std::nullopt;
    if (slopes.size() == 1) return ir::keeps_signed_integer(*made) ? slopes[0] : std::nullopt;
    return slopes.size() == 2 ? of_two(*made, *slopes[0], *slopes[1]) : std::nullopt;
  }

 private:
  static std::optional<int> of_two(const ir::Op& op, int first, int second) {
    const bool is_difference = ir::is_integer_difference(op);
    switch (op.def().arithmetic) {
      case ir::Arithmetic::difference:
      case ir::Arithmetic::sum:
      case ir::Arithmetic::minimum:
      case ir::Arithmetic::maximum: {
        if (is_difference) second = -second;
        return first * second < 0 ? std::nullopt : std::optional(first != 0 ? first : second);
      }
      case ir::Arithmetic::product:
        if (is_positive_constant(op.operand(0))) return second;
        return is_positive_constant(op.operand(1)) ? std::optional(first) : std::nullopt;
      case ir::Arithmetic::quotient:
      case ir::Arithmetic::floor_quotient:
      case ir::Arithmetic::ceiling_quotient:
        return is_positive_constant(op.operand(1)) ? std::optional(first) : std::nullopt;
      default: return std::nullopt;
    }
  }

  std::size_t axis_;
};

/// Whether an op may run in any order of programs without a difference that somebody could see.
bool is_free_of_order(const ir::Op& op) {
  if (op.def().effects == ir::Effects::pure || ir::is_assumption(op)) return true;
  if (ir::is_tile_load(op)) return op.integer_attribute("isVolatile", 0) == 0;
  return ir::is_tile_store(op) || ir::is_function(op) || ir::is_counted_loop(op) || ir::is_choice(op) || ir::is_yield(op) ||
         ir::is_return(op);
}

}  // namespace

std::optional<std::size_t> axis_of_longer_programs(const ir::Op& function) {
  bool is_free = true;
  std::vector<const ir::Op*> loops;
  ir::walk(function, [&](const ir::Op& op) {
    is_free = is_free && (is_free_of_order(op) || ir::combines_lanes(*op.parent_op()));
    if (ir::is_counted_loop(op)) loops.push_back(&op);
  });
  if (!is_free) return std::nullopt;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Slope slope(axis);
    bool grows = false, falls = false;
    for (const ir::Op* loop : loops) {
      const auto first = slope.of(loop->operand(0)), last = slope.of(loop->operand(1));
      // Both ends moving up together: as long as before, for all that is known.
      grows = grows || (last == 1 && first && *first <= 0) || (last == 0 && first == -1);
      falls = falls || !first || !last || (*last <= 0 && *first == 1) || (*last == -1 && *first == 0);
    }
    if (grows && !falls) return axis;
  }
  return std::nullopt;
}

std::string longest_first_text(std::size_t axis) {
  const std::string own(1, "xyz"[axis]), other(1, "xyz"[other_axis(axis)]);
  const std::string programs = "gridDim." + own, rows = "gridDim." + other, group = std::to_string(kGroup) + "u";
  const std::string fast = axis == 0 ? own : other, slow = axis == 0 ? other : own;
  return "  const unsigned long long ls_number = blockIdx." + fast + " + 1ull * gridDim." + fast + " * blockIdx." + slow + ";\n" +
         "  const unsigned ls_first = (unsigned)(ls_number / (1ull * " + group + " * " + programs + ")) * " + group + ";\n" +
         "  const unsigned ls_rows = min(" + group + ", " + rows + " - ls_first);\n" +
         "  const unsigned long long ls_within = ls_number - 1ull * ls_first * " + programs + ";\n" +
         "  const unsigned ls_program_" + own + " = " + programs + " - 1 - (unsigned)(ls_within / ls_rows);\n" +
         "  const unsigned ls_program_" + other + " = ls_first + (unsigned)(ls_within % ls_rows);\n";
}

std::string program_number(std::size_t axis, int long_axis) {
  const auto first = static_cast<std::size_t>(long_axis);
  const bool moves = long_axis >= 0 && (axis == first || axis == other_axis(first));
  return std::string(moves ? "ls_program_" : "blockIdx.") + "xyz"[axis];
}

}  // namespace lockstep::backend_cuda
