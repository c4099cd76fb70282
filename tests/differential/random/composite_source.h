// Random kernels whose scans and reductions combine several values at once: recurrences, products of matrices, Welford's
// variance, log-sum-exp, places of extrema, segments, regions that are not associative at all; along either axis, in
// either direction, carried through loops, with masks and with arithmetic behind that a GPU may contract. The same text
// for a seed on every machine. A parameter's name says what numbers its tensor holds (fill_number).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "random_source.h"

namespace lockstep::differential_tests {

exactness::RandomKernel random_composite(fuzz::Random& random, int warps);

/// The next number of a tensor "x0_near"; nullopt: the name says nothing. `kind`: of its elements.
std::optional<double> fill_number(const std::string& name, ScalarKind kind, fuzz::Random& random);

}  // namespace lockstep::differential_tests
