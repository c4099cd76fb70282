#include "interpreter/shared_memory/touches.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/shared_memory/barriers.h"

namespace lockstep::interpreter {

namespace {

constexpr std::uint32_t bit(std::uint32_t group) { return std::uint32_t{1} << group; }

void set_byte_range(Touch& touch) {
  touch.begin = INT64_MAX;
  touch.end = 0;
  for_each_run(touch.view, *touch.places, [&](std::int64_t begin, std::int64_t end) {
    touch.begin = std::min(touch.begin, begin);
    touch.end = std::max(touch.end, end);
  });
}

/// All bytes of its range are its view's.
bool is_solid(const Touch& touch) { return touch.end - touch.begin == touch.places->tile->bytes(); }

/// Some byte belongs to both.
bool shares_bytes(const Touch& a, const Touch& b) {
  if (a.end <= b.begin || b.end <= a.begin) return false;
  if (is_solid(a) && is_solid(b)) return true;
  std::vector<std::pair<std::int64_t, std::int64_t>> runs;
  for_each_run(a.view, *a.places, [&](std::int64_t begin, std::int64_t end) { runs.emplace_back(begin, end); });
  std::sort(runs.begin(), runs.end());
  bool found = false;
  for_each_run(b.view, *b.places, [&](std::int64_t begin, std::int64_t end) {
    if (found) return;
    const auto after = std::upper_bound(runs.begin(), runs.end(), std::pair{begin, INT64_MAX});
    found = (after != runs.begin() && std::prev(after)->second > begin) || (after != runs.end() && after->first < end);
  });
  return found;
}

/// Every byte of `inner` surely belongs to `outer`.
bool covers(const Touch& outer, const Touch& inner) {
  if (is_solid(outer)) return outer.begin <= inner.begin && inner.end <= outer.end;
  return outer.view.base == inner.view.base && outer.view.start == inner.view.start &&
         outer.places->run_bytes == inner.places->run_bytes && outer.places->outer == inner.places->outer &&
         outer.places->inner == inner.places->inner && outer.places->paddings == inner.places->paddings;
}

std::string_view text_of(const Touch& touch) {
  switch (touch.queue) {
    case Queue::copies:
    case Queue::barrier: return "an asynchronous copy into it";
    case Queue::stores: return "an asynchronous copy from it";
    case Queue::products:
    case Queue::tensor: return touch.is_write ? "an asynchronous product into it" : "an asynchronous product";
    case Queue::none: return touch.is_write ? "a store" : "a load";
  }
  return "";
}

std::string_view hint_of(const Touch& touch) {
  switch (touch.queue) {
    case Queue::copies: return "wait for the copy's group first: ttg.async_wait with a smaller num";
    case Queue::barrier: return "wait for the phase of the copy's barrier first: ttng.wait_barrier";
    case Queue::stores: return "wait for the copy first: ttng.async_tma_store_wait with fewer pendings";
    case Queue::products: return "wait for the product first: ttng.warp_group_dot_wait with fewer pendings";
    case Queue::tensor: return "wait for a barrier at which the product, or a commit after it, arrives";
    case Queue::none: return "let the other group arrive at a barrier after it, and wait for that phase here";
  }
  return "";
}

std::string by(const BlockState& state, std::uint32_t group) {
  const std::string name = name_of_group(state, group);
  return name.empty() ? "" : " of " + name;
}

const Barrier* barrier_of(const BlockState& state, const Touch& touch) {
  for (std::uint32_t i = 0; i < state.barrier_count; ++i) {
    const Barrier& one = state.barriers[i];
    if (one.storage == touch.barrier && one.byte == touch.barrier_byte) return &one;
  }
  return nullptr;
}

/// "phase 3 of its barrier; phase 4 is open": what would have ended the operation.
std::string phase_text(const BlockState& state, const Touch& touch) {
  const Barrier* barrier = touch.queue == Queue::barrier ? barrier_of(state, touch) : nullptr;
  if (barrier == nullptr) return "";
  const std::string asked = "it belongs to phase " + std::to_string(touch.number) + " of its barrier, parity " +
                            std::to_string(touch.number & 1);
  return asked + (barrier->phase > touch.number ? ", which is complete, but this group did not wait for it"
                                                : ", which is not complete");
}

void report_conflict(Machine& machine, const Step* step, const BlockState& state, const Touch& mine,
                     const Touch& other) {
  const std::string does = (mine.is_write ? "writes" : "reads") + std::string(" a buffer");
  const std::uint32_t made = site_of_storage(machine, mine.view.storage);
  std::vector<Note> notes;
  if (other.queue == Queue::none) {
    const std::string what = std::string(text_of(other)) + by(state, other.group);
    notes.push_back({"the " + std::string(other.is_write ? "store" : "load") + " is here", other.site});
    notes.push_back({"the buffer is made here", made});
    return report_at(machine, step, FindingCode::LS413,
                     does + ": nothing orders it after " + what + (by(state, state.current).empty() ? "" : ", which runs beside this one"),
                     notes, std::string(hint_of(other)));
  }
  const FindingCode code = !mine.is_write ? FindingCode::LS410 : other.is_write ? FindingCode::LS412 : FindingCode::LS411;
  notes.push_back({"it begins here" + by(state, other.group), other.site});
  if (const std::string phase = phase_text(state, other); !phase.empty()) notes.push_back({phase, other.site});
  notes.push_back({"the buffer is made here", made});
  report_at(machine, step, code,
            does + ": " + std::string(text_of(other)) +
                (other.is_write ? " may still be running" : " may still read it"),
            notes, std::string(hint_of(other)));
}

void report_missing_fence(Machine& machine, const Step* step, const BlockState& state, const Touch& other) {
  report_at(machine, step, FindingCode::LS414,
            "the asynchronous proxy may not see the store" + by(state, other.group) +
                ": there is no fence between the store and this operation",
            {{"the store is here", other.site}},
            "put ttng.fence_async_shared (fence_async_shared) after the store, before its group arrives at the barrier");
}

/// One of a queue whose operations run one after the other.
bool runs_in_order(const Touch& a, const Touch& b) {
  return a.queue == b.queue && a.group == b.group && (a.queue == Queue::tensor);
}

bool lacks_fence(const Machine& machine, const Touch& mine, const Touch& other, std::uint32_t me) {
  if (!mine.is_proxied || !other.needs_fence || !other.is_write || (other.fenced & bit(me)) != 0) return false;
  return other.group != me || (machine.launch.has_strict_proxy && !mine.is_write);
}

void forget(BlockState& state, std::size_t i) {
  state.touches[i].is_used = false;
  for (std::uint32_t b = 0; b < state.barrier_count; ++b) {
    for (Sight* sight : {&state.barriers[b].coming, &state.barriers[b].done}) {
      sight->seen.remove(i);
      sight->fenced.remove(i);
    }
  }
  for (Flight& flight : state.flights) {
    if (flight.kind == nullptr) continue;
    flight.behind.seen.remove(i);
    flight.behind.fenced.remove(i);
    flight.own.remove(i);
  }
  while (state.touch_count != 0 && !state.touches[state.touch_count - 1].is_used) --state.touch_count;
}

std::size_t free_touch(BlockState& state) {
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    if (!state.touches[i].is_used) return i;
  }
  if (state.touch_count < kMostTouches) return state.touch_count++;
  const std::uint32_t all = bit(state.group_count) - 1;
  std::size_t oldest = 0;
  const auto age = [&](const Touch& touch) { return std::pair{(touch.seen & all) != all, touch.order}; };
  for (std::size_t i = 1; i < kMostTouches; ++i) {
    if (age(state.touches[i]) < age(state.touches[oldest])) oldest = i;
  }
  forget(state, oldest);
  state.touch_count = std::max<std::uint32_t>(state.touch_count, static_cast<std::uint32_t>(oldest) + 1);
  return oldest;
}

/// A barrier's word is no place for data.
void check_barriers(Machine& machine, const Step* step, const BlockState& state, const Touch& touch) {
  const Barrier* barrier = barrier_in(state, touch.view.storage, touch.begin, touch.end);
  if (barrier != nullptr)
    report_at(machine, step, FindingCode::LS417, "writes over a barrier that has not been invalidated",
              {{"the barrier is made here", barrier->site}}, "invalidate it first: ttng.inval_barrier");
}

/// The new touch says all that the old one says.
bool replaces(const Touch& mine, const Touch& other, std::uint32_t me) {
  const bool is_queued = mine.queue == Queue::tensor || mine.queue == Queue::products;
  if (is_queued && other.queue == mine.queue && other.group == me && (mine.is_write || !other.is_write))
    return covers(mine, other);  // whoever waits for the later one has waited for both
  if ((other.seen & bit(me)) == 0) return false;
  if (mine.is_write) return covers(mine, other);
  return !other.is_write && other.queue == Queue::none && mine.queue == Queue::none && other.group == me &&
         covers(mine, other);
}

}  // namespace

std::size_t add_touch(Machine& machine, const Step* step, BlockState& state, Touch touch) {
  const std::uint32_t me = state.current;
  touch.is_used = true;
  touch.group = static_cast<std::uint8_t>(me);
  touch.site = step->site;
  touch.order = state.order++;
  touch.seen = touch.queue == Queue::none ? bit(me) : 0;
  touch.fenced = 0;
  set_byte_range(touch);
  if (touch.is_write) check_barriers(machine, step, state, touch);
  bool has_reported = false;
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    const Touch& other = state.touches[i];
    if (!other.is_used || other.view.storage != touch.view.storage) continue;
    if (!(other.is_write || touch.is_write) && !replaces(touch, other, me)) continue;
    if (!shares_bytes(other, touch)) continue;
    const bool conflicts = other.is_write || touch.is_write;
    if (conflicts && !has_reported && !runs_in_order(touch, other)) {
      const bool is_ordered = (other.seen & bit(me)) != 0;
      has_reported = !is_ordered || lacks_fence(machine, touch, other, me);
      if (!is_ordered) report_conflict(machine, step, state, touch, other);
      else if (has_reported) report_missing_fence(machine, step, state, other);
    }
    if (replaces(touch, other, me) || (touch.is_write && has_reported && covers(touch, other))) forget(state, i);
  }
  const std::size_t at = free_touch(state);
  state.touches[at] = touch;
  return at;
}

void end_buffer(Machine& machine, const Step* step, BlockState& state, Slot storage, const char* ends) {
  bool has_reported = ends == nullptr;
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    const Touch& other = state.touches[i];
    if (!other.is_used || other.view.storage != storage) continue;
    if (!has_reported && other.queue != Queue::none && (other.seen & bit(state.current)) == 0) {
      has_reported = true;
      report_at(machine, step, FindingCode::LS418, ends + std::string(text_of(other)) + " may still be running",
                {{"it begins here", other.site}}, std::string(hint_of(other)));
    }
    forget(state, i);
  }
}

void check_end_of_program(Machine& machine, const Step* step, BlockState& state) {
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    const Touch& other = state.touches[i];
    if (!other.is_used || other.queue == Queue::none || other.seen != 0) continue;
    return report_at(machine, step, FindingCode::LS418,
                     "the program ends: " + std::string(text_of(other)) + " may still be running",
                     {{"it begins here", other.site}}, std::string(hint_of(other)));
  }
}

void see_queue(BlockState& state, std::uint32_t group, Queue queue, std::uint64_t number) {
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    Touch& touch = state.touches[i];
    if (touch.is_used && touch.queue == queue && touch.group == group && touch.number <= number) touch.seen |= bit(group);
  }
}

void fence(BlockState& state, std::uint32_t group) {
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    Touch& touch = state.touches[i];
    if ((touch.seen & bit(group)) != 0) touch.fenced |= bit(group);
  }
}

Sight sight_of(const BlockState& state, std::uint32_t group) {
  Sight sight;
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    const Touch& touch = state.touches[i];
    if (!touch.is_used) continue;
    if ((touch.seen & bit(group)) != 0) sight.seen.add(i);
    if ((touch.fenced & bit(group)) != 0) sight.fenced.add(i);
  }
  return sight;
}

TouchSet operations_of(const BlockState& state, std::uint32_t group, Queue queue) {
  TouchSet set;
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    const Touch& touch = state.touches[i];
    if (touch.is_used && touch.queue == queue && touch.group == group) set.add(i);
  }
  return set;
}

void see(BlockState& state, std::uint32_t group, const Sight& sight) {
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    if (sight.seen.has(i)) state.touches[i].seen |= bit(group);
    if (sight.fenced.has(i)) state.touches[i].fenced |= bit(group);
  }
}

void join_groups(BlockState& state) {
  const std::uint32_t all = bit(state.group_count) - 1;
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    Touch& touch = state.touches[i];
    if ((touch.seen & all) != 0) touch.seen |= all;
    if ((touch.fenced & all) != 0) touch.fenced |= all;
  }
}

}  // namespace lockstep::interpreter
