#include "frontend/semantics/value_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/builtins/builtin.h"
#include "frontend/eval/python_class.h"
#include "frontend/eval/python_module.h"

namespace lockstep::frontend {

namespace {

std::string joined(const std::vector<Value>& elements, std::string (*text)(const Value&)) {
  std::string all;
  for (const Value& element : elements) {
    if (!all.empty()) all += ", ";
    all += text(element);
  }
  return all;
}

/// "Point(x=int32, y=fp32)".
std::string describe_fields(const PythonClass& type, const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size() && i < type.fields.size(); ++i)
    texts.push_back(fmt::format("{}={}", type.fields[i].name, describe(values[i])));
  return fmt::format("{}({})", type.name, fmt::join(texts, ", "));
}

}  // namespace

std::string describe(const Value& value) {
  if (const Tensor* held = value.tensor()) return held->type.to_string();
  if (const Constant* held = value.constant())
    return held->is_none() ? "None" : fmt::format("constexpr[{}]", held->repr());
  if (value.tuple_type() != nullptr) return describe_fields(*value.tuple_type(), *value.elements());
  if (const std::vector<Value>* held = value.elements()) return fmt::format("({})", joined(*held, describe));
  if (const AggregateValue* held = value.aggregate()) return describe_fields(*held->type, *held->fields);
  if (const PythonClass* held = value.python_class()) return fmt::format("the class '{}'", held->name);
  if (const JitFunction* held = value.jit()) return fmt::format("jit function '{}'", held->name);
  if (const Builtin* held = value.builtin()) return fmt::format("function '{}'", full_name(*held));
  if (const HostFunction* held = value.host_function()) return fmt::format("Python's '{}'", held->name);
  if (const NamespaceValue* held = value.space()) return fmt::format("module '{}'", held->name);
  if (const PythonModule* held = value.module()) return fmt::format("module '{}'", held->name());
  if (const OpaqueValue* held = value.opaque()) return held->what;
  if (const DescriptorValue* held = value.descriptor())
    return fmt::format("tensor_descriptor<{}>", held->block.to_string());
  if (const HandleValue* held = value.handle()) return held->type.to_string();
  if (value.slice() != nullptr) return "a slice";
  if (value.dict() != nullptr) return "a dict";
  if (value.lambda() != nullptr) return "a lambda";
  if (const RecordValue* held = value.record()) return fmt::format("an object of {}", held->type);
  return value.method() != nullptr ? "a method" : "an invalid value";
}

std::string python_str(const Value& value) {
  if (const Constant* held = value.constant()) return held->str();
  if (const std::vector<Value>* held = value.elements()) return fmt::format("({})", joined(*held, python_str));
  if (const JitFunction* held = value.jit()) return fmt::format("JITFunction({}:{})", held->module->name(), held->name);
  return describe(value);
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
  return python_str(value);
}

}  // namespace lockstep::frontend
