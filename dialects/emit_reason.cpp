#include "dialects/emit_reason.h"

#include "dialects/emitters.h"

namespace lockstep::dialects {

std::string_view emit_reason(ir::Opcode opcode) { return emit_reason_of(opcode); }

}  // namespace lockstep::ops
