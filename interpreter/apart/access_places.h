// AccessPlaces: where each plain load and store of a kernel goes, as its argument's address and a sum of terms: factors
// that are one number in a launch, times a program's id, a lane or another number of a known range. Found once per
// kernel, from the IR, through sums, products, copies of tiles, pointers that a loop moves on, and masks that compare
// such a number. A launch puts its numbers in. Invariant: every access is in the list; one that is no such sum may be
// anywhere in its arguments. Not here: whether places meet (program_places.h); atomics, whose memory is never loaded or
// stored to by programs side by side (execution_mode.h).
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "interpreter/apart/access_place.h"
#include "interpreter/apart/kernel_numbers.h"
#include "interpreter/apart/program_places.h"
#include "interpreter/batching/effects.h"

namespace lockstep::interpreter::apart {

class AccessPlaces {
 public:
  /// `kernel`: a tt.func; `accesses`: of its module, for it.
  AccessPlaces(const ir::Op& kernel, const std::vector<PlainAccess>& accesses);

  /// No program touches what another one writes, in all storages whose accesses would be logged (ViewRange::is_logged).
  /// Remembers the last launch: the same grid, arguments and ranges of arrays have the same answer. Any thread.
  bool are_apart(const Launch& launch) const;
  /// Some numbers come from memory, so that are_apart() may answer otherwise when that changes.
  bool read_arrays() const { return !numbers_.any_arrays().empty(); }
  /// The same whatever memory holds: the launch's arguments alone show it. Any thread.
  bool are_always_apart(const Launch& launch) const { return is_complete_ && find_out(launch, numbers_.any_arrays()); }

 private:
  void put(const Launch& launch, const KernelNumbers::Values& values, const AccessPlace& place, std::size_t argument,
           std::vector<ProgramPlace>& out) const;
  bool find_out(const Launch& launch, const std::vector<Range>& arrays) const;

  KernelNumbers numbers_;
  std::vector<AccessPlace> places_;
  bool is_complete_ = true;  // no access through a pointer of unknown origin

  struct Answer {
    std::vector<std::uint64_t> question;
    bool are_apart = false;
  };
  mutable std::mutex mutex_;
  mutable Answer last_;
};

}  // namespace lockstep::interpreter::apart
