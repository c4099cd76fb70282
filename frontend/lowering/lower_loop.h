// for and while loops. A body is visited twice: a dry run finds what the loop carries.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

void lower_for(LoweringContext& in, const ast::For& node);
void lower_while(LoweringContext& in, const ast::While& node);

}  // namespace lockstep::frontend
