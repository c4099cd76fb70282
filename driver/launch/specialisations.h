// Bound arguments in the front end's form; joins elements of tuples again.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/arguments/binding.h"
#include "frontend/compile.h"

namespace lockstep::driver {

/// By parameter name. `bound`: from bind_parameters().
std::map<std::string, frontend::ParameterSpecialisation> specialisations_of(
    const std::vector<BoundParameter>& bound);

}  // namespace lockstep::driver
