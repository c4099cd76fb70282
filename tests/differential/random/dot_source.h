// Random products of matrices as people write them: tiles of 16 to 128, loops over k with and without masks, operands
// of every type that tensor cores have, either order of the second one's elements, work on operands before the product
// and on sums after it, a second product of the first one's result. What pipelines, shared memory and tensor cores
// are about. The same text for a seed on every machine.
#pragma once

#include "fuzz/random.h"
#include "random_source.h"

namespace lockstep::differential_tests {

/// Tiles that `warps` can hold: at most 128 sums a thread.
exactness::RandomKernel random_dot(fuzz::Random& random, int warps);

}  // namespace lockstep::differential_tests
