// PageScript: the page's modules (debugger/web/js) as one script, for a file that no server serves: each becomes a
// function that returns its exports, after its imports. Not a general bundler: it takes the forms that the page's
// modules use, and names a line with another one.
#pragma once

#include <string>

#include "debugger/serve/page_files.h"
#include "support/result.h"

namespace lockstep::debugger::trace {

/// `entry`: "js/main.js". The error names the module and its line.
Expected<std::string, std::string> page_script(std::span<const serve::PageFile> files, const std::string& entry);

}  // namespace lockstep::debugger::trace
