// Text of the library functions that are written in Triton's language (frontend/prelude/*.py), embedded at build time
// by cmake/LockstepPrelude.cmake. They are parsed and lowered like user code.
#pragma once

#include <string_view>

namespace lockstep::frontend {

/// "standard" -> the text of prelude/standard.py; empty if there is none.
std::string_view prelude_source(std::string_view name);

}  // namespace lockstep::frontend
