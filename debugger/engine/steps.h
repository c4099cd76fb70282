// Steps of a launch in people's units: an op, a line, a function. Each runs to its end, or until something stops the
// launch. Not here: what stops it (engine.h).
#pragma once

#include "debugger/engine/engine.h"

namespace lockstep::debugger {

/// One op of the same program (others may run in between where it gives way). After a program's end: the next one's
/// first point. Backwards, the last point of the previous turn precedes a program's first point.
Stop step_op(Engine& engine, Direction direction);
/// To the start of a line: in any frame, or (`over`) not in a deeper one than the current.
Stop step_line(Engine& engine, Direction direction, bool over);
/// Out of the innermost frame; in the outermost one to the end of the program (backwards: to its beginning).
Stop step_out(Engine& engine, Direction direction);

}  // namespace lockstep::debugger
