// Why the CUDA backend has no text for an op: the words of dialects/emitters.h, for listings and tests. Not here: reasons
// that depend on an op's types or attributes (EmitContext::unsupported).
#pragma once

#include <string_view>

#include "ir/opcode.h"

namespace lockstep::dialects {

/// "" for ops that have text.
std::string_view emit_reason(ir::Opcode opcode);

}  // namespace lockstep::ops
