#include "sanitizer/coverage/covered_by.h"

#include <algorithm>

#include "interpreter/access/access_lanes.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/coverage/coverage.h"
#include "sanitizer/lint/op_counts.h"

namespace lockstep::sanitizer {

namespace {

using interpreter::LaunchReport;

/// Bytes of all lanes of loads and stores, over a launch. An op that runs an unknown number of times makes the sum
/// unknown.
class OfferedBytes {
 public:
  explicit OfferedBytes(const LaunchContext& context) {
    for_each_count(context, [this](const ir::Op& op, const OpCount& count) {
      if (interpreter::touches_memory(op)) add(op, count.is_exact ? count.times : kUnknown);
    });
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

  void add(const ir::Op& op, Wide times) {
    bool reads = true, writes = true;
    ir::Type type = op.result_count() != 0 ? op.result()->type() : ir::Type();
    using Atomic = ir::MemoryAccess::Atomic;
    if (ir::is_tile_load(op)) {
      writes = false;
    } else if (ir::is_tile_store(op)) {
      reads = false;
      type = op.operand(1)->type();
    } else if (!ir::does_atomic(op, Atomic::update) && !ir::does_atomic(op, Atomic::exchange_if_equal)) {
      times = kUnknown;
    }
    const auto kind = type.element().scalar_kind();
    const Wide lanes = kind ? Wide{type.element_count()} * size_bytes(*kind) : 0;
    const bool is_known = times >= 0 && kind && (lanes == 0 || times <= kMost / lanes);
    const Wide all = is_known ? times * lanes : kUnknown;
    if (reads) add_to(all, loads_, knows_loads_);
    if (writes) add_to(all, stores_, knows_stores_);
  }

  static void add_to(Wide bytes, Wide& sum, bool& is_known) {
    is_known &= bytes >= 0;
    sum = std::min(sum + std::max(bytes, Wide{0}), kMost + 1);
  }

  Wide loads_ = 0, stores_ = 0;
  bool knows_loads_ = true, knows_stores_ = true;
};

std::optional<CoveredAccesses> accesses_of(std::optional<std::uint64_t> offered, std::uint64_t touched) {
  if (!offered || *offered < touched) return std::nullopt;
  return CoveredAccesses{*offered, *offered - touched};
}

}  // namespace

CheckCoverage covered_by(const LaunchContext& context, const LaunchReport& report, const NotLookedFor& missed) {
  CheckCoverage made;
  const auto& rows = checker_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((missed.left_out >> i & 1) != 0) made.left_out.emplace_back(rows[i].name);
    if ((missed.earlier >> i & 1) != 0) made.earlier.emplace_back(rows[i].name);
    if ((report.looked.asked >> i & 1) == 0) continue;
    const bool at_steps = (report.looked.steps >> i & 1) != 0, at_ranges = (report.looked.ranges >> i & 1) != 0;
    (at_steps ? made.by_steps : at_ranges ? made.by_ranges : made.by_text).emplace_back(rows[i].name);
  }
  if (report.outcome != interpreter::Outcome::completed || has_faulted(report)) return made;
  const OfferedBytes offered(context);
  made.loads = accesses_of(offered.loads(), report.bytes_read);
  made.stores = accesses_of(offered.stores(), report.bytes_written);
  made.outputs = covered_outputs(context, report);
  return made;
}

}  // namespace lockstep::sanitizer
