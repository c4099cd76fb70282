// Which values of a kernel can hold undefined elements, found without running it: those of a masked load without
// `other` where its mask is false, and all that derives from them. Invariant: a value that is not tainted never holds
// one; if may_matter() is false, none ever reaches memory, an address, a branch or another lane. Not here: launches
// (definedness.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "ir/analysis/dataflow.h"
#include "ir/op.h"

namespace lockstep::sanitizer {

/// Undefined at most where `mask`, sent through the shape ops of `chain`, is false. Null: anywhere.
struct Taint {
  const ir::Value* mask = nullptr;
  std::vector<const ir::Op*> chain;

  bool join(const Taint& other);
};

class TaintedValues final : private ir::ForwardAnalysis<Taint> {
 public:
  /// masked_loads: the elements that such loads leave; all_loads: any load or atomic may give undefined elements.
  enum class Sources : std::uint8_t { masked_loads, all_loads };
  TaintedValues(const ir::Op& function, Sources sources);

  bool is_tainted(const ir::Value& value) const { return find(value) != nullptr; }
  /// An undefined element may reach more than a store, or an access, under the mask of its load.
  bool may_matter() const { return may_matter_; }

 private:
  void visit(const ir::Op& op) override;
  void hand_on(const ir::RegionEdge& edge) override;
  void visit_plain(const ir::Op& op);
  void visit_select(const ir::Op& op);
  void visit_access(const ir::Op& op);
  void visit_call(const ir::Op& op);
  void visit_control(const ir::Op& op);
  /// Every operand must be defined.
  void demand(const ir::Op& op, std::size_t operand);
  void demand_all(const ir::Op& op);
  /// False only where some lane is undefined that `mask` (null: all true) lets through.
  bool is_covered(const ir::Value& value, const ir::Value* mask) const;

  Sources sources_;
  bool may_matter_ = false;
};

/// tt.load that leaves lanes undefined: a mask, or a block pointer's boundary check, and nothing to put there.
bool is_load_without_other(const ir::Op& op);

/// Certainly one value: the same, or the same pure op on the same values.
bool is_same_value(const ir::Value& a, const ir::Value& b);

}  // namespace lockstep::sanitizer
