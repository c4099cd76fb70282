#include "interpreter/scheduler/execution_mode.h"

namespace lockstep::interpreter {

namespace {

using memory_model::StorageId;
using memory_model::ViewId;

/// Snapshots larger than this cost more than running in order may.
constexpr std::uint64_t kMaxSnapshotBytes = std::uint64_t{1} << 28;

/// Storages behind a set of arguments, by index; `all` for pointers of unknown origin.
std::vector<bool> storages_of(const RunRequest& request, const PointerSet& set) {
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

/// Two kinds of updates of the same memory reveal their order, except for the halves of a float maximum or minimum.
bool mixes_updates(const RunRequest& request, const MemoryEffects& effects, bool& checks_signs) {
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

/// Why the kernel's programs must run one after the other for any arguments; "" if nothing requires it.
std::string_view reason_of_kernel(const MemoryEffects& effects) {
  if (effects.has_observed_atomics) return "the kernel looks at what its atomics return";
  if (effects.prints) return "the kernel prints";
  if (effects.written.is_unknown) return "the kernel stores to addresses that it loads or computes";
  if (effects.read.is_unknown && !effects.written.empty())
    return "the kernel loads from addresses that it loads or computes";
  return {};
}

using Storages = std::vector<bool>;

/// By storage: nothing in the launch reads it, and all arguments that it only stores to have so many bytes that they
/// bypass the caches. Empty: none.
Storages streamed_storages(const RunRequest& request, const Storages& written, const Storages& read,
                           const Storages& atomic, std::int64_t stream_bytes) {
  std::uint64_t stored = 0;
  Storages streamed;
  for (const Argument& argument : request.arguments) {
    if (argument.kind == Argument::Kind::scalar || stream_bytes == 0) continue;
    const memory_model::View& view = request.memory->view(argument.view);
    const auto i = static_cast<std::size_t>(request.memory->storage(view.storage).id.index);
    if (!written[i] || read[i] || atomic[i]) continue;
    stored += view.extent.bytes();
    streamed.resize(written.size());
    streamed[i] = true;
  }
  if (stored < static_cast<std::uint64_t>(stream_bytes)) streamed.clear();
  return streamed;
}

}  // namespace

ExecutionMode decide_execution_mode(const RunRequest& request, const MemoryEffects& effects, unsigned threads, Launch& launch) {
  const auto read = storages_of(request, effects.read), written = storages_of(request, effects.written);
  const auto atomic = storages_of(request, effects.atomic), observed = storages_of(request, effects.observed);
  ExecutionMode mode;
  mode.reason = reason_of_kernel(effects);
  const auto add_reason = [&mode](bool holds, std::string_view reason) {
    if (holds && mode.reason.empty()) mode.reason = reason;
  };
  add_reason(overlap(atomic, read) || overlap(atomic, written), "what atomics update is also loaded or stored to");
  add_reason(overlap(observed, written) || overlap(observed, atomic), "programs may wait for what others store");
  if (mode.reason.empty() && mixes_updates(request, effects, launch.checks_signs))
    mode.reason = "two kinds of atomics update the same memory";
  mode.in_order = !mode.reason.empty();
  mode.allows_batches = !mode.in_order && effects.atomic.empty() && !overlap(read, written);
  launch.logs_updates = !effects.updates.empty();
  const bool logs = !mode.in_order && threads > 1 && !effects.written.empty();
  const bool is_in_place = overlap(read, written);
  launch.undoes = logs && is_in_place && effects.atomic.empty();
  for (std::size_t i = 0; i < read.size() && (logs || launch.checks_signs); ++i) {
    const StorageId id{static_cast<std::int32_t>(i)};
    // Storages that are only stored to receive the same stores again, if the places do not depend on written data.
    const bool is_changed = is_in_place && !launch.undoes && written[i];
    if (!atomic[i] && !is_changed) continue;
    mode.snapshot.push_back(id);
    mode.snapshot_bytes += request.memory->storage(id).extent.bytes();
  }
  add_reason(mode.snapshot_bytes > kMaxSnapshotBytes, "keeping a copy of the memory that it updates costs more");
  mode.in_order = !mode.reason.empty();
  const auto streamed = streamed_storages(request, written, read, atomic, launch.stream_bytes);
  for (std::size_t i = 0; i < request.memory->view_count(); ++i) {
    const auto& view = request.memory->view(ViewId{static_cast<std::int32_t>(i)});
    const auto storage = static_cast<std::size_t>(request.memory->storage(view.storage).id.index);
    ViewRange range;
    const bool reaches_all = request.reach == Reach::storage;
    const memory_model::Extent& extent = reaches_all ? request.memory->storage(view.storage).extent : view.extent;
    range.begin = extent.begin;
    range.end = extent.end;
    range.is_dense = reaches_all || view.is_dense;
    range.is_unwritten = range.is_constant = !written[storage] && !atomic[storage];
    range.is_logged = logs && written[storage];
    range.is_kept = request.touches != AccessTracking::none && (written[storage] || atomic[storage]);
    range.is_streamed = !streamed.empty() && streamed[storage];
    launch.views.push_back(range);
  }
  return mode;
}

std::vector<StorageId> changed_storages(const RunRequest& request, const MemoryEffects& effects) {
  const auto read = storages_of(request, effects.read), atomic = storages_of(request, effects.atomic);
  std::vector<StorageId> ids = written_storages(request, effects);
  std::erase_if(ids, [&](StorageId id) {
    const auto i = static_cast<std::size_t>(id.index);
    return !read[i] && !atomic[i];
  });
  return ids;
}

std::vector<StorageId> written_storages(const RunRequest& request, const MemoryEffects& effects) {
  const auto written = storages_of(request, effects.written), atomic = storages_of(request, effects.atomic);
  std::vector<StorageId> ids;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const StorageId id{static_cast<std::int32_t>(i)};
    if ((written[i] || atomic[i]) && request.memory->storage(id).id == id) ids.push_back(id);
  }
  return ids;
}

}  // namespace lockstep::interpreter
