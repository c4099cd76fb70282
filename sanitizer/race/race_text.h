// The texts of race findings: places, values, programs, and what is wrong with the edge between two accesses. Nothing
// here decides anything.
#pragma once

#include <cstdint>
#include <string>

#include "sanitizer/core/checker.h"
#include "sanitizer/race/happens_before.h"

namespace lockstep::sanitizer {

/// "program (1,0,0)".
std::string race_program(const LaunchContext& context, std::uint32_t number);
ProgramId race_program_id(const LaunchContext& context, std::uint32_t number);
/// "out[3]"; "memory" if no view is known.
std::string race_element(const memory_model::AddressSpace& memory, std::int32_t view, std::uint64_t address);
std::string race_element(const LaunchContext& context, std::int32_t view, std::uint64_t address);
/// "flag[0] is set by a relaxed atomic (line 9) and read by a plain load (line 12)".
std::string race_flag(const memory_model::AddressSpace& memory, const RaceSites& sites, const RaceBlame& blame);
/// " (line 12)"; "": unknown.
std::string race_line(const Location& location);
/// "3.1", "-7".
std::string race_value(ScalarKind kind, std::uint64_t bits);
/// Why an access does not release or acquire: "plain", "relaxed", "of scope cta"; "": it does.
std::string_view release_fault(const RaceSite& site);
std::string_view acquire_fault(const RaceSite& site);
/// What mends it.
std::string_view race_hint(FindingCode code);

}  // namespace lockstep::sanitizer
