#include "interpreter/plan/last_uses.h"

namespace lockstep::interpreter {

void LastUses::find(const ir::Block& block) {
  const auto enter = [&](const ir::Value* value) {
    LastUse last;
    std::size_t best = 0;
    for (const ir::Use& use : value->uses()) {
      const ir::Op* at = use.user;
      while (at != nullptr && at->block() != &block) at = at->parent_op();
      if (at == nullptr) return;  // used from another block: lives until it is overwritten
      const bool nested = at != use.user;
      const auto order = op_order_.at(at);
      if (last.op == nullptr || order > best) {
        last = {at, nested};
        best = order;
      } else if (order == best) {
        last.is_nested = last.is_nested || nested;
      }
    }
    if (last.op == nullptr) return;
    last_use_[value] = last;
    if (last.is_nested) nested_[last.op].push_back(value);
  };
  std::size_t order = 0;
  for (const auto& op : block.ops()) op_order_[op.get()] = order++;
  for (const auto& argument : block.arguments()) enter(argument.get());
  for (const auto& op : block.ops()) {
    for (std::size_t i = 0; i < op->result_count(); ++i) enter(op->result(i));
  }
}

bool LastUses::is_last(const ir::Value* value, const ir::Op& op) const {
  const auto last = last_use_.find(value);
  return last != last_use_.end() && last->second.op == &op && !last->second.is_nested;
}

const std::vector<const ir::Value*>& LastUses::nested_at(const ir::Op& op) const {
  static const std::vector<const ir::Value*> kNone;
  const auto found = nested_.find(&op);
  return found != nested_.end() ? found->second : kNone;
}

}  // namespace lockstep::interpreter
