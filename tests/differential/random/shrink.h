// Makes a kernel that fails smaller: stores, ops and extents are taken away as long as what is left verifies, runs
// clean in the interpreter and still fails in the same way. Deterministic. Cost: some hundred trials at most.
#pragma once

#include <functional>
#include <string>

namespace lockstep::differential_tests {

struct ShrinkLimits {
  int attempts = 400;  // trials
  double seconds = 20;
};

/// `still_fails` is asked for texts that verify. The smallest text found, at worst `text`.
std::string shrink(const std::string& text, const std::function<bool(const std::string&)>& still_fails,
                   const ShrinkLimits& limits = {});

/// Ops of the module, for messages and tests; 0 if it does not parse.
std::size_t count_ops(const std::string& text);

}  // namespace lockstep::differential_tests
