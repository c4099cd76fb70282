#include "interpreter/fusion/group_graph.h"

#include <algorithm>

#include "interpreter/batching/batch_plan.h"
#include "interpreter/evaluators/elementwise_step.h"
#include "interpreter/plan/shared_steps.h"
#include "interpreter/ptx/asm_facts.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

namespace {


/// Its result from data is data.
bool is_shape_op(const ir::OpDef& def) {
  return ir::moves_lanes(def.movement) && def.movement != ir::Movement::splat &&
         def.movement != ir::Movement::unsplat;
}

bool makes_no_data(const ir::OpDef& def) {
  const bool counts = def.origin == ir::Origin::range || def.origin == ir::Origin::program_id ||
                      def.origin == ir::Origin::program_count;
  return counts || def.movement == ir::Movement::splat || def.movement == ir::Movement::unsplat ||
         def.arithmetic == ir::Arithmetic::displacement;
}

const Elementwise* elementwise_record(const Step& step) {
  return is_elementwise_step(step.run) ? static_cast<const Elementwise*>(step.record) : nullptr;
}

}  // namespace

const OpNote* GroupFacts::note_of(const Step& step) const {
  const auto known = notes_.find(step.site);
  return known == notes_.end() || known->second.op == nullptr ? nullptr : &known->second;
}

void GroupFacts::mark_data(const Step& step) {
  const auto is_data = [&](Slot slot) { return slot != kNoSlot && data_[slot]; };
  if (const Elementwise* op = elementwise_record(step)) {
    bool data = op->rule == Elementwise::Rule::none && op->arity != Elementwise::Arity::copy;
    for (std::size_t i = 0; i < step.operand_count; ++i) data = data || is_data(step.operand[i]);
    data_[step.result] = data || !is_integer(op->result->kind);
    return;
  }
  const OpNote* note = note_of(step);
  if (note == nullptr || makes_no_data(note->op->def())) return;
  const bool needs_data = is_shape_op(note->op->def());
  const bool data = !needs_data || std::any_of(note->reads.begin(), note->reads.end(), is_data);
  for (const Slot slot : note->writes) {
    if (data && !plan_.slot_types[slot]->is_scalar()) data_[slot] = true;
  }
}

/// Backwards from the uses: what is an address, or becomes one by integer arithmetic.
void GroupFacts::mark_addresses(const Step& step) {
  const OpNote* note = note_of(step);
  if (note == nullptr) return;
  const ir::OpDef& def = note->op->def();
  const bool is_passed_on =
      is_elementwise_step(step.run) || is_shape_op(def) || def.movement == ir::Movement::splat;
  const bool makes_address =
      is_passed_on && std::any_of(note->writes.begin(), note->writes.end(), [&](Slot slot) { return address_[slot]; });
  const bool makes_pointer = ir::is_displacement(*note->op) || ir::makes_pointer_of_bits(*note->op);
  if (!makes_pointer && !makes_address) return;
  for (const Slot slot : note->reads) {
    if (is_integer(plan_.slot_types[slot]->kind)) address_[slot] = true;
  }
}

void GroupFacts::find(const std::vector<Step>& prologue, const std::vector<Step>& body) {
  data_.assign(plan_.slot_types.size(), false);
  address_.assign(plan_.slot_types.size(), false);
  for (const auto* steps : {&prologue, &body}) {
    for (const Step& step : *steps) mark_data(step);
  }
  for (const auto* steps : {&body, &prologue}) {
    for (std::size_t i = steps->size(); i-- > 0;) mark_addresses((*steps)[i]);
  }
}

bool GroupFacts::is_fusible(const Step& step) const {
  const Elementwise* op = elementwise_record(step);
  if (op == nullptr || note_of(step) == nullptr || op->result->is_scalar() || op->result->kind == ScalarKind::pointer)
    return false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(op->operands); ++i) {
    if (op->operand[i]->kind == ScalarKind::pointer || op->operand[i]->shape != op->result->shape) return false;
  }
  return data_[step.result] && !address_[step.result];
}

bool can_move(const GroupFacts& facts, const Step& step) {
  if (step.run == step_release || is_batch_check(step.run)) return true;
  const OpNote* note = facts.note_of(step);
  if (note == nullptr) return false;
  const ir::OpDef& def = note->op->def();
  if (def.batching == ir::BatchingRule::elementwise_in_packs) return !depends_on_program(*note->op);
  using Kind = ir::MemoryAccess::Kind;
  const bool is_plain = def.access.kind == Kind::load || def.access.kind == Kind::store;
  if (is_plain && def.access.place != ir::MemoryAccess::Place::rows) return true;
  return def.effects == ir::Effects::pure;
}

namespace {

bool is_plain_store(const OpNote& note, std::size_t steps) {
  return ir::is_pointer_store(*note.op) && steps == 1 &&
         note.op->operand(0)->type().is_tensor();  // block pointers are scalars
}

/// A step that declares its own reads and writes.
bool is_alone(const GroupFacts& facts, const Step& step) {
  return step.run == step_release || is_batch_check(step.run) || facts.is_fusible(step);
}

GroupNode node_at(const GroupFacts& facts, const std::vector<Step>& steps, std::size_t at, std::size_t last) {
  GroupNode node;
  node.first = at;
  const Step& step = steps[at];
  const OpNote* note = facts.note_of(step);
  if (is_alone(facts, step)) {
    if (is_batch_check(step.run)) node.kind = GroupNode::Kind::memory;
    if (facts.is_fusible(step)) {
      node.kind = GroupNode::Kind::fusible;
      node.writes.push_back(step.result);
    }
    for (std::size_t i = 0; i < step.operand_count; ++i) {
      node.reads.push_back(step.operand[i]);
      node.dies.push_back((step.dies >> i & 1) != 0);
    }
    return node;
  }
  while (at + node.count < last && steps[at + node.count].site == step.site && !is_alone(facts, steps[at + node.count]))
    ++node.count;
  node.reads = note->reads;
  node.dies = note->dies;
  node.writes = note->writes;
  if (note->op->def().effects != ir::Effects::pure) {
    node.kind = is_plain_store(*note, node.count) ? GroupNode::Kind::store : GroupNode::Kind::memory;
  }
  return node;
}

/// Adds the orders that nodes need among each other, one node after the other.
class Orders {
 public:
  explicit Orders(std::vector<GroupNode>& nodes) : nodes_(nodes) {}

  void add(std::uint32_t at) {
    GroupNode& node = nodes_[at];
    for (std::size_t i = 0; i < node.reads.size(); ++i) {
      SlotUses& use = uses_[node.reads[i]];
      if (use.writer != kNone) order(use.writer, at);
      if (node.dies[i]) {
        for (const std::uint32_t reader : use.readers) order(reader, at);
      }
      use.readers.push_back(at);
    }
    for (const Slot slot : node.writes) {
      SlotUses& use = uses_[slot];
      if (use.writer != kNone) order(use.writer, at);
      for (const std::uint32_t reader : use.readers) order(reader, at);
      use.readers.clear();
      use.writer = at;
    }
    if (node.kind == GroupNode::Kind::memory || node.kind == GroupNode::Kind::store) {
      if (last_access_ != kNone) order(last_access_, at);
      last_access_ = at;
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct SlotUses {
    std::uint32_t writer = kNone;
    std::vector<std::uint32_t> readers;
  };

  void order(std::uint32_t before, std::uint32_t after) {
    if (before == after) return;
    std::vector<std::uint32_t>& list = nodes_[before].after;
    if (!list.empty() && list.back() == after) return;  // nodes are added in order, so repetitions are neighbours
    list.push_back(after);
    ++nodes_[after].waits_for;
  }

  std::vector<GroupNode>& nodes_;
  std::unordered_map<Slot, SlotUses> uses_;
  std::uint32_t last_access_ = kNone;
};

}  // namespace

std::vector<GroupNode> group_nodes(const GroupFacts& facts, const std::vector<Step>& steps, std::size_t first,
                                   std::size_t last) {
  std::vector<GroupNode> nodes;
  for (std::size_t at = first; at < last; at += nodes.back().count) nodes.push_back(node_at(facts, steps, at, last));
  Orders orders(nodes);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) orders.add(i);
  return nodes;
}

}  // namespace lockstep::interpreter
