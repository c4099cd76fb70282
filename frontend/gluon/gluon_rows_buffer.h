// Rows: buffers in shared memory. Signatures: gluon_rows.cpp.
#pragma once

#include "frontend/builtins/builtin.h"

namespace lockstep::frontend::rows {

Value gluon_allocate(BuiltinCall& call);
Value gluon_buffer_load(BuiltinCall& call);
Value gluon_buffer_store(BuiltinCall& call);
Value gluon_buffer_slice(BuiltinCall& call);
Value gluon_buffer_index(BuiltinCall& call);
Value gluon_buffer_permute(BuiltinCall& call);
Value gluon_buffer_reshape(BuiltinCall& call);
Value gluon_buffer_reinterpret(BuiltinCall& call);
Value gluon_buffer_keep_alive(BuiltinCall& call);

}  // namespace lockstep::frontend::rows
