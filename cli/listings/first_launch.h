// The text for a kernel without enough words to launch it: the signature, the likely meaning of each parameter, and a
// whole command. Lockstep runs the command before it shows it.
#pragma once

#include <string>
#include <vector>

namespace lockstep::cli {

/// `command`: "run", "debug", "serve". `target`: FILE.py[::KERNEL]. `grid` and `arguments`: the given ones. Empty
/// without a readable .py file that has a single kernel. `is_brief`: the command alone.
std::string first_launch(const std::string& command, const std::string& target, const std::string& grid,
                         const std::vector<std::string>& arguments, bool has_color, bool is_brief = false);

}  // namespace lockstep::cli
