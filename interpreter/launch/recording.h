// Recordings: launches as files (kernel, arguments, memory before), for tests that repeat them under other settings or
// on another processor. On if LOCKSTEP_RECORD names a folder; a launch is one file named by the hash of its content, so
// that equal launches are kept once. Invariant: a launch is not changed by being recorded. Not recorded: kernels that
// follow addresses in memory (which mean nothing elsewhere), launches with more than 16 MiB of memory, and more than
// sixteen launches of one kernel in one process.
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

/// The folder in LOCKSTEP_RECORD; "" without recording.
const std::string& recording_folder();
/// Writes FOLDER/HASH.launch unless it exists. An unwritable file is a warning in the log.
void record_launch(const std::string& folder, const ir::Module& module, const ir::Op& function,
                   const TargetProfile& profile, const RunRequest& request);

/// nullopt: an unreadable file, or not a recording.
std::optional<RecordedLaunch> read_recording(const std::string& path);
/// The launch in `memory`, which must be empty: allocates and fills storages, adds views. nullopt: there is no memory
/// for it, or the file is inconsistent.
std::optional<RunRequest> restore(const RecordedLaunch& recorded, memory_model::AddressSpace& memory);

}  // namespace lockstep::interpreter
