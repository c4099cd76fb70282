// tt.extern_elementwise: functions of libdevice by their symbol. Those of one to three operands are ordinary
// element-wise ops, those of four have a step of their own. Not here: the table (libdevice/catalogue.h).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_extern_elementwise(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
