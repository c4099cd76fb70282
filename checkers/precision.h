// The parts of the precision checker: which ops of a kernel may lose digits that somebody meant to keep, found once a
// kernel. Invariant: an op is a candidate by its form alone; what it loses is measured where it runs. Private to the
// room.
#pragma once

#include <unordered_set>
#include <vector>

#include "checkers/execution.h"

namespace lockstep::checkers {

struct PrecisionOps {
  PrecisionOps(const ir::Module& module, const ir::Op& function);
  bool empty() const { return sums.empty() && casts.empty() && differences.empty() && products.empty(); }

  std::unordered_set<const ir::Op*> sums;         // reductions and loop-carried additions in formats below f32
  std::unordered_set<const ir::Op*> casts;        // to formats below f32, made by an operator for its operands
  std::unordered_set<const ir::Op*> differences;  // a - b * b
  std::unordered_set<const ir::Op*> shadowed;     // what the differences are made of, themselves included
  std::vector<const ir::Op*> products;            // dots of f32 in tf32
};

/// What lanes would be without rounding; by state of a value.
struct Shadow {
  std::vector<double> lanes;
};
/// Sets the shadow of the op's result from its operands' (or their numbers). Before the op.
void carry_shadow(Execution& run);
/// The numbers of a float value, its shadow's where it has one.
std::vector<double> shadow_of(Execution& run, const ir::Value& value);
/// Before the op.
std::vector<double> numbers_of(Execution& run, const ir::Value& value);

/// Distance from `exact` in units in the last place of the format.
double ulps_between(ScalarKind kind, double value, double exact);
/// "2^-7": the power of two next to a ratio.
std::string power_text(double ratio);
/// LS605 for each product whose f32 operands lose bits that they have.
std::vector<Finding> rounded_products(const LaunchContext& context, const std::vector<const ir::Op*>& products);

}  // namespace lockstep::checkers
