#include "ir/type.h"

#include "support/check.h"

namespace lockstep::ir {
namespace {

bool has_kind(const TypeNode* node, TypeNode::Kind kind) { return node != nullptr && node->kind == kind; }

const std::vector<std::int64_t> kNoShape;
const std::vector<Type> kNoTypes;

}  // namespace

bool Type::is_none() const { return has_kind(node_, TypeNode::Kind::none); }
bool Type::is_index() const { return has_kind(node_, TypeNode::Kind::index); }
bool Type::is_integer() const { return has_kind(node_, TypeNode::Kind::integer); }
bool Type::is_integer(std::uint32_t width) const { return is_integer() && node_->width == width; }
bool Type::is_float() const { return has_kind(node_, TypeNode::Kind::floating); }
bool Type::is_pointer() const { return has_kind(node_, TypeNode::Kind::pointer); }
bool Type::is_tensor() const { return has_kind(node_, TypeNode::Kind::tensor); }
bool Type::is_descriptor() const { return has_kind(node_, TypeNode::Kind::descriptor); }
bool Type::is_memdesc() const { return has_kind(node_, TypeNode::Kind::memdesc); }
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


Type Type::pointee() const {
  LOCKSTEP_CHECK(is_pointer() || is_descriptor() || is_memdesc(), "pointee() of a type that points to nothing");
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

bool Type::is_mutable() const { return is_memdesc() && node_->width != 0; }
const std::vector<std::int64_t>& Type::buffer_shape() const { return is_memdesc() ? node_->shape : kNoShape; }

const std::vector<Type>& Type::inputs() const { return is_function() ? node_->inputs : kNoTypes; }
const std::vector<Type>& Type::results() const { return is_function() ? node_->results : kNoTypes; }

}  // namespace lockstep::ir
