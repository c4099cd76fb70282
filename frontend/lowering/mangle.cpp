// Names of function instances: the function, the types of its tensors, its constants by path.
#include "frontend/lowering/mangle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/eval/python_class.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

using Path = std::vector<std::size_t>;

std::string path_text(const Path& path) {
  return path.size() == 1 ? fmt::format("({},)", path[0]) : fmt::format("({})", fmt::join(path, ", "));
}

/// A tuple annotated tl.constexpr counts as one constant: ['constexpr[32]', 'constexpr[64]'].
std::string constexpr_tuple_text(const std::vector<Value>& elements) {
  std::vector<std::string> texts;
  for (const Value& element : elements) texts.push_back(fmt::format("'constexpr[{}]'", python_str(element)));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string mangle_descriptor(const ValueType& block) {
  if (block.layout == nullptr) return "TD" + block.mangle();
  return fmt::format("TD{}_{}TD", ValueType{block.element, block.shape}.mangle(), block.layout->mangle());
}

std::string mangle_type(const Value& value) {
  if (const Tensor* tensor = value.tensor()) return tensor->type.mangle();
  if (const DescriptorValue* descriptor = value.descriptor()) return mangle_descriptor(descriptor->block);
  if (const HandleValue* held = value.handle()) return held->type.mangle();
  const AggregateValue* aggregate = value.aggregate();
  const std::vector<Value>* parts = aggregate != nullptr ? aggregate->fields.get() : value.elements();
  if (parts == nullptr) return fmt::format("constexpr_type[{}]", python_str(value));
  std::vector<std::string> types;
  for (const Value& part : *parts) types.push_back(mangle_type(part));
  if (aggregate == nullptr) return fmt::format("T{}T", fmt::join(types, "_"));
  return fmt::format("{}.{}<{}>", aggregate->type->module->name(), aggregate->type->name, fmt::join(types, ", "));
}

/// Constants of the arguments by path, and the mangled types of the tensors, in order.
void collect(const Value& value, Path& path, std::vector<std::string>& types, std::vector<std::string>& constants) {
  if (const std::vector<Value>* elements = value.elements()) {
    if (value.is_constexpr())
      constants.push_back(path_text(path) + fmt::format("cconstexpr[{}]", constexpr_tuple_text(*elements)));
    for (std::size_t i = 0; !value.is_constexpr() && i < elements->size(); ++i) {
      path.push_back(i);
      collect((*elements)[i], path, types, constants);
      path.pop_back();
    }
    return;
  }
  if (value.tensor() != nullptr || value.descriptor() != nullptr || value.handle() != nullptr ||
      value.aggregate() != nullptr) {
    types.push_back(mangle_type(value));
  } else {
    constants.push_back(path_text(path) +
                        (value.is_raw() ? "cNone" : fmt::format("cconstexpr[{}]", python_str(value))));
  }
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

std::string mangle(const JitFunction& function, const std::vector<Value>& arguments, int partition_warps) {
  std::vector<std::string> types;
  std::vector<std::string> constants;
  Path path;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    path.assign(1, i);
    collect(arguments[i], path, types, constants);
  }
  std::string text = fmt::format("{}", fmt::join(constants, "_"));
  text = replaced(replaced(text, ".", "_d_"), "'", "_sq_");
  text = replaced(replaced(text, "[", "_"), "]", "_");
  const std::string name =
      fmt::format("{}.{}__{}__{}", function.module->name(), function.qualified_name, fmt::join(types, "_"), text);
  return partition_warps > 0 ? fmt::format("{}_NW{}", name, partition_warps) : name;
}

}  // namespace lockstep::frontend
