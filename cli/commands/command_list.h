// The commands of `lockstep`, each listed by its own file.
#pragma once

#include <span>

#include "cli/commands/command.h"

namespace lockstep::cli {

/// In the order of the help.
std::span<const CommandRow* const> command_rows();

}  // namespace lockstep::cli
