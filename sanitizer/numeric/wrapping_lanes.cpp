// WrappingChecker's examination of single executions: which lanes wrap, round otherwise than in Python, or sum to too
// much.
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/core/value_checkers.h"
#include "sanitizer/lanes/lane_values.h"

namespace lockstep::sanitizer {

namespace {

std::string with_sign(Wide value) { return value < 0 ? "- " + wide_text(-value) : "+ " + wide_text(value); }

}  // namespace

void WrappingChecker::look_at_arithmetic(Execution& run) {
  const auto wrapped = find_wrapped(run);
  if (!wrapped) return;
  const ir::Op& op = run.op();
  const ScalarKind kind = run.kind(*op.operand(0));
  const Range full = full_range(kind);
  const std::vector<std::int64_t> a = read_integers(run, *op.operand(0)), b = read_integers(run, *op.operand(1));
  std::vector<std::int64_t> lanes;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!full.contains(apply_wide(op, a[i], b[i]))) lanes.push_back(static_cast<std::int64_t>(i));
  }
  note(run, FindingCode::LS502, std::string(spelling(kind)) + " overflow in a value: " + equation_text(op, *wrapped), lanes,
       "convert an operand to a wider type before this");
}

void WrappingChecker::look_at_division(Execution& run) {
  const ir::Op& op = run.op();
  const auto quick_a = quick_range(run, *op.operand(0)), quick_b = quick_range(run, *op.operand(1));
  if (quick_a && quick_b && quick_a->low >= 0 && quick_b->low >= 0) return;
  const std::vector<std::int64_t> a = read_integers(run, *op.operand(0)), b = read_integers(run, *op.operand(1));
  std::vector<std::int64_t> lanes;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool differs = b[i] != 0 && b[i] != -1 && (a[i] < 0) != (b[i] < 0) && a[i] % b[i] != 0;
    if (differs) lanes.push_back(static_cast<std::int64_t>(i));
  }
  if (lanes.empty()) return;
  const auto first = static_cast<std::size_t>(lanes.front());
  const std::int64_t x = a[first], y = b[first];
  const bool is_quotient = op.def().arithmetic == ir::Arithmetic::quotient;
  const std::int64_t here = is_quotient ? x / y : x % y, python = is_quotient ? x / y - 1 : x % y + y;
  const auto operand = [](std::int64_t value) {
    return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
  };
  note(run, FindingCode::LS506,
       "division toward zero: " + std::to_string(x) + (is_quotient ? " // " : " % ") + operand(y) + " = " +
           std::to_string(here) + " here, Python gives " + std::to_string(python),
       lanes, "add a multiple of the divisor first, so that nothing is negative");
}

void WrappingChecker::look_at_sum(Execution& run) {
  const ir::Op& op = run.op();
  const ScalarKind kind = run.kind(*op.operand(0));
  const Range full = full_range(kind);
  const auto& shape = run.shape(*op.operand(0));
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
  if (axis >= shape.size()) return;
  std::int64_t inner = 1;
  for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  const std::int64_t extent = shape[axis];
  const std::vector<std::int64_t> numbers = read_integers(run, *op.operand(0));
  const bool is_scan = ir::is_scan(op);
  std::vector<std::int64_t> lanes;
  std::string message;
  for (std::int64_t line = 0; line < static_cast<std::int64_t>(numbers.size()) / extent; ++line) {
    const std::int64_t outer = line / inner, column = line % inner;
    Wide sum = 0;
    std::string step;
    bool leaves = false;
    for (std::int64_t i = 0; i < extent; ++i) {
      const std::int64_t number = numbers[static_cast<std::size_t>((outer * extent + i) * inner + column)];
      if (step.empty() && !full.contains(sum + number))
        step = " at element " + std::to_string(i) + ": " + wide_text(sum) + " " + with_sign(number) + " = " +
               wide_text(sum + number);
      sum += number;
      leaves = leaves || (is_scan && !full.contains(sum));
    }
    leaves = leaves || !full.contains(sum);
    if (!leaves) continue;
    if (message.empty())
      message = std::string(spelling(kind)) + " sum wraps" + step + ", the whole is " + wide_text(sum);
    for (std::int64_t i = 0; i < (is_scan ? extent : 1); ++i)
      lanes.push_back(is_scan ? (outer * extent + i) * inner + column : line);
  }
  if (!lanes.empty()) note(run, FindingCode::LS507, message, lanes, "sum in 32 bits: use .to(tl.int32) before, or dtype=tl.int32");
}

}  // namespace lockstep::sanitizer
