#include "frontend/semantics/value_parts.h"

#include <algorithm>

#include "frontend/eval/python_class.h"

namespace lockstep::frontend {

/// The parts of a tuple or aggregate; null for others.
static const std::vector<Value>* parts_of(const Value& value) {
  return value.aggregate() != nullptr ? value.aggregate()->fields.get() : value.elements();
}

void flatten(const Value& value, std::vector<ir::Value*>& handles) {
  if (const Tensor* tensor = value.tensor()) handles.push_back(tensor->handle);
  if (const HandleValue* held = value.handle()) handles.push_back(held->handle);
  if (const std::vector<Value>* elements = parts_of(value)) {
    for (const Value& element : *elements) flatten(element, handles);
  }
  if (const DescriptorValue* descriptor = value.descriptor()) {
    handles.push_back(descriptor->handle);
    for (const Value& part : *descriptor->geometry) flatten(part, handles);
  }
}

std::vector<ir::Value*> flatten(const Value& value) {
  std::vector<ir::Value*> handles;
  flatten(value, handles);
  return handles;
}

void flatten_types(ir::Context& context, const Value& value, std::vector<ir::Type>& types) {
  if (const Tensor* tensor = value.tensor()) types.push_back(to_ir(context, tensor->type));
  if (const HandleValue* held = value.handle()) types.push_back(to_ir(context, held->type));
  if (const std::vector<Value>* elements = parts_of(value)) {
    for (const Value& element : *elements) flatten_types(context, element, types);
  }
  if (const DescriptorValue* descriptor = value.descriptor()) {
    types.push_back(descriptor_to_ir(context, descriptor->block));
    for (const Value& part : *descriptor->geometry) flatten_types(context, part, types);
  }
}

Value rebuild(const Value& shape, const std::vector<ir::Value*>& handles, std::size_t& cursor) {
  if (const Tensor* tensor = shape.tensor()) return Tensor{handles[cursor++], tensor->type};
  if (const HandleValue* held = shape.handle()) return HandleValue{handles[cursor++], held->type};
  if (const std::vector<Value>* elements = parts_of(shape)) {
    std::vector<Value> rebuilt;
    rebuilt.reserve(elements->size());
    for (const Value& element : *elements) rebuilt.push_back(rebuild(element, handles, cursor));
    if (shape.aggregate() == nullptr) return Value::tuple(std::move(rebuilt), shape.tuple_type());
    return AggregateValue{shape.aggregate()->type, std::make_shared<const std::vector<Value>>(std::move(rebuilt))};
  }
  if (const DescriptorValue* descriptor = shape.descriptor()) {
    ir::Value* handle = handles[cursor++];
    std::vector<Value> geometry;
    for (const Value& part : *descriptor->geometry) geometry.push_back(rebuild(part, handles, cursor));
    return DescriptorValue{handle, descriptor->block, std::make_shared<const std::vector<Value>>(std::move(geometry))};
  }
  return shape;
}

static bool same_types(const std::vector<Value>& left, const std::vector<Value>& right) {
  return left.size() == right.size() && std::equal(left.begin(), left.end(), right.begin(), same_type);
}

/// Triton compares the names of named tuples' fields, not their classes.
static bool same_fields(const PythonClass* left, const PythonClass* right) {
  if (left == right || left == nullptr || right == nullptr) return left == right;
  return std::equal(left->fields.begin(), left->fields.end(), right->fields.begin(), right->fields.end(),
                    [](const auto& a, const auto& b) { return a.name == b.name; });
}

bool same_type(const Value& left, const Value& right) {
  if (left.tensor() != nullptr && right.tensor() != nullptr) return left.tensor()->type == right.tensor()->type;
  if (left.handle() != nullptr && right.handle() != nullptr) return left.handle()->type == right.handle()->type;
  if (left.elements() != nullptr && right.elements() != nullptr)
    return same_fields(left.tuple_type(), right.tuple_type()) && same_types(*left.elements(), *right.elements());
  if (left.aggregate() != nullptr && right.aggregate() != nullptr)
    return left.aggregate()->type == right.aggregate()->type &&
           same_types(*left.aggregate()->fields, *right.aggregate()->fields);
  if (left.descriptor() != nullptr && right.descriptor() != nullptr) {
    return left.descriptor()->block == right.descriptor()->block &&
           same_types(*left.descriptor()->geometry, *right.descriptor()->geometry);
  }
  if (left.constant() != nullptr && right.constant() != nullptr) return *left.constant() == *right.constant();
  return left.jit() != nullptr && left.jit() == right.jit();
}

}  // namespace lockstep::frontend
