#include "fuzz/mutate.h"

#include <array>

#include "fuzz/walk.h"
#include "ir/op_def.h"
#include "ir/op_registry.h"
#include "ir/opcode.h"

namespace lockstep::fuzz {
namespace {

using ir::Attribute;
using ir::AttributeNode;
using ir::AttributeSpec;
using ir::Module;
using ir::Op;
using ir::OpDef;
using ir::Value;

Op* any_op(const Module& module, Random& random) {
  const std::vector<Op*> ops = ops_of(module);
  return ops.empty() ? nullptr : random.pick(ops);
}

constexpr std::array<std::int64_t, 14> kEdgeIntegers = {0, 1, 2, 3, 4, 7, 8, 16, 31, 64, -1, -2, 1 << 20, INT64_MAX};

std::int64_t another_integer(std::int64_t old, Random& random) {
  switch (random.below(4)) {
    case 0: return static_cast<std::int64_t>(static_cast<std::uint64_t>(old) + 1);
    case 1: return static_cast<std::int64_t>(static_cast<std::uint64_t>(old) - 1);
    default: return random.pick(kEdgeIntegers);
  }
}

std::int64_t wrapped(std::int64_t value, std::uint32_t width) {
  if (width >= 64) return value;
  const unsigned shift = 64 - width;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << shift) >> shift;
}

Attribute another_number(ir::Context& context, Attribute old, Random& random) {
  const ir::Type type = old->type;
  const std::uint32_t width = type.is_integer() ? type.integer_width() : 64;
  return context.integer_attribute(type, wrapped(another_integer(old->integer, random), width));
}

Attribute another_array(ir::Context& context, Attribute old, Random& random) {
  std::vector<std::int64_t> values = old->values;
  const std::uint32_t width = old->type.is_integer() ? old->type.integer_width() : 64;
  if (values.empty() || random.one_in(4))
    values.push_back(1);
  else if (random.one_in(4))
    values.pop_back();
  else
    random.pick(values) = wrapped(another_integer(random.pick(values), random), width);
  return context.dense_array(old->type, values);
}

/// A value of the attribute's own kind; null if there is no other one.
Attribute another_attribute(ir::Context& context, const AttributeSpec* spec, Attribute old, Random& random) {
  if (spec != nullptr && spec->enumeration != nullptr && old.is_integer())
    return context.integer_attribute(old->type, random.pick(spec->enumeration->cases).value);
  if (old.is_integer()) return another_number(context, old, random);
  if (old->kind == AttributeNode::Kind::boolean) return context.boolean(old->integer == 0);
  if (old.is_dense_array()) return another_array(context, old, random);
  if (old.is_float()) return context.float_attribute(old->type, random.bits() & ((std::uint64_t{1} << 16) - 1));
  return {};
}

const AttributeSpec* spec_of(const OpDef& def, std::string_view name) {
  for (const AttributeSpec& spec : def.attributes) {
    if (spec.name == name) return &spec;
  }
  return nullptr;
}

bool has_same_frame(const OpDef& a, const OpDef& b) {
  const auto single = [](const auto& specs) {
    for (const auto& spec : specs) {
      if (spec.arity != ir::Arity::one) return false;
    }
    return true;
  };
  return &a != &b && a.operands.size() == b.operands.size() && a.results.size() == b.results.size() &&
         a.region_count == b.region_count && a.is_terminator == b.is_terminator && b.successor_count == 0 &&
         single(a.operands) && single(b.operands) && single(a.results) && single(b.results);
}

bool is_within(const Op* op, const Op& outer) {
  while (op != nullptr && op != &outer) op = op->parent_op();
  return op != nullptr;
}

/// A result of the op, or a value in its regions.
bool is_value_of(const Value& value, const Op& op) {
  return is_within(value.defining_op() != nullptr ? value.defining_op() : value.owner_block()->parent_op(), op);
}

/// Whether a value of the op's regions is used outside of them, which only unverified IR allows.
bool is_used_outside(const Op& op) {
  std::vector<Value*> inner;
  append_values(op, inner);
  for (const Value* value : inner) {
    for (const ir::Use& use : value->uses()) {
      if (!is_within(use.user, op)) return true;
    }
  }
  return false;
}

/// Replaces `old`, which is destroyed, by `made`.
void replace(Op& old, std::unique_ptr<Op> made) {
  Op* placed = old.block()->insert(old.position(), std::move(made));
  for (std::size_t i = 0; i < old.result_count(); ++i) old.result(i)->replace_all_uses_with(placed->result(i));
  old.erase();
}

}  // namespace

bool change_operand(Module& module, Random& random) {
  Op* op = any_op(module, random);
  if (op == nullptr || op->operand_count() == 0) return false;
  const std::size_t i = random.below(op->operand_count());
  std::vector<Value*> fitting;
  for (Value* value : values_around(*op)) {
    if (value->type() == op->operand(i)->type() || random.one_in(64)) fitting.push_back(value);
  }
  if (fitting.empty()) return false;
  op->set_operand(i, random.pick(fitting));
  return true;
}

bool change_attribute(Module& module, Random& random) {
  Op* op = any_op(module, random);
  if (op == nullptr || op->attributes().empty()) return false;
  const ir::NamedAttribute chosen = random.pick(op->attributes());
  if (random.one_in(8)) {
    op->remove_attribute(chosen.name);
    return true;
  }
  const Attribute value = another_attribute(module.context(), spec_of(op->def(), chosen.name), chosen.value, random);
  if (!value) return false;
  op->set_attribute(chosen.name, value);
  return true;
}

bool change_row(Module& module, Random& random) {
  Op* op = any_op(module, random);
  if (op == nullptr || !op->regions().empty() || op->def().control == ir::Control::module) return false;
  std::vector<const OpDef*> rows;
  for (const OpDef* def : module.context().ops().rows()) {
    if (has_same_frame(op->def(), *def)) rows.push_back(def);
  }
  if (rows.empty()) return false;
  std::unique_ptr<Op> made = Op::create(*random.pick(rows), op->location());
  for (Value* operand : op->operands()) made->add_operand(operand);
  for (std::size_t i = 0; i < op->result_count(); ++i) made->add_result(op->result(i)->type());
  for (const AttributeSpec& spec : made->def().attributes) {
    if (const Attribute value = op->attribute(spec.name)) made->set_attribute(spec.name, value);
    if (spec.enumeration != nullptr && spec.presence == ir::Presence::required)
      made->set_attribute(spec.name, module.context().i32(random.pick(spec.enumeration->cases).value));
  }
  replace(*op, std::move(made));
  return true;
}

bool remove_op(Module& module, Random& random) {
  Op* op = any_op(module, random);
  if (op == nullptr || op->def().is_terminator) return false;
  if (is_used_outside(*op)) return false;
  const std::vector<Value*> values = values_around(*op);
  for (std::size_t i = 0; i < op->result_count(); ++i) {
    if (!op->result(i)->has_uses()) continue;
    std::vector<Value*> fitting;
    for (Value* value : values) {
      if (value->type() == op->result(i)->type() && !is_value_of(*value, *op)) fitting.push_back(value);
    }
    if (fitting.empty()) return false;
    op->result(i)->replace_all_uses_with(random.pick(fitting));
  }
  op->drop_all_references();
  op->erase();
  return true;
}

bool duplicate_op(Module& module, Random& random) {
  Op* op = any_op(module, random);
  if (op == nullptr || op->def().is_terminator || !op->regions().empty()) return false;
  std::unique_ptr<Op> made = Op::create(op->def(), op->location());
  for (Value* operand : op->operands()) made->add_operand(operand);
  for (std::size_t i = 0; i < op->result_count(); ++i) made->add_result(op->result(i)->type());
  for (const ir::NamedAttribute& attribute : op->attributes()) made->set_attribute(attribute.name, attribute.value);
  made->set_operand_segments(op->operand_segments());
  Op* placed = op->block()->insert(op->position(), std::move(made));
  for (std::size_t i = 0; i < op->result_count(); ++i) {
    if (random.one_in(2)) op->result(i)->replace_all_uses_with(placed->result(i));
  }
  return true;
}

bool move_op(Module& module, Random& random) {
  Op* op = any_op(module, random);
  if (op == nullptr || op->def().is_terminator) return false;
  ir::Block& block = *op->block();
  std::size_t to = random.below(block.ops().size());
  std::unique_ptr<Op> moved = op->detach();
  auto place = block.ops().begin();
  for (; to > 0 && place != block.ops().end(); --to) ++place;
  block.insert(place, std::move(moved));
  return true;
}

bool mutate(Module& module, Random& random) {
  switch (random.below(10)) {
    case 0:
    case 1: return change_operand(module, random);
    case 2:
    case 3: return change_attribute(module, random);
    case 4: return change_row(module, random);
    case 5: return change_element_type(module, random);
    case 6: return change_extent(module, random);
    case 7: return remove_op(module, random);
    case 8: return duplicate_op(module, random);
    default: return move_op(module, random);
  }
}

}  // namespace lockstep::fuzz
