// Overview: how far the programs of a launch are: which run, wait, have ended, made a finding. Bounded: it counts the
// programs of a large launch, and does not list them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "debugger/session/program_text.h"
#include "debugger/session/session.h"

namespace lockstep::debugger {

enum class ProgramStatus : std::uint8_t { not_started, focus, waiting, ended, fault };

struct ProgramFacts {
  std::uint64_t number = 0;
  ProgramId id{};
  ProgramStatus status = ProgramStatus::not_started;
  Place place;              // where it stands; unknown where it does not
  std::uint64_t steps = 0;  // passed since it began; of live ones
};

ProgramStatus status_of(const Session& session, std::uint64_t program);
/// The focus first, then live ones, then those with findings, then up to `most` in grid order.
std::vector<ProgramFacts> notable_programs(const Session& session, std::size_t most);

/// Frames around the kernel's own, innermost first, of the line where the launch stands. None after its end.
std::vector<OuterFrame> outer_frames(const Session& session);

struct ProgramCounts {
  std::uint64_t not_started = 0, live = 0, ended = 0, faults = 0;
};
ProgramCounts count_programs(const Session& session);

}  // namespace lockstep::debugger
