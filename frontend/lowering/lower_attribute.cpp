// Attributes and methods by name.
#include "frontend/lowering/lower_attribute.h"

#include <fmt/format.h>

#include "frontend/builtins/builtins.h"
#include "frontend/eval/namespaces.h"
#include "frontend/eval/python_class.h"
#include "frontend/gluon/gluon_rows.h"
#include "frontend/gluon/layout_calls.h"
#include "frontend/host/host_operators.h"
#include "frontend/host/host_strings.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

Value tensor_attribute(LoweringContext& in, const Value& owner, const std::string& name) {
  const Tensor& tensor = *owner.tensor();
  if (name == "dtype") return Constant::dtype({tensor.element(), {}});
  if (name == "type") return Constant::dtype(tensor.type);
  if (name == "shape") return tuple_of_integers(tensor.type.shape);
  if (name == "numel") return Constant::integer(tensor.type.numel());
  if (name == "T") return semantics::permute(in.builder, tensor, {1, 0});
  const auto self = [&] { return std::make_shared<const Value>(owner); };
  if (const Builtin* method = find_tensor_method(name)) return BoundMethod{self(), method, nullptr, name};
  const JitFunction* library = in.compilation.modules.prelude("triton.language.standard").find_function(name);
  if (library != nullptr && library->is_method_of_tensor) return BoundMethod{self(), nullptr, library, name};
  in.report.error(codes::kAttribute, fmt::format("a tensor has no attribute '{}'", name));
  return {};
}

std::optional<Value> descriptor_attribute(const Value& owner, const std::string& name) {
  const DescriptorValue& descriptor = *owner.descriptor();
  if (name == "shape" || name == "strides") return (*descriptor.geometry)[name == "shape" ? 0 : 1];
  if (name == "block_shape") return tuple_of_integers(descriptor.block.shape);
  if (name == "dtype") return Value(Constant::dtype({descriptor.block.element, {}}));
  if (name == "block_type") return Value(Constant::dtype({descriptor.block.element, descriptor.block.shape}));
  if (descriptor.block.layout != nullptr) {  // Gluon's have no methods
    if (name == "layout") return Value(Constant::layout(descriptor.block.layout));
    return std::nullopt;
  }
  const Builtin* method = find_descriptor_method(name);
  if (method == nullptr) return std::nullopt;
  return Value(BoundMethod{std::make_shared<const Value>(owner), method, nullptr, name});
}

/// Of a buffer or an accumulator.
std::optional<Value> handle_attribute(const Value& owner, const std::string& name) {
  const HandleType& type = owner.handle()->type;
  if (type.kind == HandleType::Kind::accumulator) return std::nullopt;
  if (name == "dtype") return Value(Constant::dtype({type.view.element, {}}));
  if (name == "shape") return tuple_of_integers(type.view.shape);
  if (name == "rank") return Value(Constant::integer(static_cast<Integer>(type.view.shape.size())));
  if (name == "layout") return Value(Constant::layout(type.view.layout));
  if (name == "numel" && type.kind == HandleType::Kind::shared)
    return Value(Constant::integer(type.view.numel()));
  const Builtin* method = find_buffer_method(type.kind, name);
  if (method == nullptr) return std::nullopt;
  return Value(BoundMethod{std::make_shared<const Value>(owner), method, nullptr, name});
}

bool is_tensor_method(LoweringContext& in, const std::string& name) {
  if (name.starts_with("atomic_") && !namespace_has(in.compilation.modules, "triton.language", name)) return false;
  if (find_tensor_method(name) != nullptr) return true;
  const JitFunction* library = in.compilation.modules.prelude("triton.language.standard").find_function(name);
  return library != nullptr && library->is_method_of_tensor;
}

}  // namespace

bool has_attribute(LoweringContext& in, const Value& owner, const std::string& name) {
  if (owner.tensor() != nullptr && (name == "T" || is_tensor_method(in, name))) return true;
  if (owner.descriptor() != nullptr) return descriptor_attribute(owner, name).has_value();
  if (owner.handle() != nullptr) return handle_attribute(owner, name).has_value();
  if (owner.is_dtype()) return dtype_attribute(owner, name).has_value();
  if (owner.is_string()) return is_string_method(name);
  if (owner.is_number()) return is_integer_method(name);
  if (owner.space() != nullptr) return namespace_has(in.compilation.modules, owner.space()->name, name);
  if (owner.module() != nullptr) return owner.module()->find(name) != nullptr;
  return member_of(owner, name).has_value();
}

Value attribute_of(LoweringContext& in, const Value& owner, const std::string& name) {
  if (owner.is_invalid()) return {};
  if (owner.tensor() != nullptr) return tensor_attribute(in, owner, name);
  std::optional<Value> value;
  if (owner.descriptor() != nullptr) value = descriptor_attribute(owner, name);
  if (owner.handle() != nullptr) value = handle_attribute(owner, name);
  if (owner.constant() != nullptr && owner.constant()->layout() != nullptr)
    value = layout_attribute(*owner.constant()->layout(), name);
  if (owner.host_function() != nullptr) value = layout_class_attribute(owner.host_function()->name, name);
  if (owner.constant() != nullptr && name == "value") return owner;
  if (owner.is_dtype()) value = dtype_attribute(owner, name);
  if (owner.aggregate() != nullptr || owner.tuple_type() != nullptr || owner.python_class() != nullptr)
    value = member_of(owner, name);
  if ((owner.is_string() && is_string_method(name)) || (owner.is_number() && is_integer_method(name)))
    value = BoundMethod{std::make_shared<const Value>(owner), nullptr, nullptr, name};
  if (const NamespaceValue* space = owner.space())
    value = namespace_attribute(in.compilation.modules, space->name, name);
  if (const PythonModule* module = owner.module()) {
    if (const Value* held = module->find(name)) {
      const bool usable =
          held->constant() == nullptr || held->is_dtype() || held->is_none() || module->is_constexpr_global(name);
      if (usable && held->opaque() == nullptr) return *held;
      in.report.error(codes::kGlobal, fmt::format("'{}.{}' cannot be used in a kernel", module->name(), name),
                      "make it a tl.constexpr(...)");
      return {};
    }
    if (const PythonModule* child = in.compilation.modules.import(module->name() + "." + name)) value = Value(child);
  }
  if (value) return *value;
  in.report.error(codes::kAttribute, fmt::format("{} has no attribute '{}'", describe(owner), name));
  return {};
}

}  // namespace lockstep::frontend
