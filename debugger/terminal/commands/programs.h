// Programs by their words, for commands that take one.
#pragma once

#include <cstdint>
#include <string_view>

#include "debugger/session/session.h"

namespace lockstep::debugger {

/// "3", "3 0", "3,0,0", "(3, 0, 0)".
Expected<std::uint64_t, Problem> program_number(const Session& session, std::string_view words);

}  // namespace lockstep::debugger
