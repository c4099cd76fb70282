// Steps of a launch in the units that people think in: an op, a line, a function. Each goes until it is there, or until
// something stops the launch. Not here: what stops it (engine.h).
#pragma once

#include "debugger/engine/engine.h"

namespace lockstep::debugger {

/// One op of the same program (others may run in between where it gives way). A program that ends: the next one's first
/// point. Backwards: a program's first point is preceded by the last one of the turn before.
Stop step_op(Engine& engine, Direction direction);
/// To where a line begins: in any frame, or (`over`) not in one deeper than where it stands.
Stop step_line(Engine& engine, Direction direction, bool over);
/// Out of the innermost frame; in the outermost one to the end of the program (backwards: to its beginning).
Stop step_out(Engine& engine, Direction direction);

}  // namespace lockstep::debugger
