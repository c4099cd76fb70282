// What a debugging session shows at a stop: the reason, program, loops, line, values. Not here: the commands that show
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "debugger/terminal/commands/command.h"

namespace lockstep::debugger {

/// The reason and the place; with `shows_op`, also the op.
void show_halt(CommandContext& in, bool shows_op = false);
/// "program 3  softmax  softmax.py:14  step 25".
void show_place(CommandContext& in);
void show_loops(CommandContext& in);
/// The source line with the values of its names; without a source, the op.
void show_source_line(CommandContext& in);
void show_op(CommandContext& in, std::uint32_t point, bool is_current);
void show_displays(CommandContext& in);
/// For a launch that has ended: how.
void show_end(CommandContext& in);
/// show_place(), with the state of the program and its turn.
void show_program(CommandContext& in);
/// The list of timelines.
void show_timelines(CommandContext& in);

/// On one line; only the element that `lane` chose, if it chose one.
std::string shown(CommandContext& in, const Value& value);
/// The element that `lane` chose, for tiles of that rank.
std::optional<Value> at_lane(CommandContext& in, const Value& value);

}  // namespace lockstep::debugger
