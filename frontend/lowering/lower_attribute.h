// Attributes and methods of everything that a kernel can name: tensors, descriptors, constants, aggregates, modules.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

Value attribute_of(LoweringContext& in, const Value& owner, const std::string& name);
/// hasattr().
bool has_attribute(LoweringContext& in, const Value& owner, const std::string& name);

}  // namespace lockstep::frontend
