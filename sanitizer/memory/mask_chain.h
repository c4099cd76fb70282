// MaskChain: which comparisons of a kernel decide masks of loads, stores and atomics, by and, or, xor, selection and
// copies alone. Computed once per kernel, from the IR. Invariant: only comparisons by order of signed numbers are in
// it: unsigned ones come from types that wrap on purpose (hashes), and an equality may. Private to this folder.
#pragma once

#include <unordered_set>
#include <vector>

#include "sanitizer/memory/value_ranges.h"

namespace lockstep::sanitizer {

class MaskChain {
 public:
  MaskChain(const ir::Module& module, const ir::Op& function);
  /// A comparison of the chain, or an op between one and a mask.
  bool contains(const ir::Op& op) const { return ops_.contains(&op); }
  /// arith.cmpi.
  const std::vector<const ir::Op*>& comparisons() const { return comparisons_; }

 private:
  bool add(const ir::Value& value);

  std::unordered_set<const ir::Op*> ops_;
  std::unordered_set<const ir::Value*> without_;  // values that no comparison of the chain decides
  std::vector<const ir::Op*> comparisons_;
};

/// The two operands of a comparison of the chain, in its order.
bool compare_signed(const ir::Op& comparison, Wide a, Wide b);

}  // namespace lockstep::sanitizer
