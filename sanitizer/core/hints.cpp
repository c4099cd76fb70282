// Promises to the compiler that do not hold: tl.multiple_of (LS701), tl.max_contiguous and tl.max_constancy (LS702),
// tl.assume (LS703), and tt.divisibility of an argument (LS704). In TTGIR also the contiguity that an asynchronous copy
// of pointers claims (LS702). The checker compares a hint on a tile with the lanes
// as the compiler reads it: each run of consecutive numbers begins at a multiple, and aligned groups are consecutive or
// equal. It needs no steps where the launch's ranges and the value's form prove a hint.
#include <numeric>

#include "interpreter/batching/effects.h"
#include "ir/interfaces/hints.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/layouts/encoding.h"
#include "ir/op_def.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/core/value_checkers.h"
#include "sanitizer/lanes/lane_values.h"
#include "sanitizer/memory/value_ranges.h"

namespace lockstep::sanitizer {


namespace {

using ir::has_hint;
using ir::kConstancy;
using ir::kContiguity;
using ir::kDivisibility;
using ir::kWidestAccess;
using ir::promised;

constexpr std::string_view kCopiedTogether = "contiguity";  // of ttg.async_copy_global_to_local

/// True of a copy that claims that so many neighbours of its pointers are one access.
bool claims_wide_copies(const ir::Op& op) {
  return op.operand_count() > 0 && op.operand(0)->type().is_tensor() && op.operand(0)->type().element().is_pointer() &&
         op.integer_attribute(kCopiedTogether, 1) > 1;
}

/// The dimension whose neighbours a layout gives to one thread first; the last one where the layout has no order.
std::size_t fastest_dimension(const ir::Type& tile) {
  const std::size_t rank = tile.shape().size();
  const auto* blocked = tile.layout() == nullptr ? nullptr : tile.layout()->as<ir::BlockedEncoding>();
  return blocked == nullptr || blocked->order.empty() ? rank - 1 : static_cast<std::size_t>(blocked->order[0]);
}

/// A number that divides every lane of a value, as far as its ops tell; 0: all lanes are 0. `budget`: how many values
/// to visit, because the number of paths has no bound.
Wide common_divisor(const ir::Value& value, const ValueRanges& ranges, int& budget) {
  if (--budget < 0 || value.type().element().is_pointer()) return 1;
  const Range range = ranges.of(value);
  if (range.is_one()) return range.low < 0 ? -range.low : range.low;
  const ir::Op* op = value.defining_op();
  if (op == nullptr) return 1;
  const auto operand = [&](std::size_t i) { return common_divisor(*op->operand(i), ranges, budget); };
  const auto gcd = [](Wide a, Wide b) {
    while (b != 0) std::swap(a = a % b, b);
    return a;
  };
  if (ir::is_integer_product(*op))
    return ranges.may_wrap(*op) ? Wide{1} : std::min<Wide>(operand(0) * operand(1), Wide{1} << 62);
  if (ir::is_integer_sum(*op) || ir::is_integer_difference(*op))
    return ranges.may_wrap(*op) ? Wide{1} : gcd(operand(0), operand(1));
  return ir::spreads(*op) || ir::extends_with_sign(*op) ? operand(0) : 1;
}

Wide common_divisor(const ir::Value& value, const ValueRanges& ranges) {
  int budget = 256;
  return common_divisor(value, ranges, budget);
}

/// A divisor of the number s, if the value is s + 0, s + 1, s + 2 ...; nullopt: the form is unknown.
std::optional<Wide> start_divisor(const ir::Value& value, const ValueRanges& ranges) {
  const ir::Op* op = value.defining_op();
  if (op == nullptr || value.type().shape().size() != 1) return std::nullopt;
  if (ir::is_range(*op)) return op->integer_attribute("start", 0);
  if (!ir::is_integer_sum(*op) || ranges.may_wrap(*op)) return std::nullopt;
  for (std::size_t side = 0; side < 2; ++side) {
    const ir::Op *base = op->operand(side)->defining_op(), *steps = op->operand(1 - side)->defining_op();
    if (base == nullptr || steps == nullptr || !ir::is_splat(*base)) continue;
    if (!ir::is_range(*steps)) continue;
    const Wide start = steps->integer_attribute("start", 0), divisor = common_divisor(*op->operand(side), ranges);
    return start == 0 ? divisor : Wide{std::gcd(static_cast<std::int64_t>(start), static_cast<std::int64_t>(divisor))};
  }
  return std::nullopt;
}

bool divides(std::int64_t divisor, Wide value) { return divisor <= 1 || value % divisor == 0; }

bool is_proved(const ir::Op& op, const ValueRanges& ranges) {
  if (claims_wide_copies(op)) return false;
  if (ir::is_assumption(op)) {
    const Range condition = ranges.of(*op.operand(0));
    return condition.is_one() && condition.low != 0;
  }
  const ir::Value& value = *op.result();
  if (op.attribute(kConstancy) || value.type().element().is_pointer()) return false;
  const std::size_t rank = value.type().shape().size();
  const std::vector<std::int64_t> multiples = promised(op.attribute(kDivisibility), rank);
  const std::optional<Wide> start = start_divisor(value, ranges);
  if (op.attribute(kContiguity) && !start) return false;
  const Wide divisor = start ? *start : common_divisor(value, ranges);
  return std::all_of(multiples.begin(), multiples.end(), [&](std::int64_t one) { return divides(one, divisor); });
}

/// Lanes along one dimension of a tile.
struct Line {
  std::int64_t extent = 1, stride = 1;
  std::int64_t index(std::int64_t lane) const { return lane / stride % extent; }
};

Line line_along(const std::vector<std::int64_t>& shape, std::size_t dimension) {
  Line line;
  if (dimension >= shape.size()) return line;
  line.extent = shape[dimension];
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) line.stride *= shape[d];
  return line;
}

/// A lane that breaks its value's hint, and the number that it should be.
struct BrokenLane {
  std::int64_t lane = 0;
  std::string message;
  bool is_harmless = false;  // no access of today's GPUs is wider than what holds
  std::uint64_t lanes = 0;   // that break it in the same dimension
};

class HintedLanes {
 public:
  HintedLanes(Execution& run, const ir::Value& value) : lanes_(read_integers(run, value)), shape_(run.shape(value)) {
    const ir::Type element = value.type().element();
    is_pointer_ = element.is_pointer();
    if (!is_pointer_) return;
    const auto kind = element.pointee().scalar_kind();
    step_ = kind ? size_bytes(*kind) : 1;
  }

  /// A lane that does not continue the lane before it must be a multiple.
  std::optional<BrokenLane> find_no_multiple(const std::vector<std::int64_t>& values) const {
    return find_in_steps(values, [&](const auto& some) { return find_no_multiple_of(some); });
  }
  /// Aligned groups of `value` lanes: consecutive (step) or equal (0).
  std::optional<BrokenLane> find_broken_group(const std::vector<std::int64_t>& values, bool is_constant) const {
    return find_in_steps(values, [&](const auto& some) { return find_broken_group_of(some, is_constant); });
  }

 private:
  /// Looks first for what affects the widest access, then for the harmless rest.
  template <typename Find>
  static std::optional<BrokenLane> find_in_steps(const std::vector<std::int64_t>& values, Find&& look) {
    std::vector<std::int64_t> capped = values;
    for (std::int64_t& value : capped) value = std::min(value, kWidestAccess);
    auto broken = look(capped);
    if (broken || capped == values) return broken;
    broken = look(values);
    if (broken) broken->is_harmless = true;
    return broken;
  }

  std::optional<BrokenLane> find_no_multiple_of(const std::vector<std::int64_t>& values) const {
    return find(values, [&](std::int64_t lane, const Line& line, std::int64_t value) -> std::optional<std::string> {
      const bool continues = line.index(lane) > 0 && follows(lane, line, step_);
      const std::int64_t rest = at(lane) % value;
      if (continues || rest == 0) return std::nullopt;
      if (is_pointer_)
        return "the address is " + std::to_string(rest) + " bytes past a multiple of " + std::to_string(value);
      return "value " + std::to_string(at(lane)) + ", promised a multiple of " + std::to_string(value);
    });
  }

  std::optional<BrokenLane> find_broken_group_of(const std::vector<std::int64_t>& values, bool is_constant) const {
    const std::int64_t step = is_constant ? 0 : step_;
    return find(values, [&](std::int64_t lane, const Line& line, std::int64_t value) -> std::optional<std::string> {
      const std::int64_t place = line.index(lane) % value;
      if (place == 0 || follows(lane, line, step)) return std::nullopt;
      const std::string group = " in a group of " + std::to_string(value);
      if (is_pointer_) return "the address is not " + std::to_string(step) + " bytes beyond the one before it" + group;
      return "value " + std::to_string(at(lane)) + " follows " + std::to_string(at(lane - line.stride)) + group;
    });
  }

  std::int64_t at(std::int64_t lane) const { return lanes_[static_cast<std::size_t>(lane)]; }
  bool follows(std::int64_t lane, const Line& line, std::int64_t step) const {
    return Wide{at(lane)} == Wide{at(lane - line.stride)} + step;
  }

  template <typename Test>
  std::optional<BrokenLane> find(const std::vector<std::int64_t>& values, Test&& test) const {
    for (std::size_t d = 0; d < values.size(); ++d) {
      if (values[d] <= 1) continue;
      const Line line = line_along(shape_, d);
      std::optional<BrokenLane> broken;
      for (std::int64_t lane = 0; lane < static_cast<std::int64_t>(lanes_.size()); ++lane) {
        auto message = test(lane, line, values[d]);
        if (message && !broken) broken = BrokenLane{lane, std::move(*message), false, 0};
        if (message) ++broken->lanes;
      }
      if (broken) return broken;
    }
    return std::nullopt;
  }

  std::vector<std::int64_t> lanes_;
  std::vector<std::int64_t> shape_;
  bool is_pointer_ = false;
  std::int64_t step_ = 1;
};

void report_broken(Execution& run, FindingCode code, const char* hint, const ir::Value& value,
                   const std::optional<BrokenLane>& broken) {
  if (!broken) return;
  const auto& shape = run.shape(value);
  Finding finding = run.finding(code, std::string(hint) + " does not hold: " + broken->message);
  finding.lane = position_of(broken->lane, shape);
  finding.count = broken->lanes;
  finding.hint = "the compiler may widen accesses by this promise: they read or write other bytes, or fault";
  if (broken->is_harmless) {
    finding.tier = Tier::warning;
    finding.hint = "accesses have 16 bytes at most, and what they need holds";
  }
  run.report(std::move(finding));
}

/// Lanes that are off are not copied, but a claim is about the pointers.
void check_copy(Execution& run) {
  const ir::Value& pointers = *run.op().operand(0);
  std::vector<std::int64_t> claimed(pointers.type().shape().size(), 1);
  claimed[fastest_dimension(pointers.type())] = run.op().integer_attribute(kCopiedTogether, 1);
  report_broken(run, FindingCode::LS702, "the copy's contiguity", pointers,
                HintedLanes(run, pointers).find_broken_group(claimed, false));
}

/// "argument x (0x...4) breaks tt.divisibility = 16" for each such argument.
std::vector<Finding> broken_arguments(const LaunchContext& context) {
  std::vector<Finding> findings;
  const auto& given = context.request.arguments;
  const ir::Block& entry = context.function.region().front();
  for (std::size_t i = 0; i < entry.arguments().size() && i < given.size(); ++i) {
    const std::vector<std::int64_t> promise = promised(ir::argument_attribute(context.function, i, kDivisibility), 0);
    if (promise.empty() || promise[0] <= 1 || given[i].kind == interpreter::Argument::Kind::descriptor) continue;
    const ir::Value& value = *entry.argument(i);
    const bool is_pointer = given[i].kind == interpreter::Argument::Kind::pointer;
    const auto kind = value.type().scalar_kind();
    if (!kind || is_float(*kind)) continue;
    const std::int64_t number = is_pointer ? static_cast<std::int64_t>(context.request.memory->view(given[i].view).base)
                                           : interpreter::sign_extend(*kind, given[i].bits);
    const std::int64_t rest = number % promise[0];
    if (rest == 0) continue;
    const std::string name = is_pointer ? context.request.memory->view(given[i].view).name : value.name();
    const std::string what =
        is_pointer ? "begins " + std::to_string(rest) + " bytes past a multiple of " + std::to_string(promise[0])
                   : "is " + std::to_string(number) + ", not a multiple of " + std::to_string(promise[0]);
    findings.push_back(launch_finding(
        FindingCode::LS704, "argument '" + name + "' breaks tt.divisibility = " + std::to_string(promise[0]) + ": it " + what,
        &context.function, name));
    findings.back().hint = "the kernel was specialised for aligned arguments; compile it again for these";
  }
  return findings;
}

}  // namespace

struct HintChecker::Known {
  explicit Known(const LaunchContext& context) : effects(context.effects) {
    for_each_op(context.module, context.function, [&](const ir::Op& op) {
      if (has_hint(op) || ir::is_assumption(op) || claims_wide_copies(op)) candidates.push_back(&op);
    });
  }
  std::vector<const ir::Op*> candidates;
  interpreter::MemoryEffects effects;
};

HintChecker::HintChecker() = default;
HintChecker::~HintChecker() = default;

Checker::Requirements HintChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  needs.any_thread = true;
  if (!broken_arguments(context).empty()) needs.touches = interpreter::AccessTracking::writes;
  const std::lock_guard lock(mutex_);
  if (known_ == nullptr) known_ = std::make_unique<Known>(context);
  if (known_->candidates.empty()) return needs;
  const ValueRanges ranges(context, known_->effects);
  for (const ir::Op* op : known_->candidates) needs.steps = needs.steps || !is_proved(*op, ranges);
  return needs;
}

Checker::Interest HintChecker::wish(const ir::Op& op) const {
  return {ir::is_assumption(op) || claims_wide_copies(op), has_hint(op)};
}

void HintChecker::before(Execution& run) {
  if (!ir::is_assumption(run.op())) return check_copy(run);
  const ir::Value& condition = *run.op().operand(0);
  for (std::int64_t lane = 0; lane < run.count(condition); ++lane) {
    if ((run.bits(condition, lane) & 1) != 0) continue;
    Finding finding = run.finding(FindingCode::LS703, "tl.assume does not hold");
    finding.lane = position_of(lane, run.shape(condition));
    finding.count = 0;
    for (std::int64_t i = lane; i < run.count(condition); ++i) finding.count += (run.bits(condition, i) & 1) == 0;
    finding.hint = "the compiler takes the condition for true; what it makes of the kernel is then anything";
    return run.report(std::move(finding));
  }
}

void HintChecker::after(Execution& run) {
  const ir::Op& op = run.op();
  const auto kind = op.result()->type().element().scalar_kind();
  if (!kind || is_float(*kind)) return;
  const std::size_t rank = op.result()->type().shape().size();
  const HintedLanes lanes(run, *op.result());
  report_broken(run, FindingCode::LS701, "tl.multiple_of", *op.result(),
                lanes.find_no_multiple(promised(op.attribute(kDivisibility), rank)));
  report_broken(run, FindingCode::LS702, "tl.max_contiguous", *op.result(),
                lanes.find_broken_group(promised(op.attribute(kContiguity), rank), false));
  report_broken(run, FindingCode::LS702, "tl.max_constancy", *op.result(),
                lanes.find_broken_group(promised(op.attribute(kConstancy), rank), true));
}

bool HintChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  for (Finding& finding : broken_arguments(context)) report.findings.add(std::move(finding));
  return true;
}

}  // namespace lockstep::sanitizer
