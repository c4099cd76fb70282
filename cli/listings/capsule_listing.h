// The content of a capsule, for people and for programs: `lockstep replay --list`, and `--extract`, which writes its
// TTIR, sources and arguments as files of their own. Not here: running it. Errors: LS2110 a file cannot be written,
// LS2120 the capsule is damaged.
#pragma once

#include <string>

#include "driver/files/capsule.h"
#include "driver/launch/prepared_launch.h"

namespace lockstep::cli {

/// Kernel, grid, recorder, versions, arguments, storages. Ends with a newline.
std::string capsule_text(const driver::Manifest& manifest);
/// One line.
std::string capsule_json(const driver::Manifest& manifest);

/// Writes DIR/kernel.ttir, DIR/source/N-NAME.py, DIR/NAME.npy of arguments (before the launch; as recorded after it in
/// DIR/after/), DIR/command: the command line that runs it. `session`: bound. Returns a text that lists the written
/// files.
Expected<std::string, Status> extract_capsule(const driver::PreparedLaunch& session, const std::string& folder);

}  // namespace lockstep::cli
