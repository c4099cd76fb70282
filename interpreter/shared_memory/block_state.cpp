#include "interpreter/shared_memory/block_state.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "interpreter/launch/name_op.h"

namespace lockstep::interpreter {

namespace {

/// Some byte belongs to both.
bool shares_bytes(const UnderWay& operation, const View& view, const ViewPlaces& places) {
  std::vector<std::pair<std::int64_t, std::int64_t>> runs;
  for_each_run(operation.view, *operation.places,
               [&](std::int64_t begin, std::int64_t end) { runs.emplace_back(begin, end); });
  std::sort(runs.begin(), runs.end());
  bool found = false;
  for_each_run(view, places, [&](std::int64_t begin, std::int64_t end) {
    if (found) return;
    const auto after = std::upper_bound(runs.begin(), runs.end(), std::pair{begin, INT64_MAX});
    found = (after != runs.begin() && std::prev(after)->second > begin) || (after != runs.end() && after->first < end);
  });
  return found;
}

std::string_view text_of(const UnderWay& operation) {
  switch (operation.queue) {
    case Queue::copies:
    case Queue::barrier: return "an asynchronous copy into it";
    case Queue::stores: return "an asynchronous copy from it";
    case Queue::products:
    case Queue::tensor: return "an asynchronous product";
  }
  return "";
}

std::string_view hint_of(const UnderWay& operation) {
  switch (operation.queue) {
    case Queue::copies: return "wait for the copy's group first: ttg.async_wait with a smaller num";
    case Queue::barrier: return "wait for the phase of the copy's barrier first: ttng.wait_barrier";
    case Queue::stores: return "wait for the copy first: ttng.async_tma_store_wait with fewer pendings";
    case Queue::products: return "wait for the product first: ttng.warp_group_dot_wait with fewer pendings";
    case Queue::tensor: return "wait for a barrier at which the product, or a commit after it, arrives";
  }
  return "";
}

void check(Machine& machine, const Step* step, const BlockState& state, const View& view, const ViewPlaces& places,
           bool is_write, const Queue* own) {
  UnderWay mine;
  mine.view = view;
  mine.places = &places;
  bool has_range = false;
  for (std::uint32_t i = 0; i < state.under_way_count; ++i) {
    const UnderWay& other = state.under_way[i];
    if (other.view.storage != view.storage || !(other.is_write || is_write)) continue;
    if (own != nullptr && *own == Queue::tensor && other.queue == Queue::tensor) continue;  // one after the other
    if (!has_range) set_byte_range(mine);
    has_range = true;
    if (mine.end <= other.begin || other.end <= mine.begin || !shares_bytes(other, view, places)) continue;
    const bool reads = !is_write;
    const FindingCode code = reads ? FindingCode::LS401 : other.is_write ? FindingCode::LS403 : FindingCode::LS402;
    const std::string what = reads ? "reads a buffer" : "writes a buffer";
    const std::string state_of = other.is_write ? " may still be running" : " may still read it";
    report_at(machine, step, code, what + ": " + std::string(text_of(other)) + state_of, "it begins here", other.site,
              std::string(hint_of(other)));
    return;
  }
}

}  // namespace

BlockState& block_state(Machine& machine, Slot slot) {
  Tile& tile = machine.slots[slot];
  if (tile.buffer->references > 1) {
    const Tile copy = machine.allocate(machine.type_of(slot));
    std::memcpy(copy.data(), tile.data(), sizeof(BlockState));
    machine.set(slot, copy);
  }
  return *reinterpret_cast<BlockState*>(machine.slots[slot].data());
}

// ---- operations ----

void set_byte_range(UnderWay& operation) {
  operation.begin = INT64_MAX;
  operation.end = 0;
  for_each_run(operation.view, *operation.places, [&](std::int64_t begin, std::int64_t end) {
    operation.begin = std::min(operation.begin, begin);
    operation.end = std::max(operation.end, end);
  });
}

void begin_operation(BlockState& state, UnderWay operation) {
  if (state.under_way_count == BlockState::kMostUnderWay) {
    std::move(state.under_way.begin() + 1, state.under_way.end(), state.under_way.begin());
    --state.under_way_count;
  }
  set_byte_range(operation);
  state.under_way[state.under_way_count++] = operation;
}

namespace {
template <typename IsOver>
void remove_operations(BlockState& state, IsOver&& is_over) {
  const auto begin = state.under_way.begin(), end = begin + state.under_way_count;
  state.under_way_count = static_cast<std::uint32_t>(std::remove_if(begin, end, is_over) - begin);
}
}  // namespace

void end_operations(BlockState& state, Queue queue, std::uint64_t number) {
  remove_operations(state, [&](const UnderWay& one) { return one.queue == queue && one.number <= number; });
}

void end_operations_of(BlockState& state, const Barrier& barrier) {
  remove_operations(state, [&](const UnderWay& one) {
    if (one.queue != Queue::barrier) return one.number <= barrier.done[static_cast<std::size_t>(one.queue)];
    return one.barrier == barrier.storage && one.barrier_byte == barrier.byte && one.number < barrier.phase;
  });
}

void check_access(Machine& machine, const Step* step, const BlockState& state, const View& view,
                  const ViewPlaces& places, bool is_write, Queue own) {
  if (state.under_way_count != 0) check(machine, step, state, view, places, is_write, &own);
}

void check_plain_access(Machine& machine, const Step* step, const BlockState& state, const View& view,
                        const ViewPlaces& places, bool is_write) {
  if (state.under_way_count != 0) check(machine, step, state, view, places, is_write, nullptr);
}

void check_end_of_buffer(Machine& machine, const Step* step, const BlockState& state, Slot storage) {
  for (std::uint32_t i = 0; i < state.under_way_count; ++i) {
    const UnderWay& other = state.under_way[i];
    if (other.view.storage != storage) continue;
    report_at(machine, step, FindingCode::LS402,
              "ends a buffer: " + std::string(text_of(other)) + " may still be running", "it begins here", other.site,
              std::string(hint_of(other)));
    return;
  }
}

// ---- barriers ----

Barrier* find_barrier(BlockState& state, const View& view) {
  for (std::uint32_t i = 0; i < state.barrier_count; ++i) {
    Barrier& one = state.barriers[i];
    if (one.storage == view.storage && one.byte == view.base) return &one;
  }
  return nullptr;
}

Barrier* add_barrier(BlockState& state, const View& view) {
  Barrier* known = find_barrier(state, view);
  if (known == nullptr) {
    if (state.barrier_count == BlockState::kMostBarriers) return nullptr;
    known = &state.barriers[state.barrier_count++];
  }
  *known = Barrier{};
  known->storage = view.storage;
  known->byte = view.base;
  return known;
}

void remove_barrier(BlockState& state, const View& view) {
  Barrier* known = find_barrier(state, view);
  if (known != nullptr) *known = state.barriers[--state.barrier_count];
}

bool arrive(Barrier& barrier, std::int32_t arrivals, std::int64_t bytes) {
  const bool fits = arrivals <= barrier.pending;
  barrier.pending -= fits ? arrivals : barrier.pending;
  barrier.bytes -= bytes;
  if (barrier.pending == 0 && barrier.bytes == 0) {
    ++barrier.phase;
    barrier.pending = barrier.count;
    barrier.done = barrier.arrived;
  }
  return fits;
}

// ---- findings ----

void report_at(Machine& machine, const Step* step, FindingCode code, std::string message) {
  report_at(machine, step, code, std::move(message), "", 0, "");
}

void report_at(Machine& machine, const Step* step, FindingCode code, std::string message, std::string note,
               std::uint32_t other, std::string hint) {
  const Site& site = machine.plan->sites[step->site];
  Finding finding;
  finding.code = code;
  finding.location = site.location;
  name_op(finding, *site.op);
  finding.program = machine.program->id;
  finding.message = std::move(message);
  if (!note.empty()) finding.notes.push_back({std::move(note), machine.plan->sites[other].location});
  finding.hint = std::move(hint);
  machine.report(std::move(finding), step);
}

}  // namespace lockstep::interpreter
