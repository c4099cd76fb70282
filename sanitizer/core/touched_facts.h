// TouchedFacts: what several checkers ask of the ranges that one launch touched, worked out once and only when asked:
// whether every byte was stored once, and what of a view was written. Invariant: answers are exact; where the ranges
// are not known every answer is the one that proves nothing. For one thread. Not here: what follows from it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "interpreter/launch/launch.h"
#include "sanitizer/coverage/coverage_map.h"

namespace lockstep::sanitizer {

class TouchedFacts {
 public:
  /// `report` must outlive this. `tells_programs`: of every range it is known which program touched it.
  TouchedFacts(const interpreter::LaunchReport& report, bool tells_programs)
      : report_(report), tells_programs_(tells_programs) {}

  bool is_known() const { return report_.touched != nullptr; }
  /// No byte was stored twice: not by two programs, not by two ops, not by two lanes.
  bool stored_each_byte_once() const;
  /// Some program both read and wrote (or updated) some byte. Precondition: the ranges tell programs apart.
  bool read_what_it_wrote() const;
  /// Of the elements of a view; it tells programs apart where the ranges do. Null: not known, or too many elements.
  const Coverage* coverage(const memory_model::View& view) const;

 private:
  bool find_stored_once() const;
  bool is_covered(const memory_model::View& view) const;

  const interpreter::LaunchReport& report_;
  bool tells_programs_;
  mutable std::optional<bool> stored_once_;
  mutable std::map<std::int32_t, std::optional<Coverage>> coverage_;  // by view
};

}  // namespace lockstep::sanitizer
