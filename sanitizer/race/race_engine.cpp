#include "sanitizer/race/race_engine.h"

#include <algorithm>

#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::sanitizer {

using interpreter::AccessLanes;

RaceEngine::RaceEngine(const LaunchContext& context, const std::vector<bool>& is_watched, bool follows_clocks)
    : order_(follows_clocks) {
  const auto& memory = *context.request.memory;
  for (std::size_t i = 0; i < memory.view_count(); ++i) {
    const auto& view = memory.view(memory_model::ViewId{static_cast<std::int32_t>(i)});
    is_watched_view_.push_back(is_watched[static_cast<std::size_t>(memory.storage(view.storage).id.index)]);
  }
}

/// Quick for a plain pointer: most loads read memory that nobody writes.
bool RaceEngine::is_watched(Execution& run) const {
  const ir::Value& pointer = *run.op().operand(0);
  const ir::Type element = pointer.type().element();
  if (!element.is_pointer() || element.pointee().is_tensor()) return true;
  const std::int32_t view = run.tile(pointer).provenance;
  return view < 0 || is_watched_view_[static_cast<std::size_t>(view)];
}

void RaceEngine::before(Execution& run) {
  if (run.is_once() || !is_watched(run)) return;
  AccessLanes& lanes = run.lanes();
  const std::int32_t view = lanes.provenance();
  if (lanes.active() == 0 || (view >= 0 && !is_watched_view_[static_cast<std::size_t>(view)])) return;
  const Access access = order_.access_of(run.program(), run.op(), run.location(), lanes);
  std::vector<RacedBytes> raced;
  order_.make(access, lanes, [&](std::int64_t lane) { return run.bits(*run.op().operand(1), lane); }, raced);
  if (!raced.empty()) report(run, access, lanes, raced);
}

void RaceEngine::report(Execution& run, const Access& access, AccessLanes& lanes, std::vector<RacedBytes>& raced) {
  std::sort(raced.begin(), raced.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  const auto size = static_cast<std::uint64_t>(lanes.bytes());
  order_.forget_marks();
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if (!lanes.is_on(i)) continue;
    const std::uint64_t address = lanes.address(i);
    const auto at = std::upper_bound(raced.begin(), raced.end(), address,
                                     [](std::uint64_t a, const RacedBytes& bytes) { return a < bytes.end; });
    if (at == raced.end() || at->begin >= address + size) continue;
    note_race(run, access, *at, i, address);
  }
}

void RaceEngine::note_race(Execution& run, const Access& access, const RacedBytes& bytes, std::int64_t lane,
                           std::uint64_t address) {
  const HappensBefore::Race& race = bytes.race;
  RaceEvent event;
  event.site = access.site;
  event.other = race.other;
  event.other_program = race.other_program;
  event.other_is_read = race.other_is_read;
  event.has_read_before = race.has_read_before;
  event.unlocks = race.unlocks;
  const KnownPrograms known = access.state->known.of(race.other_program);
  event.blame = known.would >= race.other.clock ? known.blame : 0;
  event.lane = lane;
  event.address = address;
  if (race.raced != 0 && access.kind.writes && !access.kind.is_atomic) report_.take_back(race.raced);
  const std::uint32_t record = report_.add(run, event);
  if (access.kind.writes || access.kind.is_atomic) return;
  order_.mark_raced(address, order_.sites()[access.site].bytes, record, access.program);
}

}  // namespace lockstep::sanitizer
