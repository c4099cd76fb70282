// The front end's names for the syntax tree.
#pragma once

#include "python_syntax/ast.h"

namespace lockstep::frontend {

namespace ast = python_syntax::ast;

}  // namespace lockstep::frontend
