// RegionBranchInterface: the edges of control flow out of an op, and which value becomes which along each: into, around
// and out of scf.for, scf.while and scf.if, and branches between blocks. Under MLIR's names; only this file relies on
// operand 3 + i of scf.for being argument 1 + i of its body. Not here: calls, whose callee the caller looks up, and the
// regions of ops that combine lanes, whose arguments have no single value.
#pragma once

#include <cstddef>
#include <vector>

#include "ir/op.h"

namespace lockstep::ir {

/// One edge: source(i) becomes target(i).
struct RegionEdge {
  const Op* from = nullptr;      // a structured op, the terminator of one of its regions, or a branch
  const Block* entered = nullptr;  // null: the way leaves `left`, whose results the values become
  const Op* left = nullptr;
  std::size_t first_source = 0, first_target = 0, count = 0;

  Value* source(std::size_t i) const { return from->operand(first_source + i); }
  Value* target(std::size_t i) const {
    return entered != nullptr ? entered->argument(first_target + i) : left->result(first_target + i);
  }
};

/// Operands that decide the control flow, before those that are passed on: bounds and step of scf.for, conditions.
std::size_t deciding_operands(const Op& op);

/// The edges out of a structured op, the terminator of a structured op's region, or a branch. Empty for all other ops.
/// The edge into a body comes before the one past it.
std::vector<RegionEdge> successor_edges(const Op& op);

/// Every value that an argument of a block, or a result of a structured op, may be: first the entering op's values,
/// then those from inside. Empty for arguments that no value becomes: a loop's induction variable, those of functions,
/// those of regions that combine lanes.
std::vector<Value*> incoming_values(const Value& value);

/// The argument of a loop's body that corresponds to a result of the loop; null if there is none.
Value* carried_argument(const Value& loop_result);
/// The body's yielded value for that argument or result.
Value* yielded_value(const Value& carried);
/// The argument's value before the first iteration.
Value* initial_value(const Value& carried);
/// True for scf.for's counter.
bool is_induction_variable(const Value& value);

}  // namespace lockstep::ir
