// ValueSlice: the values that others are made from, or that are made from others: MLIR's backward and forward slices.
// The loop over them is the caller's, and says in its body how far a value is followed:
//
//   ValueSlice slice(stored);
//   while (const Value* value = slice.next()) {
//     if (value->defining_op() == &load) return true;
//     ...
//     slice.add_operands(*value->defining_op());
//   }
//
// Here is how values go through control flow (ir/interfaces/region_branch.h), cycles through loops included. Not here:
// what is known of a value by those before it (dataflow.h); lanes.
#pragma once

#include <cstddef>

#include "ir/analysis/worklist.h"
#include "ir/op.h"

namespace lockstep::ir {

class ValueSlice {
 public:
  ValueSlice() = default;
  explicit ValueSlice(const Value& root) { add(&root); }

  /// The value added last that was not handed out yet; null: there is none.
  const Value* next() { return values_.next().value_or(nullptr); }
  /// The value added first, for slices that go round by round.
  const Value* nearest() { return values_.nearest().value_or(nullptr); }
  bool contains(const Value& value) const { return values_.contains(&value); }
  std::size_t size() const { return values_.size(); }

  /// Null: nothing is added.
  void add(const Value* value) {
    if (value != nullptr) values_.add(value);
  }

  // ---- back ----

  void add_operands(const Op& op);
  /// What an argument of a block or a result of a structured op may be; of others, and of a loop's counter, nothing.
  void add_incoming(const Value& value);
  /// All that has a part in the op: its operands, and what the blocks of its regions end with (a function's do not).
  void add_all_sources(const Op& op);

  // ---- forward ----

  void add_results(const Op& op);
  /// What the operand becomes where a structured op, the end of a region or a branch hands it on.
  void add_outgoing(const Use& use);
  /// All that the op has a part in: its results, the arguments of the loop or the blocks that it enters, and where it
  /// ends a region what that op has a part in.
  void add_all_targets(const Op& op);

 private:
  void add_loop_arguments(const Op& op);

  Worklist<const Value*> values_;
};

}  // namespace lockstep::ir
