#include "interpreter/shared_memory/barriers.h"

#include <string>
#include <utility>
#include <vector>

namespace lockstep::interpreter {


const Barrier* find_barrier(const BlockState& state, const View& view) {
  for (std::uint32_t i = 0; i < state.barrier_count; ++i) {
    const Barrier& one = state.barriers[i];
    if (one.storage == view.storage && one.byte == view.base) return &one;
  }
  return nullptr;
}

Barrier* find_barrier(BlockState& state, const View& view) {
  return const_cast<Barrier*>(find_barrier(std::as_const(state), view));
}

Barrier* add_barrier(BlockState& state, const View& view, std::uint32_t site) {
  Barrier* known = find_barrier(state, view);
  if (known == nullptr) {
    if (state.barrier_count == kMostBarriers) return nullptr;
    known = &state.barriers[state.barrier_count++];
  }
  *known = Barrier{};
  known->storage = view.storage;
  known->byte = view.base;
  known->site = site;
  return known;
}

void remove_barrier(BlockState& state, const View& view) {
  Barrier* known = find_barrier(state, view);
  if (known != nullptr) *known = state.barriers[--state.barrier_count];
}

void remove_barriers(BlockState& state, Slot storage) {
  for (std::uint32_t i = state.barrier_count; i-- != 0;) {
    if (state.barriers[i].storage == storage) state.barriers[i] = state.barriers[--state.barrier_count];
  }
}

const Barrier* barrier_in(const BlockState& state, Slot storage, std::int64_t begin, std::int64_t end) {
  for (std::uint32_t i = 0; i < state.barrier_count; ++i) {
    const Barrier& one = state.barriers[i];
    if (one.storage == storage && one.byte < end && begin < one.byte + kBarrierBytes) return &one;
  }
  return nullptr;
}

void arrive(Machine& machine, const Step* step, Barrier& barrier, const Arrival& arrival) {
  const bool fits = arrival.arrivals <= barrier.pending;
  const std::int32_t pending = barrier.pending;
  barrier.pending -= fits ? arrival.arrivals : barrier.pending;
  barrier.bytes += arrival.expected - arrival.bytes;
  barrier.expected += arrival.expected;
  barrier.coming.add(arrival.sight);
  if (arrival.arrivals != 0) {
    barrier.last_site = step->site;
    barrier.last_group = static_cast<std::uint8_t>(arrival.group);
    ++barrier.arrivals;
  }
  if (!fits)
    report_at(machine, step, FindingCode::LS415,
              "more arrivals at a barrier than its phase waits for: " + std::to_string(arrival.arrivals) + ", and " +
                  std::to_string(pending) + " of " + std::to_string(barrier.count) + " are missing",
              {{"the barrier is made here", barrier.site}});
  const bool has_too_many = barrier.pending == 0 && barrier.bytes < 0;
  if (has_too_many) {
    report_at(machine, step, FindingCode::LS416,
              "more bytes come to a barrier than its phase expects: " + std::to_string(barrier.expected) +
                  " are expected, and " + std::to_string(-barrier.bytes) + " more came",
              {{"the barrier is made here", barrier.site}},
              "expect the bytes of all copies that the phase counts: ttng.barrier_expect");
  }
  if (barrier.pending != 0 || barrier.bytes != 0) return;
  ++barrier.phase;
  barrier.pending = barrier.count;
  barrier.expected = 0;
  barrier.done.add(barrier.coming);
  barrier.coming = Sight{};
}

void report_no_barrier(Machine& machine, const Step* step, const View& view) {
  report_at(machine, step, FindingCode::LS417,
            "uses a barrier that does not exist: it was not made with ttng.init_barrier, or has been invalidated",
            {{"its buffer is made here", site_of_storage(machine, view.storage)}});
}

void arrive_at(Machine& machine, const Step* step, Slot block, const View& view, const Arrival& arrival) {
  BlockState& state = block_state(machine, block);
  Barrier* barrier = find_barrier(state, view);
  if (barrier != nullptr) return arrive(machine, step, *barrier, arrival);
  if (arrival.bytes != 0) report_no_barrier(machine, step, view);
}

void check_end_of_barrier(Machine& machine, const Step* step, const BlockState& state, const Barrier& barrier,
                          const char* ends) {
  const bool has_begun = barrier.pending != barrier.count || barrier.bytes != 0;
  const bool was_reported = barrier.pending == 0 && barrier.bytes < 0;
  if (!has_begun || was_reported) return;
  for (const Flight& flight : state.flights) {
    if (flight.kind != nullptr && flight.barrier.storage == barrier.storage && flight.barrier.base == barrier.byte) return;
  }
  std::vector<Note> notes = {{"the barrier is made here", barrier.site}};
  if (barrier.arrivals != 0) {
    const std::string name = name_of_group(state, barrier.last_group);
    notes.push_back({(name.empty() ? "the last arrival" : name + " arrived last") + std::string(" at this barrier"),
                     barrier.last_site});
  }
  const std::string number = barrier.byte == 0 ? "" : ", number " + std::to_string(barrier.byte / kBarrierBytes) + " of its buffer,";
  report_at(machine, step, FindingCode::LS421,
            std::string(ends) + ": phase " + std::to_string(barrier.phase) + " of a barrier" + number +
                " has begun and " + missing_at(barrier),
            notes,
            barrier.pending != 0 ? "let every group arrive in its last round, too, or count fewer arrivals in ttng.init_barrier"
                                 : "expect the bytes of the copies that are made, and no more: ttng.barrier_expect");
}

std::string missing_at(const Barrier& barrier) {
  std::string missing;
  if (barrier.pending != 0)
    missing = std::to_string(barrier.pending) + " of " + std::to_string(barrier.count) + " arrivals";
  if (barrier.bytes > 0) missing += (missing.empty() ? "" : " and ") + std::to_string(barrier.bytes) + " bytes";
  const std::string more = barrier.bytes < 0 ? "got " + std::to_string(-barrier.bytes) + " bytes too many" : "";
  if (missing.empty() && !more.empty()) return more;
  return "misses " + (missing.empty() ? "a whole phase" : missing) + (more.empty() ? "" : " and " + more);
}

}  // namespace lockstep::interpreter
