#include "driver/launch/specialisations.h"

#include "driver/arguments/bound_groups.h"
#include "driver/launch/constants.h"

namespace lockstep::driver {

std::map<std::string, frontend::ParameterSpecialisation> specialisations_of(
    const std::vector<BoundParameter>& bound) {
  std::map<std::string, frontend::ParameterSpecialisation> made;
  for (const BoundGroup& group : group_bound(bound)) {
    frontend::ParameterSpecialisation& one = made[group.parameter];
    const BoundParameter& first = bound[group.first];
    one.type = group.is_tuple ? group.type : first.type;
    one.divisible_parts = group.divisible_parts;
    if (group.is_tuple) continue;
    if (first.constant) one.constant = *first.constant;
    one.divisibility = first.divisibility;
  }
  return made;
}

}  // namespace lockstep::driver
