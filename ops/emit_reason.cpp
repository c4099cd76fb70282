#include "ops/emit_reason.h"

#include "ops/emitters.h"

namespace lockstep::ops {

std::string_view emit_reason(ir::Opcode opcode) { return emit_reason_of(opcode); }

}  // namespace lockstep::ops
