// Type changes throughout a module.
#include <algorithm>
#include <cstring>
#include <functional>

#include "fuzz/mutate.h"
#include "fuzz/walk.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::fuzz {
namespace {

using ir::Attribute;
using ir::Context;
using ir::Module;
using ir::Op;
using ir::Type;
using Leaf = std::function<Type(Type)>;  // another scalar for a scalar
using Reshape = std::function<std::vector<std::int64_t>(std::vector<std::int64_t>)>;

struct Change {
  Leaf leaf = [](Type type) { return type; };
  Reshape shape = [](std::vector<std::int64_t> extents) { return extents; };
};

Type changed(Context& context, Type type, const Change& change) {
  if (type.is_tensor())
    return context.tensor(change.shape(type.shape()), changed(context, type.element(), change), type.encoding());
  if (type.is_pointer()) return context.pointer(changed(context, type.pointee(), change), type.address_space());
  if (type.is_descriptor()) return context.descriptor(changed(context, type.pointee(), change), type.signedness());
  if (!type.is_function()) return change.leaf(type);
  std::vector<Type> inputs;
  std::vector<Type> results;
  for (const Type one : type.inputs()) inputs.push_back(changed(context, one, change));
  for (const Type one : type.results()) results.push_back(changed(context, one, change));
  return context.function(inputs, results);
}

std::size_t bytes_of(Type element) {
  const auto kind = element.scalar_kind();
  return kind ? static_cast<std::size_t>(size_bytes(*kind)) : 0;
}

/// A splat constant in another type: the same low bits. Other dense constants only if their size stays.
Attribute changed_constant(Context& context, Attribute value, Type type) {
  if (value.is_integer()) {
    if (type.is_float()) return context.float_attribute(type, static_cast<std::uint64_t>(value->integer) & 0x3FFF);
    return type.is_integer() ? context.integer_attribute(
                                   type, type.integer_width() == 1 ? -(value->integer & 1) : value->integer & 0x7F)
                             : value;
  }
  if (value.is_float()) {
    if (type.is_float()) return context.float_attribute(type, bytes_of(type) == 1 ? 0x30 : 0x3C00);
    return type.is_integer() ? context.integer_attribute(type, 1) : value;
  }
  if (!value.is_dense() || !type.is_tensor()) return value;
  const std::size_t size = bytes_of(type.element());
  if (!value->is_splat || size == 0) return value->type == type ? value : Attribute();
  std::vector<std::byte> data(size);
  std::memcpy(data.data(), value->data.data(), std::min(size, value->data.size()));
  if (type.element().is_integer(1)) data[0] &= std::byte{1};
  return context.dense(type, std::move(data), true);
}

void fit_attributes(Context& context, Op& op) {
  if (ir::is_constant(op)) {
    const Attribute value = changed_constant(context, op.attribute("value"), op.result()->type());
    if (value) op.set_attribute("value", value);
  }
  if (ir::is_range(op) && op.result()->type().is_tensor())
    op.set_attribute("end", context.i32(op.integer_attribute("start", 0) + op.result()->type().element_count()));
}

void apply(Module& module, const Change& change) {
  Context& context = module.context();
  for (ir::Value* value : values_of(module)) value->set_type(changed(context, value->type(), change));
  for (Op* function : module.functions()) {
    function->set_attribute("function_type",
                            context.type_attribute(changed(context, ir::function_type(*function), change)));
  }
  for (Op* op : ops_of(module)) fit_attributes(context, *op);
}

std::vector<Type> scalars_of(const Module& module) {
  std::vector<Type> found;
  for (const ir::Value* value : values_of(module)) {
    Type type = value->type();
    while (type.is_pointer() || type.is_descriptor()) type = type.pointee();
    type = type.element();
    while (type.is_pointer()) type = type.pointee();
    if (type.is_integer() || type.is_float()) found.push_back(type);
  }
  return found;
}

constexpr ScalarKind kFloatKinds[] = {ScalarKind::f16, ScalarKind::bf16,     ScalarKind::f32,
                                  ScalarKind::f64, ScalarKind::f8E4M3FN, ScalarKind::f8E5M2};
constexpr std::uint32_t kWidths[] = {1, 8, 16, 32, 64};

}  // namespace

bool change_element_type(Module& module, Random& random) {
  const std::vector<Type> scalars = scalars_of(module);
  if (scalars.empty()) return false;
  Context& context = module.context();
  const Type from = random.pick(scalars);
  const bool to_float = random.one_in(8) ? !from.is_float() : from.is_float();
  const Type to = to_float ? context.floating(random.pick(kFloatKinds)) : context.integer(random.pick(kWidths));
  Change change;
  change.leaf = [from, to](Type type) { return type == from ? to : type; };
  apply(module, change);
  return from != to;
}

bool change_extent(Module& module, Random& random) {
  std::vector<std::int64_t> extents;
  for (const ir::Value* value : values_of(module)) {
    if (!value->type().is_tensor()) continue;
    extents.insert(extents.end(), value->type().shape().begin(), value->type().shape().end());
  }
  if (extents.empty()) return false;
  const std::int64_t from = random.pick(extents);
  const std::int64_t to = std::int64_t{1} << random.below(8);
  Change change;
  change.shape = [from, to](std::vector<std::int64_t> shape) {
    for (std::int64_t& extent : shape) extent = extent == from ? to : extent;
    return shape;
  };
  apply(module, change);
  return from != to;
}

}  // namespace lockstep::fuzz
