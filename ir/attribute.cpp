#include "ir/attribute.h"

#include "support/check.h"

namespace lockstep::ir {

using Kind = AttributeNode::Kind;

bool Attribute::is_integer() const { return node_ && (node_->kind == Kind::integer || node_->kind == Kind::boolean); }
bool Attribute::is_float() const { return node_ && node_->kind == Kind::floating; }
bool Attribute::is_string() const { return node_ && node_->kind == Kind::string; }
bool Attribute::is_dense() const { return node_ && node_->kind == Kind::dense; }
bool Attribute::is_encoding() const { return node_ && node_->kind == Kind::encoding; }
bool Attribute::is_opaque() const { return node_ && node_->kind == Kind::opaque; }
bool Attribute::is_dense_array() const { return node_ && node_->kind == Kind::dense_array; }

// What a type has of attributes.
bool Type::is_token() const { return is_opaque() && node_->attribute->text == "!ttg.async.token"; }
bool Type::is_aref() const { return is_opaque() && node_->attribute->text.starts_with("!nvws.aref<"); }
Attribute Type::encoding() const { return is_tensor() ? Attribute(node_->attribute) : Attribute(); }

const Encoding* Type::layout() const {
  const Attribute encoding = is_memdesc() ? node_->inner.encoding() : this->encoding();
  return encoding ? encoding->encoding : nullptr;
}

Attribute Type::memory_space() const {
  LOCKSTEP_CHECK(is_memdesc(), "memory_space() of another type");
  return Attribute(node_->attribute);
}

}  // namespace lockstep::ir
