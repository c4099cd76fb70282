// ValueRanges: the interval of every integer (and, where cheap, float) of a kernel in one launch, from the IR, the
// grid, the scalar arguments and the contents of integer arrays that the kernel only reads. It lets a checker rule out
// overflow without running anything. Invariant: a range holds every value that the launch can make; an op that may wrap
// gets the whole range of its type. Not here: values of single lanes, the meaning of overflow.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "interpreter/batching/effects.h"
#include "sanitizer/core/checker.h"
#include "sanitizer/core/ranges.h"

namespace lockstep::sanitizer {

/// Floats; infinities count as ends.
struct NumberRange {
  double low = 0, high = 0;
  bool may_be_nan = false;
};

class ValueRanges {
 public:
  /// `reads_memory`: look up arrays' contents; otherwise a load has the whole range of its type.
  ValueRanges(const LaunchContext& context, const interpreter::MemoryEffects& effects, bool reads_memory = true);

  /// The range of an integer value (or tile); the whole range of its type if nothing is known.
  Range of(const ir::Value& value) const;
  NumberRange number(const ir::Value& value) const;
  /// For arith.addi, subi and muli: the result before it wraps.
  Range exact(const ir::Op& op) const;
  /// That result may not fit the type.
  bool may_wrap(const ir::Op& op) const;
  /// Some range depends on an array's contents.
  bool uses_memory() const { return uses_memory_; }

 private:
  void visit_function(const ir::Op& function);
  void visit_block(const ir::Block& block);
  void visit_op(const ir::Op& op);
  void visit_for(const ir::Op& op);
  void visit_while(const ir::Op& op);
  void visit_if(const ir::Op& op);
  void refine_carried(const ir::Op& op, Wide trips);
  std::optional<Range> change_of(const ir::Value& next, const ir::Value& carried) const;
  Range integer_result(const ir::Op& op);
  Range made_from_nothing(const ir::Op& op, ScalarKind kind) const;
  std::optional<Range> folded(const ir::Op& op) const;
  std::optional<Range> converted(const ir::Op& op) const;
  NumberRange number_result(const ir::Op& op) const;
  Range loaded(const ir::Op& op);
  Range stored_numbers(std::size_t argument, ScalarKind kind);
  void set(const ir::Value& value, const Range& range) { integers_[&value] = range; }

  const LaunchContext& context_;
  const interpreter::MemoryEffects& effects_;
  std::unordered_map<const ir::Value*, Range> integers_;
  std::unordered_map<const ir::Value*, NumberRange> numbers_;
  std::unordered_map<std::size_t, Range> arrays_;
  int nested_ = 0;  // loops around what is visited
  bool reads_memory_ = true, uses_memory_ = false;
};

/// The kernel's argument that the pointers in `value` derive from; null: unknown, or several.
const ir::Value* pointer_argument(const ir::Value& value);
/// All ops of the kernel outside the regions of reductions, scans and maps, and those of functions that it may call.
void for_each_op(const ir::Module& module, const ir::Op& function, const std::function<void(const ir::Op&)>& body);

}  // namespace lockstep::sanitizer
