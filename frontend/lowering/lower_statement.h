// Statements, by the kind of their node.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

/// In order, up to a return, or to an error after which the function is given up.
void lower_statements(LoweringContext& in, const ast::Body& body);

}  // namespace lockstep::frontend
