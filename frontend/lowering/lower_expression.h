// Expressions, by the kind of their node.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

/// Visits subexpressions through `in`, which comes back here.
Value lower_expression(LoweringContext& in, const ast::Expr& node);

}  // namespace lockstep::frontend
