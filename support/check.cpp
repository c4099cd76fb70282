#include "support/check.h"

#include <string_view>

namespace lockstep {
namespace {

// Keeps the file and its folder, without the build machine's own folders.
std::string_view short_path(std::string_view path) {
  std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return path;
  slash = path.rfind('/', slash - 1);
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

void fail_check(const char* file, int line, const char* condition, const std::string& message) {
  std::string text(short_path(file));
  text += ":" + std::to_string(line) + ": " + message + " (check failed: " + condition + ")";
  throw InternalError(text);
}

}  // namespace lockstep
