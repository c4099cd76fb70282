#include "ir/analysis/value_slice.h"

#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"

namespace lockstep::ir {

void ValueSlice::add_operands(const Op& op) {
  for (const Value* operand : op.operands()) add(operand);
}

void ValueSlice::add_incoming(const Value& value) {
  for (const Value* incoming : incoming_values(value)) add(incoming);
}

void ValueSlice::add_all_sources(const Op& op) {
  add_operands(op);
  if (is_function(op)) return;
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      if (const Op* last = block->terminator()) add_operands(*last);
    }
  }
}

void ValueSlice::add_results(const Op& op) {
  for (std::size_t i = 0; i < op.result_count(); ++i) add(op.result(i));
}

void ValueSlice::add_outgoing(const Use& use) {
  for (const RegionEdge& edge : successor_edges(*use.user)) {
    const std::size_t place = use.operand - edge.first_source;
    if (use.operand >= edge.first_source && place < edge.count) add(edge.target(place));
  }
}

void ValueSlice::add_loop_arguments(const Op& op) {
  if (!is_loop(op)) return;
  for (const auto& region : op.regions()) {
    for (const auto& argument : region->front().arguments()) add(argument.get());
  }
}

void ValueSlice::add_all_targets(const Op& op) {
  add_results(op);
  add_loop_arguments(op);
  for (const Successor& next : op.successors()) {
    for (const auto& argument : next.block->arguments()) add(argument.get());
  }
  const Op* around = op.parent_op();
  if (!op.def().is_terminator || around == nullptr || is_function(*around)) return;
  add_results(*around);
  add_loop_arguments(*around);
}

}  // namespace lockstep::ir
