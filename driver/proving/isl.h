// Isl: isl, a library for sets of integer points, where this build has it (LOCKSTEP_ISL). A question becomes a union of such
// sets, one for each choice among its alternatives; all of them are empty, or one has a point. A product of letters is a
// letter of its own, so a point of such a set says nothing. The effort is counted, so an answer is the same everywhere.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "prove/outside/solver.h"

namespace lockstep::driver {

struct IslLimits {
  unsigned long operations = 2'000'000;  // isl's own count, of a question
  std::size_t sets = 400;                // of a question
  std::size_t questions = 60;            // of a kernel
  std::size_t unknown = 8;               // of them that took all
};

/// Its version, "0.25"; "" in a build without it.
std::string linked_isl();
/// Null: this build has no isl, or LOCKSTEP_ISL=off.
std::unique_ptr<prove::Solver> find_isl(IslLimits limits = {});

}  // namespace lockstep::driver
