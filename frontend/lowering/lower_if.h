// if statements and conditional expressions: compile-time conditions choose a branch, run-time ones become scf.if, or
// blocks where a branch returns.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

void lower_if(LoweringContext& in, const ast::If& node);
Value lower_if_expression(LoweringContext& in, const ast::IfExp& node);

}  // namespace lockstep::frontend
