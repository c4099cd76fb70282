// Nodes under construction: their ranges and heights. Invariant: no node is higher than ast::kMaxHeight.
#pragma once

#include <cstdint>
#include <memory>

#include "python_syntax/ast.h"
#include "python_syntax/token_cursor.h"

namespace lockstep::python_syntax {

/// From `begin` to the last visible token that was passed.
template <typename T>
std::unique_ptr<T> make(const TokenCursor& in, std::uint32_t begin) {
  return std::make_unique<T>(in.since(begin));
}

void raise_height(ast::Expr& parent, const ast::Expr* child);
inline void raise_height(ast::Expr& parent, const ast::ExprPtr& child) { raise_height(parent, child.get()); }
void raise_height(ast::Expr& parent, const ast::ExprList& children);
void raise_height(ast::Expr& parent, const ast::Generators& generators);
void raise_height(ast::Expr& parent, const ast::Arguments& arguments);

/// The node, whose height must be set; null if that is too high.
template <typename T>
ast::ExprPtr grown(TokenCursor& in, std::unique_ptr<T> node) {
  if (node->height > ast::kMaxHeight && in.abort_too_deep()) return nullptr;
  return node;
}

}  // namespace lockstep::python_syntax
