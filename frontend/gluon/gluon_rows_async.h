// Rows: asynchronous copies, barriers, fences. Signatures: gluon_rows.cpp.
#pragma once

#include "frontend/builtins/builtin.h"

namespace lockstep::frontend::rows {

Value gluon_async_copy(BuiltinCall& call);
Value gluon_copies_arrive(BuiltinCall& call);
Value gluon_commit_group(BuiltinCall& call);
Value gluon_wait_group(BuiltinCall& call);
Value gluon_barrier_init(BuiltinCall& call);
Value gluon_barrier_invalidate(BuiltinCall& call);
Value gluon_barrier_expect(BuiltinCall& call);
Value gluon_barrier_wait(BuiltinCall& call);
Value gluon_barrier_arrive(BuiltinCall& call);
Value gluon_fence(BuiltinCall& call);
Value gluon_tma_load(BuiltinCall& call);
Value gluon_tma_store(BuiltinCall& call);
Value gluon_tma_store_wait(BuiltinCall& call);
Value gluon_tma_gather(BuiltinCall& call);
Value gluon_tma_scatter(BuiltinCall& call);
Value gluon_make_descriptor(BuiltinCall& call);

}  // namespace lockstep::frontend::rows
