// Programs and a person's texts in messages.
#pragma once

#include <string>
#include <string_view>

#include "debugger/engine/engine.h"
#include "debugger/expression/parser.h"
#include "debugger/session/problem.h"

namespace lockstep::debugger {

/// "(3,0,0)".
std::string program_text(const ProgramId& id);
/// "watch 'out[': ...".
Problem problem_with(std::string_view what, std::string_view text, const ExpressionError& error);

}  // namespace lockstep::debugger
