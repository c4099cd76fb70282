// The parts of the precision checker: which ops of a kernel may lose digits that matter, found once per kernel.
// Invariant: an op is a candidate by its form alone; the checker measures its loss when it runs. Private to this
// folder.
#pragma once

#include <unordered_set>
#include <vector>

#include "sanitizer/numeric/float_trace.h"

namespace lockstep::sanitizer {

struct PrecisionOps {
  PrecisionOps(const ir::Module& module, const ir::Op& function);
  bool empty() const { return sums.empty() && casts.empty() && differences.empty() && products.empty(); }

  std::unordered_set<const ir::Op*> sums;         // reductions and loop-carried additions in formats below f32
  std::unordered_set<const ir::Op*> casts;        // to formats below f32, made by an operator for its operands
  std::unordered_set<const ir::Op*> differences;  // a - b * b
  std::unordered_set<const ir::Op*> shadowed;     // what the differences are made of, themselves included
  std::vector<const ir::Op*> products;            // dots of f32 in tf32
};

/// Before the op: sets the traces of its results from those of its operands (or from their numbers), without blame.
void carry_shadow(Execution& run);

/// Distance from `exact` in units in the last place of the format.
double ulps_between(ScalarKind kind, double value, double exact);
/// "2^-7": the power of two next to a ratio.
std::string power_text(double ratio);
/// LS605 for each product whose f32 operands lose bits that they have.
std::vector<Finding> rounded_products(const LaunchContext& context, const std::vector<const ir::Op*>& products);

}  // namespace lockstep::sanitizer
