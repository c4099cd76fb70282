// Linear: whether a goal is >= 0 as a sum of facts, each times a number that is not negative. Every monomial counts as a
// letter of its own, and a fact may be multiplied by atoms that are not negative. Simplex over rationals, so the answer is
// exact and the same on every machine. Stage 3 of docs/design/prove.md.
#pragma once

#include <optional>
#include <vector>

#include "prove/atoms.h"
#include "prove/certificate.h"

namespace lockstep::prove {

/// Precondition: `facts` are >= 0. nullopt: no such sum, or a limit was reached.
std::optional<Certificate> prove_by_sum(const Poly& goal, const std::vector<Poly>& facts, const Atoms& atoms);

}  // namespace lockstep::prove
