#include "ir/attribute.h"

namespace lockstep::ir {

using Kind = AttributeNode::Kind;

bool Attribute::is_integer() const { return node_ && (node_->kind == Kind::integer || node_->kind == Kind::boolean); }
bool Attribute::is_float() const { return node_ && node_->kind == Kind::floating; }
bool Attribute::is_string() const { return node_ && node_->kind == Kind::string; }
bool Attribute::is_dense() const { return node_ && node_->kind == Kind::dense; }
bool Attribute::is_dense_array() const { return node_ && node_->kind == Kind::dense_array; }

}  // namespace lockstep::ir
