// The families of commands, in the order of `help`. Each is a file of this folder: functions first, then the rows that
// name them. A new family gets a line here and one in families.cpp. Not here: the rows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "debugger/terminal/commands/command.h"

namespace lockstep::debugger {

using CommandRows = std::span<const Command>;

CommandRows going_commands();
CommandRows stop_commands();
CommandRows program_commands();
CommandRows value_commands();
CommandRows info_commands();
CommandRows examine_commands();
CommandRows access_commands();
CommandRows origin_commands();
CommandRows order_commands();
CommandRows map_commands();
CommandRows compare_commands();
CommandRows cost_commands();
CommandRows source_commands();
CommandRows editing_commands();
CommandRows conversation_commands();

/// All rows, in the order of `help`.
const std::vector<Command>& all_commands();
/// By name, letters, or a unique prefix.
Expected<const Command*, Problem> find_command(std::string_view name);

}  // namespace lockstep::debugger
