// A failing kernel put aside: a folder with its text, the smaller one that shrinking found, its arguments as .npy files
// and the commands that show the failure again. Not here: finding it.
#pragma once

#include <string>

#include "trial.h"

namespace lockstep::differential_tests {

/// Shrinks and writes; the folder's path. `item`: the seed, or the launch's file. `self`: this program's path. Where
/// the GPU faults, each candidate is tried in a process of its own, because a fault ends what it happens in.
std::string keep_failure(const std::string& folder, const std::string& self, const std::string& item,
                         const Recipe& recipe, const Result& result, const TrialOptions& options);

}  // namespace lockstep::differential_tests
