#include "python_syntax/parse_node.h"

namespace lockstep::python_syntax {

void raise_height(ast::Expr& parent, const ast::Expr* child) {
  if (child != nullptr && child->height >= parent.height) parent.height = static_cast<std::uint16_t>(child->height + 1);
}

void raise_height(ast::Expr& parent, const ast::ExprList& children) {
  for (const auto& child : children) raise_height(parent, child.get());
}

void raise_height(ast::Expr& parent, const ast::Generators& generators) {
  for (const auto& generator : generators) {
    raise_height(parent, generator->target);
    raise_height(parent, generator->iter);
    raise_height(parent, generator->ifs);
  }
}

void raise_height(ast::Expr& parent, const ast::Arguments& arguments) {
  raise_height(parent, arguments.defaults);
  raise_height(parent, arguments.kw_defaults);
}

}  // namespace lockstep::python_syntax
