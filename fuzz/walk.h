// All ops and values of a module, for random choices. The only stable order is the text's.
#pragma once

#include <vector>

#include "ir/module.h"

namespace lockstep::fuzz {

/// Every op inside functions, outermost first.
std::vector<ir::Op*> ops_of(const ir::Module& module);
/// Arguments and results in the function around `op` (all of it, even values that do not dominate).
std::vector<ir::Value*> values_around(const ir::Op& op);
/// Every value in the regions of `root`, at any depth.
void append_values(const ir::Op& root, std::vector<ir::Value*>& values);
/// Every value of the module.
std::vector<ir::Value*> values_of(const ir::Module& module);

}  // namespace lockstep::fuzz
