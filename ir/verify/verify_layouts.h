// Which layouts a type may have.
#pragma once

#include <string>

#include "ir/type.h"

namespace lockstep::ir {

/// What is wrong with the layout of a tile or buffer; "" if nothing is.
std::string layout_fault(Type type);

}  // namespace lockstep::ir
