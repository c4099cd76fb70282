// Random kernels as people write them: blocks addressed by program ids, masks that are boxes or not, chains of
// element-wise operations in several types, broadcasts, reductions, loops (some with work that does not change in them,
// some whose length differs by program), gathered rows, dots, stores that sometimes overlap between programs. What the
// optimisations of the interpreter look for, and what they must not take for it. The same text for a seed on every
// machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/random.h"
#include "support/scalar.h"

namespace lockstep::exactness {

struct RandomParameter {
  std::string name, type;     // "x0", "*fp32"
  std::int64_t elements = 0;  // of a pointer's tensor
  std::int64_t number = 0;    // of an integer scalar; index tensors hold numbers below it
  bool is_divisible = false;  // by 16, as Triton's launcher would say
};

struct RandomKernel {
  std::string source;  // a Python file with a @triton.jit function `kernel`
  std::vector<RandomParameter> parameters;
  std::array<std::int64_t, 3> grid{1, 1, 1};
  bool may_race = false;  // programs or threads may store to the same bytes, or load what others store
};

RandomKernel random_kernel(fuzz::Random& random);

}  // namespace lockstep::exactness
