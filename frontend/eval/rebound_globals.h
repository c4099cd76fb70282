// The module-level names that functions rebind with a `global` statement. Their values at import depend on calls that
// are not followed, so module-level evaluation treats them as unknown. Syntax only.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "frontend/python_ast.h"


namespace lockstep::frontend {

/// Names in `global` statements anywhere in `body`, functions and classes included.
std::set<std::string, std::less<>> find_rebound_globals(const ast::Body& body);

}  // namespace lockstep::frontend
