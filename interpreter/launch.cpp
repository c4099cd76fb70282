#include "interpreter/launch.h"

#include <algorithm>
#include <iostream>
#include <thread>

#include "interpreter/descriptor.h"
#include "interpreter/effects.h"
#include "interpreter/grid.h"
#include "interpreter/plan_builder.h"

namespace lockstep::interpreter {

namespace {

using memory_model::StorageId;
using memory_model::ViewId;

/// Snapshots larger than this cost more than running in order may.
constexpr std::uint64_t kMaxSnapshotBytes = std::uint64_t{1} << 28;
constexpr unsigned kMaxThreads = 256;
constexpr std::int64_t kMaxGridExtent = INT32_MAX;

bool refuse(DiagnosticSink& sink, const ir::Op& function, std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = "LS1903";
  diagnostic.message = std::move(message);
  diagnostic.span = function.span();
  sink.report(std::move(diagnostic));
  return false;
}

/// A descriptor that the host made: the view's address, shape and strides, in memory of the launch.
bool bind_descriptor(const LaunchRequest& request, std::size_t i, const TileType& type, Launch& launch,
                     DiagnosticSink& sink) {
  const Argument& argument = request.arguments[i];
  const ir::Type wanted = request.function->region().front().argument(i)->type();
  const std::string name = "argument " + std::to_string(i);
  if (!wanted.is_descriptor() || argument.kind != Argument::Kind::descriptor)
    return refuse(sink, *request.function, name + " must be a tensor descriptor");
  const memory_model::View& view = request.memory->view(argument.view);
  const std::size_t rank = wanted.pointee().shape().size();
  if (view.shape.size() != rank || size_bytes(view.element) != size_bytes(*wanted.pointee().element().scalar_kind()))
    return refuse(sink, *request.function, name + " is not a tensor for a " + wanted.to_string());
  BlockRecord record;
  record.base = view.base;
  record.provenance = argument.view.index;
  record.pads_nan = argument.pads_nan;
  record.rank = static_cast<int>(rank);
  std::copy(view.shape.begin(), view.shape.end(), record.shape.begin());
  std::copy(view.strides.begin(), view.strides.end(), record.stride.begin());
  if (launch.has_tensor_unit) record.faults = descriptor_faults(record, size_bytes(view.element));
  launch.records.push_back(record_words(type, record));
  Tile tile;
  tile.form = Form::dense;
  tile.is_contiguous = true;
  tile.provenance = record.provenance;
  tile.base = reinterpret_cast<std::uint64_t>(launch.records.back().data());
  set_row_major(type, tile.stride);
  launch.arguments.push_back(tile);
  return true;
}

bool bind_arguments(const LaunchRequest& request, const Plan& plan, Launch& launch, DiagnosticSink& sink) {
  if (request.arguments.size() != plan.arguments.size()) {
    return refuse(sink, *request.function,
                  "the kernel takes " + std::to_string(plan.arguments.size()) + " arguments, " +
                      std::to_string(request.arguments.size()) + " were given");
  }
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    const Argument& argument = request.arguments[i];
    const TileType& type = *plan.slot_types[plan.arguments[i]];
    if (!type.is_scalar()) {
      if (!bind_descriptor(request, i, type, launch, sink)) return false;
      continue;
    }
    const ScalarKind kind = type.kind;
    const bool is_pointer = kind == ScalarKind::pointer;
    if (is_pointer != (argument.kind == Argument::Kind::pointer)) {
      return refuse(sink, *request.function,
                    "argument " + std::to_string(i) + (is_pointer ? " must be a tensor" : " must be a scalar"));
    }
    if (is_pointer) {
      launch.arguments.push_back(uniform_tile(request.memory->view(argument.view).base, argument.view.index));
    } else {
      launch.arguments.push_back(uniform_tile(truncate_bits(kind, argument.bits)));
    }
  }
  return true;
}

/// Storages behind a set of arguments, by index; `all` for pointers of unknown origin.
std::vector<bool> storages_of(const LaunchRequest& request, const PointerSet& set) {
  std::vector<bool> storages(request.memory->storage_count(), set.is_unknown);
  for (const std::size_t i : set.arguments) {
    if (i >= request.arguments.size() || request.arguments[i].kind == Argument::Kind::scalar) continue;
    const StorageId storage = request.memory->storage(request.memory->view(request.arguments[i].view).storage).id;
    storages[static_cast<std::size_t>(storage.index)] = true;
  }
  return storages;
}

bool overlap(const std::vector<bool>& a, const std::vector<bool>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] && b[i]) return true;
  }
  return false;
}

/// Two kinds of updates of the same memory show their order, except for the halves of a float maximum or minimum.
bool mixes_updates(const LaunchRequest& request, const MemoryEffects& effects, bool& checks_signs) {
  for (std::size_t i = 0; i < effects.updates.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const AtomicUpdates &a = effects.updates[i], &b = effects.updates[j];
      if (!overlap(storages_of(request, a.memory), storages_of(request, b.memory))) continue;
      if (!make_one_float_update(a, b)) return true;
      checks_signs = true;
    }
  }
  return false;
}

struct Schedule {
  bool in_order = false;
  std::vector<StorageId> snapshot;  // what a second run must find as the first one did
};

/// How the programs may run, and what the access path must know of every view.
Schedule decide(const LaunchRequest& request, const MemoryEffects& effects, unsigned threads, Launch& launch) {
  const auto read = storages_of(request, effects.read), written = storages_of(request, effects.written);
  const auto atomic = storages_of(request, effects.atomic), observed = storages_of(request, effects.observed);
  Schedule schedule;
  const bool mixes_atomics = overlap(atomic, read) || overlap(atomic, written);
  const bool waits_for_stores = overlap(observed, written) || overlap(observed, atomic);
  schedule.in_order = effects.has_observed_atomics || effects.prints || mixes_atomics || waits_for_stores ||
                      mixes_updates(request, effects, launch.checks_signs) || effects.written.is_unknown ||
                      (effects.read.is_unknown && !effects.written.empty());
  const bool logs = !schedule.in_order && threads > 1 && !effects.written.empty();
  std::uint64_t snapshot_bytes = 0;
  for (std::size_t i = 0; i < read.size() && (logs || launch.checks_signs); ++i) {
    const StorageId id{static_cast<std::int32_t>(i)};
    if (!atomic[i] && (!read[i] || !written[i])) continue;  // what is only stored to is stored to again
    schedule.snapshot.push_back(id);
    snapshot_bytes += request.memory->storage(id).extent.bytes();
  }
  if (snapshot_bytes > kMaxSnapshotBytes) schedule.in_order = true;
  for (std::size_t i = 0; i < request.memory->view_count(); ++i) {
    const auto& view = request.memory->view(ViewId{static_cast<std::int32_t>(i)});
    const auto storage = static_cast<std::size_t>(request.memory->storage(view.storage).id.index);
    ViewRange range;
    range.begin = view.extent.begin;
    range.end = view.extent.end;
    range.is_dense = view.is_dense;
    range.is_constant = !written[storage] && !atomic[storage];
    range.is_logged = logs && written[storage];
    launch.views.push_back(range);
  }
  return schedule;
}

bool check_grid(const LaunchRequest& request, DiagnosticSink& sink) {
  std::int64_t programs = 1;
  for (const std::int64_t extent : request.grid) {
    if (extent < 0 || extent > kMaxGridExtent)
      return refuse(sink, *request.function, "a grid dimension must be 0 to 2147483647");
    if (__builtin_mul_overflow(programs, extent, &programs))
      return refuse(sink, *request.function, "the grid has too many programs");
  }
  return true;
}

void set_limits(const LaunchRequest& request, Launch& launch) {
  launch.stop = request.stop;
  launch.budget.limit = request.limits.max_memory_bytes;
  launch.max_steps = request.limits.max_steps_per_program;
  launch.print = request.print ? request.print : [](const std::string& line) { std::cout << line; };
  const double seconds = request.limits.timeout_seconds;
  if (seconds > 0 && seconds < 1e9) {
    launch.deadline =
        std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  }
}

}  // namespace

std::optional<LaunchReport> launch(const LaunchRequest& request, DiagnosticSink& sink) {
  LOCKSTEP_CHECK(request.module != nullptr && request.function != nullptr && request.memory != nullptr,
                 "a launch needs a kernel and memory");
  if (!check_grid(request, sink)) return std::nullopt;
  PlanBuilder builder(*request.module, sink, request.profile);
  const auto plan = builder.build(*request.function);
  if (plan == nullptr) return std::nullopt;
  Launch shared;
  shared.plan = plan.get();
  shared.memory = request.memory;
  shared.grid = request.grid;
  shared.has_tensor_unit = request.profile.capability() >= 90;
  set_limits(request, shared);
  if (!bind_arguments(request, *plan, shared, sink)) return std::nullopt;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned threads = request.threads == 0 ? cores : std::min(request.threads, kMaxThreads);
  const Schedule schedule = decide(request, effects_of(*request.module, *request.function), threads, shared);
  Grid grid(shared, threads, request.progress);
  if (request.grid[0] != 0 && request.grid[1] != 0 && request.grid[2] != 0) {
    if (schedule.in_order || !grid.run_in_parallel(schedule.snapshot)) grid.run_in_order();
  }
  LaunchReport report;
  grid.fill(report);
  return report;
}

}  // namespace lockstep::interpreter
