// Calls of Python functions that Triton knows in a kernel.
#include "frontend/lowering/call_host.h"

#include <fmt/format.h>

#include "frontend/eval/constexpr_function.h"
#include "frontend/eval/python_class.h"
#include "frontend/gluon/layout_calls.h"
#include "frontend/host/host_environment.h"
#include "frontend/host/host_functions.h"
#include "frontend/lowering/lower_attribute.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

/// A type for isinstance(): other things that a kernel can name are functions or values. Tuples of types do not count:
/// Triton asks for the types of a tuple's elements.
bool is_type(const Value& value) {
  return value.host_function() != nullptr || value.python_class() != nullptr || value.opaque() != nullptr;
}

/// A type or a class of layouts of Gluon's.
bool is_gluon_type(std::string_view type, const Value& value) {
  if (const HandleValue* held = value.handle())
    return (held->type.kind == HandleType::Kind::shared && type == "gl.shared_memory_descriptor") ||
           (held->type.kind == HandleType::Kind::tensor_memory && type == "gl.tensor_memory_descriptor");
  if (value.descriptor() != nullptr) return type == "gl.tensor_descriptor";
  const LayoutPtr layout = value.constant() != nullptr ? value.constant()->layout() : nullptr;
  return layout != nullptr && type.substr(3) == layout_class(layout->kind).name;
}

/// tl.condition(...): what only a while loop takes.
Value loop_condition(LoweringContext& in, const std::vector<Value>& positional, const KeywordArguments& keywords) {
  std::vector<NamedValue> fields{{"arg1", Value()}, {"disable_licm", Constant::boolean(false)}};
  std::vector<bool> is_given(2, false);
  bool fits = positional.size() <= 2;
  const auto give = [&](std::size_t i, const Value& value) {
    fits = fits && !is_given[i];
    is_given[i] = true;
    fields[i].value = value;
  };
  for (std::size_t i = 0; fits && i < positional.size(); ++i) give(i, positional[i]);
  for (const auto& [name, value] : keywords) {
    const std::size_t i = name == fields[0].name ? 0 : 1;
    fits = fits && name == fields[i].name;
    if (fits) give(i, value);
  }
  if (fits && is_given[0])
    return RecordValue{std::string(kCondition), std::make_shared<const std::vector<NamedValue>>(std::move(fields))};
  in.report.error(codes::kArguments, "tl.condition takes a condition and disable_licm");
  return {};
}

/// tl.aggregate_replace(value, field=...): calls the class's __init__ with the value's own fields for missing ones.
Value replace_fields(LoweringContext& in, const std::vector<Value>& positional, const KeywordArguments& keywords) {
  const AggregateValue* old = positional.size() == 1 ? positional[0].aggregate() : nullptr;
  if (old == nullptr) {
    in.report.error(codes::kArguments, "tl.aggregate_replace needs an aggregate, and fields by name");
    return {};
  }
  KeywordArguments fields;
  for (std::size_t i = 0; i < old->fields->size(); ++i)
    fields.emplace_back(old->type->fields[i].name, (*old->fields)[i]);
  for (const auto& [name, value] : keywords) {
    const std::size_t field = old->type->find_field(name);
    if (field == fields.size()) {
      in.report.error(codes::kAttribute, fmt::format("the aggregate '{}' has no field '{}'", old->type->name, name));
      return {};
    }
    fields[field].second = value;
  }
  return in.checked(construct(in.compilation.modules, *old->type, {}, fields));
}

Value call_reflection(LoweringContext& in, const std::string& name, const std::vector<Value>& positional) {
  if (name == "isinstance" && positional.size() == 2) {
    const Value& value = positional[0];
    if (!is_type(positional[1])) {
      in.report.error(codes::kArguments, fmt::format("isinstance() needs a type, not {}", describe(positional[1])),
                      "types cannot be in a tuple here: isinstance(x, a) or isinstance(x, b)");
      return {};
    }
    const auto matches = [&](const Value& type) {
      if (type.host_function() == nullptr && type.python_class() == nullptr) return false;
      const std::string wanted = type.host_function() != nullptr ? type.host_function()->name : "";
      if (type.python_class() != nullptr)
        return value.aggregate() != nullptr && value.aggregate()->type == type.python_class();
      if (wanted == "tl.tensor") return value.tensor() != nullptr;
      if (wanted == "tl.tuple" || wanted == "tuple") return value.elements() != nullptr;
      if (wanted == "tl.dtype") return value.is_dtype();
      if (wanted.starts_with("gl.")) return is_gluon_type(wanted, value);
      return value.constant() != nullptr &&
             (value.constant()->type_name() == wanted || (wanted == "int" && value.constant()->is_bool()));
    };
    return Constant::boolean(matches(positional[1]));
  }
  if (positional.size() < 2 || !positional[1].is_string() || (name == "hasattr" && positional.size() > 2)) {
    in.report.error(codes::kArguments, fmt::format("{}() needs a value and a name", name));
    return {};
  }
  const std::string& attribute = positional[1].constant()->text();
  const bool has = has_attribute(in, positional[0], attribute);
  if (name == "hasattr") return Constant::boolean(has);
  if (!has && positional.size() > 2) return positional[2];
  return attribute_of(in, positional[0], attribute);
}

}  // namespace

Value call_host(LoweringContext& in, const std::string& name, const std::vector<Value>& positional,
                const KeywordArguments& keywords) {
  if (name == "isinstance" || name == "getattr" || name == "hasattr") return call_reflection(in, name, positional);
  if (name == kCondition) return loop_condition(in, positional, keywords);
  if (name == "tl.aggregate_replace") return replace_fields(in, positional, keywords);
  if (is_layout_function(name)) return in.checked(call_layout_function(name, positional, keywords, true));
  if (is_environment_function(name))
    return in.checked(call_environment(name, positional, in.compilation.modules.capability()));
  if (name == "constexpr" && positional.size() == 1 && positional[0].constant() == nullptr) return positional[0];
  if (!is_host_function(name) || !keywords.empty()) {
    in.report.error(codes::kPythonFunction, fmt::format("'{}' cannot be called like this in a kernel", name));
    return {};
  }
  const ValueResult result = call_host_function(name, positional);
  if (result) return name == "list" ? result->as_list() : *result;
  in.report.error(codes::kConstantExpression, result.error());
  return {};
}

}  // namespace lockstep::frontend
