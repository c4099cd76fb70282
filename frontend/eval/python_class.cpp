#include "frontend/eval/python_class.h"

namespace lockstep::frontend {

const JitFunction* PythonClass::find_function(std::string_view function) const {
  const Value* held = members.find(function);
  if (held == nullptr) return nullptr;
  return held->opaque() != nullptr ? held->opaque()->function : held->jit();
}

std::optional<Value> member_of(const Value& owner, const std::string& name) {
  if (const Tensor* tensor = owner.tensor()) {
    if (name == "dtype") return Value(Constant::dtype({tensor->element(), {}}));
    if (name == "type") return Value(Constant::dtype(tensor->type));
    if (name == "shape") return tuple_of_integers(tensor->type.shape);
    if (name == "numel") return Value(Constant::integer(tensor->type.numel()));
    return std::nullopt;
  }
  const AggregateValue* aggregate = owner.aggregate();
  const PythonClass* type = aggregate != nullptr ? aggregate->type : owner.tuple_type();
  const PythonClass* members = type != nullptr ? type : owner.python_class();
  const std::size_t field = type != nullptr ? type->find_field(name) : 0;
  if (type != nullptr && field < type->fields.size()) {
    const std::vector<Value>& parts = aggregate != nullptr ? *aggregate->fields : *owner.elements();
    if (!parts[field].is_invalid()) return parts[field];
  }
  const Value* member = members != nullptr ? members->members.find(name) : nullptr;
  if (member == nullptr || aggregate == nullptr) return member != nullptr ? std::optional(*member) : std::nullopt;
  if (const JitFunction* method = type->find_function(name))
    return Value(BoundMethod{std::make_shared<const Value>(owner), nullptr, method, name});
  return *member;
}

}  // namespace lockstep::frontend
