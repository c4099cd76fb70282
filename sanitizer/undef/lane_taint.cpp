#include "sanitizer/undef/lane_taint.h"

#include <algorithm>
#include <set>

#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "sanitizer/lanes/lane_values.h"

namespace lockstep::sanitizer {

namespace {

constexpr std::size_t kMaxFaults = std::size_t{1} << 16;

using TaintedLanes = std::vector<std::uint32_t>;

/// Lane i of any operand marks lane i of the result; a scalar operand marks all lanes.
void mark_elementwise(const std::vector<const TaintSet*>& from, TaintedLanes& to) {
  for (const TaintSet* marks : from) {
    if (marks == nullptr) continue;
    const bool is_scalar = marks->lanes.size() == 1;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::uint32_t mark = is_scalar ? marks->lanes[0] : i < marks->lanes.size() ? marks->lanes[i] : 0;
      if (to[i] == 0) to[i] = mark;
    }
  }
}

void mark_selected(Execution& run, const std::vector<const TaintSet*>& from, TaintedLanes& to) {
  const ir::Value& condition = *run.op().operand(0);
  const bool is_scalar = run.count(condition) == 1;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::int64_t lane = is_scalar ? 0 : static_cast<std::int64_t>(i);
    const TaintSet* chosen = from[(run.bits(condition, lane) & 1) != 0 ? 1 : 2];
    if (from[0] != nullptr) to[i] = from[0]->lanes[static_cast<std::size_t>(lane)];
    if (chosen != nullptr && to[i] == 0) to[i] = chosen->lanes[i];
  }
}

/// i1: `false and marked` is false whatever the marked operand is; `true or marked` is true.
void mark_logical(Execution& run, const std::vector<const TaintSet*>& from, TaintedLanes& to) {
  const std::uint64_t deciding = ir::computes(run.op(), ir::Arithmetic::disjunction, ir::Numbers::integers) ? 1 : 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint32_t mark = from[side] != nullptr ? from[side]->lanes[i] : 0;
      if (mark == 0) continue;
      const bool other_is_plain = from[1 - side] == nullptr || from[1 - side]->lanes[i] == 0;
      const std::uint64_t other = run.bits(*run.op().operand(1 - side), static_cast<std::int64_t>(i)) & 1;
      if (!other_is_plain || other != deciding) to[i] = mark;
    }
  }
}

void mark_moved(const ir::Op& op, std::size_t result, const std::vector<const TaintSet*>& from, TaintedLanes& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    const auto source = ir::lane_source(op, result, static_cast<std::int64_t>(i));
    const TaintSet* marks = from[source.operand];
    if (marks != nullptr) to[i] = marks->lanes[static_cast<std::size_t>(source.lane)];
  }
}

/// Reductions and scans along an axis: any lane of the line marks the line's result (for a scan, also those after it).
void mark_lines(const ir::Op& op, const std::vector<const TaintSet*>& from, TaintedLanes& to) {
  const auto& shape = op.operand(0)->type().shape();
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
  if (axis >= shape.size()) return;
  std::int64_t inner = 1;
  for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  const std::int64_t extent = shape[axis];
  const bool is_scan = ir::is_scan(op);
  for (const TaintSet* marks : from) {
    if (marks == nullptr) continue;
    for (std::int64_t lane = 0; lane < static_cast<std::int64_t>(marks->lanes.size()); ++lane) {
      const std::uint32_t mark = marks->lanes[static_cast<std::size_t>(lane)];
      if (mark == 0) continue;
      const std::int64_t outer = lane / (inner * extent), column = lane % inner;
      for (std::int64_t i = 0; i < (is_scan ? extent : 1); ++i) {
        const std::int64_t at = is_scan ? (outer * extent + i) * inner + column : outer * inner + column;
        std::uint32_t& target = to[static_cast<std::size_t>(at)];
        if (target == 0) target = mark;
      }
    }
  }
}

/// A row of a, a column of b, an element of c.
void mark_product(const ir::Op& op, const std::vector<const TaintSet*>& from, TaintedLanes& to) {
  const auto& shape = op.result()->type().shape();
  if (shape.size() < 2 || from.size() < 3) return;
  const std::int64_t columns = shape[shape.size() - 1], rows = shape[shape.size() - 2];
  const std::int64_t depth = op.operand(0)->type().shape().back();
  if (from[2] != nullptr) to = from[2]->lanes;
  for (std::size_t lane = 0; lane < to.size(); ++lane) {
    const auto at = static_cast<std::int64_t>(lane);
    const std::int64_t column = at % columns, row = at / columns % rows, batch = at / (columns * rows);
    for (std::int64_t k = 0; k < depth && to[lane] == 0; ++k) {
      if (from[0] != nullptr) to[lane] = from[0]->lanes[static_cast<std::size_t>((batch * rows + row) * depth + k)];
      if (from[1] != nullptr && to[lane] == 0)
        to[lane] = from[1]->lanes[static_cast<std::size_t>((batch * depth + k) * columns + column)];
    }
  }
}

/// Any other op: the first mark is everywhere.
void mark_all(const std::vector<const TaintSet*>& from, TaintedLanes& to) {
  for (const TaintSet* marks : from) {
    if (marks == nullptr) continue;
    const auto found = std::find_if(marks->lanes.begin(), marks->lanes.end(), [](std::uint32_t m) { return m != 0; });
    if (found == marks->lanes.end()) continue;
    std::fill(to.begin(), to.end(), *found);
    return;
  }
}

std::pair<std::string, std::string> storage_place(const Finding& finding) {
  return {std::string(spelling(finding.code)) + finding.op, finding.location.file_text()};
}

bool is_memory_read(const ir::Op& op) { return op.def().effects != ir::Effects::pure; }

void carry_to(Execution& run, std::size_t result, const std::vector<const TaintSet*>& from, TaintedLanes& to) {
  const ir::Op& op = run.op();
  const ir::Arithmetic what = op.def().arithmetic;
  const bool is_logical = (what == ir::Arithmetic::conjunction || what == ir::Arithmetic::disjunction) &&
                          op.result()->type().element().is_integer(1);
  if (ir::is_selection(op)) return mark_selected(run, from, to);
  if (is_logical) return mark_logical(run, from, to);
  if (ir::moves_lanes(op)) return mark_moved(op, result, from, to);
  if (ir::folds_lines(op)) return mark_lines(op, from, to);
  if (ir::is_matrix_product(op)) return mark_product(op, from, to);
  if (ir::keeps_lanes(op)) return mark_elementwise(from, to);
  mark_all(from, to);
}

}  // namespace

void MarkFlow::close() {
  while (const ir::Value* value = values_.next()) {
    for (const ir::Use& use : value->uses()) {
      ops_.insert(use.user);
      values_.add_all_targets(*use.user);
    }
  }
}

void carry_marks(Execution& run) {
  const ir::Op& op = run.op();
  std::vector<const TaintSet*> from;
  bool any = false;
  if (!is_memory_read(op)) {
    for (const ir::Value* operand : op.operands()) {
      from.push_back(run.state_as<TaintSet>(*operand));
      any |= from.back() != nullptr;
    }
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    std::shared_ptr<TaintSet> made;
    if (any) {
      made = std::make_shared<TaintSet>();
      made->lanes.resize(static_cast<std::size_t>(op.result(i)->type().element_count()));
      carry_to(run, i, from, made->lanes);
      if (std::all_of(made->lanes.begin(), made->lanes.end(), [](std::uint32_t m) { return m == 0; })) made = nullptr;
    }
    run.state(*op.result(i)) = std::move(made);
  }
}

void add_marks(Execution& run, const ir::Value& result, const std::vector<std::int64_t>& lanes, std::uint32_t mark) {
  auto made = std::make_shared<TaintSet>();
  const auto* before = run.state_as<TaintSet>(result);
  made->lanes.resize(static_cast<std::size_t>(result.type().element_count()));
  if (before != nullptr) made->lanes = before->lanes;
  for (const std::int64_t lane : lanes) {
    std::uint32_t& target = made->lanes[static_cast<std::size_t>(lane)];
    if (target == 0) target = mark;
  }
  run.state(result) = std::move(made);
}

bool is_end(const ir::Op& op) {
  return ir::deciding_operands(op) != 0 || interpreter::touches_memory(op);
}

std::vector<MarkEnd> find_ends(Execution& run, bool with_masks) {
  std::vector<MarkEnd> ends;
  const auto add = [&](std::uint32_t mark, std::int64_t lane, const std::string& how) {
    if (mark == 0) return;
    auto known = std::find_if(ends.begin(), ends.end(), [&](const MarkEnd& end) { return end.mark == mark; });
    if (known == ends.end()) known = ends.insert(ends.end(), {mark, lane, 0, how});
    ++known->lanes;
  };
  const ir::Op& op = run.op();
  if (!interpreter::touches_memory(op)) {
    for (std::size_t i = 0; i < ir::deciding_operands(op); ++i) {
      const auto* marks = run.state_as<TaintSet>(*op.operand(i));
      if (marks != nullptr) add(marks->lanes[0], 0, "its result decides where the program branches here");
    }
    return ends;
  }
  LaneMask mask(run);
  const ir::Value* masked_by = named_operand(op, "mask");
  for (const ir::Value* operand : op.operands()) {
    const auto* marks = run.state_as<TaintSet>(*operand);
    if (marks == nullptr || (operand == masked_by && !with_masks)) continue;
    const bool is_load = ir::is_pointer_load(op);
    if (is_load && operand == op.operand_or_null(2)) continue;  // `other`
    const std::string how = operand == op.operand(0) ? "its result is part of an address here"
                            : operand == masked_by   ? "its result is part of a mask here"
                                                     : "its result is stored here";
    for (std::size_t i = 0; i < marks->lanes.size(); ++i) {
      const auto lane = static_cast<std::int64_t>(i);
      if (marks->lanes[i] != 0 && mask.is_on(lane)) add(marks->lanes[i], lane, how);
    }
  }
  return ends;
}

std::uint32_t FaultLog::note(Execution& run, Finding finding) {
  Last& last = last_[{&run.op(), finding.code}];
  if (last.mark != 0 && (last.program == run.program() || faults_.size() >= kMaxFaults)) return last.mark;
  faults_.push_back({std::move(finding), false});
  last = {run.program(), static_cast<std::uint32_t>(faults_.size())};
  return last.mark;
}

void FaultLog::reach(Execution& run, const MarkEnd& end) {
  Fault& fault = faults_[end.mark - 1];
  fault.has_reached = true;
  Finding finding = fault.finding;
  finding.tier = tier_;
  finding.count = end.lanes;
  finding.notes.push_back({end.how, run.location()});
  run.report(std::move(finding));
}

void FaultLog::report_rest(Report& report) const {
  std::set<std::pair<std::string, std::string>> reached;
  for (const Fault& fault : faults_) {
    if (fault.has_reached) reached.insert(storage_place(fault.finding));
  }
  for (const Fault& fault : faults_) {
    const bool is_masked_off = !fault.finding.lane.empty();  // lanes of a tile that nothing uses
    if (fault.has_reached || is_masked_off || reached.contains(storage_place(fault.finding))) continue;
    Finding finding = fault.finding;
    finding.tier = Tier::warning;
    finding.notes.push_back({"it reached no memory, no address and no branch", {}});
    report.add(std::move(finding));
  }
}

}  // namespace lockstep::sanitizer
