// Substitution: polynomials and formulas of a point at the point that was chosen for an element: letters of programs,
// lanes and turns become polynomials. What is known of quotients and minima of the new ones is proved anew. Not here:
// which point is chosen (coverage.h).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "prove/eliminate.h"

namespace lockstep::prove {

class Substitution {
 public:
  /// root: where new letters are known. taken: certificates of what these rest on.
  Substitution(Atoms& atoms, const Path* root, std::vector<Decided>& taken)
      : atoms_(atoms), elimination_(atoms), root_(root), taken_(taken) {}

  void set(AtomId letter, Poly value) { values_[letter] = std::move(value); }
  const std::map<AtomId, Poly>& values() const { return values_; }
  /// nullopt: it names a letter that has no value and is no number of the launch.
  std::optional<Poly> put(const Poly& poly);
  std::optional<Formula> put(const Formula& formula);
  /// x by d, of what is known everywhere. nullopt: the divisor may be 0.
  std::optional<Division> divide(const Poly& x, const Poly& d);
  using Lemmas = std::map<Poly, Certificate>;
  /// Notes what the letters of a chosen value rest on. Quotients get facts: what is below a size of the grid.
  bool admit(const Poly& poly, const std::set<AtomId>& sizes, Lemmas& lemmas);

 private:
  std::optional<Poly> put_atom(AtomId id);
  Poly extremum(bool is_minimum, const Poly& a, const Poly& b);
  bool holds(const Formula& formula);
  void add_lemmas(AtomId quotient, const std::set<AtomId>& sizes, Lemmas& lemmas);
  bool proves(const Poly& goal);

  Atoms& atoms_;
  Elimination elimination_;
  const Path* root_;
  std::vector<Decided>& taken_;
  std::map<AtomId, Poly> values_, known_;
};

}  // namespace lockstep::prove
