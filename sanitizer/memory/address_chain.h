// AddressChain: which integers of a kernel become offsets of pointers, by sums, products and copies alone. Computed
// once per kernel, from the IR. Invariant: a value outside the chain reaches an address only through an op that makes
// another number of it (a remainder, a comparison, memory). Private to this folder.
#pragma once

#include <vector>

#include "ir/analysis/value_slice.h"
#include "ir/module.h"

namespace lockstep::sanitizer {

class AddressChain {
 public:
  /// `comparisons`: ops whose operands count as offsets, too.
  AddressChain(const ir::Module& module, const ir::Op& function, const std::vector<const ir::Op*>& comparisons = {});
  bool contains(const ir::Value& value) const { return values_.contains(value); }
  /// Additions, subtractions and multiplications in the chain.
  const std::vector<const ir::Op*>& arithmetic() const { return arithmetic_; }
  bool has_pointers() const { return has_pointers_; }

 private:
  void add_sources(const ir::Value& value);

  ir::ValueSlice values_;
  std::vector<const ir::Op*> arithmetic_;
  bool has_pointers_ = false;
};

}  // namespace lockstep::sanitizer
