// Row: functions that run side by side, each in warps of its own. Signatures: gluon_rows.cpp.
#pragma once

#include "frontend/builtins/builtin.h"

namespace lockstep::frontend::rows {

Value gluon_warp_specialize(BuiltinCall& call);

}  // namespace lockstep::frontend::rows
