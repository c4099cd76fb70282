// Meetings: which accesses must never touch one byte, those of two programs (races) and of two lanes of one store; and the
// conditions under which they do not. Not here: how two accesses are proved to be apart (pairs.h).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "prove/ledger.h"
#include "prove/pairs.h"
#include "prove/statement.h"

namespace lockstep::prove {

class Meetings {
 public:
  Meetings(const Contract& contract, Atoms& atoms, const Ragged& ragged, Ledger& ledger, Statement& statement)
      : contract_(contract), atoms_(atoms), ragged_(ragged), ledger_(ledger), statement_(statement) {}
  void decide(const std::vector<Site>& sites);

 private:
  using Search = std::function<std::optional<Apart>()>;
  void decide_lanes(const Site& site, Pairs& pairs);
  void decide_pair(const Site& a, const Site& b, Pairs& pairs);
  std::optional<Apart> apart_under_conditions(const Site& site, Property property, const Pairs& pairs, const Search& search);
  /// How many programs along an axis of the grid may be meant, where nobody said it: the fewest last.
  std::vector<Poly> extents_meant(const Site& site, std::size_t axis) const;
  void leave_out_implied(std::size_t before, const Search& search, Apart& why);

  const Contract& contract_;
  Atoms& atoms_;
  const Ragged& ragged_;
  Ledger& ledger_;
  Statement& statement_;
};

}  // namespace lockstep::prove
