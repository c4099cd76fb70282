// OpNote: what the steps of an op read and write, by the slots of its values, noted at planning. Passes over the
// finished steps (group_graph.h) need it, because a step's record may name slots that the step itself lacks. Invariant:
// an op without a note, or with control flow, is never moved.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "interpreter/plan/plan.h"

namespace lockstep::interpreter {

class PlanWriter;

struct OpNote {
  const ir::Op* op = nullptr;
  std::vector<Slot> reads;   // operands, and what its regions capture
  std::vector<bool> dies;    // per read: dead afterwards
  std::vector<Slot> writes;  // results in order
};
/// By site.
using OpNotes = std::unordered_map<std::uint32_t, OpNote>;

/// Notes a planned op; nothing for ops of control flow.
void note_op(PlanWriter& writer, const ir::Op& op, OpNote& note);

}  // namespace lockstep::interpreter
