#include "cli/specialisations.h"

#include "cli/constants.h"
#include "host/bound_groups.h"

namespace lockstep::cli {

std::map<std::string, frontend::ParameterSpecialisation> specialisations_of(
    const std::vector<host::BoundParameter>& bound) {
  std::map<std::string, frontend::ParameterSpecialisation> made;
  for (const host::BoundGroup& group : host::group_bound(bound)) {
    frontend::ParameterSpecialisation& one = made[group.parameter];
    const host::BoundParameter& first = bound[group.first];
    one.type = group.is_tuple ? group.type : first.type;
    one.divisible_parts = group.divisible_parts;
    if (group.is_tuple) continue;
    if (first.constant) one.constant = to_frontend(*first.constant);
    one.divisibility = first.divisibility;
  }
  return made;
}

}  // namespace lockstep::cli
