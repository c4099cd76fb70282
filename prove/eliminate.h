// Elimination: decides whether a polynomial is >= 0 where facts are. A step takes a term that may be negative and adds
// a fact, times a product of atoms that are not negative, so that the term cancels: masks first, then the atom's own
// bounds. Everything is an integer, so a goal may be divided by a common factor, rounded down. Limits are counted, never
// timed: answers do not depend on the machine. Where no proof is found, what is left may speak of the launch's numbers
// alone: that it is >= 0 suffices. Stages 1 and 2 of docs/design/prove.md.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "prove/atoms.h"
#include "prove/certificate.h"

namespace lockstep::prove {

struct Verdict {
  bool is_proved = false;
  /// Not proved: polynomials of the launch's numbers; the goal holds where all of them are >= 0. Empty: nothing is known.
  std::vector<Poly> suffices{};
  std::size_t steps = 0;
  Certificate why{};  // proved, or proved where `suffices` are >= 0
};

struct Effort {
  int depth = 9, nodes = 400, cases = 3;
  bool takes_multiples = true;  // facts n % d == 0 of the path
};

/// Which of several polynomials that suffice is the better condition.
using Preference = std::function<bool(const Poly&)>;

class Elimination {
 public:
  explicit Elimination(const Atoms& atoms) : atoms_(atoms) {}

  /// goal >= 0 wherever control is inside `path` and `facts` are >= 0. prefers: if any of what suffices, one of those.
  Verdict decide(const Poly& goal, const Path* path, const std::vector<Poly>& facts = {}, Effort effort = {},
                 const Preference& prefers = {}) const;
  bool proves(const Poly& goal, const Path* path, const std::vector<Poly>& facts = {}, Effort effort = {},
              Certificate* why = nullptr) const;
  /// The same by a sum of facts. Slower, and for linear goals complete.
  bool proves_by_sum(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Certificate& why) const;

 private:
  struct Search;
  struct Use {
    bool is_path_first = false;  // what the path says comes before bounds of atoms
    bool takes_multiples = true;
  };
  std::vector<Poly> usable_facts(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Use use) const;
  std::vector<Poly> usable_facts(const Poly& goal, const Path* path, const std::vector<Poly>& facts) const { return usable_facts(goal, path, facts, Use{}); }
  /// n % d == 0, n being a number of the launch.
  bool is_multiple(const Poly& fact) const;
  Verdict decide_with(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Effort effort, const Preference& prefers) const;
  bool descend(Search& search, Poly goal, int depth) const;
  struct Node;
  /// is_last: only if nothing is left to prove then.
  bool try_fact(Search& search, const Node& node, const Poly& fact, bool is_last) const;
  bool is_plain(const Poly& goal) const;
  void note_rest(Search& search, const Node& node) const;
  /// Divisors in sight that are no constants: all are 1 or more inside `path`.
  std::vector<Poly> divisors(const Search& search, const Poly& goal, const Path* path) const;
  bool descend_scaled(Search& search, const Poly& goal, const Path* path, Effort effort) const;
  bool names_remainder(const Poly& poly) const;
  std::optional<Decided> weakest(const Search& search, const Preference& prefers) const;
  Verdict decide_by_cases(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Effort effort,
                          const Preference& prefers) const;
  std::vector<std::vector<Poly>> cases_of(AtomId id) const;
  /// Facts contradict one of `hypotheses`.
  std::optional<Certificate> contradiction(const std::vector<Poly>& hypotheses, const Path* path,
                                           const std::vector<Poly>& facts) const;
  std::optional<AtomId> splitting_atom(const Poly& goal, const Path* path, const std::vector<Poly>& facts) const;

  const Atoms& atoms_;
};

/// The same over integers: divided by the common factor of all but the constant, which is rounded down.
Poly cut(const Poly& poly, Integer* divisor = nullptr);

}  // namespace lockstep::prove
