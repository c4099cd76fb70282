// The line of the user's source that a location names, for comments in emitted text. Reads each file once per process.
#pragma once

#include <string>

#include "support/location.h"

namespace lockstep::backend_cuda {

/// "softmax.py:17: num = tl.exp(x)", without the text where the file cannot be read; empty if there is no place.
std::string source_line_text(Location location);

}  // namespace lockstep::backend_cuda
