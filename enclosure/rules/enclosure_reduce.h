// Reductions, scans and mapped regions, by the proved laws of the region (region_laws.h): known operations place by
// place (sums and products of floats by formula, for every order), regions that do not round and are the same in any
// order, polynomials by induction, and for any other region the hull of every tree, as far as its cost has a bound.
// Everything else is unbounded. Scans keep the order of their elements, reductions do not: a GPU's lanes combine their
// own elements, which need not be neighbours along the axis.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

bool enclose_reduce(EncloseContext& context, const ir::Op& op);
bool enclose_scan(EncloseContext& context, const ir::Op& op);
bool enclose_map(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
