// Errors that CPython reports only after parsing: break and continue outside a loop, return outside a function.
#pragma once

#include "frontend/python_ast.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::frontend {

/// Errors: LS1213.
void check_misplaced_statements(const ast::Module& module, DiagnosticSink& sink);

}  // namespace lockstep::frontend
