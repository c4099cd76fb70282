// What a debugging session shows of where the launch stands: why it stopped, program, loops, line, values. Not here:
// the commands that show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "debugger/terminal/commands/command.h"

namespace lockstep::debugger {

/// Why it stopped and where; also the op, where `shows_op`.
void show_halt(CommandContext& in, bool shows_op = false);
/// "program 3  softmax  softmax.py:14  step 25".
void show_place(CommandContext& in);
void show_loops(CommandContext& in);
/// The source line with the values of its names; without a source the op.
void show_source_line(CommandContext& in);
void show_op(CommandContext& in, std::uint32_t point, bool is_current);
void show_displays(CommandContext& in);
/// Of a launch that has ended: how.
void show_end(CommandContext& in);
/// show_place(), and which of the programs it is, and when.
void show_program(CommandContext& in);
/// The timelines that there are.
void show_timelines(CommandContext& in);

/// In a line; of the element that `lane` chose, where it chose one.
std::string shown(CommandContext& in, const Value& value);
/// The element that `lane` chose, of tiles of that rank.
std::optional<Value> at_lane(CommandContext& in, const Value& value);

}  // namespace lockstep::debugger
