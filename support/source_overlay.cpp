#include "support/source_overlay.h"

#include <map>
#include <mutex>

namespace lockstep {
namespace {

constexpr std::uint32_t kMaxFirstLine = 1 << 24;

struct Overlays {
  std::mutex mutex;
  std::map<std::string, SourceFilePtr> files;
};
Overlays& overlays() {
  static Overlays all;
  return all;
}

}  // namespace

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
