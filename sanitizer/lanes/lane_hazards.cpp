#include "sanitizer/lanes/lane_hazards.h"

#include <algorithm>
#include <cstring>

#include "interpreter/access/storage_copy.h"
#include "ir/op_def.h"
#include "support/check.h"

namespace lockstep::sanitizer {

using interpreter::TouchKind;

namespace {

/// Shadows are kept for this many interleaved programs; the earliest ones ended long before.
constexpr std::size_t kMaxShadows = 1024;

bool any_of(const std::set<std::int32_t>& a, std::int32_t storage) { return a.contains(storage) || a.contains(-1); }

}  // namespace

std::set<std::int32_t> storages_of(const interpreter::RunRequest& request, const interpreter::PointerSet& memory) {
  std::set<std::int32_t> made;
  if (memory.is_unknown) made.insert(-1);
  for (const std::size_t i : memory.arguments) {
    if (i >= request.arguments.size()) continue;
    const interpreter::Argument& argument = request.arguments[i];
    if (argument.kind == interpreter::Argument::Kind::scalar) {
      made.insert(-1);
    } else {
      made.insert(request.memory->view(argument.view).storage.index);
    }
  }
  return made;
}

int element_bytes(const ir::Op& op) {
  const auto kind = interpreter::moved_value(op).type().element().scalar_kind();
  return kind ? size_bytes(*kind) : 1;
}

namespace {

std::uint64_t smallest_element(const LaneFacts& facts) {
  int smallest = 8;
  for (const LaneAccess& access : facts.accesses()) smallest = std::min(smallest, element_bytes(*access.op));
  return static_cast<std::uint64_t>(smallest);
}

}  // namespace

LaneHazards::LaneHazards(const LaunchContext& context, const LaneFacts& facts)
    : context_(context), cell_bytes_(smallest_element(facts)), ordering_(context.options, cell_bytes_) {
  for (const LaneAccess& access : facts.accesses()) {
    accesses_[access.op] = &access;
    const auto storages = storages_of(context.request, access.memory);
    auto& into = access.kind == TouchKind::load ? loaded_ : written_;
    into.insert(storages.begin(), storages.end());
  }
  const auto& effects = context.effects;
  may_interleave_ = effects.has_observed_atomics || !effects.observed.empty();
}

LaneShadow& LaneHazards::shadow(const Execution& run) {
  std::unique_ptr<LaneShadow>& known = shadows_[run.program()];
  if (known != nullptr) return *known;
  LaneShadow& made = *(known = std::make_unique<LaneShadow>(cell_bytes_));
  const std::size_t most = may_interleave_ ? kMaxShadows : 1;
  while (shadows_.size() > most) {
    const auto first = shadows_.begin();
    shadows_.erase(first->first == run.program() ? std::next(first) : first);
  }
  return made;
}

bool LaneHazards::is_watched(Execution& run) const {
  const std::int32_t view = run.lanes().provenance();
  if (view < 0) return true;
  const std::int32_t storage = run.memory().view(memory_model::ViewId{view}).storage.index;
  return any_of(written_, storage);
}

void LaneHazards::before_access(Execution& run) {
  if (run.is_once()) return;
  const LaneAccess& access = *accesses_.at(&run.op());
  const bool is_sequential = context_.options.memory_model == MemoryModel::sequential;
  if (is_sequential && access.kind != TouchKind::store) return;
  if (access.releases && !is_sequential) {
    if (context_.options.triton_minor >= 9) {
      barrier(run);
    } else {
      check_release(run);
    }
  }
  if (!is_watched(run) || run.lanes().active() == 0) return;
  LaneShadow& program = shadow(run);
  Running now{run, program, access};
  now.number = program.begin(access, run);
  if (access.kind == TouchKind::store) program.note_store(now.number);
  const bool may_stay_whole = context_.options.memory_model == MemoryModel::tile && !ordering_.is_on();
  if (may_stay_whole && program.boxes() != nullptr && program.boxes()->add(now.number, access, run.lanes())) return;
  program.use_cells();
  if (access.kind == TouchKind::store) now.values = run.elements(interpreter::moved_value(run.op()));
  touch(now);
  report(now);
}

void LaneHazards::after_access(Execution& run) {
  if (run.is_once()) return;
  if (ordering_.is_on()) ordering_.apply(run);
  const LaneAccess& access = *accesses_.at(&run.op());
  if (access.kind != TouchKind::atomic) return;
  // One thread executes a scalar atomic and broadcasts its result to all others.
  const bool hands_on = access.is_answered && !run.op().result(0)->type().is_tensor();
  if (hands_on || (access.acquires && context_.options.triton_minor >= 9)) barrier(run);
}

void LaneHazards::touch(Running& now) {
  interpreter::AccessLanes& lanes = now.run.lanes();
  const auto bytes = static_cast<std::uint64_t>(lanes.bytes());
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if (!lanes.is_on(i)) continue;
    now.lane = i;
    now.address = lanes.address(i);
    if (now.address % cell_bytes_ != 0) continue;  // bytes that no cell stands for alone
    now.who = now.shadow.identity(now.shadow.access(now.number), i);
    const std::uint64_t first = now.address / cell_bytes_;
    for (std::uint64_t cell = first; cell < first + bytes / cell_bytes_; ++cell) {
      ShadowCell& at = now.shadow.cell(cell);
      now.cell = cell;
      if (now.op.kind == TouchKind::load) {
        load_cell(now, at);
      } else {
        store_cell(now, at);
      }
    }
  }
}

/// Whether this lane and the lane of an earlier access may run in either order.
bool LaneHazards::meets(const Running& now, const ShadowSide& side) const {
  if (context_.options.memory_model == MemoryModel::sequential) return false;
  if (!now.shadow.is_open(side) || side.access == now.number) return false;
  if (side.who != now.who) return true;
  if (context_.options.memory_model == MemoryModel::tile) return false;
  // strict: another layout means other threads, unless the value itself orders the two.
  const LaneAccess& other = *now.shadow.access(side.access).op;
  return std::find(now.op.sources.begin(), now.op.sources.end(), other.op) == now.op.sources.end();
}

void LaneHazards::note(Running& now, Hazard hazard, const ShadowSide& other) const {
  auto& found = now.found[static_cast<std::size_t>(hazard)];
  if (!found) {
    const auto other_lane = static_cast<std::int64_t>(other.who & 0xffffffff);
    found = HazardFound{now.lane, other_lane, other, now.address, 0};
  }
  ++found->count;
}

void LaneHazards::load_cell(Running& now, ShadowCell& cell) {
  if (meets(now, cell.store)) {
    note(now, Hazard::read_after_write, cell.store);
    if (ordering_.is_on()) ordering_.meet_load(now.cell, now.lane, now.cell * cell_bytes_ - now.address);
  } else if (now.op.pipelined_in != nullptr && now.shadow.is_open(cell.store)) {
    const int stages = now.op.stages != 0 ? now.op.stages : context_.options.num_stages;
    const std::uint64_t ahead =
        iterations_between(now.shadow.access(cell.store.access), now.shadow.access(now.number), *now.op.pipelined_in);
    const bool is_early = ahead != 0 && ahead < static_cast<std::uint64_t>(stages);
    if (is_early && context_.options.memory_model != MemoryModel::sequential) note(now, Hazard::pipelined, cell.store);
  }
  now.shadow.note_load(cell, now.number, now.who);
}

void LaneHazards::store_cell(Running& now, ShadowCell& cell) {
  const bool is_store = now.op.kind == TouchKind::store;
  const std::size_t bytes = static_cast<std::size_t>(now.run.lanes().bytes());
  const char* value = is_store ? now.values + static_cast<std::size_t>(now.lane) * bytes : nullptr;
  const auto is_atomic = [&](const ShadowSide& side) {
    return now.shadow.access(side.access).op->kind == TouchKind::atomic;
  };
  if (is_store && cell.store.access == now.number) {
    now.is_shared = true;
    // Lanes may conflict in a part of their elements.
    const auto other = static_cast<std::int64_t>(cell.store.who & 0xffffffff);
    const char* first = now.values + static_cast<std::size_t>(other) * bytes;
    const std::uint64_t here = now.cell * cell_bytes_;
    if (std::memcmp(value + (here - now.address), first + (here - now.run.lanes().address(other)), cell_bytes_) != 0) {
      note(now, Hazard::duplicate, cell.store);
      if (ordering_.is_on()) ordering_.meet_stores(now.address, now.lane, first, bytes);
    }
  } else if (meets(now, cell.store) && (is_store || !is_atomic(cell.store))) {
    const char* there = interpreter::bytes_at(now.address);
    if (!is_store || std::memcmp(value, there, bytes) != 0) {
      note(now, Hazard::write_after_write, cell.store);
      if (is_store && ordering_.is_on()) ordering_.meet_stores(now.address, now.lane, there, bytes);
    }
  }
  for (const ShadowSide& load : cell.loads) {
    if (!meets(now, load)) continue;
    // A flag that every thread reads and one changes atomically: no value of a tile is at risk.
    const bool is_flag = !is_store && load.who == kEveryThread && now.run.lanes().shape().empty();
    const auto& whole = now.op.whole_sources;
    const ShadowAccess& loaded = now.shadow.access(load.access);
    const bool came_before = std::find(whole.begin(), whole.end(), loaded.op->op) != whole.end();
    const bool is_harmless = loaded.op->op == harmless_ && !is_carried(loaded, now.shadow.access(now.number));
    if (is_flag || came_before || is_harmless) continue;
    note(now, Hazard::write_after_read, load);
    break;
  }
  if (ordering_.is_on()) ordering_.keep(now.cell, now.shadow.is_open(cell.store));
  cell.store = {now.number, now.who};
  cell.loads = {};
}

}  // namespace lockstep::sanitizer
