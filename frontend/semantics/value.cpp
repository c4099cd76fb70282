#include "frontend/semantics/value.h"

#include <algorithm>

namespace lockstep::frontend {

Value::Value() = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

template <typename T>
  requires kIsAlternative<T, Value::Storage>
Value::Value(T held) : storage_(std::move(held)) {
  if constexpr (std::is_same_v<T, Tensor>) {
    if (!*tensor()) storage_ = Invalid{};
  }
}
template Value::Value(Constant);
template Value::Value(Tensor);
template Value::Value(DescriptorValue);
template Value::Value(HandleValue);
template Value::Value(AggregateValue);
template Value::Value(SliceValue);
template Value::Value(BoundMethod);
template Value::Value(NamespaceValue);
template Value::Value(OpaqueValue);
template Value::Value(HostFunction);
template Value::Value(DictValue);
template Value::Value(LambdaValue);
template Value::Value(RecordValue);
template Value::Value(PendingImport);
template Value::Value(const Builtin*);
template Value::Value(const JitFunction*);
template Value::Value(const PythonModule*);
template Value::Value(const PythonClass*);

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

Value tuple_of_integers(const std::vector<std::int64_t>& numbers) {
  std::vector<Value> elements;
  elements.reserve(numbers.size());
  for (const std::int64_t number : numbers) elements.emplace_back(Constant::integer(number));
  return Value::tuple(std::move(elements));
}

const Value* field_of(const Value& record, std::string_view name) {
  const RecordValue* held = record.record();
  if (held == nullptr) return nullptr;
  for (const NamedValue& entry : *held->fields) {
    if (entry.name == name) return &entry.value;
  }
  return nullptr;
}

bool is_triton_value(const Value& value) {
  return value.tensor() != nullptr || value.constant() != nullptr || value.elements() != nullptr ||
         value.descriptor() != nullptr || value.handle() != nullptr || value.aggregate() != nullptr;
}

bool is_identical(const Value& left, const Value& right) {
  if (left.constant() != nullptr && right.constant() != nullptr) {
    return left.constant()->type_name() == right.constant()->type_name() && *left.constant() == *right.constant();
  }
  if (left.tensor() != nullptr && right.tensor() != nullptr) return left.tensor()->handle == right.tensor()->handle;
  if (left.handle() != nullptr && right.handle() != nullptr) return left.handle()->handle == right.handle()->handle;
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
