// The attributes of inline assembly. Not here: its instructions (parser.h).
#pragma once

#include <string>
#include <string_view>

#include "ir/op.h"

namespace lockstep::interpreter {

/// A text attribute; empty: missing.
std::string asm_attribute(const ir::Op& op, std::string_view name);
/// Whether the asm may give different results per program or per run (it is not pure, or reads a special register).
bool depends_on_program(const ir::Op& inline_asm);

}  // namespace lockstep::interpreter
