// What a command says that was given a kernel and not enough to launch it: the signature, what each parameter seems to
// be, and a whole command. The command was run before it is shown.
#pragma once

#include <string>
#include <vector>

namespace lockstep::cli {

/// `command`: "run", "debug", "serve". `target`: FILE.py[::KERNEL]. `grid` and `arguments`: what was given. Empty where nothing
/// can be said: no .py file, one that cannot be read, or no single kernel. `is_brief`: the command alone.
std::string first_launch(const std::string& command, const std::string& target, const std::string& grid,
                         const std::vector<std::string>& arguments, bool has_color, bool is_brief = false);

}  // namespace lockstep::cli
