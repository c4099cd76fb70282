// What the attributes of inline assembly say. Not here: its instructions (parser.h).
#pragma once

#include <string>
#include <string_view>

#include "ir/op.h"

namespace lockstep::interpreter {

/// A text attribute; empty: it has none of the name.
std::string asm_attribute(const ir::Op& op, std::string_view name);
/// Whether the asm may answer differently per program or per run (it is not pure, or reads a special register).
bool depends_on_program(const ir::Op& inline_asm);

}  // namespace lockstep::interpreter
