#include "support/source_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;
constexpr std::uint32_t kMaxFirstLine = 1 << 24;

struct Overlays {
  std::mutex mutex;
  std::map<std::string, SourceFilePtr> files;
};
Overlays& overlays() {
  static Overlays all;
  return all;
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Status too_large(const std::string& path) {
  return {"LS3002", "'" + path + "' is larger than 64 MiB", "a kernel's source is a small text file"};
}

Status cannot_read(const std::string& path, int error) {
  return {"LS3001", "cannot read '" + path + "': " + std::strerror(error), "check the path and its permissions"};
}

}  // namespace

SourceFile::SourceFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  LOCKSTEP_CHECK(text_.size() < std::numeric_limits<std::uint32_t>::max(), "a source text of 4 GiB or more");
  line_starts_.push_back(0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
    line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
  }
}

Expected<std::shared_ptr<const SourceFile>, Status> SourceFile::read(const std::string& path) {
  if (SourceFilePtr overlaid = overlaid_source(path)) return overlaid;
  // Reading a pipe or a terminal could block, and paths also come from the locations of hostile .ttir texts.
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return Unexpected{
        Status{"LS3001", "cannot read '" + path + "': it is not a regular file", "name a .py or .ttir file"}};
  }
  errno = 0;
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (!file) return Unexpected{cannot_read(path, errno)};
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  while (true) {
    errno = 0;
    const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get());
    text.append(buffer.data(), got);
    if (text.size() > kMaxFileBytes) return Unexpected{too_large(path)};
    if (got < buffer.size()) break;
  }
  if (std::ferror(file.get()) != 0) return Unexpected{cannot_read(path, errno)};
  return SourceFilePtr(std::make_shared<SourceFile>(path, std::move(text)));
}

Expected<std::shared_ptr<const SourceFile>, Status> SourceFile::make(const std::string& path, std::string text) {
  if (text.size() > kMaxFileBytes) return Unexpected{too_large(path)};
  return SourceFilePtr(std::make_shared<SourceFile>(path, std::move(text)));
}

LineColumn SourceFile::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  return {line, offset - line_starts_[line - 1] + 1};
}

std::string_view SourceFile::line_text(std::uint32_t line) const {
  if (line == 0 || line > line_count()) return {};
  const std::uint32_t begin = line_starts_[line - 1];
  const std::size_t end = line < line_count() ? line_starts_[line] - 1 : text_.size();
  std::string_view text = std::string_view(text_).substr(begin, end - begin);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

std::uint32_t SourceFile::line_start(std::uint32_t line) const {
  if (line == 0) return 0;
  if (line > line_count()) return static_cast<std::uint32_t>(text_.size());
  return line_starts_[line - 1];
}

// ---- texts in place of files ----

Expected<SourceFilePtr, Status> lay_over_source(const std::string& path, std::uint32_t first_line, std::string text) {
  if (first_line == 0 || first_line > kMaxFirstLine)
    return Unexpected{Status{"LS3002", "'" + path + "' cannot begin at line " + std::to_string(first_line), ""}};
  auto file = SourceFile::make(path, std::string(first_line - 1, '\n') + std::move(text));
  if (!file) return file;
  const std::lock_guard lock(overlays().mutex);
  overlays().files[path] = *file;
  return file;
}

void lift_off_source(const SourceFilePtr& file) {
  const std::lock_guard lock(overlays().mutex);
  const auto found = overlays().files.find(file->path());
  if (found != overlays().files.end() && found->second == file) overlays().files.erase(found);
}

SourceFilePtr overlaid_source(const std::string& path) {
  const std::lock_guard lock(overlays().mutex);
  const auto found = overlays().files.find(path);
  return found == overlays().files.end() ? nullptr : found->second;
}

}  // namespace lockstep
