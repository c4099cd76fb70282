// The page's files (debugger/web) and its lessons, built into the program.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::debugger::serve {

struct PageFile {
  std::string_view path;  // "js/main.js"
  std::string_view text;
};
std::span<const PageFile> page_files();
/// lessons.json, bugs.json and examples.json (tools/make_learn.py); empty in a build without Python.
std::span<const PageFile> learn_files();

}  // namespace lockstep::debugger::serve
