// ExecutionMode: which programs of a launch may run concurrently, decided before the first one runs, from the kernel's
// effects and the arguments that share a storage. Invariant: kernels whose programs can see each other are in_order;
// memory outside of `snapshot` needs no restoring for a second run, or the chunks keep it. Not here: the proof that
// programs did not overlap (grid.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "interpreter/batching/effects.h"
#include "interpreter/launch/launch.h"
#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

struct ExecutionMode {
  bool in_order = false;
  std::string_view reason;      // why in_order, as a clause; for the profile
  bool allows_batches = false;  // running programs again does no harm: nothing that they read is written
  // Memory that a second run must find as the first one did; none if chunks keep it themselves (Launch::undoes).
  std::vector<memory_model::StorageId> snapshot;
  std::uint64_t snapshot_bytes = 0;
};

/// Also fills the access path's facts about every view (launch.views) and launch.checks_signs.
ExecutionMode decide_execution_mode(const RunRequest& request, const MemoryEffects& effects, unsigned threads, Launch& launch);

/// Storages that the kernel may write.
std::vector<memory_model::StorageId> written_storages(const RunRequest& request, const MemoryEffects& effects);
/// Those of them that it may also read, or updates: they must be restored before the launch runs again.
std::vector<memory_model::StorageId> changed_storages(const RunRequest& request, const MemoryEffects& effects);

}  // namespace lockstep::interpreter
