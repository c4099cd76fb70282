// The syntax tree as the front end names it.
#pragma once

#include "python_syntax/ast.h"

namespace lockstep::frontend {

namespace ast = python_syntax::ast;

}  // namespace lockstep::frontend
