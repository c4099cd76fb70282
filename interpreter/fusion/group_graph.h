// Which steps of a straight-line stretch must come before which, and which of them a group may take: the facts for
// group_builder.cpp. Invariant: any order of the nodes that respects `after` gives the same state and the same findings
// in the same order: values flow as before, a slot is given up only after its last reader, and accesses to memory keep
// their order. A step whose reads and writes are not known ends a stretch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "interpreter/fusion/fused_group.h"
#include "interpreter/fusion/row_copy.h"

namespace lockstep::interpreter {

struct GroupNode {
  enum class Kind : std::uint8_t {
    plain,    // may move; no group takes it
    memory,   // the same, in the order of accesses
    fusible,  // an element-wise step on dense values
    store,    // a plain tt.store of a tile, in the order of accesses
  } kind = Kind::plain;
  std::size_t first = 0, count = 1;  // steps of the body
  std::vector<Slot> reads, writes;
  std::vector<bool> dies;            // per read
  std::vector<std::uint32_t> after;  // nodes that must come later
  std::uint32_t waits_for = 0;       // nodes that must come earlier
};

/// The results of a plan's steps, for the choice of groups.
class GroupFacts {
 public:
  GroupFacts(const Plan& plan, const OpNotes& notes) : plan_(plan), notes_(notes) {}
  /// Looks at all steps; both in program order.
  void find(const std::vector<Step>& prologue, const std::vector<Step>& body);
  /// An element-wise step whose result is dense at run time and is not address arithmetic.
  bool is_fusible(const Step& step) const;
  const OpNote* note_of(const Step& step) const;
  /// Float and integer data, as opposed to numbers from program ids, ranges and scalars.
  bool is_data(Slot slot) const { return data_[slot]; }

 private:
  void mark_data(const Step& step);
  void mark_addresses(const Step& step);

  const Plan& plan_;
  const OpNotes& notes_;
  std::vector<bool> data_, address_;  // by slot
};

/// True if the step at the index can be part of a stretch.
bool can_move(const GroupFacts& facts, const Step& step);
/// The nodes of steps [first, last), in program order.
std::vector<GroupNode> group_nodes(const GroupFacts& facts, const std::vector<Step>& steps, std::size_t first,
                                   std::size_t last);
/// Moves loads from the end of steps [first, end) into the group that is about to follow them (group_loads.cpp).
void take_loads(const GroupFacts& facts, std::vector<Step>& steps, std::size_t first, FusedGroup& group);
/// The plain store that ends steps [first, end) takes the load of its value in, if nobody else reads that, and becomes a
/// row copy. Null: it does not.
std::shared_ptr<const RowCopy> join_with_load(const GroupFacts& facts, std::vector<Step>& steps, std::size_t first);

}  // namespace lockstep::interpreter
