// Where a NaN or an infinity is born and where it goes (LS601, LS602, LS603). A launch runs as always first; only if
// one of its float outputs then holds a NaN or an infinity it runs again with steps, which find the births and follow
// them to memory, to an address or to a branch. What is born and goes nowhere (a lane that is masked off, the side of a
// tl.where that is not taken) is not reported.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "checkers/float_births.h"
#include "checkers/value_checkers.h"
#include "checkers/value_ranges.h"
#include "interpreter/companion.h"
#include "interpreter/storage_copy.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::checkers {

using ir::Opcode;

namespace {

bool is_float_value(const ir::Value& value) {
  const auto kind = value.type().element().scalar_kind();
  return kind && is_float(*kind);
}

/// All bits of the exponent (and, where infinities do not exist, of the fraction) are set.
template <typename Bits>
bool any_special(const char* data, std::uint64_t count, Bits mask) {
  Bits found = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, data + i * sizeof bits, sizeof bits);
    found = static_cast<Bits>(found | ((bits & mask) == mask ? 1 : 0));
  }
  return found != 0;
}

bool holds_special(ScalarKind kind, const char* data, std::uint64_t bytes) {
  switch (kind) {
    case ScalarKind::f16: return any_special<std::uint16_t>(data, bytes / 2, 0x7c00);
    case ScalarKind::bf16: return any_special<std::uint16_t>(data, bytes / 2, 0x7f80);
    case ScalarKind::f32: return any_special<std::uint32_t>(data, bytes / 4, 0x7f800000);
    case ScalarKind::f64: return any_special<std::uint64_t>(data, bytes / 8, 0x7ff0000000000000);
    case ScalarKind::f8E5M2: return any_special<std::uint8_t>(data, bytes, 0x7c);
    case ScalarKind::f8E4M3FN: return any_special<std::uint8_t>(data, bytes, 0x7f);
    case ScalarKind::f8E4M3FNUZ:
    case ScalarKind::f8E5M2FNUZ: return std::memchr(data, 0x80, bytes) != nullptr;
    default: return false;
  }
}

/// Yes where it is not known.
bool was_written(const interpreter::LaunchReport& report, const memory_model::Extent& extent) {
  if (report.touched == nullptr) return true;
  return std::any_of(report.touched->begin(), report.touched->end(), [&](const interpreter::LoggedRange& range) {
    return range.is_write && range.begin < extent.end && extent.begin < range.end;
  });
}

}  // namespace

struct FloatChecker::Known {
  explicit Known(const LaunchContext& context) {
    for_each_op(context.module, context.function, [&](const ir::Op& op) {
      if (!may_give_birth(op)) return;
      has_births = true;
      flow.seed(op);
    });
    flow.close();
  }
  MarkFlow flow;
  bool has_births = false;
};

FloatChecker::FloatChecker() = default;
FloatChecker::~FloatChecker() = default;

Checker::Needs FloatChecker::needs(const LaunchContext& context) const {
  Needs needs;
  const std::lock_guard lock(mutex_);
  if (known_ == nullptr) known_ = std::make_unique<Known>(context);
  if (!known_->has_births) return needs;
  needs.touches = interpreter::Touches::writes;
  needs.may_suspect = true;
  return needs;
}

Checker::Wish FloatChecker::wish(const ir::Op& op) const {
  if (known_ == nullptr) return {};
  const bool is_born = may_give_birth(op);
  const bool is_flow = known_->flow.contains(op);
  const bool is_filtered = op.result_count() != 0 && is_float_value(*op.result()) && !interpreter::is_control_flow(op);
  return {is_born || is_flow, (is_born || is_flow) && is_filtered};
}

void FloatChecker::before(Execution& run) {
  is_stepped_ = true;
  const ir::Op& op = run.op();
  if (is_end(op)) {
    for (const MarkEnd& end : find_ends(run, false)) faults_.reach(run, end);
  }
  if (interpreter::is_control_flow(op)) return;
  carry_marks(run);
  if (may_give_birth(op)) operands_.emplace(run);
}

void FloatChecker::after(Execution& run) {
  const ir::Op& op = run.op();
  const ir::Value& result = *op.result();
  if (const auto* marks = run.state_as<Marks>(result)) {
    // Only what is still NaN or infinite carries on.
    auto kept = std::make_shared<Marks>(*marks);
    bool any = false;
    for (std::size_t i = 0; i < kept->lanes.size(); ++i) {
      if (kept->lanes[i] != 0 && std::isfinite(run.number(result, static_cast<std::int64_t>(i)))) kept->lanes[i] = 0;
      any |= kept->lanes[i] != 0;
    }
    run.state(result) = any ? std::move(kept) : nullptr;
  }
  if (!may_give_birth(op) || !operands_) return;
  for (const FloatBirth& birth : operands_->births(run)) {
    Finding finding = run.finding(birth.code, birth.message);
    finding.lane = position_of(birth.lanes.front(), run.shape(result));
    add_marks(run, result, birth.lanes, faults_.note(run, std::move(finding)));
  }
  operands_.reset();
}

bool FloatChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  if (is_stepped_ || report.outcome != interpreter::Outcome::completed) return true;
  const interpreter::RunRequest& request = context.request;
  for (const interpreter::Argument& argument : request.arguments) {
    if (argument.kind == interpreter::Argument::Kind::scalar) continue;
    const memory_model::View& view = request.memory->view(argument.view);
    if (!is_float(view.element) || view.extent.bytes() == 0 || !was_written(report, view.extent)) continue;
    if (holds_special(view.element, interpreter::bytes_at(view.extent.begin), view.extent.bytes())) return false;
  }
  return true;
}

}  // namespace lockstep::checkers
