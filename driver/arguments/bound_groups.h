// Bound arguments by parameter: joins elements of tuples again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/arguments/binding.h"

namespace lockstep::driver {

/// The entries of one parameter: `count` entries from `first` on.
struct BoundGroup {
  std::string parameter;
  std::size_t first = 0, count = 1;
  bool is_tuple = false;
  std::string type;                          // of a tuple: "(*fp32, (i32, None), 1)", named "(x=*fp32, n=i32)"
  std::vector<std::string> divisible_parts;  // of a tuple: "0", "1.2"
};

/// `bound`: of bind_parameters().
std::vector<BoundGroup> group_bound(const std::vector<BoundParameter>& bound);

}  // namespace lockstep::driver
