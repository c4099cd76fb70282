// Where the memory that findings are about was made, as a note on each: from the program's line, or the word of the
// command line that asked for it. Invariant: only findings about an argument's memory get one. Not here: the origins.
#pragma once

#include <functional>
#include <string>

#include "findings/finding.h"

namespace lockstep {

/// Accesses outside of an argument (LS101 to LS112), elements that were never written (LS201 to LS204).
bool is_about_memory(const Finding& finding);

/// Adds a note to each finding about memory. `origin`: a sentence about an argument; "": unknown.
void note_origins(Report& report, const std::function<std::string(const Finding& finding)>& origin);

}  // namespace lockstep
