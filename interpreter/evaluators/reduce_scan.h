// tt.reduce and tt.scan. The order of a reduction, which Lockstep defines: x[i] is combined with x[i + n/2], then the
// results likewise, until one is left; a scan combines element after element. Regions of one operation run as kernels;
// regions of elementwise ops are lifted: applied to whole halves at once; regions with control flow run element by
// element.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_reduce(PlanBuilder& builder, const ir::Op& op);
bool evaluate_scan(PlanBuilder& builder, const ir::Op& op);
bool evaluate_region_return(PlanBuilder& builder, const ir::Op& op);    // also of tt.scan and tt.map_elementwise

}  // namespace lockstep::interpreter
