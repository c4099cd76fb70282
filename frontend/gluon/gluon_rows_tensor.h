// Rows: tensors with layouts in registers. Signatures: gluon_rows.cpp.
#pragma once

#include "frontend/builtins/builtin.h"

namespace lockstep::frontend::rows {

Value gluon_arange(BuiltinCall& call);
Value gluon_full(BuiltinCall& call);
Value gluon_histogram(BuiltinCall& call);
Value gluon_convert_layout(BuiltinCall& call);
Value gluon_set_auto_layout(BuiltinCall& call);
Value gluon_num_warps(BuiltinCall& call);
Value gluon_num_ctas(BuiltinCall& call);
Value gluon_to_linear_layout(BuiltinCall& call);
Value gluon_register_product(BuiltinCall& call);

}  // namespace lockstep::frontend::rows
