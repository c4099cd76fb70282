#include "frontend/semantics/value.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/builtins/builtins.h"
#include "frontend/eval/module_loader.h"
#include "frontend/eval/python_class.h"

namespace lockstep::frontend {

namespace {

std::string describe_all(const std::vector<Value>& elements, std::string (Value::*text)() const) {
  std::string joined;
  for (const Value& element : elements) {
    if (!joined.empty()) joined += ", ";
    joined += (element.*text)();
  }
  return joined;
}

}  // namespace

Value::Value() = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;
Value::Value(Constant constant) : storage_(std::move(constant)) {}
Value::Value(BoundMethod method) : storage_(std::move(method)) {}
Value::Value(NamespaceValue space) : storage_(std::move(space)) {}
Value::Value(OpaqueValue opaque) : storage_(std::move(opaque)) {}
Value::Value(HostFunction function) : storage_(std::move(function)) {}
Value::Value(SliceValue slice) : storage_(std::move(slice)) {}
Value::Value(DescriptorValue descriptor) : storage_(std::move(descriptor)) {}
Value::Value(AggregateValue aggregate) : storage_(std::move(aggregate)) {}
Value::Value(DictValue dict) : storage_(std::move(dict)) {}
Value::Value(LambdaValue lambda) : storage_(std::move(lambda)) {}
Value::Value(RecordValue record) : storage_(std::move(record)) {}
Value::Value(PendingImport import) : storage_(std::move(import)) {}
Value::Value(Tensor tensor) {
  if (tensor) storage_ = std::move(tensor);
}

Value Value::tuple(std::vector<Value> elements, const PythonClass* type) {
  int depth = 1;
  for (const Value& element : elements) {
    if (const TupleValue* inner = std::get_if<TupleValue>(&element.storage_)) depth = std::max(depth, inner->depth + 1);
  }
  if (depth > kMaxTupleDepth) return OpaqueValue{"a tuple that is nested too deeply"};
  Value value;
  value.storage_ = TupleValue{std::make_shared<const std::vector<Value>>(std::move(elements)), depth, type};
  return value;
}

Value Value::raw_none() {
  Value value{Constant()};
  value.is_raw_ = true;
  return value;
}

Value Value::as_list() const {
  Value value = *this;
  value.is_list_ = true;
  return value;
}

Value Value::as_constexpr() const {
  Value value = *this;
  value.is_constexpr_ = true;
  return value;
}

Value Value::integers(const std::vector<std::int64_t>& numbers) {
  std::vector<Value> elements;
  elements.reserve(numbers.size());
  for (const std::int64_t number : numbers) elements.emplace_back(Constant::integer(number));
  return tuple(std::move(elements));
}

/// "Point(x=int32, y=fp32)".
static std::string describe_fields(const PythonClass& type, const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size() && i < type.fields.size(); ++i)
    texts.push_back(fmt::format("{}={}", type.fields[i].name, values[i].describe()));
  return fmt::format("{}({})", type.name, fmt::join(texts, ", "));
}

const Value* Value::field(std::string_view name) const {
  const RecordValue* held = record();
  if (held == nullptr) return nullptr;
  for (const NamedValue& entry : *held->fields) {
    if (entry.name == name) return &entry.value;
  }
  return nullptr;
}

std::string Value::describe() const {
  if (const Tensor* held = tensor()) return held->type.to_string();
  if (const Constant* held = constant()) return held->is_none() ? "None" : fmt::format("constexpr[{}]", held->repr());
  if (tuple_type() != nullptr) return describe_fields(*tuple_type(), *elements());
  if (const std::vector<Value>* held = elements()) return fmt::format("({})", describe_all(*held, &Value::describe));
  if (const AggregateValue* held = aggregate()) return describe_fields(*held->type, *held->fields);
  if (const PythonClass* held = python_class()) return fmt::format("the class '{}'", held->name);
  if (const JitFunction* held = jit()) return fmt::format("jit function '{}'", held->name);
  if (const Builtin* held = builtin()) return fmt::format("function 'tl.{}'", held->name);
  if (const HostFunction* held = host_function()) return fmt::format("Python's '{}'", held->name);
  if (const NamespaceValue* held = space()) return fmt::format("module '{}'", held->name);
  if (const PythonModule* held = module()) return fmt::format("module '{}'", held->name());
  if (const OpaqueValue* held = opaque()) return held->what;
  if (const DescriptorValue* held = descriptor()) return fmt::format("tensor_descriptor<{}>", held->block.to_string());
  if (slice() != nullptr) return "a slice";
  if (dict() != nullptr) return "a dict";
  if (lambda() != nullptr) return "a lambda";
  if (const RecordValue* held = record()) return fmt::format("an object of {}", held->type);
  return method() != nullptr ? "a method" : "an invalid value";
}

std::string Value::str() const {
  if (const Constant* held = constant()) return held->str();
  if (const std::vector<Value>* held = elements()) return fmt::format("({})", describe_all(*held, &Value::str));
  if (const JitFunction* held = jit()) return fmt::format("JITFunction({}:{})", held->module->name(), held->name);
  return describe();
}

std::string kernel_str(const Value& value) {
  std::vector<std::string> parts;
  if (const std::vector<Value>* elements = value.elements()) {
    for (const Value& element : *elements) parts.push_back(Constant::string(kernel_str(element)).repr());
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }
  if (const Tensor* tensor = value.tensor()) {
    for (const std::int64_t extent : tensor->type.shape) parts.push_back(fmt::format("constexpr[{}]", extent));
    return fmt::format("{}[{}]", tensor->element().name(), fmt::join(parts, ", "));
  }
  return value.str();
}

/// The values that a tuple or aggregate consists of; null for others.
static const std::vector<Value>* parts_of(const Value& value) {
  return value.aggregate() != nullptr ? value.aggregate()->fields.get() : value.elements();
}

void flatten(const Value& value, std::vector<ir::Value*>& handles) {
  if (const Tensor* tensor = value.tensor()) handles.push_back(tensor->handle);
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

bool is_identical(const Value& left, const Value& right) {
  if (left.constant() != nullptr && right.constant() != nullptr) {
    return left.constant()->type_name() == right.constant()->type_name() && *left.constant() == *right.constant();
  }
  if (left.tensor() != nullptr && right.tensor() != nullptr) return left.tensor()->handle == right.tensor()->handle;
  if (left.elements() != nullptr) return left.elements() == right.elements();
  if (left.aggregate() != nullptr)
    return right.aggregate() != nullptr && left.aggregate()->fields == right.aggregate()->fields;
  if (left.python_class() != nullptr) return left.python_class() == right.python_class();
  if (left.jit() != nullptr) return left.jit() == right.jit();
  if (left.module() != nullptr) return left.module() == right.module();
  if (left.space() != nullptr && right.space() != nullptr) return left.space()->name == right.space()->name;
  if (left.host_function() != nullptr && right.host_function() != nullptr)
    return left.host_function()->name == right.host_function()->name;
  if (const PendingImport* import = left.pending_import()) {
    const PendingImport* other = right.pending_import();
    return other != nullptr && import->module == other->module && import->name == other->name;
  }
  if (left.dict() != nullptr) return left.dict() == right.dict();
  if (left.lambda() != nullptr) return right.lambda() != nullptr && left.lambda()->node == right.lambda()->node;
  if (left.record() != nullptr) return right.record() != nullptr && left.record()->fields == right.record()->fields;
  if (left.opaque() != nullptr && right.opaque() != nullptr) return left.opaque()->what == right.opaque()->what;
  return left.builtin() != nullptr && left.builtin() == right.builtin();
}

Value constant_of(const ast::Constant& node) {
  switch (node.type) {
    case ast::ConstantKind::none: return Constant();
    case ast::ConstantKind::boolean: return Constant::boolean(node.integer != 0);
    case ast::ConstantKind::integer: return Constant::integer(static_cast<Integer>(node.integer));
    case ast::ConstantKind::floating: return Constant::floating(node.floating);
    case ast::ConstantKind::string: return Constant::string(node.text);
    case ast::ConstantKind::ellipsis: return Constant::ellipsis();
    case ast::ConstantKind::big_integer: {
      Integer value = 0;
      for (const char digit : node.text) {
        if (__builtin_mul_overflow(value, Integer{10}, &value) ||
            __builtin_add_overflow(value, Integer{digit - '0'}, &value)) {
          return OpaqueValue{"an integer of more than 127 bits"};
        }
      }
      return Constant::integer(value);
    }
    case ast::ConstantKind::imaginary: return OpaqueValue{"a complex number"};
    case ast::ConstantKind::bytes: break;
  }
  return OpaqueValue{"a bytes literal"};
}

std::optional<bool> truth(const Value& value) {
  if (const Constant* constant = value.constant()) return constant->truth();
  if (const std::vector<Value>* elements = value.elements()) return !elements->empty();
  if (const std::vector<DictEntry>* entries = value.dict()) return !entries->empty();
  return std::nullopt;
}

}  // namespace lockstep::frontend
