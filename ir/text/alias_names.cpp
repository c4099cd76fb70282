// Types as MLIR spells them.
#include "ir/text/alias_names.h"

#include <array>

namespace lockstep::ir {
namespace {

void append_list(std::string& out, const std::vector<Type>& types, const AliasNames* names) {
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i != 0) out += ", ";
    out += types[i].to_string(names);
  }
}

std::string encoding_text(const TypeNode& node, const AliasNames* names) {
  return node.attribute == nullptr ? "" : ", " + spell_attribute(Attribute(node.attribute), names);
}

/// "16x32xf16, #blocked"
std::string tensor_body(const TypeNode& node, const char* sign, const AliasNames* names) {
  std::string out;
  for (const std::int64_t extent : node.shape) out += std::to_string(extent) + "x";
  return out + sign + node.inner.to_string(names) + encoding_text(node, names);
}

std::string memdesc_text(const TypeNode& node, const AliasNames* names) {
  std::string out = "!ttg.memdesc<" + tensor_body(*node.inner.node(), "", names) + encoding_text(node, names);
  if (node.width != 0) out += ", mutable";
  for (std::size_t i = 0; i < node.shape.size(); ++i) out += (i == 0 ? ", " : "x") + std::to_string(node.shape[i]);
  return out + ">";
}

std::string descriptor_text(const TypeNode& node, const AliasNames* names) {
  constexpr std::array<const char*, 3> kSigns{"", "s", "u"};
  const TypeNode& block = *node.inner.node();
  const char* sign = kSigns[node.width & ~TypeNode::kShort];
  const bool is_tensor = block.kind == TypeNode::Kind::tensor;
  const std::string text = is_tensor ? tensor_body(block, sign, names) : node.inner.to_string(names);
  const bool is_wrapped = is_tensor && (node.width & TypeNode::kShort) == 0;
  return "!tt.tensordesc<" + (is_wrapped ? "tensor<" + text + ">" : text) + ">";
}

std::string function_text(const TypeNode& node, const AliasNames* names) {
  std::string out = "(";
  append_list(out, node.inputs, names);
  out += ") -> ";
  const bool single = node.results.size() == 1 && !node.results[0].is_function();
  if (!single) out += "(";
  append_list(out, node.results, names);
  if (!single) out += ")";
  return out;
}

}  // namespace

std::string Type::to_string(const AliasNames* names) const {
  if (node_ == nullptr) return "<no type>";
  switch (node_->kind) {
    case TypeNode::Kind::none: return "none";
    case TypeNode::Kind::index: return "index";
    case TypeNode::Kind::integer: return "i" + std::to_string(node_->width);
    case TypeNode::Kind::floating: return std::string(spelling(node_->scalar));
    case TypeNode::Kind::pointer: {
      const std::string space = node_->width == 1 ? "" : ", " + std::to_string(node_->width);
      return "!tt.ptr<" + node_->inner.to_string(names) + space + ">";
    }
    case TypeNode::Kind::tensor: return "tensor<" + tensor_body(*node_, "", names) + ">";
    case TypeNode::Kind::descriptor: return descriptor_text(*node_, names);
    case TypeNode::Kind::memdesc: return memdesc_text(*node_, names);
    case TypeNode::Kind::function: return function_text(*node_, names);
    case TypeNode::Kind::opaque: return spell_attribute(Attribute(node_->attribute), names);
  }
  return "";
}

}  // namespace lockstep::ir
