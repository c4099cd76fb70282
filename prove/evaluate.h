// Evaluate: a polynomial's value for numbers of a launch, and conditions among them. Not here: which numbers (driver).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "prove/atoms.h"

namespace lockstep::prove {

using Numbers = std::map<AtomId, Integer>;

/// nullopt: it names something that is no number of the launch, or divides by zero.
std::optional<Integer> evaluate(const Poly& poly, const Numbers& numbers, const Atoms& atoms);
/// nullopt: unknown.
std::optional<bool> evaluate(const Formula& formula, const Numbers& numbers, const Atoms& atoms);
/// The parameters that it names, at any depth.
void parameters_of(const Poly& poly, const Atoms& atoms, std::map<AtomId, bool>& into);
/// Facts n % d == 0: of what the parameter n is a multiple.
std::map<AtomId, Integer> multiples_of(const std::vector<Poly>& facts, const Atoms& atoms);

}  // namespace lockstep::prove
