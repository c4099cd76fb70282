// Brief: values on one line, for log points, for edits and next to source lines. Not here: tables, histograms, bits
// (expression/show.h).
#pragma once

#include <string>

#include "debugger/expression/show.h"

namespace lockstep::debugger {

/// A scalar's text, few elements one by one, else statistics: "f32[16,64] min -1.2 max 3.4 ...".
std::string brief_text(const Value& value, const Scope& scope);
/// As brief_text, shorter: "f32[16,64] -1.2 .. 3.4". For the end of a source line.
std::string inline_text(const Value& value, const Scope& scope);

}  // namespace lockstep::debugger
