#include "debugger/queries/slice.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "debugger/queries/backward_walk.h"
#include "debugger/queries/past.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "support/float_formats.h"

namespace lockstep::debugger {

using interpreter::Slot;
using ir::Opcode;

namespace {

class Slicer final : public BackwardWalk {
 public:
  explicit Slicer(Engine& engine) : BackwardWalk(engine, true) {}
  Slice run(ByteRange bytes);

 private:
  void pass_results(const Visit& visit) override;
  void pass_load(const Visit& visit) override;
  void pass_store(const Visit& visit) override;
  void pass_atomic(const Visit& visit) override;
  void end_at(const ir::Value& value, const LaneSet& lanes) override;
  void note_step(const Visit& visit, std::size_t result, const LaneSet& lanes);
  void read_values();
  void read_step(SliceStep& step, bool has_run);
  static void read_origins(SliceStep& step, const PaddingFlow& flow, bool has_run);

  std::set<std::uint32_t> scalars_;
  Slice slice_;
};

void Slicer::end_at(const ir::Value& value, const LaneSet&) {
  const bool is_parameter = value.defining_op() == nullptr;
  if (is_parameter && !value.type().is_pointer() && !value.type().is_descriptor()) scalars_.insert(value.index());
}

void Slicer::note_step(const Visit& visit, std::size_t result, const LaneSet& lanes) {
  note_way(*visit.point->op);
  if (slice_.steps.size() >= kMostSteps) {
    slice_.is_truncated = true;
    return;
  }
  SliceStep step;
  step.mark = visit.mark;
  step.point = visit.point;
  step.program = program_;
  step.result = result;
  step.lanes = lanes;
  slice_.steps.push_back(std::move(step));
}

void Slicer::pass_results(const Visit& visit) {
  const Point& point = *visit.point;
  const ir::Op& op = *point.op;
  for (std::size_t r = 0; r < op.result_count(); ++r) {
    const LaneSet lanes = take(*op.result(r), point.activation);
    if (!lanes.any()) continue;
    if (ir::is_program_id(op)) slice_.uses_program_id = true;
    note_step(visit, r, lanes);
    std::vector<LaneSet> needs(op.operand_count());
    find_needs(op, r, lanes, value_of(visit), needs);
    for (std::size_t i = 0; i < needs.size(); ++i) need(*op.operand(i), point.activation, needs[i]);
  }
}

void Slicer::pass_load(const Visit& visit) {
  const LaneSet lanes = take(*visit.point->op->result(), visit.point->activation);
  if (!lanes.any()) return;
  note_step(visit, 0, lanes);
  need_memory(visit, lanes);
  need_operands(*visit.point, lanes, 0);
}

void Slicer::pass_store(const Visit& visit) {
  LaneSet lanes;
  add_needed_lanes(visit, lanes);
  if (!lanes.any()) return;
  lanes.for_each([&](std::int64_t lane) { needed_.remove(visit.range(lane)); });
  note_step(visit, 0, lanes);
  need_operands(*visit.point, lanes, 0);
}

/// The old value still matters, for the new value and for the result.
void Slicer::pass_atomic(const Visit& visit) {
  const ir::Op& op = *visit.point->op;
  LaneSet lanes = op.result_count() == 0 ? LaneSet{} : take(*op.result(), visit.point->activation);
  add_needed_lanes(visit, lanes);
  if (!lanes.any()) return;
  need_memory(visit, lanes);
  note_step(visit, 0, lanes);
  need_operands(*visit.point, lanes, 0);
}

// ---- values ----

void Slicer::read_step(SliceStep& step, bool has_run) {
  const ir::Op& op = *step.point->op;
  const bool is_store = op.result_count() == 0;
  if (is_store == has_run) return;
  const ir::Value& value = is_store ? *op.operand(1) : *op.result(step.result);
  const Slot slot = kernel_.slot_of(value, step.point->activation);
  if (slot == interpreter::kNoSlot) return;
  const Datum datum = read(engine_, slot);
  const auto width = static_cast<std::size_t>(size_bytes(datum.kind));
  const auto at = [&](std::int64_t lane) {
    return datum.count() == 1 ? 0 : static_cast<std::size_t>(std::min(lane, datum.count() - 1));
  };
  step.kind = datum.kind;
  step.first_value = datum.bytes.substr(at(step.lanes.first()) * width, width);
  if (!is_float(datum.kind)) return;
  step.lanes.for_each([&](std::int64_t lane) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, datum.bytes.data() + at(lane) * width, width);
    const double number = decode_float(datum.kind, bits);
    step.has_nan = step.has_nan || std::isnan(number);
    step.has_infinity = step.has_infinity || std::isinf(number);
  });
}

/// For a reduction before it runs, for others after it.
void Slicer::read_origins(SliceStep& step, const PaddingFlow& flow, bool has_run) {
  const ir::Op& op = *step.point->op;
  step.brings_together = op.def().defined_if == ir::Definedness::across_axis;
  if (step.brings_together == has_run || op.result_count() == 0) return;
  LaneSet lanes = step.lanes;
  if (step.brings_together) {
    std::vector<LaneSet> needs(op.operand_count());
    find_needs(op, step.result, step.lanes, {}, needs);
    lanes = std::move(needs[0]);
  }
  const ir::Value& value = step.brings_together ? *op.operand(0) : *op.result(step.result);
  const LaneOrigins origins = flow.of(value, step.point->activation);
  if (origins.is_uniform() && !LaneOrigins::is_padding(origins.at(0))) return;
  std::vector<std::int64_t> numbers;
  lanes.for_each([&](std::int64_t lane) { numbers.push_back(lane); });
  step.origins = flow.count(origins, static_cast<std::int64_t>(numbers.size()),
                            [&](std::int64_t i) { return numbers[static_cast<std::size_t>(i)]; });
  if (step.origins.padding() == 0) step.origins = {};
}

/// Forward once more through the turns that took part.
void Slicer::read_values() {
  for (std::size_t first = 0; first < slice_.steps.size();) {
    const std::uint64_t turn = slice_.steps[first].mark.turn;
    std::size_t next = first;
    // Origins are known from a program's first point on.
    std::optional<PaddingFlow> flow;
    const auto visit = [&] {
      if (engine_.point() == nullptr || engine_.mark().turn != turn) return;
      const Mark now = engine_.mark();
      if (now.step == 0 && engine_.programs().current().steps == 0) flow.emplace(engine_);
      if (flow) flow->visit();
      for (std::size_t i = next; i < slice_.steps.size() && slice_.steps[i].mark.turn == turn; ++i) {
        const Mark at = slice_.steps[i].mark;
        if (at > now) break;
        if (at != now && at.step + 1 != now.step) continue;
        read_step(slice_.steps[i], at != now);
        if (flow) read_origins(slice_.steps[i], *flow, at != now);
      }
      while (next < slice_.steps.size() && slice_.steps[next].mark.turn == turn &&
             slice_.steps[next].mark.step < now.step)
        ++next;
    };
    std::size_t last = first;
    while (last < slice_.steps.size() && slice_.steps[last].mark.turn == turn) ++last;
    const Mark end{turn, slice_.steps[last - 1].mark.step + 1};
    engine_.replay({turn, 0}, end, visit, [&](const Point&, interpreter::AccessLanes& lanes) {
      if (flow) flow->access(lanes);
    });
    first = last;
  }
}

Slice Slicer::run(ByteRange bytes) {
  const Engine::ReturnMark home = engine_.home();
  needed_.add(bytes);
  walk(home.is_end ? Mark{~std::uint64_t{0}, 0} : home.mark);
  std::reverse(slice_.steps.begin(), slice_.steps.end());
  slice_.inputs = needed_.ranges();
  // Where storages lie differs from run to run.
  const auto storage = [&](const ByteRange& range) {
    const auto found = engine_.memory().find_storage(range.begin);
    return found ? found->index : -1;
  };
  std::stable_sort(slice_.inputs.begin(), slice_.inputs.end(),
                   [&](const ByteRange& a, const ByteRange& b) { return storage(a) < storage(b); });
  slice_.scalars.assign(scalars_.begin(), scalars_.end());
  if (slice_.steps.empty()) slice_.inputs.clear();
  read_values();
  return std::move(slice_);
}

}  // namespace

Expected<Slice, Problem> find_slice(Engine& engine, ByteRange bytes) {
  return ask_the_past(engine, [&](Engine::ScopedReplay&) { return Slicer(engine).run(bytes); });
}

}  // namespace lockstep::debugger
