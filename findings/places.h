// The places of findings, and their source files. Invariant: locations come from hostile texts, so walks over them are
// bounded; a SourceCache reads each file once, for any number of findings. Not here: texts of places (render_text.cpp,
// report_file.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/location.h"
#include "support/source_file.h"

namespace lockstep {

/// The file positions of a location, the innermost first, then its callers; at most 16.
std::vector<Location> file_places(const Location& location);

/// While it lives, source_of() on this thread reads a file once. May be nested; the outermost one keeps the files.
class SourceCache {
 public:
  SourceCache();
  ~SourceCache();
  SourceCache(const SourceCache&) = delete;
  SourceCache& operator=(const SourceCache&) = delete;

 private:
  friend SourceFilePtr source_of(const std::string& path);
  std::map<std::string, SourceFilePtr> files_;
  bool is_outermost_ = false;
};

/// Null: it cannot be read.
SourceFilePtr source_of(const std::string& path);

}  // namespace lockstep
