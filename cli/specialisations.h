// Bound arguments as what the front end compiles for; elements of tuples come together again.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/compile.h"
#include "host/binding.h"

namespace lockstep::cli {

/// By parameter name. `bound`: of host::bind_parameters().
std::map<std::string, frontend::ParameterSpecialisation> specialisations_of(
    const std::vector<host::BoundParameter>& bound);

}  // namespace lockstep::cli
