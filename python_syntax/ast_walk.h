// Goes through a syntax tree whatever its nodes are. Invariant: children come in the order of CPython's fields; those
// that are null are left out. Not here: what nodes mean.
#pragma once

#include <functional>

#include "python_syntax/ast.h"

namespace lockstep::python_syntax::ast {

using VisitNode = std::function<void(const Node&)>;

/// The node's own children.
void for_each_child(const Node& node, const VisitNode& visit);
/// The node and all that is below, parents first. Recursion is bounded by the tree's height.
void walk(const Node& node, const VisitNode& visit);

}  // namespace lockstep::python_syntax::ast
