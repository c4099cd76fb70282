// Undefined elements: what masked loads without `other` and reads of uninitialised memory leave (LS201, LS205), where
// they decide an address (LS206) or a program's control flow (LS208), and atomics on memory that nobody wrote (LS202).
// Invariant: an element that is only moved, computed with or stored under its load's own mask is silent (LS207): the
// checker reports those that reach memory, an address or control flow, also through an op across lanes. Kernels in
// which the text and the arguments rule that out run without steps. The checker does not follow the poison of
// ub.poison.
#include <algorithm>
#include <mutex>

#include "interpreter/batching/effects.h"
#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/text/python_name.h"
#include "memory_model/describe.h"
#include "sanitizer/core/checkers.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/undef/definedness_flow.h"
#include "sanitizer/undef/definedness_taint.h"
#include "sanitizer/undef/undef_probe.h"
#include "sanitizer/undef/undefined_bytes.h"

namespace lockstep::sanitizer {

using interpreter::TouchKind;
using memory_model::Address;

/// Facts that do not depend on the launch.
struct DefinednessChecker::Known {
  Known(const ir::Module& module, const ir::Op& function)
      : reach(function, TaintedValues::Sources::masked_loads), effects(interpreter::effects_of(module, function)) {}
  TaintedValues reach;
  interpreter::MemoryEffects effects;
};

namespace {

constexpr std::size_t kNoOperand = SIZE_MAX;

/// A launch's memory and the ops of one execution.
class Access {
 public:
  Access(Execution& run, UndefinedBytes& memory) : run_(run), op_(run.op()), memory_(memory) {
    for (const ir::Value* operand : op_.operands()) {
      states_.push_back(std::static_pointer_cast<const Undefined>(run.state(*operand)));
    }
    mask_ = number_of(interpreter::access_mask(op_));
  }
  void follow();
  void flow();

 private:
  using Lanes = std::vector<std::uint8_t>;
  std::size_t number_of(const ir::Value* value) const;
  bool is_masked_off(std::size_t mask, std::int64_t lane) {
    return mask != kNoOperand && (run_.bits(*op_.operand(mask), lane) & 1) == 0;
  }
  void set_result(UndefinedState state);
  void check_address();
  void check_mask();
  void check_stored(std::size_t value);
  void read();
  void update();
  UndefinedState left_by_mask(std::size_t other);
  std::shared_ptr<const UndefinedOrigin> origin_of_masked(std::size_t lane, bool is_block);
  UndefinedState left_by_memory(Lanes& undefined);
  Lanes undefined_memory();
  std::string elements_text(const Lanes& lanes, std::int64_t& count);
  void define_memory() {
    if (memory_.is_empty()) return;
    run_.lanes().for_each_run([this](Address at, std::int64_t bytes) { memory_.define(at, bytes); });
  }
  bool is_index(std::size_t operand) const;

  Execution& run_;
  const ir::Op& op_;
  UndefinedBytes& memory_;
  std::vector<UndefinedState> states_;
  std::size_t mask_ = kNoOperand;  // of a plain access
};

/// The user's line, not that of Triton's own library.
Location user_place(const Location& location) { return Location(user_frame(location).user); }

std::string in_line(const Location& location) {
  const Location place = user_place(location);
  return place.is_unknown() ? "" : " (line " + std::to_string(place->line) + ")";
}

std::int64_t count_of(const std::vector<std::uint8_t>& lanes) {
  return std::count_if(lanes.begin(), lanes.end(), [](std::uint8_t known) { return known != 0; });
}

std::size_t first_of(const std::vector<std::uint8_t>& lanes) {
  return static_cast<std::size_t>(
      std::find_if(lanes.begin(), lanes.end(), [](std::uint8_t lane) { return lane != 0; }) - lanes.begin());
}

/// Null: none.
std::size_t Access::number_of(const ir::Value* value) const {
  const auto found = std::find(op_.operands().begin(), op_.operands().end(), value);
  return value == nullptr ? kNoOperand : static_cast<std::size_t>(found - op_.operands().begin());
}

void Access::set_result(UndefinedState state) {
  run_.state(*op_.result()) = std::const_pointer_cast<Undefined>(std::move(state));
}

void Access::flow() {
  for (std::size_t i = 0; i < op_.result_count(); ++i) {
    run_.state(*op_.result(i)) = std::const_pointer_cast<Undefined>(flow_undefined(run_, i, states_));
  }
}

/// For memory, and for masked lanes that reach it, the place is the load, where the repair belongs. For an element that
/// decides something, the place is the decision. `lanes`: those that reached it.
void report(Execution& run, const UndefPath& what, FindingCode code, const std::string& message,
            const std::string& reached, std::vector<std::int64_t> lane, std::int64_t lanes) {
  const Finding& at = what.origin->at;
  const bool is_memory = what.origin->kind == UndefinedOrigin::Kind::memory;
  if (is_memory || code == FindingCode::LS205) {
    Finding made = at;
    if (!is_memory) made.message = message;
    made.count = static_cast<std::uint64_t>(lanes);
    if (is_memory && !what.spread_op.empty())
      made.notes.push_back({"goes through " + what.spread_op, user_place(what.spread)});
    made.notes.push_back({reached, run.location()});
    return run.report(std::move(made));
  }
  Finding made = run.finding(code, message);
  made.lane = std::move(lane);
  made.count = static_cast<std::uint64_t>(lanes);
  made.argument = at.argument;
  made.notes.push_back({"undefined since here, where lanes are masked off", at.location});
  made.hint = at.hint;
  run.report(std::move(made));
}

const UndefPath& way_of(const Undefined& state, std::size_t lane) {
  const std::uint8_t known = state.lanes[state.lanes.size() == 1 ? 0 : lane];
  return state.ways[known == 0 ? 0 : known - 1u];
}

void decide(Execution& run) {
  const std::size_t conditions = ir::deciding_operands(run.op());
  for (std::size_t i = 0; i < conditions; ++i) {
    const auto* state = run.state_as<Undefined>(*run.op().operand(i));
    if (state == nullptr) continue;
    return report(run, way_of(*state, 0), FindingCode::LS208, "control flow depends on an undefined value",
                  "decides control flow here", {}, 1);
  }
}

// ---- sinks ----

/// For a descriptor's access: an operand that gives its position.
bool Access::is_index(std::size_t operand) const {
  if (!op_.operand(0)->type().is_descriptor() || operand == 0) return false;
  return op_.operand(operand) != &interpreter::moved_value(op_);
}

void Access::check_address() {
  interpreter::AccessLanes& lanes = run_.lanes();
  for (std::size_t o = 0; o < op_.operand_count(); ++o) {
    const UndefinedState& state = states_[o];
    if (state == nullptr || (o != 0 && !is_index(o))) continue;
    const bool is_lane_wise = o == 0 && state->lanes.size() == static_cast<std::size_t>(lanes.count());
    std::int64_t count = 0, first = -1;
    for (std::int64_t i = 0; i < lanes.count(); ++i) {
      if (is_lane_wise && (state->lanes[static_cast<std::size_t>(i)] == 0 || is_masked_off(mask_, i))) continue;
      if (first < 0) first = i;
      ++count;
    }
    if (count == 0) continue;
    const std::string where = std::to_string(count) + " of " + std::to_string(lanes.count()) + " lanes";
    return report(run_, way_of(*state, static_cast<std::size_t>(first)), FindingCode::LS206,
                  "undefined value used as an address; " + where, "used as an address here",
                  position_of(first, lanes.shape()), count);
  }
}

void Access::check_mask() {
  if (mask_ == kNoOperand || states_[mask_] == nullptr) return;
  const auto lane = static_cast<std::int64_t>(first_of(states_[mask_]->lanes));
  report(run_, way_of(*states_[mask_], static_cast<std::size_t>(lane)), FindingCode::LS208, "a mask depends on an undefined value",
         "used as a mask here", position_of(lane, run_.lanes().shape()), count_of(states_[mask_]->lanes));
}

void Access::check_stored(std::size_t value) {
  if (value == kNoOperand || states_[value] == nullptr) return;
  const Undefined& state = *states_[value];
  interpreter::AccessLanes& lanes = run_.lanes();
  std::vector<std::int64_t> counts(state.ways.size(), 0);
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    const std::uint8_t known = state.lanes[state.lanes.size() == 1 ? 0 : static_cast<std::size_t>(i)];
    if (known != 0 && lanes.is_on(i)) ++counts[known - 1u];
  }
  const std::string stored = ir::shown_name(op_) + in_line(run_.location());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const UndefPath& way = state.ways[k];
    if (counts[k] == 0) continue;
    std::string message = "undefined lanes ";
    if (way.spread_op.empty()) {
      message += "are written by " + stored + ": " + std::to_string(counts[k]) + " of " + std::to_string(lanes.count());
    } else {
      message += "reach the cross-lane " + way.spread_op + in_line(way.spread) + " and then " + stored;
    }
    report(run_, way, FindingCode::LS205, message, "reaches memory here", {}, counts[k]);
  }
}

// ---- sources ----

std::string Access::elements_text(const Lanes& undefined, std::int64_t& count) {
  interpreter::AccessLanes& lanes = run_.lanes();
  Address low = UINT64_MAX, high = 0;
  count = 0;
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if (undefined[static_cast<std::size_t>(i)] == 0) continue;
    low = std::min<Address>(low, lanes.address(i));
    high = std::max<Address>(high, lanes.address(i));
    ++count;
  }
  if (lanes.provenance() < 0) return "memory of unknown origin";
  const memory_model::View view = run_.memory().view({lanes.provenance()}).completed();
  const std::string first = memory_model::element_text(view, low);
  if (low == high) return first;
  const std::string last = memory_model::element_text(view, high);
  if (view.shape.size() != 1 || first.back() != ']' || last.find('[') == std::string::npos)
    return first + " to " + last;
  return first.substr(0, first.size() - 1) + ".." + last.substr(last.find('[') + 1);
}

Access::Lanes Access::undefined_memory() {
  Lanes undefined;
  if (memory_.is_empty()) return undefined;
  interpreter::AccessLanes& lanes = run_.lanes();
  bool is_any = false;
  lanes.for_each_run([&](Address at, std::int64_t bytes) { is_any |= memory_.any(at, bytes); });
  if (!is_any) return undefined;
  undefined.assign(static_cast<std::size_t>(lanes.count()), 0);
  for (std::int64_t i = 0; i < lanes.count(); ++i)
    undefined[static_cast<std::size_t>(i)] = lanes.is_on(i) && memory_.any(lanes.address(i), lanes.bytes()) ? 1 : 0;
  return undefined;
}

UndefinedState Access::left_by_memory(Lanes& undefined) {
  if (undefined.empty()) return nullptr;
  std::int64_t count = 0;
  const std::string text = elements_text(undefined, count);
  auto origin = std::make_shared<UndefinedOrigin>();
  origin->kind = UndefinedOrigin::Kind::memory;
  origin->at = run_.finding(FindingCode::LS201, "read of uninitialised " + text + "; " + std::to_string(count) + " of " +
                                         std::to_string(run_.lanes().count()) + " lanes");
  origin->at.lane = position_of(static_cast<std::int64_t>(first_of(undefined)), run_.lanes().shape());
  if (run_.lanes().provenance() >= 0) {
    const auto& view = run_.memory().view({run_.lanes().provenance()});
    origin->at.argument = view.name;
    origin->at.hint =
        "it was never written: '" + view.name + "' is empty memory (allocate it with zeros, or store first)";
  }
  Undefined made;
  made.lanes = std::move(undefined);
  made.ways.push_back({std::move(origin), {}, ""});
  return std::make_shared<const Undefined>(std::move(made));
}

/// Lanes of the result to which the mask, or a block pointer's bounds, give no value.
UndefinedState Access::left_by_mask(std::size_t other) {
  if (other != kNoOperand && states_[other] == nullptr) return nullptr;
  Undefined made;
  made.lanes = lanes_without_value(run_);
  if (made.lanes.empty()) return nullptr;
  if (other == kNoOperand) {
    made.ways.push_back({origin_of_masked(first_of(made.lanes), mask_ == kNoOperand), {}, ""});
    return std::make_shared<const Undefined>(std::move(made));
  }
  made.ways = states_[other]->ways;
  for (std::size_t i = 0; i < made.lanes.size(); ++i) {
    if (made.lanes[i] != 0) made.lanes[i] = states_[other]->lanes[i];
  }
  return first_of(made.lanes) < made.lanes.size() ? std::make_shared<const Undefined>(std::move(made)) : nullptr;
}

std::shared_ptr<const UndefinedOrigin> Access::origin_of_masked(std::size_t lane, bool is_block) {
  auto origin = std::make_shared<UndefinedOrigin>();
  interpreter::AccessLanes& lanes = run_.lanes();
  origin->at = run_.finding(FindingCode::LS205, "");
  origin->at.lane = position_of(static_cast<std::int64_t>(lane), lanes.shape());
  if (lanes.provenance() >= 0) origin->at.argument = run_.memory().view({lanes.provenance()}).name;
  origin->at.hint = is_block ? "give the load a padding_option: without one, lanes outside of the tensor have no value"
                    : ir::is_pointer_load(op_)
                        ? "give the load other=..., or use tl.where with the mask before lanes meet"
                        : "lanes that are masked off have no old value: use tl.where with the mask";
  return origin;
}

// ---- accesses ----

void Access::read() {
  const bool is_load = ir::is_pointer_load(op_);
  Lanes undefined = undefined_memory();
  UndefinedState of_memory = left_by_memory(undefined);
  UndefinedState of_mask = left_by_mask(is_load ? number_of(op_.operand_or_null(2)) : kNoOperand);
  set_result(join_undefined(std::move(of_memory), std::move(of_mask)));
}

bool is_exchange(const ir::Op& op) {
  constexpr std::int64_t kExchange = 10;
  return ir::does_atomic(op, ir::MemoryAccess::Atomic::update) && op.integer_attribute("atomic_rmw_op", 0) == kExchange;
}

void Access::update() {
  Lanes undefined = undefined_memory();
  if (ir::does_atomic(op_, ir::MemoryAccess::Atomic::store)) return define_memory();
  UndefinedState of_memory;
  if (!undefined.empty() && is_exchange(op_)) {
    of_memory = left_by_memory(undefined);
  } else if (!undefined.empty()) {
    std::int64_t count = 0;
    const std::size_t lane = first_of(undefined);
    const std::string text = elements_text(undefined, count);
    Finding made =
        run_.finding(FindingCode::LS202, ir::shown_name(op_) + " on uninitialised " + text + "; " + std::to_string(count) +
                                  " of " + std::to_string(run_.lanes().count()) + " lanes");
    made.lane = position_of(static_cast<std::int64_t>(lane), run_.lanes().shape());
    made.count = static_cast<std::uint64_t>(count);
    if (run_.lanes().provenance() >= 0) made.argument = run_.memory().view({run_.lanes().provenance()}).name;
    made.hint = "the atomic adds to the memory's old content: allocate it with zeros before the launch";
    run_.report(std::move(made));
  }
  define_memory();
  if (op_.result_count() == 0) return;
  set_result(join_undefined(std::move(of_memory), left_by_mask(kNoOperand)));
}

void Access::follow() {
  check_address();
  check_mask();
  const TouchKind kind = run_.lanes().kind();
  if (kind == TouchKind::load || ir::does_atomic(op_, ir::MemoryAccess::Atomic::load)) return read();
  check_stored(number_of(&interpreter::moved_value(op_)));
  if (ir::does_atomic(op_, ir::MemoryAccess::Atomic::exchange_if_equal)) check_stored(2);
  if (kind == TouchKind::atomic) return update();
  define_memory();
}

}  // namespace

bool may_leave_lanes(const ir::Op& op) {
  if (ir::is_pointer_load(op)) return is_load_without_other(op);
  return op.result_count() > 0 && interpreter::access_mask(op) != nullptr;
}

std::vector<std::uint8_t> lanes_without_value(Execution& run) {
  const ir::Value* mask = interpreter::access_mask(run.op());
  std::vector<std::uint8_t> left;
  if (mask == nullptr && !is_load_without_other(run.op())) return left;
  interpreter::AccessLanes& lanes = run.lanes();
  left.resize(static_cast<std::size_t>(lanes.count()), 0);
  bool is_any = false;
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    const bool is_left = mask == nullptr ? !lanes.is_on(i) : (run.bits(*mask, i) & 1) == 0;
    left[static_cast<std::size_t>(i)] = is_left ? 1 : 0;
    is_any |= is_left;
  }
  if (!is_any) left.clear();
  return left;
}

// ---- the checker ----

namespace {

bool has_uninitialised(const memory_model::AddressSpace& memory) {
  for (std::size_t i = 0; i < memory.view_count(); ++i) {
    if (!memory.view({static_cast<std::int32_t>(i)}).is_initialised) return true;
  }
  return false;
}

bool reads_uninitialised(const LaunchContext& context, const interpreter::MemoryEffects& effects) {
  const memory_model::AddressSpace& memory = *context.request.memory;
  if (!has_uninitialised(memory)) return false;
  for (std::size_t i = 0; i < context.request.arguments.size(); ++i) {
    const memory_model::View* view = view_of(context, i);
    if (view != nullptr && may_read(effects, i) && is_uninitialised(memory, view->storage)) return true;
  }
  return false;
}

}  // namespace

DefinednessChecker::DefinednessChecker() = default;
DefinednessChecker::~DefinednessChecker() = default;

const DefinednessChecker::Known& DefinednessChecker::known(const LaunchContext& context) const {
  std::call_once(once_, [&] { known_ = std::make_unique<Known>(context.module, context.function); });
  return *known_;
}

Checker::Requirements DefinednessChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  const Known& known = this->known(context);
  needs.steps = known.reach.may_matter();
  needs.any_thread = true;
  if (!reads_uninitialised(context, known.effects)) return needs;
  needs.steps = true;
  needs.any_thread = false;  // bytes become defined on the way
  return needs;
}

Checker::Interest DefinednessChecker::wish(const ir::Op& op) const {
  const ir::Op* function = &op;
  while (!ir::is_function(*function) && function->parent_op() != nullptr)
    function = function->parent_op();
  std::unique_ptr<TaintedValues>& tainted = tainted_[function];
  if (tainted == nullptr) tainted = std::make_unique<TaintedValues>(*function, TaintedValues::Sources::all_loads);
  Interest wish;
  wish.before = interpreter::touches_memory(op);
  for (const ir::Value* operand : op.operands()) wish.before |= tainted->is_tainted(*operand);
  return wish;
}

void DefinednessChecker::begin(const LaunchContext& context) {
  const bool is_read = reads_uninitialised(context, context.effects);
  memory_ = is_read ? std::make_unique<UndefinedBytes>(*context.request.memory) : std::make_unique<UndefinedBytes>();
  if (known(context).reach.may_matter()) probe_ = UndefProbe::make(context);
}

bool DefinednessChecker::end(const LaunchContext&, interpreter::LaunchReport& report) {
  if (probe_ != nullptr) probe_->judge(report);
  return true;
}

void DefinednessChecker::before(Execution& run) {
  if (ir::is_control_flow(run.op())) {
    if (!ir::is_call(run.op())) decide(run);
    return;
  }
  Access access(run, *memory_);
  interpreter::touches_memory(run.op()) ? access.follow() : access.flow();
}

}  // namespace lockstep::sanitizer
