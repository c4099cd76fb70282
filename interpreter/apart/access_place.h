// AccessPlace: where one plain load or store of a kernel goes, for all launches: see access_places.h. Private to this
// folder.
#pragma once

#include <cstddef>
#include <vector>

#include "interpreter/apart/kernel_numbers.h"

namespace lockstep::interpreter::apart {

/// What a mask says of a number: at most (at least) another number plus `more`.
struct NumberBound {
  KernelNumbers::Index than = 0;
  int more = 0;
  bool is_upper = true;
};

/// factors * number, where the bounds hold; * 0 to the loop's turns less one.
struct PlaceTerm {
  std::vector<KernelNumbers::Index> factors;
  KernelNumbers::Index number = 0;
  int axis = -1;  // else the number is the program's id along it
  std::vector<NumberBound> bounds;
  KernelNumbers::Index counter = -1, step = -1;  // of a loop that adds it in every turn
};

struct AccessPlace {
  bool is_write = false, is_known = false;
  std::vector<std::size_t> arguments;  // one, if it is known
  std::vector<PlaceTerm> terms;
  std::vector<KernelNumbers::Index> exact;  // numbers that must not wrap
  int bytes = 1;
};

}  // namespace lockstep::interpreter::apart
