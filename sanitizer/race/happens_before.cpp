#include "sanitizer/race/happens_before.h"

#include <algorithm>
#include <cstring>

#include "interpreter/access/storage_copy.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::sanitizer {

using interpreter::AccessLanes;

std::uint32_t RaceBlames::add(const RaceBlame& blame) {
  const auto key = std::tuple(blame.released.program, blame.released.site, blame.acquired.address,
                              blame.acquired.program, blame.acquired.site);
  const auto [known, is_new] = known_.try_emplace(key, static_cast<std::uint32_t>(blames_.size()));
  if (is_new) blames_.push_back(blame);
  return known->second;
}

bool atomics_agree(const RaceAccessKind& kind, std::uint32_t bytes, const RaceAccesses& other) {
  return kind.is_atomic && other.bytes == bytes && !kind.is_cta && !other.is_cta;
}

const HappensBefore::Program* HappensBefore::program(std::uint32_t number) const {
  const auto found = programs_.find(number);
  return found == programs_.end() ? nullptr : &found->second;
}

HappensBefore::Access HappensBefore::access_of(std::uint64_t program, const ir::Op& op, const Location& location,
                                               const AccessLanes& lanes) {
  Access access;
  access.program = static_cast<std::uint32_t>(program);
  access.site = sites_.number_of(op, location, static_cast<std::uint32_t>(lanes.bytes()));
  access.kind = sites_[access.site].kind;
  access.state = &programs_[access.program];
  access.view = lanes.provenance();
  return access;
}

bool HappensBefore::make(const Access& access, AccessLanes& lanes, const ExpectedBits& expected,
                         std::vector<RacedBytes>& raced) {
  if (ir::does_atomic(*sites_[access.site].op, ir::MemoryAccess::Atomic::poll)) {
    Polled& polled = polled_[access.program];
    polled = {access, {}};
    for (std::int64_t i = 0; i < lanes.count(); ++i) {
      if (lanes.is_on(i)) polled.addresses.push_back(lanes.address(i));
    }
  }
  if (access.kind.compares) return swap_lanes(access, lanes, expected, raced);
  make_access(access, lanes, raced);
  return access.kind.writes;
}

void HappensBefore::end_poll(std::uint64_t program) {
  const auto found = polled_.find(static_cast<std::uint32_t>(program));
  if (found == polled_.end()) return;
  Polled polled = std::move(found->second);
  polled_.erase(found);
  polled.access.state = &programs_[polled.access.program];
  const std::uint64_t bytes = sites_[polled.access.site].bytes;
  for (const std::uint64_t address : polled.addresses) learn(address, bytes, polled.access);
}

void HappensBefore::make_access(const Access& access, AccessLanes& lanes, std::vector<RacedBytes>& raced) {
  transitions_.clear();
  releases_.clear();
  const bool is_flag = access.kind.is_atomic ? access.kind.is_observed : access.kind.may_spin && lanes.count() == 1;
  if (access.kind.reads && is_flag && follows_clocks_) {
    lanes.for_each_run(
        [&](std::uint64_t address, std::int64_t bytes) { learn(address, static_cast<std::uint64_t>(bytes), access); });
  }
  lanes.for_each_run([&](std::uint64_t address, std::int64_t bytes) {
    touch(address, static_cast<std::uint64_t>(bytes), access, raced);
  });
  if (access.kind.is_atomic && access.kind.writes) ++access.state->clock;
}

/// A compare-and-swap that fails only reads.
bool HappensBefore::swap_lanes(Access access, AccessLanes& lanes, const ExpectedBits& expected,
                               std::vector<RacedBytes>& raced) {
  const auto size = static_cast<std::size_t>(lanes.bytes());
  const RaceAccessKind kind = access.kind;
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
      if ((bits == expected(i)) != writes) continue;
      if (follows_clocks_) learn(lanes.address(i), size, access);
      touch(lanes.address(i), size, access, raced);
      has_written |= writes;
    }
  }
  if (has_written) ++access.state->clock;
  return has_written;
}

void HappensBefore::touch(std::uint64_t address, std::uint64_t bytes, const Access& access,
                          std::vector<RacedBytes>& raced) {
  shadow_.for_each(address, bytes, [&](std::uint32_t from, std::uint64_t at, std::uint64_t length) {
    access_address_ = at;
    const Transition& next = transition(from, access);
    if (next.race.is_race) raced.push_back({at, at + length, from, next.race});
    return next.to;
  });
}

const HappensBefore::Transition& HappensBefore::transition(std::uint32_t from, const Access& access) {
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

RaceState HappensBefore::next_state(const RaceState& from, const Access& access) {
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

/// This program stored the present value.
bool HappensBefore::holds_lock(const RaceState& state, std::uint32_t program) const {
  bool found = false;
  shadow_.for_each_access(state.updated, [&](const RaceAccesses& run) {
    found |= run.first <= program && program <= run.last && sites_[run.site].kind.swaps;
  });
  return found;
}

std::uint32_t HappensBefore::released_by(std::uint32_t before, const Access& access) {
  if (!follows_clocks_) return 0;
  const auto [known, is_new] = releases_.try_emplace(before);
  if (!is_new) return known->second;
  RaceClock mine = access.state->known;
  mine.learn(RaceClock(access.program, access.state->clock), true, [](std::uint32_t) { return 0u; });
  RaceClock clock = shadow_.clock(before);
  const RaceTouch touch{access.program, access.site, access.view, access_address_};
  clock.learn(mine, access.kind.releases && !access.kind.is_cta,
              [&](std::uint32_t old) { return old != 0 ? old : blames_.add({touch, {}}); });
  known->second = shadow_.add(std::move(clock));
  if (watcher_ != nullptr) {
    const bool is_proper = access.kind.releases && !access.kind.is_cta;
    watcher_->released(known->second, before, touch, access.state->clock, is_proper);
  }
  return known->second;
}

bool HappensBefore::races_with(const RaceAccesses& one, const Access& access, Race& race) const {
  if (!one.any() ||
      !access.state->known.first_unordered(one.first, one.last, one.clock, access.program, race.other_program))
    return false;
  race.other = one;
  return race.is_race = true;
}

/// Of several, the race with the oldest access.
HappensBefore::Race HappensBefore::find_race(const RaceState& from, const Access& access) const {
  Race race;
  if (races_with(from.stored, access, race)) return about(race, from, access);
  const RaceAccessKind& kind = access.kind;
  const auto agrees = [&](const RaceAccesses& run) { return atomics_agree(kind, sites_[access.site].bytes, run); };
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

/// The race with the program's earlier access there.
HappensBefore::Race HappensBefore::about(Race race, const RaceState& from, const Access& access) const {
  race.has_read_before = holds(shadow_, from.read, access.program);
  race.unlocks = access.kind.writes && !access.kind.is_atomic && holds_lock(from, access.program);
  if (from.raced != 0 && from.raced_by == access.program) race.raced = from.raced;
  return race;
}

// ---- clocks ----

void HappensBefore::learn(std::uint64_t address, std::uint64_t bytes, const Access& access) {
  std::uint32_t last = 0;
  shadow_.for_each(address, bytes, [&](std::uint32_t from, std::uint64_t at, std::uint64_t) {
    if (from != last) learn_of(shadow_.state(from), at, access);
    return last = from;
  });
}

void HappensBefore::learn_of(const RaceState& state, std::uint64_t address, const Access& access) {
  const RaceTouch touch{access.program, access.site, access.view, address};
  RaceClock& known = access.state->known;
  if (state.released != 0) {
    const bool is_proper = access.kind.acquires && !access.kind.is_cta;
    known.learn(shadow_.clock(state.released), is_proper, [&](std::uint32_t old) {
      if (blames_[old].acquired.site != 0) return old;
      return blames_.add({blames_[old].released, touch});
    });
    if (is_proper && watcher_ != nullptr) watcher_->acquired(state.released, touch, known);
  }
  const RaceAccesses& stored = state.stored;
  if (!stored.any() || stored.first == access.program || known.of(stored.first).would >= stored.clock) return;
  const RaceBlame blame{{stored.first, stored.site, access.view, address}, touch};
  known.learn(RaceClock(stored.first, stored.clock), false, [&](std::uint32_t) { return blames_.add(blame); });
}

void HappensBefore::mark_raced(std::uint64_t address, std::uint64_t bytes, std::uint32_t record,
                               std::uint32_t program) {
  shadow_.for_each(address, bytes,
                   [&](std::uint32_t from, std::uint64_t, std::uint64_t) { return marked(from, record, program); });
}

/// The state plus the record of the race that the program's load of it belongs to.
std::uint32_t HappensBefore::marked(std::uint32_t from, std::uint32_t record, std::uint32_t program) {
  if (shadow_.state(from).raced == record && shadow_.state(from).raced_by == program) return from;
  const auto [known, is_new] = marked_.try_emplace({from, record});
  if (!is_new) return known->second;
  RaceState made = shadow_.state(from);
  made.raced = record;
  made.raced_by = program;
  return known->second = shadow_.add(made);
}

}  // namespace lockstep::sanitizer
