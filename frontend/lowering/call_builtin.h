// Calls of the functions of triton.language that have a row (builtins/builtins.h).
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

Value call_builtin(LoweringContext& in, const Builtin& row, std::vector<Value> positional,
                   const KeywordArguments& keywords, bool is_method);
/// The result of a builtin without one: no name, argument or condition can use it.
bool is_no_result(const Value& value);

}  // namespace lockstep::frontend
