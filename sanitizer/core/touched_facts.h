// TouchedFacts: facts that several checkers derive from the ranges that a launch touched, computed on first use:
// whether every byte was stored once, and which part of a view was written. Invariant: answers are exact; where the
// ranges are unknown, every answer is the one that proves nothing. For one thread. Not here: the conclusions.
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
  /// `report` must outlive this. `tells_programs`: every range names the program that touched it.
  TouchedFacts(const interpreter::LaunchReport& report, bool tells_programs)
      : report_(report), tells_programs_(tells_programs) {}

  bool is_known() const { return report_.touched != nullptr; }
  /// No byte was stored twice: not by two programs, two ops or two lanes.
  bool stored_each_byte_once() const;
  /// Some program both read and wrote (or updated) some byte. Precondition: the ranges tell programs apart.
  bool read_what_it_wrote() const;
  /// The coverage of a view's elements; it distinguishes programs where the ranges do. Null: unknown, or too many
  /// elements.
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
