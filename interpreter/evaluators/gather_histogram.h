// Gathers and histograms: steps in which the values of an index tile decide the work, element by element. Both read
// their operands as contiguous tiles and write fresh ones. Invariant: no index, whatever its value, reaches outside of
// the source or of the counts. Memory is not touched here (gathers from memory are loads).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_gather(PlanBuilder& builder, const ir::Op& op);
bool evaluate_histogram(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
