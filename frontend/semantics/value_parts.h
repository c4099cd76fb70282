// The SSA values of a value, and its type without them.
#pragma once

#include <cstddef>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// All SSA values in `value`, depth first.
void flatten(const Value& value, std::vector<ir::Value*>& handles);
std::vector<ir::Value*> flatten(const Value& value);
/// `shape` with its SSA values replaced by handles[cursor...]; the inverse of flatten().
Value rebuild(const Value& shape, const std::vector<ir::Value*>& handles, std::size_t& cursor);
/// The IR types of flatten(value), in its order.
void flatten_types(ir::Context& context, const Value& value, std::vector<ir::Type>& types);
/// Same kinds and types throughout (constants by value).
bool same_type(const Value& left, const Value& right);

}  // namespace lockstep::frontend
