// Elimination: decides whether a polynomial is >= 0 where facts are. A step takes a term that may be negative and adds
// a fact, times a product of atoms that are not negative, so that the term cancels: masks first, then the atom's own
// bounds. Everything is an integer, so a goal may be divided by a common factor, rounded down. Limits are counted, never
// timed: answers do not depend on the machine. Where no proof is found, what is left may speak of the launch's numbers
// alone: that it is >= 0 suffices. Stages 1 and 2 of docs/design/prove.md.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "prove/atoms.h"

namespace lockstep::prove {

struct Verdict {
  bool is_proved = false;
  /// Not proved: polynomials of the launch's numbers; the goal holds where all of them are >= 0. Empty: nothing is known.
  std::vector<Poly> suffices{};
  std::size_t steps = 0;
};

struct Effort {
  int depth = 9, nodes = 400, cases = 3;
};

class Elimination {
 public:
  explicit Elimination(const Atoms& atoms) : atoms_(atoms) {}

  /// goal >= 0 wherever control is inside `path` and `facts` are >= 0.
  Verdict decide(const Poly& goal, const Path* path, const std::vector<Poly>& facts = {}, Effort effort = {}) const;
  bool proves(const Poly& goal, const Path* path, const std::vector<Poly>& facts = {}, Effort effort = {}) const;

 private:
  struct Search;
  std::vector<Poly> usable_facts(const Poly& goal, const Path* path, const std::vector<Poly>& facts) const;
  bool descend(Search& search, Poly goal, int depth) const;
  bool try_fact(Search& search, const Poly& goal, const Monomial& bad, const Integer& coefficient, AtomId inner,
                const Poly& fact, int depth) const;
  void note_rest(Search& search, const Poly& goal) const;
  /// Divisors in sight that are no constants: all are 1 or more inside `path`.
  std::vector<Poly> divisors(const Search& search, const Poly& goal, const Path* path) const;
  bool descend_scaled(const Search& search, const Poly& goal, const Path* path, Effort effort) const;
  bool names_remainder(const Poly& poly) const;
  std::optional<Poly> weakest(const Search& search) const;
  Verdict decide_by_cases(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Effort effort) const;
  std::optional<AtomId> splitting_atom(const Poly& goal, const Path* path, const std::vector<Poly>& facts) const;

  const Atoms& atoms_;
};

/// The same over integers: divided by the common factor of all but the constant, which is rounded down.
Poly cut(const Poly& poly);

}  // namespace lockstep::prove
