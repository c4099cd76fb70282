// Mend: numbers of a launch that meet what is asked, from numbers that do not. One number at a time is set to the nearest
// that meets a polynomial, found by halving. Deterministic. Not here: what is asked, and which numbers come first (trials.h).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "prove/evaluate.h"

namespace lockstep::driver {

class Mend {
 public:
  /// wanted: all >= 0, numbers of `free` alone. multiples: of what a number has to be one.
  Mend(const prove::Atoms& atoms, std::vector<prove::AtomId> free, std::map<prove::AtomId, prove::Integer> multiples, std::vector<prove::Poly> wanted);
  /// Whether the numbers meet all of it now. False: `unmet()` is in the way.
  bool mend(prove::Numbers& numbers);
  /// Of what was wanted, the one that was last given up.
  std::size_t unmet() const { return unmet_; }

 private:
  struct Change {
    prove::AtomId id = 0;
    prove::Integer number;
    std::size_t broken = 0;  // how much of what is wanted fails then
  };
  bool holds(std::size_t which, const prove::Numbers& numbers) const;
  std::size_t count_broken(const prove::Numbers& numbers) const;
  std::optional<prove::Integer> nearest(std::size_t which, prove::AtomId id, prove::Numbers numbers, bool goes_up) const;
  std::optional<Change> best_change(std::size_t which, const prove::Numbers& numbers) const;

  const prove::Atoms& atoms_;
  std::vector<prove::AtomId> free_;
  std::map<prove::AtomId, prove::Integer> multiples_;
  std::vector<prove::Poly> wanted_;
  std::size_t unmet_ = 0;
};

}  // namespace lockstep::driver
