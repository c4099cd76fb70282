// The command line: the command and its options. Commands are rows (cli/commands/command.h).
#pragma once

#include <memory>
#include <variant>

#include "cli/commands/command.h"

namespace lockstep::cli {

/// Parses the command line and sets the log level. An int: help was printed (0) or the usage is wrong (2, with a
/// message on standard error).
std::variant<std::unique_ptr<Command>, int> parse_command_line(int argc, const char* const* argv);

}  // namespace lockstep::cli
