// Texts that stand in for files: what SourceFile::read gives for a path, before the disk is asked. A capsule brings the
// Python lines that its kernel names, which this machine need not have. For the whole process; safe from many threads.
// Not here: which files there are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "support/source_file.h"

namespace lockstep {

/// From now on `path` reads as `text`, whose first line is line `first_line` (1-based) of the file; the lines before
/// are empty. The last call for a path counts. Errors: LS3002 (larger than a source file may be).
Expected<SourceFilePtr, Status> lay_over_source(const std::string& path, std::uint32_t first_line, std::string text);

/// `file` stands in for its path no longer; nothing happens where another text has come since.
void lift_off_source(const SourceFilePtr& file);

/// What stands in for `path`, or null.
SourceFilePtr overlaid_source(const std::string& path);

}  // namespace lockstep
