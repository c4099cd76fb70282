// Which values of a kernel can hold undefined elements, found without running it: those of a masked load without
// `other` where its mask is false, and all that derives from them. Invariant: a value that is not tainted never holds
// one; if may_matter() is false, none ever reaches memory, an address, a branch or another lane. Not here: launches
// (definedness.cpp).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/interfaces/region_branch.h"
#include "ir/op.h"

namespace lockstep::sanitizer {

class TaintedValues {
 public:
  /// masked_loads: the elements that such loads leave; all_loads: any load or atomic may give undefined elements.
  enum class Sources : std::uint8_t { masked_loads, all_loads };
  TaintedValues(const ir::Op& function, Sources sources);

  bool is_tainted(const ir::Value& value) const { return taints_.contains(&value); }
  /// An undefined element may reach more than a store, or an access, under the mask of its load.
  bool may_matter() const { return may_matter_; }

 private:
  /// Undefined at most where `mask`, passed through the shape ops of `chain`, is false. Null: anywhere.
  struct Taint {
    const ir::Value* mask = nullptr;
    std::vector<const ir::Op*> chain;
  };

  void visit(const ir::Op& op);
  void visit_plain(const ir::Op& op);
  void visit_select(const ir::Op& op);
  void visit_access(const ir::Op& op);
  void visit_call(const ir::Op& op);
  void visit_control(const ir::Op& op);
  /// Every operand must be defined.
  void demand(const ir::Op& op, std::size_t operand);
  void demand_all(const ir::Op& op);
  void hand_over(const ir::RegionEdge& edge, const ir::Op* loop);
  void hand_to_block(const ir::RegionEdge& edge);
  void join(const ir::Value& value, const Taint& taint);
  /// False only if `mask` (null: all true) enables some undefined lane.
  bool is_covered(const ir::Value& value, const ir::Value* mask) const;
  const Taint* taint_of(const ir::Value& value) const;

  Sources sources_;
  std::unordered_map<const ir::Value*, Taint> taints_;
  bool may_matter_ = false, changed_ = false;
};

/// The op and all ops inside it, in the order of the text.
template <typename Body>
void for_each_op(const ir::Op& root, const Body& body) {
  body(root);
  for (const auto& region : root.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& op : block->ops()) for_each_op(*op, body);
    }
  }
}

/// A tt.load that leaves lanes undefined: it has a mask, or a block pointer's boundary check, and no replacement value.
bool is_load_without_other(const ir::Op& op);

/// Certainly one value: the same, or the same pure op on the same values.
bool is_same_value(const ir::Value& a, const ir::Value& b);

}  // namespace lockstep::sanitizer
