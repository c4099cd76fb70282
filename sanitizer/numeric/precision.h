// The parts of the precision checker: which ops of a kernel may lose digits that somebody meant to keep, found once a
// kernel. Invariant: an op is a candidate by its form alone; what it loses is measured where it runs. Private to the
// room.
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

/// Sets the traces of the op's results from its operands' (or their numbers), without blame. Before the op.
void carry_shadow(Execution& run);

/// Distance from `exact` in units in the last place of the format.
double ulps_between(ScalarKind kind, double value, double exact);
/// "2^-7": the power of two next to a ratio.
std::string power_text(double ratio);
/// LS605 for each product whose f32 operands lose bits that they have.
std::vector<Finding> rounded_products(const LaunchContext& context, const std::vector<const ir::Op*>& products);

}  // namespace lockstep::sanitizer
