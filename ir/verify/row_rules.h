// Whether an op has the parts of its row, so that it can be printed in its own form. (The verifier checks more, and
// reports why not.)
#pragma once

#include <cstddef>
#include <vector>

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::ir {

/// True if a type is of the kind that a rule demands.
bool obeys(TypeRule rule, Type type);
/// True if an attribute's value is of the kind that its spec demands.
bool obeys(const AttributeSpec& spec, Attribute value);

/// True if operand groups, results, regions, targets and required attributes are those of the row.
bool fits_its_row(const Op& op);

/// The row's result spec of each result; fewer than there are results if they do not fit. An optional or open spec
/// is left where the next result's type does not obey it.
std::vector<std::size_t> specs_of_results(const OpDef& def, const std::vector<Type>& types);
std::vector<std::size_t> specs_of_results(const Op& op);

}  // namespace lockstep::ir
