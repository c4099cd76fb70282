// Which iteration a program is in, computed on demand: the loops around a step are those whose back-edge jumps from
// after it to before it, including those of callers. Costs nothing without a question. Not here: its text
// (findings/finding.h).
#pragma once

#include <vector>

#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

/// The scf.for loops around `step` (of the machine's plan) with the running program's iterations, outermost first; none
/// for steps that run once before them.
std::vector<LoopTurn> loops_around(const Machine& machine, const Step* step);

/// The name of a loop's variable in the user's text, else in the TTIR; "": it has none.
std::string variable_name(const ir::Value& value);

}  // namespace lockstep::interpreter
