// What is reported of a launch without rounding: text for people, JSON for programs.
#pragma once

#include <string>

#include "enclosure/real_launch.h"

namespace lockstep::enclosure {

/// What `lockstep run --real` prints: a line a tensor, then its worst elements and what is not known.
std::string real_text(const RealReport& report);
/// For --report json: {"complete": true, "tensors": [{"name", "type", "elements", "unknown", "max_abs", ...}], ...}.
std::string real_json(const RealReport& report);

}  // namespace lockstep::enclosure
