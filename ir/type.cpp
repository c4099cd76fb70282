#include "ir/type.h"

#include <array>

#include "support/check.h"

namespace lockstep::ir {
namespace {

bool has_kind(const TypeNode* node, TypeNode::Kind kind) { return node != nullptr && node->kind == kind; }

void append_list(std::string& out, const std::vector<Type>& types) {
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i != 0) out += ", ";
    out += types[i].to_string();
  }
}

std::string tensor_text(const TypeNode& node, const char* sign = "") {
  std::string out = "tensor<";
  for (const std::int64_t extent : node.shape) out += std::to_string(extent) + "x";
  out += sign + node.inner.to_string();
  if (!node.text.empty()) out += ", " + node.text;
  return out + ">";
}

std::string descriptor_text(const TypeNode& node) {
  constexpr std::array<const char*, 3> kSigns{"", "s", "u"};
  const TypeNode& block = *node.inner.node();
  const char* sign = kSigns[node.width & ~TypeNode::kShort];
  std::string text = block.kind == TypeNode::Kind::tensor ? tensor_text(block, sign) : node.inner.to_string();
  if ((node.width & TypeNode::kShort) != 0) text = text.substr(7, text.size() - 8);  // without "tensor<" and ">"
  return "!tt.tensordesc<" + text + ">";
}

std::string function_text(const TypeNode& node) {
  std::string out = "(";
  append_list(out, node.inputs);
  out += ") -> ";
  const bool single = node.results.size() == 1 && !node.results[0].is_function();
  if (!single) out += "(";
  append_list(out, node.results);
  if (!single) out += ")";
  return out;
}

const std::vector<std::int64_t> kNoShape;
const std::vector<Type> kNoTypes;
const std::string kNoText;

}  // namespace

bool Type::is_none() const { return has_kind(node_, TypeNode::Kind::none); }
bool Type::is_index() const { return has_kind(node_, TypeNode::Kind::index); }
bool Type::is_integer() const { return has_kind(node_, TypeNode::Kind::integer); }
bool Type::is_integer(std::uint32_t width) const { return is_integer() && node_->width == width; }
bool Type::is_float() const { return has_kind(node_, TypeNode::Kind::floating); }
bool Type::is_pointer() const { return has_kind(node_, TypeNode::Kind::pointer); }
bool Type::is_tensor() const { return has_kind(node_, TypeNode::Kind::tensor); }
bool Type::is_descriptor() const { return has_kind(node_, TypeNode::Kind::descriptor); }
bool Type::is_function() const { return has_kind(node_, TypeNode::Kind::function); }
bool Type::is_opaque() const { return has_kind(node_, TypeNode::Kind::opaque); }

std::uint32_t Type::integer_width() const {
  LOCKSTEP_CHECK(is_integer(), "integer_width() of another type");
  return node_->width;
}

std::optional<ScalarKind> Type::scalar_kind() const {
  if (node_ == nullptr) return std::nullopt;
  switch (node_->kind) {
    case TypeNode::Kind::index: return ScalarKind::i64;
    case TypeNode::Kind::pointer: return ScalarKind::pointer;
    case TypeNode::Kind::floating: return node_->scalar;
    case TypeNode::Kind::integer:
      switch (node_->width) {
        case 1: return ScalarKind::i1;
        case 8: return ScalarKind::i8;
        case 16: return ScalarKind::i16;
        case 32: return ScalarKind::i32;
        case 64: return ScalarKind::i64;
        default: return std::nullopt;
      }
    default: return std::nullopt;
  }
}

Context& Type::context() const { return *node_->context; }

Type Type::element() const { return is_tensor() ? node_->inner : *this; }
const std::vector<std::int64_t>& Type::shape() const { return is_tensor() ? node_->shape : kNoShape; }

std::int64_t Type::element_count() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape()) count *= extent;
  return count;
}

const std::string& Type::encoding() const { return is_tensor() ? node_->text : kNoText; }

Type Type::pointee() const {
  LOCKSTEP_CHECK(is_pointer() || is_descriptor(), "pointee() of a type that points to nothing");
  return node_->inner;
}

std::uint32_t Type::address_space() const {
  LOCKSTEP_CHECK(is_pointer(), "address_space() of another type");
  return node_->width;
}

Signedness Type::signedness() const {
  LOCKSTEP_CHECK(is_descriptor(), "signedness() of another type");
  return static_cast<Signedness>(node_->width & ~TypeNode::kShort);
}

const std::vector<Type>& Type::inputs() const { return is_function() ? node_->inputs : kNoTypes; }
const std::vector<Type>& Type::results() const { return is_function() ? node_->results : kNoTypes; }

std::string Type::to_string() const {
  if (node_ == nullptr) return "<no type>";
  switch (node_->kind) {
    case TypeNode::Kind::none: return "none";
    case TypeNode::Kind::index: return "index";
    case TypeNode::Kind::integer: return "i" + std::to_string(node_->width);
    case TypeNode::Kind::floating: return std::string(spelling(node_->scalar));
    case TypeNode::Kind::pointer: {
      const std::string space = node_->width == 1 ? "" : ", " + std::to_string(node_->width);
      return "!tt.ptr<" + node_->inner.to_string() + space + ">";
    }
    case TypeNode::Kind::tensor: return tensor_text(*node_);
    case TypeNode::Kind::descriptor: return descriptor_text(*node_);
    case TypeNode::Kind::function: return function_text(*node_);
    case TypeNode::Kind::opaque: return node_->text;
  }
  return "";
}

}  // namespace lockstep::ir
