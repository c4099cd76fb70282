#include "checkers/covered_by.h"

#include <algorithm>

#include "checkers/coverage.h"
#include "checkers/value_ranges.h"
#include "interpreter/access_lanes.h"
#include "interpreter/effects.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "ir/walk.h"

namespace lockstep::checkers {

namespace {

using interpreter::LaunchReport;
using ir::Opcode;

/// Bytes that all lanes of loads and stores stand for, over a launch. Loops and branches are followed where the
/// arguments say how they go; what runs an unknown number of times makes the sum unknown.
class OfferedBytes {
 public:
  OfferedBytes(const LaunchContext& context, const interpreter::MemoryEffects& effects)
      : ranges_(context, effects, false) {
    Wide programs = 1;
    for (const std::int64_t extent : context.request.grid) programs *= extent;
    for (const auto& block : context.function.region().blocks()) {
      visit(*block, programs);
      programs = kUnknown;  // all programs enter the first block, once
    }
  }

  /// nullopt: not known.
  std::optional<std::uint64_t> loads() const { return known(loads_, knows_loads_); }
  std::optional<std::uint64_t> stores() const { return known(stores_, knows_stores_); }

 private:
  static constexpr Wide kUnknown = -1, kMost = Wide{1} << 62;

  static std::optional<std::uint64_t> known(Wide bytes, bool is_known) {
    if (!is_known || bytes > kMost) return std::nullopt;
    return static_cast<std::uint64_t>(bytes);
  }

  void visit(const ir::Block& block, Wide times) {
    for (const auto& op : block.ops()) visit(*op, times);
  }

  void visit(const ir::Op& op, Wide times) {
    switch (op.def().opcode) {
      case Opcode::scf_for: return visit(op.region().front(), product(times, trips_of(op)));
      case Opcode::scf_if: return visit_if(op, times);
      case Opcode::tt_call: knows_loads_ = knows_stores_ = false; return;
      default: break;
    }
    if (interpreter::touches_memory(op)) add(op, times);
    for (const auto& region : op.regions()) {
      for (const auto& block : region->blocks()) visit(*block, kUnknown);
    }
  }

  void visit_if(const ir::Op& op, Wide times) {
    const Range condition = ranges_.of(*op.operand(0));
    for (std::size_t i = 0; i < op.regions().size(); ++i) {
      const bool is_taken = (condition.low != 0) == (i == 0);
      const Wide inner = !condition.is_one() ? kUnknown : is_taken ? times : 0;
      for (const auto& block : op.regions()[i]->blocks()) visit(*block, inner);
    }
  }

  Wide trips_of(const ir::Op& loop) const {
    const Range lower = ranges_.of(*loop.operand(0)), upper = ranges_.of(*loop.operand(1)),
                step = ranges_.of(*loop.operand(2));
    if (!lower.is_one() || !upper.is_one() || !step.is_one() || step.low <= 0) return kUnknown;
    const auto kind = loop.operand(0)->type().scalar_kind();
    if (upper.low > lower.low && counter_may_wrap(lower, upper, step, full_range(kind.value_or(ScalarKind::i64))))
      return kUnknown;
    return upper.low <= lower.low ? 0 : (upper.low - lower.low + step.low - 1) / step.low;
  }

  static Wide product(Wide a, Wide b) {
    if (a == 0 || b == 0) return 0;
    if (a < 0 || b < 0) return kUnknown;
    return std::min(a, kMost) * std::min(b, kMost) > kMost ? kUnknown : a * b;
  }

  void add(const ir::Op& op, Wide times) {
    if (times == 0) return;
    bool reads = true, writes = true;
    ir::Type type = op.result_count() != 0 ? op.result()->type() : ir::Type();
    switch (op.def().opcode) {
      case Opcode::tt_load:
      case Opcode::tt_descriptor_load: writes = false; break;
      case Opcode::tt_store:
      case Opcode::tt_descriptor_store:
        reads = false;
        type = op.operand(1)->type();
        break;
      case Opcode::tt_atomic_rmw:
      case Opcode::tt_atomic_cas: break;
      default: times = kUnknown;
    }
    const auto kind = times > 0 ? type.element().scalar_kind() : std::nullopt;
    const Wide all = kind ? product(times, Wide{type.element_count()} * size_bytes(*kind)) : kUnknown;
    if (reads) add_to(all, loads_, knows_loads_);
    if (writes) add_to(all, stores_, knows_stores_);
  }

  static void add_to(Wide bytes, Wide& sum, bool& is_known) {
    is_known &= bytes >= 0;
    sum = std::min(sum + std::max(bytes, Wide{0}), kMost + 1);
  }

  ValueRanges ranges_;
  Wide loads_ = 0, stores_ = 0;
  bool knows_loads_ = true, knows_stores_ = true;
};

std::optional<CoveredAccesses> accesses_of(std::optional<std::uint64_t> offered, std::uint64_t touched) {
  if (!offered || *offered < touched) return std::nullopt;
  return CoveredAccesses{*offered, *offered - touched};
}

}  // namespace

Covered covered_by(const LaunchContext& context, const LaunchReport& report) {
  Covered made;
  const auto& rows = checker_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((report.looked.asked >> i & 1) == 0) continue;
    const bool at_steps = (report.looked.steps >> i & 1) != 0, at_ranges = (report.looked.ranges >> i & 1) != 0;
    (at_steps ? made.by_steps : at_ranges ? made.by_ranges : made.by_text).emplace_back(rows[i].name);
  }
  if (report.outcome != interpreter::Outcome::completed || has_faulted(report)) return made;
  const OfferedBytes offered(context, context.effects);
  made.loads = accesses_of(offered.loads(), report.bytes_read);
  made.stores = accesses_of(offered.stores(), report.bytes_written);
  made.outputs = covered_outputs(context, report);
  return made;
}

}  // namespace lockstep::checkers
