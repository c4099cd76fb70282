// Whether an op has the parts of its row, so that it can be printed in its own form. (The verifier checks more, and
// reports why not.)
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::ir {

/// True if an attribute's value is of the kind that its spec demands.
bool obeys(const AttributeSpec& spec, Attribute value);

/// True if operand groups, results, regions, targets and required attributes are those of the row.
bool fits_its_row(const Op& op);

}  // namespace lockstep::ir
