// Steps of a launch in people's units: an op, a line, a function. Each runs to its end, or until something stops the
// launch. Where a program has groups of warps, a step is one of a group: others may run in between. Not here: what stops
// it (engine.h).
#pragma once

#include <cstdint>

#include "debugger/engine/engine.h"

namespace lockstep::debugger {

/// The group of warps that stands here.
inline constexpr std::uint32_t kThisGroup = ~std::uint32_t{0};

/// One op of the same program (others may run in between where it gives way). After a program's end: the next one's
/// first point; after a group's end: where the program goes on. Backwards, the last point of the previous turn precedes a
/// program's first point.
Stop step_op(Engine& engine, Direction direction, std::uint32_t group = kThisGroup);
/// To the start of a line: in any frame, or (`over`) not in a deeper one than the current. Of another group than that
/// which stands here: in any frame.
Stop step_line(Engine& engine, Direction direction, bool over, std::uint32_t group = kThisGroup);
/// Out of the innermost frame; in the outermost one to the end of the program (backwards: to its beginning).
Stop step_out(Engine& engine, Direction direction);

}  // namespace lockstep::debugger
