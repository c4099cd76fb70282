// Rows: products of warp groups and of the tensor core, tensor memory. Signatures: gluon_rows.cpp.
#pragma once

#include "frontend/builtins/builtin.h"

namespace lockstep::frontend::rows {

Value gluon_product_init(BuiltinCall& call);
Value gluon_product(BuiltinCall& call);
Value gluon_product_wait(BuiltinCall& call);
Value gluon_allocate_tensor_memory(BuiltinCall& call);
Value gluon_tensor_memory_load(BuiltinCall& call);
Value gluon_tensor_memory_store(BuiltinCall& call);
Value gluon_tensor_memory_slice(BuiltinCall& call);
Value gluon_tensor_copy(BuiltinCall& call);
Value gluon_tensor_product(BuiltinCall& call);
Value gluon_scaled_product(BuiltinCall& call);
Value gluon_commit(BuiltinCall& call);

}  // namespace lockstep::frontend::rows
