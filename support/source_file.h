// A text file held in memory with a line index: byte offset <-> line:column. The text is any bytes: invalid UTF-8 is
// kept and counted byte by byte, so hostile input cannot make positions wrong.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep {

/// 1-based; columns in bytes.
struct LineColumn {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Half-open byte range of a SourceFile.
struct SourceRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

class SourceFile {
 public:
  SourceFile(std::string path, std::string text);
  /// Reads a file. Errors: LS3001 (cannot be opened or read), LS3002 (larger than 64 MiB).
  static Expected<std::shared_ptr<const SourceFile>, Status> read(const std::string& path);
  /// Takes a text without a file, under the same limit (LS3002).
  static Expected<std::shared_ptr<const SourceFile>, Status> make(const std::string& path, std::string text);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  LineColumn position(std::uint32_t offset) const;
  /// Text of a 1-based line without its newline; empty past the end.
  std::string_view line_text(std::uint32_t line) const;
  std::uint32_t line_count() const { return static_cast<std::uint32_t>(line_starts_.size()); }
  /// Byte offset at which a 1-based line starts.
  std::uint32_t line_start(std::uint32_t line) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};
using SourceFilePtr = std::shared_ptr<const SourceFile>;

// Texts in place of files: SourceFile::read returns them instead of reading the disk. A capsule brings the Python lines
// that its kernel names, which this machine need not have. For the whole process; thread-safe.

/// From now on `path` reads as `text`, whose first line is line `first_line` (1-based) of the file; the lines before
/// are empty. The last call for a path counts. Errors: LS3002 (larger than a source file may be).
Expected<SourceFilePtr, Status> lay_over_source(const std::string& path, std::uint32_t first_line, std::string text);

/// Removes `file` as the text of its path; no effect if another text has replaced it.
void lift_off_source(const SourceFilePtr& file);

/// The text in place of `path`, or null.
SourceFilePtr overlaid_source(const std::string& path);

}  // namespace lockstep
