// Places: texts that say where to stop, resolved to points of the kernel:
//   14   file.py:14   a line (the next one that has ops, if it has none)
//   softmax   a function: its first statement          op:tt.store   op:dot   every op of that kind
//   loop:k   loop:iter   the beginning of each iteration of the loop with that variable, or of every loop
//   *17   %12   the point with that number, the op that makes that value of the TTIR
// A line's stop counts a hit each time that one of its statements begins, in any frame. Not here: conditions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/engine/points.h"
#include "debugger/engine/stops.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

struct Where {
  std::string text;  // "softmax.py:14", "op:tt.store", "loop:k", "*17"
  std::vector<Breakpoint::At> at;
  Place place;  // of a line, or of the first point; may be unknown
};

/// `here`: the place near a bare line number; unknown: the kernel's own file.
Expected<Where, Problem> resolve_where(const DebugKernel& kernel, std::string_view text, const Place& here);
/// `file`: a path, or the end of one. place.line has the line after a move. Problem: no such file or line.
Expected<Where, Problem> resolve_line(const DebugKernel& kernel, std::string_view file, std::uint32_t line);
/// Precondition: point < points().size().
Where where_of_point(const DebugKernel& kernel, std::uint32_t point);

/// The files of the points, in the order of the text.
std::vector<const std::string*> files_of(const DebugKernel& kernel);
/// Lines of a file that can have a breakpoint, rising.
std::vector<std::uint32_t> lines_of(const DebugKernel& kernel, const std::string& file);
/// Names of the kernel's functions and of the variables of its loops.
std::vector<std::string> functions_of(const DebugKernel& kernel);
std::vector<std::string> loops_of(const DebugKernel& kernel);

/// "5" and "==5": that hit; ">=5", ">100"; "%16" and "%16==0": each 16th.
Expected<HitRule, Problem> parse_hit_rule(std::string_view text);

/// The last part of a path.
std::string file_name(const std::string& path);
/// "softmax.py:14"; "?" for an unknown place.
std::string place_text(const Place& place);

}  // namespace lockstep::debugger
