// Numbers in the texts of commands.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::debugger {

/// "1 op", "3 ops".
std::string counted(std::uint64_t count, const char* what);
/// Three digits.
std::string rough(double value);

}  // namespace lockstep::debugger
