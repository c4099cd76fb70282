// What a finding says of the op that it is about.
#pragma once

#include "findings/finding.h"
#include "ir/op.h"

namespace lockstep::interpreter {

/// Sets the finding's op, as the IR spells it, and its name in texts: Python's where the kernel's text is Python.
void name_op(Finding& finding, const ir::Op& op);

}  // namespace lockstep::interpreter
