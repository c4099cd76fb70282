#include "backend_cuda/emit/source_lines.h"

#include <map>
#include <mutex>

#include "support/source_file.h"

namespace lockstep::backend_cuda {
namespace {

std::string read_line(const std::string& path, std::uint32_t line) {
  static std::mutex mutex;
  static std::map<std::string, SourceFilePtr> files;
  const std::scoped_lock lock(mutex);
  auto found = files.find(path);
  if (found == files.end()) {
    const auto read = SourceFile::read(path);
    found = files.emplace(path, read ? *read : nullptr).first;
  }
  return found->second == nullptr ? "" : std::string(found->second->line_text(line));
}

// Without indentation, and without anything that would end the comment's line or continue it.
std::string as_comment(const std::string& text) {
  std::string comment;
  for (const char c : text) {
    if (c >= ' ' || c == '\t') comment += c == '\t' ? ' ' : c;
  }
  const std::size_t begin = comment.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  comment = comment.substr(begin);
  while (!comment.empty() && (comment.back() == '\\' || comment.back() == ' ')) comment.pop_back();
  return comment;
}

}  // namespace

std::string source_line_text(Location location) {
  const LocationNode* place = user_frame(location).user;
  if (place == nullptr) return "";
  const std::string file = place->text.substr(place->text.rfind('/') + 1);
  const std::string text = as_comment(read_line(place->text, place->line));
  return as_comment(file) + ":" + std::to_string(place->line) + (text.empty() ? "" : ": " + text);
}

}  // namespace lockstep::backend_cuda
