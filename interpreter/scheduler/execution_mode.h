// ExecutionMode: which programs of a launch may run side by side, decided before the first one runs from the kernel's
// effects and from which arguments share a storage. Invariant: kernels whose programs can see each other are in_order;
// what is left out of `snapshot` needs no restoring for a second run, or is kept by the chunks. Not here: the proof
// that programs did not overlap (grid.h).
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
  // What a second run must find as the first one did; nothing where chunks keep it themselves (Launch::undoes).
  std::vector<memory_model::StorageId> snapshot;
  std::uint64_t snapshot_bytes = 0;
};

/// Also fills what the access path must know of every view (launch.views) and launch.checks_signs.
ExecutionMode decide_execution_mode(const RunRequest& request, const MemoryEffects& effects, unsigned threads, Launch& launch);

/// Storages that the kernel may write.
std::vector<memory_model::StorageId> written_storages(const RunRequest& request, const MemoryEffects& effects);
/// Those of them that it may also read, or updates: what must be put back before the launch is made again.
std::vector<memory_model::StorageId> changed_storages(const RunRequest& request, const MemoryEffects& effects);

}  // namespace lockstep::interpreter
