#include "ir/op_def.h"
#include "ir/passes/passes.h"

namespace lockstep::ir::passes {

Value* CloneMap::value(Value* original) const {
  const auto found = values.find(original);
  return found == values.end() ? original : found->second;
}

namespace {

Location moved(Location location, Context& context, Location caller) {
  if (caller.is_unknown() || location.is_unknown()) return location.is_unknown() ? caller : location;
  return context.call_site(location, caller);
}

void clone_region(const Region& from, Region& to, CloneMap& map, Context& context, Location caller) {
  for (const auto& block : from.blocks()) {
    Block& copy = to.add_block();
    map.blocks[block.get()] = &copy;
    for (const auto& argument : block->arguments()) {
      Value* value = copy.add_argument(argument->type(), moved(argument->location(), context, caller));
      value->set_name(argument->name());
      map.values[argument.get()] = value;
    }
  }
  for (const auto& block : from.blocks()) {
    for (const auto& op : block->ops()) map.blocks.at(block.get())->append(clone_op(*op, map, context, caller));
  }
}

}  // namespace

std::unique_ptr<Op> clone_op(const Op& op, CloneMap& map, Context& context, Location caller) {
  std::unique_ptr<Op> copy = Op::create(op.def(), moved(op.location(), context, caller));
  copy->set_span(op.span());
  const auto target_operands = [&] {
    std::size_t count = 0;
    for (const Successor& successor : op.successors()) count += successor.operand_count;
    return count;
  }();
  for (std::size_t i = 0; i + target_operands < op.operand_count(); ++i) copy->add_operand(map.value(op.operand(i)));
  for (std::size_t i = 0; i < op.successors().size(); ++i) {
    std::vector<Value*> arguments;
    for (Value* value : op.successor_arguments(i)) arguments.push_back(map.value(value));
    Block* target = op.successors()[i].block;
    const auto found = map.blocks.find(target);
    copy->add_successor(found == map.blocks.end() ? target : found->second, arguments);
  }
  copy->set_operand_segments(op.operand_segments());
  for (const NamedAttribute& attribute : op.attributes()) copy->set_attribute(attribute.name, attribute.value);
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    Value* result = copy->add_result(op.result(i)->type());
    result->set_name(op.result(i)->name());
    map.values[op.result(i)] = result;
  }
  for (const auto& region : op.regions()) clone_region(*region, copy->add_region(), map, context, caller);
  return copy;
}

}  // namespace lockstep::ir::passes
