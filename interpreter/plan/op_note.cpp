#include "interpreter/plan/op_note.h"

#include <unordered_set>

#include "interpreter/gpu_bits/marks.h"
#include "interpreter/plan/plan_writer.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

namespace {

/// Notes the outer values that the ops of a region read.
class Captures {
 public:
  Captures(PlanWriter& writer, OpNote& note) : writer_(writer), note_(note) {}

  void visit(const ir::Region& region) {
    for (const auto& block : region.blocks()) {
      for (const auto& argument : block->arguments()) inside_.insert(argument.get());
      for (const auto& op : block->ops()) visit(*op);
    }
  }

 private:
  void visit(const ir::Op& op) {
    for (const ir::Value* value : op.operands()) {
      if (inside_.contains(value)) continue;
      note_.reads.push_back(writer_.slot_of(value));
      note_.dies.push_back(false);
    }
    for (std::size_t i = 0; i < op.result_count(); ++i) inside_.insert(op.result(i));
    for (const auto& region : op.regions()) visit(*region);
  }

  PlanWriter& writer_;
  OpNote& note_;
  std::unordered_set<const ir::Value*> inside_;
};

}  // namespace

void note_op(PlanWriter& writer, const ir::Op& op, OpNote& note) {
  if (op.def().effects == ir::Effects::control || op.def().is_terminator) return;
  note = OpNote{};
  note.op = &op;
  for (const ir::Value* value : op.operands()) {
    note.reads.push_back(writer.slot_of(value));
    note.dies.push_back(writer.dies_at(value, op));
  }
  for (const ir::Value* value : gpu_bits::joined_factors(op)) {
    note.reads.push_back(writer.slot_of(value));
    note.dies.push_back(false);
  }
  Captures captures(writer, note);
  for (const auto& region : op.regions()) captures.visit(*region);
  for (std::size_t i = 0; i < op.result_count(); ++i) note.writes.push_back(writer.slot_of(op.result(i)));
}

}  // namespace lockstep::interpreter
