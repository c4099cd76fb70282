// Texts about breakpoints, watches and catches, for commands that list them.
#pragma once

#include <string>
#include <vector>

#include "debugger/terminal/commands/command.h"

namespace lockstep::debugger {

void show_stop(CommandContext& in, const StopFacts& stop);
void show_watch(CommandContext& in, const WatchFacts& watch);
/// The places that a breakpoint may name: functions, loops, files, ops.
std::vector<std::string> places_to_stop(const Session& session);
/// The catches, and what the run under checkers found for them.
void show_catches(CommandContext& in);

}  // namespace lockstep::debugger
