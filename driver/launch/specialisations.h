// Bound arguments as what the front end compiles for; elements of tuples come together again.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/arguments/binding.h"
#include "frontend/compile.h"

namespace lockstep::driver {

/// By parameter name. `bound`: of bind_parameters().
std::map<std::string, frontend::ParameterSpecialisation> specialisations_of(
    const std::vector<BoundParameter>& bound);

}  // namespace lockstep::driver
