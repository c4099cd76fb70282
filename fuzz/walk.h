// All ops and values of a module, for drawing from. Not a stable order of anything but the text.
#pragma once

#include <vector>

#include "ir/module.h"

namespace lockstep::fuzz {

/// Every op inside functions, outermost first.
std::vector<ir::Op*> ops_of(const ir::Module& module);
/// Arguments and results in the function around `op` (all of it, also what does not dominate).
std::vector<ir::Value*> values_around(const ir::Op& op);
/// Every value in the regions of `root`, at any depth.
void append_values(const ir::Op& root, std::vector<ir::Value*>& values);
/// Every value of the module.
std::vector<ir::Value*> values_of(const ir::Module& module);

}  // namespace lockstep::fuzz
