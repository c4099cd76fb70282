// Which iteration a program is in, told when it is asked for: the loops around a step are those whose back-edge jumps
// from behind it to before it, those of callers included. Costs nothing where nobody asks. Not here: how it reads
// (findings/finding.h).
#pragma once

#include <vector>

#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

/// The scf.for loops around `step` (of the machine's plan) as the running program stands in them, outermost first;
/// none for steps that run once before them.
std::vector<LoopTurn> loops_around(const Machine& machine, const Step* step);

/// The name of a loop's variable in the user's text, else in the TTIR; "": it has none.
std::string variable_name(const ir::Value& value);

}  // namespace lockstep::interpreter
