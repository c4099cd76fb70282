// Which steps become groups. It reorders a stretch as a list: steps outside of groups come first, in their order; then
// a group grows from the first fusible step by steps of its shape that depend on nothing after it. It splits groups
// without anything in common again.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <unordered_set>

#include "interpreter/fusion/contiguous_path.h"
#include "interpreter/fusion/group_graph.h"
#include "interpreter/fusion/summed_products.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

namespace {

using Nodes = std::vector<std::uint32_t>;
using Kind = GroupNode::Kind;

// ---- from steps to a group ----

/// Makes the record of one group from steps in a valid order.
class GroupBuilder {
 public:
  GroupBuilder(const Plan& plan, const GroupFacts& facts) : plan_(plan), facts_(facts) {}

  /// Null: more than a group holds.
  std::shared_ptr<FusedGroup> make(const std::vector<Step>& steps) {
    made_ = std::make_shared<FusedGroup>();
    made_->steps = steps;
    made_->strip_elements = plan_.tuning.strip_elements;
    for (const Step& step : steps) members_.insert(facts_.note_of(step)->op);
    for (const Step& step : made_->steps) {
      if (step.result != kNoSlot) {
        made_->type = step.type;
        written_.insert(step.result);
      }
    }
    for (const Step& step : made_->steps) {
      if (!(step.result != kNoSlot ? add_op(step) : add_store(step))) return nullptr;
      note_dead(step);
    }
    for (FusedGroup::Input& input : made_->inputs) input.dies = dead_.contains(input.slot);
    if (!add_outputs()) return nullptr;
    made_->dead.assign(dead_.begin(), dead_.end());
    choose_places();
    return made_;
  }

 private:
  static constexpr std::size_t kNever = ~std::size_t{0};

  /// The number of an operand's value; kNever: too many.
  std::size_t value_of(Slot slot) {
    if (const auto known = values_.find(slot); known != values_.end()) return known->second;
    if (made_->inputs.size() == FusedGroup::kMaxInputs) return kNever;
    made_->inputs.push_back({slot, plan_.slot_types[slot], false});
    return values_[slot] = made_->inputs.size() - 1;
  }

  bool add_op(const Step& step) {
    const auto* op = static_cast<const Elementwise*>(step.record);
    if (made_->ops.size() == FusedGroup::kMaxOps) return false;
    FusedGroup::FusedOp micro;
    micro.op = op;
    micro.site = step.site;
    micro.is_select = op->rule == Elementwise::Rule::select;
    for (std::size_t i = 0; i < static_cast<std::size_t>(op->operands); ++i) {
      const std::size_t value = value_of(step.operand[i]);
      if (value == kNever) return false;
      micro.operand[i] = static_cast<std::uint8_t>(value);
      micro.inputs |=
          value < FusedGroup::kMaxInputs ? std::uint32_t{1} << value : made_->ops[value - FusedGroup::kMaxInputs].inputs;
    }
    made_->varies = made_->varies || (op->rule == Elementwise::Rule::none && op->arity != Elementwise::Arity::copy);
    micro.result = static_cast<std::uint8_t>(FusedGroup::kMaxInputs + made_->ops.size());
    values_[step.result] = micro.result;
    made_->ops.push_back(micro);
    return true;
  }

  bool add_store(const Step& step) {
    if (made_->stores.size() == FusedGroup::kMaxStores) return false;
    const std::size_t value = value_of(step.operand[1]);
    made_->stores.push_back({&step, static_cast<const Access*>(step.record), static_cast<std::uint8_t>(value)});
    return true;
  }

  void note_dead(const Step& step) {
    for (std::size_t i = 0; i < step.operand_count; ++i) {
      if ((step.dies >> i & 1) != 0 && !written_.contains(step.operand[i])) dead_.insert(step.operand[i]);
    }
  }

  bool is_read_outside(const Step& step) const {
    const OpNote& note = *facts_.note_of(step);
    const auto at = std::find(note.writes.begin(), note.writes.end(), step.result) - note.writes.begin();
    const auto& uses = note.op->result(static_cast<std::size_t>(at))->uses();
    return std::any_of(uses.begin(), uses.end(), [&](const ir::Use& use) { return !members_.contains(use.user); });
  }

  bool add_outputs() {
    for (const Step& step : made_->steps) {
      if (step.result == kNoSlot || !is_read_outside(step)) continue;
      if (made_->outputs.size() == FusedGroup::kMaxOutputs) return false;
      made_->outputs.push_back({step.result, step.type, static_cast<std::uint8_t>(values_.at(step.result)), -1});
    }
    return true;
  }

  /// The op that reads a value last; stored values are read after all of them. A select may pass an input's memory on
  /// as its result, so the input lives as long as the result.
  void find_last_reads() {
    last_.assign(FusedGroup::kMaxValues, 0);
    for (const FusedGroup::Store& store : made_->stores) last_[store.value] = made_->ops.size();
    for (std::size_t at = made_->ops.size(); at-- > 0;) {
      const FusedGroup::FusedOp& micro = made_->ops[at];
      for (std::size_t i = 0; i < static_cast<std::size_t>(micro.op->operands); ++i) {
        std::size_t& last = last_[micro.operand[i]];
        last = std::max(last, at);
        const bool passes_on = micro.is_select || micro.op->arity == Elementwise::Arity::copy;
        if (passes_on && micro.operand[i] < FusedGroup::kMaxInputs) last = std::max(last, last_[micro.result]);
      }
    }
  }

  FusedGroup::Place& place_of(std::size_t value) { return made_->places[value - FusedGroup::kMaxInputs]; }
  bool is_strip(std::size_t value) { return value >= FusedGroup::kMaxInputs && place_of(value).strip >= 0; }

  /// A register that an operand frees here, if the result fits in.
  int inherit(const FusedGroup::FusedOp& micro, std::size_t at) {
    const auto count = static_cast<std::size_t>(micro.op->operands);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t value = micro.operand[micro.is_select ? (k + 1) % count : k];
      if (!is_strip(value) || last_[value] != at || place_of(value).bytes < micro.op->result->element_bytes) continue;
      return place_of(value).strip;
    }
    return -1;
  }

  /// A value for a select or a copy whose result is an output goes there at once: then nothing is left to copy.
  bool shares_output(const FusedGroup::FusedOp& micro, std::size_t at) {
    const std::size_t last = last_[micro.result];
    if (made_->places[at].store >= 0 || last >= made_->ops.size()) return false;
    const FusedGroup::FusedOp& reader = made_->ops[last];
    const bool passes_on = reader.is_select ? reader.operand[1] == micro.result && reader.operand[0] != micro.result &&
                                                  reader.operand[2] != micro.result
                                            : reader.op->arity == Elementwise::Arity::copy;
    const std::int8_t output = made_->places[last].output;
    if (!passes_on || output < 0) return false;
    const std::uint8_t value = made_->outputs[static_cast<std::size_t>(output)].value;
    if (value != reader.result) return false;
    made_->places[at].output = output;
    early_[static_cast<std::size_t>(output)] = std::min(early_[static_cast<std::size_t>(output)], at);
    return true;
  }

  void give_back(const FusedGroup::FusedOp& micro, std::size_t at, int taken) {
    std::set<int> given;
    for (std::size_t i = 0; i < static_cast<std::size_t>(micro.op->operands); ++i) {
      const std::size_t value = micro.operand[i];
      if (is_strip(value) && last_[value] == at && place_of(value).strip != taken) given.insert(place_of(value).strip);
    }
    free_.insert(free_.end(), given.begin(), given.end());
  }

  int any_register() {
    if (free_.empty()) return made_->strips++;
    const int found = free_.back();
    free_.pop_back();
    return found;
  }

  void choose_places() {
    find_last_reads();
    early_.assign(made_->outputs.size(), made_->ops.size());
    for (const FusedGroup::Input& input : made_->inputs)
      made_->strip_bytes = std::max(made_->strip_bytes, input.type->element_bytes);
    made_->places.resize(made_->ops.size());
    for (std::size_t k = 0; k < made_->outputs.size(); ++k)
      place_of(made_->outputs[k].value).output = static_cast<std::int8_t>(k);
    for (std::size_t k = made_->stores.size(); k-- > 0;) {
      const std::size_t value = made_->stores[k].value;
      if (value >= FusedGroup::kMaxInputs && place_of(value).output < 0) place_of(value).store = static_cast<std::int8_t>(k);
    }
    for (std::size_t at = 0; at < made_->ops.size(); ++at) {
      const FusedGroup::FusedOp& micro = made_->ops[at];
      FusedGroup::Place& place = made_->places[at];
      place.bytes = static_cast<std::uint8_t>(micro.op->result->element_bytes);
      made_->strip_bytes = std::max(made_->strip_bytes, micro.op->result->element_bytes);
      int taken = -1;
      if (place.output < 0 && !shares_output(micro, at)) {
        taken = inherit(micro, at);
        if (taken < 0) taken = any_register();
        place.strip = static_cast<std::int8_t>(taken);
        made_->needs_scratch = made_->needs_scratch || place.store < 0;
      }
      give_back(micro, at, taken);
    }
    choose_reuse();
  }

  /// An output may take over the buffer of an input that dies and is not read after the write.
  void choose_reuse() {
    std::vector<bool> taken(made_->inputs.size());
    for (std::size_t k = 0; k < made_->outputs.size(); ++k) {
      FusedGroup::Output& output = made_->outputs[k];
      const std::size_t writer = std::min<std::size_t>(output.value - FusedGroup::kMaxInputs, early_[k]);
      for (std::size_t i = 0; i < made_->inputs.size(); ++i) {
        const FusedGroup::Input& input = made_->inputs[i];
        if (taken[i] || !input.dies || last_[i] > writer || input.type->element_bytes != output.type->element_bytes)
          continue;
        taken[i] = true;
        output.reuses = static_cast<std::int8_t>(i);
        break;
      }
    }
  }

  const Plan& plan_;
  const GroupFacts& facts_;
  std::shared_ptr<FusedGroup> made_;
  std::unordered_set<const ir::Op*> members_;
  std::unordered_set<Slot> written_;
  std::set<Slot> dead_;
  std::map<Slot, std::size_t> values_;
  std::vector<std::size_t> last_;
  std::vector<std::size_t> early_;  // the first op that writes to an output's memory before its own does
  std::vector<int> free_;
};

// ---- groups ----

/// Steps with something in common stay together: a value, an operand, or an order between them.
class Components {
 public:
  explicit Components(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

/// Schedules one stretch.
class Stretch {
 public:
  Stretch(Plan& plan, const GroupFacts& facts, const std::vector<Step>& steps, std::size_t first, std::size_t last,
          std::vector<Step>& out)
      : plan_(plan),
        facts_(facts),
        steps_(steps),
        out_(out),
        begin_(out.size()),
        nodes_(group_nodes(facts, steps, first, last)) {}

  void run() {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].waits_for == 0) add_ready(i);
    }
    while (true) {
      while (!plain_.empty()) emit_plain();
      if (fusible_.empty()) return;
      grow();
    }
  }

 private:
  static constexpr std::size_t kMaxGroup = FusedGroup::kMaxOps;
  using Key = std::pair<std::int64_t, std::uint32_t>;  // elements, node: small tiles first, then the program's order

  std::int64_t count_of(std::uint32_t node) const { return steps_[nodes_[node].first].type->count; }
  const std::vector<std::int64_t>& shape_of(std::uint32_t node) const { return steps_[nodes_[node].first].type->shape; }

  void add_ready(std::uint32_t node) {
    if (nodes_[node].kind == Kind::fusible) {
      fusible_.insert({count_of(node), node});
    } else {
      plain_.insert(node);
    }
  }
  void emit_node(std::uint32_t node) {
    const auto begin = steps_.begin() + static_cast<std::ptrdiff_t>(nodes_[node].first);
    out_.insert(out_.end(), begin, begin + static_cast<std::ptrdiff_t>(nodes_[node].count));
  }
  void emit_plain() {
    const std::uint32_t node = *plain_.begin();
    plain_.erase(plain_.begin());
    emit_node(node);
    if (nodes_[node].kind == Kind::store) join_copy();
    for (const std::uint32_t next : nodes_[node].after) {
      if (--nodes_[next].waits_for == 0) add_ready(next);
    }
  }

  void join_copy() {
    if (auto copy = join_with_load(facts_, out_, begin_)) plan_.records.push_back(std::move(copy));
  }

  bool is_made_here(Slot slot) const { return made_here_.contains(slot); }
  /// A store that waits for this group alone, and for the value of this group only.
  bool can_store(std::uint32_t node, const std::vector<std::int64_t>& shape) const {
    const Step& step = steps_[nodes_[node].first];
    if (nodes_[node].kind != Kind::store || plan_.slot_types[step.operand[1]]->shape != shape) return false;
    for (std::size_t i = 0; i < step.operand_count; ++i) {
      if (is_made_here(step.operand[i]) != (i == 1)) return false;
    }
    return true;
  }

  /// Takes a node into the group; nodes that become ready now and cannot join must come after the group.
  void take(std::uint32_t node, const std::vector<std::int64_t>& shape, std::set<std::uint32_t>& joining,
            Nodes& later) {
    group_.push_back(node);
    for (const Slot slot : nodes_[node].writes) made_here_.insert(slot);
    for (const std::uint32_t next : nodes_[node].after) {
      if (--nodes_[next].waits_for != 0) continue;
      const bool joins = nodes_[next].kind == Kind::fusible ? shape_of(next) == shape : can_store(next, shape);
      if (joins) {
        joining.insert(next);
      } else {
        later.push_back(next);
      }
    }
  }

  void grow() {
    const std::vector<std::int64_t>& shape = shape_of(fusible_.begin()->second);
    std::set<std::uint32_t> joining;
    for (auto at = fusible_.begin(); at != fusible_.end();) {
      const bool joins = shape_of(at->second) == shape;
      if (joins) joining.insert(at->second);
      at = joins ? fusible_.erase(at) : std::next(at);
    }
    group_.clear();
    made_here_.clear();
    Nodes later;
    while (!joining.empty() && group_.size() < kMaxGroup) {
      const std::uint32_t node = *joining.begin();
      joining.erase(joining.begin());
      take(node, shape, joining, later);
    }
    emit_group();
    for (const std::uint32_t node : joining) add_ready(node);
    for (const std::uint32_t node : later) add_ready(node);
  }

  void emit_group() {
    Components parts(group_.size());
    std::unordered_map<Slot, std::size_t> seen;
    std::size_t last_store = group_.size();
    for (std::size_t i = 0; i < group_.size(); ++i) {
      const GroupNode& node = nodes_[group_[i]];
      for (const auto* slots : {&node.reads, &node.writes}) {
        for (const Slot slot : *slots) {
          if (const auto [at, is_new] = seen.insert({slot, i}); !is_new) parts.join(at->second, i);
        }
      }
      if (node.kind != Kind::store) continue;
      if (last_store != group_.size()) parts.join(last_store, i);
      last_store = i;
    }
    std::map<std::size_t, Nodes> components;
    for (std::size_t i = 0; i < group_.size(); ++i) components[parts.find(i)].push_back(group_[i]);
    for (const auto& [root, members] : components) emit_component(members);
  }

  void emit_component(const Nodes& members) {
    std::vector<Step> steps;
    for (const std::uint32_t node : members) steps.push_back(steps_[nodes_[node].first]);
    const auto group = members.size() > 1 ? GroupBuilder(plan_, facts_).make(steps) : nullptr;
    if (group == nullptr) {
      out_.insert(out_.end(), steps.begin(), steps.end());
      return;
    }
    take_loads(facts_, out_, begin_, *group);
    group->is_line = may_run_as_line(*group);
    Step fused;
    fused.run = step_fused_group;
    fused.site = steps.front().site;
    fused.record = group.get();
    fused.cost = static_cast<std::uint32_t>(members.size() * static_cast<std::size_t>(1 + group->type->count / 4));
    out_.push_back(fused);
    plan_.records.push_back(group);
  }

  Plan& plan_;
  const GroupFacts& facts_;
  const std::vector<Step>& steps_;
  std::vector<Step>& out_;
  std::size_t begin_;  // of the stretch's steps in it
  std::vector<GroupNode> nodes_;
  std::set<std::uint32_t> plain_;
  std::set<Key> fusible_;
  Nodes group_;
  std::unordered_set<Slot> made_here_;
};

}  // namespace

void fuse_groups(Plan& plan, const std::vector<Step>& prologue, const StepBody& body, OpNotes& notes) {
  join_summed_products(plan, body.steps, notes);
  GroupFacts facts(plan, notes);
  facts.find(prologue, body.steps);
  const std::size_t count = body.steps.size();
  std::vector<bool> is_placed(count + 1), jumps(count);
  for (const std::int64_t label : body.labels) {
    if (label >= 0) is_placed[static_cast<std::size_t>(label)] = true;
  }
  for (const auto& [step, label] : body.targets) jumps[step] = true;
  std::vector<Step> out;
  out.reserve(count);
  std::vector<std::size_t> moved(count + 1);  // of jumps and of places that labels name
  for (std::size_t at = 0; at < count;) {
    moved[at] = out.size();
    std::size_t last = at;
    while (last < count && (last == at || !is_placed[last]) && !jumps[last] && can_move(facts, body.steps[last]))
      ++last;
    if (last == at) {
      out.push_back(body.steps[at++]);
      continue;
    }
    Stretch(plan, facts, body.steps, at, last, out).run();
    at = last;
  }
  moved[count] = out.size();
  for (std::int64_t& label : body.labels) {
    if (label >= 0) label = static_cast<std::int64_t>(moved[static_cast<std::size_t>(label)]);
  }
  for (auto& [step, label] : body.targets) step = moved[step];
  body.steps = std::move(out);
}

const Step* step_around(const Plan& plan, const Step* step) {
  const auto is_among = [step](const std::vector<Step>& steps) {
    return !steps.empty() && !std::less<>()(step, steps.data()) && std::less<>()(step, steps.data() + steps.size());
  };
  if (is_among(plan.steps)) return step;
  for (const Step& one : plan.steps) {
    if (one.run == step_copy_rows) {
      const auto& copy = *static_cast<const RowCopy*>(one.record);
      if (step == &copy.load || step == &copy.store) return &one;
    }
    if (one.run != step_fused_group) continue;
    const auto& group = *static_cast<const FusedGroup*>(one.record);
    if (is_among(group.loads) || is_among(group.steps)) return &one;
  }
  return nullptr;
}

}  // namespace lockstep::interpreter
