// RegionBranchInterface: on which ways control goes from an op, and which value becomes which along each: the ways
// into, around and out of scf.for, scf.while and scf.if, and branches between blocks. Under MLIR's names; the one place
// that knows that operand 3 + i of scf.for is argument 1 + i of its body. Not here: calls, whose callee a caller looks
// up, and the regions of ops that combine lanes, whose arguments are no one value.
#pragma once

#include <cstddef>
#include <vector>

#include "ir/op.h"

namespace lockstep::ir {

/// One way: source(i) becomes target(i).
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

/// Operands that decide how control goes on, before those that are handed on: bounds and step of scf.for, conditions.
std::size_t deciding_operands(const Op& op);

/// The ways that go on from a structured op, from the terminator of a structured op's region, or from a branch. Empty
/// for all other ops. Into a body comes before past it.
std::vector<RegionEdge> successor_edges(const Op& op);

/// Every value that an argument of a block, or a result of a structured op, may be: first what the op that is entered
/// hands on, then what comes from inside. Empty for arguments that no value becomes: a loop's induction variable, those
/// of functions, those of regions that combine lanes.
std::vector<Value*> incoming_values(const Value& value);

/// The argument of a loop's body that stands for a result of the loop while it runs: null if there is none.
Value* carried_argument(const Value& loop_result);
/// What the body hands on for that argument or result.
Value* yielded_value(const Value& carried);
/// What the argument is before the first turn.
Value* initial_value(const Value& carried);
/// True for scf.for's counter.
bool is_induction_variable(const Value& value);

}  // namespace lockstep::ir
