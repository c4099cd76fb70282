// Recordings: launches written to files as they were asked for (kernel, arguments, memory before), to be made again by
// tests under other settings or on another processor. On where LOCKSTEP_RECORD names a folder; a launch is one file
// named by the hash of its content, so that equal launches are kept once. Invariant: a launch is not changed by being
// recorded. Not recorded: kernels that follow addresses found in memory (those mean nothing elsewhere), launches with
// more than 16 MiB of memory, and more than sixteen launches of one kernel in one process.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/launch/launch.h"

namespace lockstep::interpreter {

struct RecordedView {
  std::size_t storage = 0;
  std::string name;
  ScalarKind element{};
  std::int64_t offset_bytes = 0;  // of element (0, 0, ...), from the storage's first byte
  std::vector<std::int64_t> shape, strides;
  bool has_footprint = true, is_initialised = true;
};

struct RecordedLaunch {
  std::string text;  // the module, as TTIR without locations
  std::string function, target;
  std::array<std::int64_t, 3> grid{1, 1, 1};
  Reach reach = Reach::view;
  bool asserts_are_errors = true;
  std::vector<std::vector<std::byte>> storages;
  std::vector<RecordedView> views;
  std::vector<Argument> arguments;  // their views are positions in `views`
};

/// The folder that LOCKSTEP_RECORD names; "" where nothing is recorded.
const std::string& recording_folder();
/// Writes FOLDER/HASH.launch unless it is there. A file that cannot be written is a warning in the log.
void record_launch(const std::string& folder, const ir::Module& module, const ir::Op& function,
                   const TargetProfile& profile, const RunRequest& request);

/// nullopt: a file that cannot be read or is no recording.
std::optional<RecordedLaunch> read_recording(const std::string& path);
/// The launch in `memory`, which is empty before: storages allocated and filled, views added. nullopt: there is no
/// memory for it, or what the file says is not consistent.
std::optional<RunRequest> restore(const RecordedLaunch& recorded, memory_model::AddressSpace& memory);

}  // namespace lockstep::interpreter
