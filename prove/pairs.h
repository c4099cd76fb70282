// Pairs: whether two accesses, at two points of a launch, always touch different bytes: accesses of two programs (races)
// or two lanes of one store. The second point has letters of its own. One after another, numbers of the two points are
// compared: less, equal, greater; in each case one access has to lie behind the other. Not here: which accesses (walk.h).
#pragma once

#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "prove/eliminate.h"
#include "prove/forms.h"
#include "prove/pair_proof.h"
#include "prove/outside/query.h"
#include "prove/ragged.h"

namespace lockstep::prove {

/// One access where it is; facts: what is >= 0 in lanes that are on.
struct Site {
  const ir::Op* op = nullptr;
  const ir::Value* base = nullptr;
  Poly at{};  // bytes
  Integer bytes{};
  std::vector<Poly> on{};
  Formula mask = Formula::constant(true);  // all that it says
  const Path* path = nullptr;
  bool writes = false, is_atomic = false;
};

/// Those of the polynomial, and of what they are made of.
void letters_of(const Poly& poly, const Atoms& atoms, std::set<AtomId>& into);

class Pairs {
 public:
  /// grid: its extents; along an axis of extent 1 all programs are equal.
  Pairs(Atoms& atoms, const std::array<Poly, 3>& grid, const Ragged& ragged)
      : atoms_(atoms), grid_(grid), ragged_(ragged), elimination_(atoms) {}

  /// Two programs never touch one byte by a and b. nullopt: not proved.
  std::optional<Apart> programs_apart(const Site& a, const Site& b);
  /// Two lanes of the store never touch one byte.
  std::optional<Apart> lanes_apart(const Site& store);
  /// Everything that holds where they do touch one.
  Query programs_meet(const Site& a, const Site& b);
  Query lanes_meet(const Site& store);
  /// After an answer that was not found: polynomials of the launch's numbers; where one of them is >= 0, less is missing.
  const std::vector<Poly>& suffices() const { return suffices_; }

 private:
  struct Question;
  Question question_of(const Site& a, const Site& b);
  Question question_of(const Site& store);
  Query query_of(const Question& question) const;
  std::optional<Apart> search_both(Question question, const std::vector<Poly>& single);
  std::optional<Apart> search(Question question);
  bool proves(const Question& question, const std::vector<Poly>& facts, const Poly& goal, Certificate& why) const;
  std::vector<Poly> unnamed_quotients(const std::set<AtomId>& letters) const;
  /// Of one case of a comparison: what it says, and what follows of data at two points.
  std::vector<Poly> facts_of_case(const Question& question, const Poly& difference, int sign, const std::vector<Poly>& facts) const;
  std::vector<Poly> counted_differences(const Poly& first, const Poly& second, bool is_fine) const;
  bool search(Question& question, std::size_t next, std::vector<Poly>& facts, int direction, Apart& found);
  void note_rests(Question& question, const std::vector<Poly>& facts, int direction) const;
  bool try_contradiction(const Question& question, const std::vector<Poly>& facts, Apart& found) const;
  bool try_absurd(const Question& question, const std::vector<Poly>& facts, Apart& found) const;
  std::vector<Poly> of_parts(const Poly& difference, const std::vector<Poly>& facts) const;
  bool try_same(const Question& question, std::size_t compared, const std::vector<Poly>& facts, Apart& found) const;
  bool try_direction(const Question& question, const std::vector<Poly>& facts, bool is_forward, Apart& found) const;

  Atoms& atoms_;
  const std::array<Poly, 3>& grid_;
  const Ragged& ragged_;
  Elimination elimination_;
  std::vector<Poly> suffices_;
};

}  // namespace lockstep::prove
