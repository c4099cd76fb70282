// The page's files (debugger/web), as they are built in.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::debugger::serve {

struct PageFile {
  std::string_view path;  // "js/main.js"
  std::string_view text;
};
std::span<const PageFile> page_files();

}  // namespace lockstep::debugger::serve
