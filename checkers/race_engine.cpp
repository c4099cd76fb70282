#include "checkers/race_engine.h"

#include <algorithm>
#include <cstring>

#include "interpreter/storage_copy.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::checkers {

using interpreter::AccessLanes;

RaceEngine::RaceEngine(const LaunchContext& context, const std::vector<bool>& is_watched, bool follows_clocks)
    : context_(context), follows_clocks_(follows_clocks) {
  const auto& memory = *context.request.memory;
  for (std::size_t i = 0; i < memory.view_count(); ++i) {
    const auto& view = memory.view(memory_model::ViewId{static_cast<std::int32_t>(i)});
    is_watched_view_.push_back(is_watched[static_cast<std::size_t>(memory.storage(view.storage).id.index)]);
  }
}

/// Quick where the pointer is a plain one: most loads are of memory that nobody writes.
bool RaceEngine::is_watched(Execution& run) const {
  const ir::Value& pointer = *run.op().operand(0);
  const ir::Type element = pointer.type().element();
  if (!element.is_pointer() || element.pointee().is_tensor()) return true;
  const std::int32_t view = run.tile(pointer).provenance;
  return view < 0 || is_watched_view_[static_cast<std::size_t>(view)];
}

RaceEngine::Access RaceEngine::access_of(Execution& run) {
  Access access;
  access.program = static_cast<std::uint32_t>(run.program());
  access.site = sites_.number_of(run.op(), run.location(), static_cast<std::uint32_t>(run.lanes().bytes()));
  access.kind = sites_[access.site].kind;
  access.state = &programs_[access.program];
  access.view = run.lanes().provenance();
  return access;
}

void RaceEngine::before(Execution& run) {
  if (run.is_once() || !is_watched(run)) return;
  AccessLanes& lanes = run.lanes();
  const std::int32_t view = lanes.provenance();
  if (lanes.active() == 0 || (view >= 0 && !is_watched_view_[static_cast<std::size_t>(view)])) return;
  const Access access = access_of(run);
  if (run.op().def().opcode == ir::Opcode::tt_atomic_poll) {
    Polled& polled = polled_[access.program];
    polled = {access, {}};
    for (std::int64_t i = 0; i < lanes.count(); ++i) {
      if (lanes.is_on(i)) polled.addresses.push_back(lanes.address(i));
    }
  }
  access.kind.compares ? swap_lanes(run, access, lanes) : make_access(run, access, lanes);
}

/// It has seen more than when it began to wait.
void RaceEngine::after(Execution& run) {
  const auto found = polled_.find(static_cast<std::uint32_t>(run.program()));
  if (found == polled_.end()) return;
  Polled polled = std::move(found->second);
  polled_.erase(found);
  polled.access.state = &programs_[polled.access.program];
  const std::uint64_t bytes = sites_[polled.access.site].bytes;
  for (const std::uint64_t address : polled.addresses) learn(address, bytes, polled.access);
}

void RaceEngine::make_access(Execution& run, const Access& access, AccessLanes& lanes) {
  transitions_.clear();
  releases_.clear();
  const bool is_flag = access.kind.is_atomic ? access.kind.is_observed : access.kind.may_spin && lanes.count() == 1;
  if (access.kind.reads && is_flag && follows_clocks_) {
    lanes.for_each_run(
        [&](std::uint64_t address, std::int64_t bytes) { learn(address, static_cast<std::uint64_t>(bytes), access); });
  }
  std::vector<RacedBytes> raced;
  lanes.for_each_run([&](std::uint64_t address, std::int64_t bytes) {
    touch(address, static_cast<std::uint64_t>(bytes), access, raced);
  });
  if (!raced.empty()) report(run, access, lanes, raced);
  if (access.kind.is_atomic && access.kind.writes) ++access.state->clock;
}

/// A compare and swap that fails only reads.
void RaceEngine::swap_lanes(Execution& run, Access access, AccessLanes& lanes) {
  const auto size = static_cast<std::size_t>(lanes.bytes());
  const ir::Value& expected = *run.op().operand(1);
  const RaceAccessKind kind = access.kind;
  std::vector<RacedBytes> raced;
  bool has_written = false;
  for (const bool writes : {false, true}) {
    transitions_.clear();
    releases_.clear();
    access.kind = kind;
    access.kind.writes = writes;
    for (std::int64_t i = 0; i < lanes.count(); ++i) {
      if (!lanes.is_on(i)) continue;
      std::uint64_t bits = 0;
      std::memcpy(&bits, interpreter::bytes_at(lanes.address(i)), size);
      if ((bits == run.bits(expected, i)) != writes) continue;
      if (follows_clocks_) learn(lanes.address(i), size, access);
      touch(lanes.address(i), size, access, raced);
      has_written |= writes;
    }
  }
  if (!raced.empty()) report(run, access, lanes, raced);
  if (has_written) ++access.state->clock;
}

void RaceEngine::touch(std::uint64_t address, std::uint64_t bytes, const Access& access,
                       std::vector<RacedBytes>& raced) {
  shadow_.for_each(address, bytes, [&](std::uint32_t from, std::uint64_t at, std::uint64_t length) {
    access_address_ = at;
    const Transition& next = transition(from, access);
    if (next.race.is_race) raced.push_back({at, at + length, from, next.race});
    return next.to;
  });
}

const RaceEngine::Transition& RaceEngine::transition(std::uint32_t from, const Access& access) {
  const auto [known, is_new] = transitions_.try_emplace(from);
  if (!is_new) return known->second;
  const RaceState old = shadow_.state(from);
  const RaceState next = next_state(old, access);
  known->second.race = find_race(old, access);
  known->second.to = next == old ? from : shadow_.add(next);
  return known->second;
}

namespace {

bool holds(const RaceShadow& shadow, std::uint32_t set, std::uint32_t program) {
  bool found = false;
  shadow.for_each_access(set, [&](const RaceAccesses& run) { found |= run.first <= program && program <= run.last; });
  return found;
}

}  // namespace

RaceState RaceEngine::next_state(const RaceState& from, const Access& access) {
  const RaceAccesses self{.first = access.program,
                          .last = access.program,
                          .clock = access.state->clock,
                          .site = access.site,
                          .bytes = static_cast<std::uint8_t>(sites_[access.site].bytes),
                          .has_written = access.kind.writes,
                          .is_cta = access.kind.is_cta};
  const RaceClock& known = access.state->known;
  RaceState to = from;
  if (access.kind.is_atomic) {
    to.updated = shadow_.add(from.updated, self, known);
    if (access.kind.writes) to.released = released_by(access.kind.continues ? from.released : 0, access);
    return to;
  }
  if (!access.kind.writes) {
    to.read = shadow_.add(from.read, self, known);
    return to;
  }
  to = RaceState{};
  to.stored = self;
  to.stored.has_read_before = holds(shadow_, from.read, access.program);
  to.stored.holds_lock = holds_lock(from, access.program);
  return to;
}

/// The program has swapped what is there.
bool RaceEngine::holds_lock(const RaceState& state, std::uint32_t program) const {
  bool found = false;
  shadow_.for_each_access(state.updated, [&](const RaceAccesses& run) {
    found |= run.first <= program && program <= run.last && sites_[run.site].kind.swaps;
  });
  return found;
}

std::uint32_t RaceEngine::released_by(std::uint32_t before, const Access& access) {
  if (!follows_clocks_) return 0;
  const auto [known, is_new] = releases_.try_emplace(before);
  if (!is_new) return known->second;
  RaceClock mine = access.state->known;
  mine.learn(RaceClock(access.program, access.state->clock), true, [](std::uint32_t) { return 0u; });
  RaceClock clock = shadow_.clock(before);
  const RaceTouch touch{access.program, access.site, access.view, access_address_};
  clock.learn(mine, access.kind.releases && !access.kind.is_cta,
              [&](std::uint32_t old) { return old != 0 ? old : report_.add_blame({touch, {}}); });
  return known->second = shadow_.add(std::move(clock));
}

bool RaceEngine::races_with(const RaceAccesses& one, const Access& access, Race& race) const {
  if (!one.any() ||
      !access.state->known.first_unordered(one.first, one.last, one.clock, access.program, race.other_program))
    return false;
  race.other = one;
  return race.is_race = true;
}

/// Of several, the race with the oldest access.
RaceEngine::Race RaceEngine::find_race(const RaceState& from, const Access& access) const {
  Race race;
  if (races_with(from.stored, access, race)) return about(race, from, access);
  const RaceAccessKind& kind = access.kind;
  const auto agrees = [&](const RaceAccesses& run) {
    return kind.is_atomic && run.bytes == sites_[access.site].bytes && !kind.is_cta && !run.is_cta;
  };
  const RaceAccesses* all = shadow_.same_kind(from.updated);
  if (all == nullptr || !agrees(*all)) {
    shadow_.for_each_access(from.updated, [&](const RaceAccesses& run) {
      if ((kind.writes || run.has_written) && !agrees(run)) races_with(run, access, race);
    });
  }
  if (!race.is_race && kind.writes) {
    shadow_.for_each_access(from.read, [&](const RaceAccesses& run) {
      if (races_with(run, access, race)) race.other_is_read = true;
    });
  }
  return race.is_race ? about(race, from, access) : race;
}

/// The race with what the program had done there before.
RaceEngine::Race RaceEngine::about(Race race, const RaceState& from, const Access& access) const {
  race.has_read_before = holds(shadow_, from.read, access.program);
  race.unlocks = access.kind.writes && !access.kind.is_atomic && holds_lock(from, access.program);
  if (from.raced != 0 && from.raced_by == access.program) race.raced = from.raced;
  return race;
}

// ---- clocks ----

void RaceEngine::learn(std::uint64_t address, std::uint64_t bytes, const Access& access) {
  std::uint32_t last = 0;
  shadow_.for_each(address, bytes, [&](std::uint32_t from, std::uint64_t at, std::uint64_t) {
    if (from != last) learn_of(shadow_.state(from), at, access);
    return last = from;
  });
}

void RaceEngine::learn_of(const RaceState& state, std::uint64_t address, const Access& access) {
  const RaceTouch touch{access.program, access.site, access.view, address};
  RaceClock& known = access.state->known;
  if (state.released != 0) {
    const bool is_proper = access.kind.acquires && !access.kind.is_cta;
    known.learn(shadow_.clock(state.released), is_proper, [&](std::uint32_t old) {
      if (report_.blame(old).acquired.site != 0) return old;
      return report_.add_blame({report_.blame(old).released, touch});
    });
  }
  const RaceAccesses& stored = state.stored;
  if (!stored.any() || stored.first == access.program || known.of(stored.first).would >= stored.clock) return;
  const RaceBlame blame{{stored.first, stored.site, access.view, address}, touch};
  known.learn(RaceClock(stored.first, stored.clock), false, [&](std::uint32_t) { return report_.add_blame(blame); });
}

// ---- races ----

void RaceEngine::report(Execution& run, const Access& access, AccessLanes& lanes, std::vector<RacedBytes>& raced) {
  std::sort(raced.begin(), raced.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  const auto size = static_cast<std::uint64_t>(lanes.bytes());
  marked_.clear();
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
  const Race& race = bytes.race;
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
  shadow_.for_each(address, sites_[access.site].bytes, [&](std::uint32_t from, std::uint64_t, std::uint64_t) {
    return mark_raced(from, record, access.program);
  });
}

/// The state with the record of the race that the program's load of it was.
std::uint32_t RaceEngine::mark_raced(std::uint32_t from, std::uint32_t record, std::uint32_t program) {
  if (shadow_.state(from).raced == record && shadow_.state(from).raced_by == program) return from;
  const auto [known, is_new] = marked_.try_emplace({from, record});
  if (!is_new) return known->second;
  RaceState made = shadow_.state(from);
  made.raced = record;
  made.raced_by = program;
  return known->second = shadow_.add(made);
}

}  // namespace lockstep::checkers
