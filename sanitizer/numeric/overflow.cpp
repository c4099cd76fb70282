// Overflow in addresses (LS501): an integer that does not fit its type wraps, and the wrapped number moves a pointer
// that a lane then uses. Every wrapped lane is followed with the number that it should have been, through sums,
// products, casts and copies, so what wraps twice and comes out right is no finding, nor is a lane that is masked off,
// nor an index that a remainder or a shift was made of. Comparisons that decide masks: overflow_masks.cpp. Launches
// whose ranges show that nothing can wrap have no steps.
#include <mutex>

#include <algorithm>

#include "interpreter/batching/effects.h"
#include "interpreter/instrument/instrumentation_pass.h"
#include "interpreter/launch/name_op.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/text/python_name.h"
#include "sanitizer/core/value_checkers.h"
#include "sanitizer/lanes/lane_values.h"
#include "sanitizer/memory/address_chain.h"
#include "sanitizer/memory/mask_chain.h"
#include "sanitizer/numeric/overflow_lanes.h"

namespace lockstep::sanitizer {

struct OverflowChecker::Known {
  Known(const ir::Module& module, const ir::Op& function)
      : masks(module, function),
        chain(module, function, masks.comparisons()),
        effects(interpreter::effects_of(module, function)) {}
  MaskChain masks;
  AddressChain chain;  // what masks compare is in it, too
  interpreter::MemoryEffects effects;
};

namespace {

constexpr std::size_t kMaxOrigins = std::size_t{1} << 20;

bool is_pointer(const ir::Value& value) { return value.type().element().is_pointer(); }

bool is_access(const ir::Op& op) { return interpreter::touches_memory(op) && is_pointer(*op.operand(0)); }

}  // namespace

OverflowChecker::OverflowChecker() = default;
OverflowChecker::~OverflowChecker() = default;

const OverflowChecker::Known& OverflowChecker::known(const LaunchContext& context) const {
  const std::lock_guard lock(mutex_);
  if (known_ == nullptr) known_ = std::make_unique<Known>(context.module, context.function);
  return *known_;
}

Checker::Requirements OverflowChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  const Known& kernel = known(context);
  if (kernel.chain.arithmetic().empty()) return needs;
  const auto may_wrap = [&](const ValueRanges& ranges) {
    const auto& ops = kernel.chain.arithmetic();
    return std::any_of(ops.begin(), ops.end(), [&](const ir::Op* op) { return ranges.may_wrap(*op); });
  };
  // Reads arrays only where the answer depends on them.
  if (!may_wrap(ValueRanges(context, kernel.effects, false))) return needs;
  const ValueRanges ranges(context, kernel.effects);
  needs.steps = may_wrap(ranges);
  needs.reads_memory = ranges.uses_memory();
  return needs;
}

Checker::Interest OverflowChecker::wish(const ir::Op& op) const {
  if (is_access(op)) return {true, false};
  if (op.result_count() == 0 || ir::is_control_flow(op)) return {};
  if (known_ != nullptr && known_->masks.contains(op)) return {true, false};
  const bool moves_pointer =
      is_pointer(*op.result()) &&
      (ir::is_displacement(op) || ir::is_selection(op) || ir::moves_lanes(op));
  const bool carries = is_wrapping_op(op) || ir::is_selection(op) || ir::moves_lanes(op) ||
                       (ir::resizes_integer(op) && op.def().numbers != ir::Numbers::integers);
  return {moves_pointer || (carries && known_ != nullptr && known_->chain.contains(*op.result())), false};
}

void OverflowChecker::before(Execution& run) {
  const ir::Op& op = run.op();
  if (is_access(op)) {
    look_at_mask(run);
    return look_at_access(run);
  }
  run.state(*op.result()) = nullptr;
  if (run.kind(*op.result()) == ScalarKind::i1) return follow_bits(run);
  if (ir::is_displacement(op)) return move_pointer(run);
  if (is_wrapping_op(op)) return compute(run);
  carry(run);
}

std::uint32_t OverflowChecker::note_origin(Execution& run, const WrappedLane& lane) {
  if (origins_.size() < kMaxOrigins) {
    origins_.push_back({&run.op(), run.location(), run.kind(*run.op().operand(0)), lane,
                        position_of(lane.lane, run.shape(*run.op().operand(0)))});
  }
  return static_cast<std::uint32_t>(origins_.size());
}

void OverflowChecker::compute(Execution& run) {
  const ir::Op& op = run.op();
  const ir::Value &left = *op.operand(0), &right = *op.operand(1);
  const auto* a = run.state_as<ExactLanes>(left);
  const auto* b = run.state_as<ExactLanes>(right);
  const auto wrapped = find_wrapped(run);
  if (a == nullptr && b == nullptr && !wrapped) return;
  const std::uint32_t own = wrapped ? note_origin(run, *wrapped) : 0;
  const std::vector<std::int64_t> lefts = read_integers(run, left), rights = read_integers(run, right);
  const Range full = full_range(run.kind(left));
  auto made = std::make_shared<ExactLanes>();
  made->exact.resize(lefts.size());
  made->origin.resize(lefts.size());
  for (std::size_t i = 0; i < lefts.size(); ++i) {
    const Wide exact = apply_wide(op, a != nullptr ? a->exact[i] : lefts[i], b != nullptr ? b->exact[i] : rights[i]);
    const std::uint32_t from = a != nullptr && a->origin[i] != 0 ? a->origin[i] : b != nullptr ? b->origin[i] : 0;
    made->exact[i] = exact;
    made->origin[i] = from != 0 ? from : full.contains(exact) ? 0 : own;
  }
  run.state(*op.result()) = std::move(made);
}

/// Copies and casts.
void OverflowChecker::carry(Execution& run) {
  const ir::Op& op = run.op();
  if (is_pointer(*op.result())) return carry_pointers(run);
  const bool is_select = ir::is_selection(op);
  std::vector<const ExactLanes*> states;
  std::vector<std::vector<std::int64_t>> plain;
  bool any = false;
  for (const ir::Value* operand : op.operands()) {
    const bool is_bit = run.kind(*operand) == ScalarKind::i1;  // whose state is another
    states.push_back(is_bit ? nullptr : run.state_as<ExactLanes>(*operand));
    any |= states.back() != nullptr;
  }
  if (!any) return;
  for (std::size_t i = 0; i < states.size(); ++i)
    plain.push_back(states[i] == nullptr ? read_integers(run, *op.operand(i)) : std::vector<std::int64_t>());
  auto made = std::make_shared<ExactLanes>();
  const auto count = static_cast<std::size_t>(op.result()->type().element_count());
  made->exact.resize(count);
  made->origin.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    ir::LaneSource source{0, static_cast<std::int64_t>(i)};
    if (is_select) {
      const std::int64_t lane = run.count(*op.operand(0)) == 1 ? 0 : source.lane;
      source.operand = (run.bits(*op.operand(0), lane) & 1) != 0 ? 1 : 2;
    } else if (ir::moves_lanes(op)) {
      source = ir::lane_source(op, 0, source.lane);
    }
    const auto lane = static_cast<std::size_t>(source.lane);
    const ExactLanes* state = states[source.operand];
    made->exact[i] = state != nullptr ? state->exact[lane] : Wide{plain[source.operand][lane]};
    made->origin[i] = state != nullptr ? state->origin[lane] : 0;
  }
  run.state(*op.result()) = std::move(made);
}

void OverflowChecker::carry_pointers(Execution& run) {
  const ir::Op& op = run.op();
  const bool is_select = ir::is_selection(op);
  bool any = false;
  for (const ir::Value* operand : op.operands()) any |= is_pointer(*operand) && run.state(*operand) != nullptr;
  if (!any) return;
  auto made = std::make_shared<MovedLanes>();
  made->origin.resize(static_cast<std::size_t>(op.result()->type().element_count()));
  for (std::size_t i = 0; i < made->origin.size(); ++i) {
    ir::LaneSource source{0, static_cast<std::int64_t>(i)};
    if (is_select) {
      const std::int64_t lane = run.count(*op.operand(0)) == 1 ? 0 : source.lane;
      source.operand = (run.bits(*op.operand(0), lane) & 1) != 0 ? 1 : 2;
    } else {
      source = ir::lane_source(op, 0, source.lane);
    }
    const auto* state = run.state_as<MovedLanes>(*op.operand(source.operand));
    if (state != nullptr) made->origin[i] = state->origin[static_cast<std::size_t>(source.lane)];
  }
  run.state(*op.result()) = std::move(made);
}

void OverflowChecker::move_pointer(Execution& run) {
  const ir::Op& op = run.op();
  const auto* moved = run.state_as<MovedLanes>(*op.operand(0));
  const auto* offsets = run.state_as<ExactLanes>(*op.operand(1));
  if (moved == nullptr && offsets == nullptr) return;
  auto made = std::make_shared<MovedLanes>();
  made->origin = moved != nullptr ? moved->origin
                                  : std::vector<std::uint32_t>(static_cast<std::size_t>(run.count(*op.operand(1))));
  if (offsets != nullptr) {
    const std::vector<std::int64_t> actual = read_integers(run, *op.operand(1));
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (offsets->exact[i] != actual[i] && made->origin[i] == 0) made->origin[i] = offsets->origin[i];
    }
  }
  run.state(*op.result()) = std::move(made);
}

void OverflowChecker::look_at_access(Execution& run) {
  const auto* moved = run.state_as<MovedLanes>(*run.op().operand(0));
  if (moved == nullptr) return;
  LaneMask mask(run);
  std::uint32_t first = 0;
  std::uint64_t lanes = 0;
  for (std::size_t i = 0; i < moved->origin.size(); ++i) {
    if (moved->origin[i] == 0 || !mask.is_on(static_cast<std::int64_t>(i))) continue;
    if (first == 0) first = moved->origin[i];
    ++lanes;
  }
  if (first == 0) return;
  const Origin& origin = origins_[first - 1];
  const std::string kind(spelling(origin.kind));
  Finding finding = run.finding(FindingCode::LS501, kind + " overflow in address: " + equation_text(*origin.op, origin.lane));
  interpreter::name_op(finding, *origin.op);
  if (!origin.location.is_unknown()) {
    finding.notes.push_back(
        {"the wrapped number moves the pointer of this " + ir::shown_name(run.op()), run.location()});
    finding.location = origin.location;
  }
  finding.lane = origin.position;
  finding.count = lanes;
  finding.hint = origin.kind == ScalarKind::i64 ? "not even 64 bits hold this offset" : widening_hint(origin);
  run.report(std::move(finding));
}

}  // namespace lockstep::sanitizer
