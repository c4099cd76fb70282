#include "debugger/queries/conflicts.h"

#include <algorithm>

#include "sanitizer/race/race_report.h"
#include "sanitizer/race/race_text.h"

namespace lockstep::debugger {

using sanitizer::HappensBefore;
using sanitizer::RaceAccesses;

namespace {

constexpr std::size_t kMostRuns = std::size_t{1} << 21;
constexpr std::uint64_t kMostMeetings = std::uint64_t{1} << 24;

RaceAccesses as_model(const Touch& touch, const HappensBefore& model) {
  return {.first = static_cast<std::uint32_t>(touch.access.program),
          .last = static_cast<std::uint32_t>(touch.access.program),
          .clock = touch.clock,
          .site = touch.site,
          .bytes = static_cast<std::uint8_t>(model.sites()[touch.site].bytes),
          .has_written = touch.kind.writes,
          .is_cta = touch.kind.is_cta};
}

}  // namespace

void Touches::add(const Touch& touch, interpreter::AccessLanes& lanes) {
  ++counts_[touch.side];
  const auto number = static_cast<std::uint32_t>(touches_.size());
  touches_.push_back(touch);
  lanes.for_each_run([&](std::uint64_t address, std::int64_t bytes) {
    if (runs_.size() >= kMostRuns) {
      is_truncated_ = true;
      return;
    }
    runs_.push_back({address, address + static_cast<std::uint64_t>(bytes), number});
  });
}

void Touches::meet(const Run& one, const Run& other, const HappensBefore& model) {
  const Touch &a = touches_[one.touch], &b = touches_[other.touch];
  const bool a_is_first = a.access.mark < b.access.mark;
  const Touch &first = a_is_first ? a : b, &second = a_is_first ? b : a;
  const bool agree = first.kind.is_atomic &&
                     sanitizer::atomics_agree(second.kind, model.sites()[second.site].bytes, as_model(first, model));
  if ((!first.kind.writes && !second.kind.writes) || agree) return;
  const ByteRange bytes{std::max(one.begin, other.begin), std::min(one.end, other.end)};
  const bool is_ordered = second.knew.sure >= first.clock;
  if (is_ordered && (wanted_[first.side] == 1 || second.access.mark < wanted_at_[first.side])) {
    wanted_[first.side] = first.clock;
    wanted_at_[first.side] = second.access.mark;
  }
  const auto key = a.side == 0 ? std::pair(a.site, b.site) : std::pair(b.site, a.site);
  const Pair made{a_is_first ? one.touch : other.touch, a_is_first ? other.touch : one.touch, bytes, 0, is_ordered};
  const auto [known, is_new] = pairs_.try_emplace(key, made);
  Pair& pair = known->second;
  const std::uint64_t all = pair.bytes_in_all + bytes.end - bytes.begin;
  const bool is_earlier = second.access.mark < touches_[pair.second].access.mark;
  if (!is_new && (is_ordered == pair.is_ordered ? is_earlier : pair.is_ordered)) pair = made;
  pair.bytes_in_all = all;
}

/// The program of the touch accessed these bytes in the same way before.
bool Touches::did_before(const Touch& touch, ByteRange bytes, bool (*what)(const Touch&)) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
    const Touch& earlier = touches_[run.touch];
    return earlier.side == touch.side && earlier.access.mark < touch.access.mark && what(earlier) &&
           run.begin < bytes.end && bytes.begin < run.end;
  });
}

void Touches::tell_race(const Pair& pair, const HappensBefore& model, const memory_model::AddressSpace& memory,
                        Conflict& conflict) const {
  const Touch &first = touches_[pair.first], &second = touches_[pair.second];
  const auto swaps = [](const Touch& touch) { return touch.kind.swaps; };
  sanitizer::RaceEvent event;
  event.site = second.site;
  event.other = as_model(first, model);
  event.other.holds_lock = first.kind.writes && did_before(first, pair.bytes, swaps);
  event.other_program = static_cast<std::uint32_t>(first.access.program);
  event.blame = second.knew.would >= first.clock ? second.knew.blame : 0;
  event.other_is_read = !first.kind.writes;
  event.has_read_before =
      did_before(second, pair.bytes, [](const Touch& touch) { return touch.kind.reads && !touch.kind.is_atomic; });
  event.unlocks = second.kind.writes && !second.kind.is_atomic && did_before(second, pair.bytes, swaps);
  conflict.code = sanitizer::race_code(model.sites(), model.blames(), event);
  conflict.remedy = sanitizer::race_hint(conflict.code);
  if (event.blame != 0 && model.blames()[event.blame].acquired.site != 0)
    conflict.blame = sanitizer::race_flag(memory, model.sites(), model.blames()[event.blame]);
}

namespace {

/// Where both load an element, change it and store it, the loads are part of that race (LS302), as the checker tells it.
void name_lost_changes(std::vector<Conflict>& all) {
  for (Conflict& one : all) {
    if (one.is_ordered || one.code != FindingCode::LS309) continue;
    const bool is_part = std::any_of(all.begin(), all.end(), [&](const Conflict& other) {
      return !other.is_ordered && other.code == FindingCode::LS302 && other.bytes.begin < one.bytes.end && one.bytes.begin < other.bytes.end;
    });
    if (!is_part) continue;
    one.code = FindingCode::LS302;
    one.remedy = sanitizer::race_hint(one.code);
  }
}

}  // namespace

std::vector<Conflict> Touches::conflicts(const HappensBefore& model, const memory_model::AddressSpace& memory) {
  std::sort(runs_.begin(), runs_.end(),
            [](const Run& a, const Run& b) { return a.begin != b.begin ? a.begin < b.begin : a.touch < b.touch; });
  std::array<std::vector<Run>, 2> open;  // runs that go on where the next one begins
  std::uint64_t meetings = 0;
  for (const Run& run : runs_) {
    const std::size_t side = touches_[run.touch].side;
    std::vector<Run>& others = open[1 - side];
    std::erase_if(others, [&](const Run& other) { return other.end <= run.begin; });
    for (const Run& other : others) meet(run, other, model);
    meetings += others.size();
    if (meetings > kMostMeetings) {
      is_truncated_ = true;
      break;
    }
    open[side].push_back(run);
  }
  std::vector<Conflict> made;
  for (const auto& [sites, pair] : pairs_) {
    const Touch &first = touches_[pair.first], &second = touches_[pair.second];
    Conflict conflict{first.access,
                      second.access,
                      first.kind.writes,
                      second.kind.writes,
                      pair.bytes,
                      pair.bytes_in_all,
                      pair.is_ordered,
                      {},
                      {},
                      {}};
    if (!pair.is_ordered) tell_race(pair, model, memory, conflict);
    made.push_back(std::move(conflict));
  }
  name_lost_changes(made);
  std::stable_sort(made.begin(), made.end(), [](const Conflict& a, const Conflict& b) {
    return a.is_ordered != b.is_ordered ? b.is_ordered : a.second.mark < b.second.mark;
  });
  return made;
}

}  // namespace lockstep::debugger
