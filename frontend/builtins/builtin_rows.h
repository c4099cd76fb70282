// The C++ behind the rows of builtins.cpp, by family.
#pragma once

#include "frontend/builtins/builtin.h"

namespace lockstep::frontend::rows {

// builtins_program.cpp: creation, hints, debugging.
Value program_id(BuiltinCall& call);
Value num_programs(BuiltinCall& call);
Value arange(BuiltinCall& call);
Value full(BuiltinCall& call);
Value to_tensor(BuiltinCall& call);
Value cast(BuiltinCall& call);
Value debug_barrier(BuiltinCall& call);
Value hint(BuiltinCall& call);
Value assume(BuiltinCall& call);
Value device_print(BuiltinCall& call);
Value breakpoint(BuiltinCall& call);
Value device_assert(BuiltinCall& call);
Value static_only(BuiltinCall& call);

// builtins_shape.cpp.
Value broadcast(BuiltinCall& call);
Value broadcast_to(BuiltinCall& call);
Value trans(BuiltinCall& call);
Value permute(BuiltinCall& call);
Value cat(BuiltinCall& call);
Value join(BuiltinCall& call);
Value split(BuiltinCall& call);
Value view(BuiltinCall& call);
Value item(BuiltinCall& call);
Value reshape(BuiltinCall& call);
Value expand_dims(BuiltinCall& call);
Value gather(BuiltinCall& call);
Value histogram(BuiltinCall& call);

// builtins_memory.cpp.
Value load(BuiltinCall& call);
Value store(BuiltinCall& call);
Value atomic(BuiltinCall& call);
Value atomic_cas(BuiltinCall& call);

// builtins_math.cpp.
Value unary_math(BuiltinCall& call);
Value absolute(BuiltinCall& call);
Value fdiv(BuiltinCall& call);
Value div_rn(BuiltinCall& call);
Value umulhi(BuiltinCall& call);
Value fma(BuiltinCall& call);
Value extremum(BuiltinCall& call);
Value python_extremum(BuiltinCall& call);
Value clamp(BuiltinCall& call);
Value where(BuiltinCall& call);
Value arithmetic(BuiltinCall& call);
Value logical(BuiltinCall& call);
Value dot(BuiltinCall& call);
Value dot_scaled(BuiltinCall& call);

// builtins_block.cpp: block pointers, tensor descriptors.
Value make_block_ptr(BuiltinCall& call);
Value advance(BuiltinCall& call);
Value make_tensor_descriptor(BuiltinCall& call);
Value descriptor_load(BuiltinCall& call);
Value descriptor_store(BuiltinCall& call);
Value descriptor_reduce(BuiltinCall& call);
Value descriptor_gather(BuiltinCall& call);
Value descriptor_scatter(BuiltinCall& call);

// builtins_extern.cpp: library functions, inline assembly, mapped functions.
Value libdevice(BuiltinCall& call);
Value inline_asm_elementwise(BuiltinCall& call);
Value map_elementwise(BuiltinCall& call);
Value cuda_globaltimer(BuiltinCall& call);
Value cuda_smid(BuiltinCall& call);
Value cuda_warps(BuiltinCall& call);
Value cuda_grid_dependency(BuiltinCall& call);
Value cuda_custom_float8(BuiltinCall& call);

// builtins_newer.cpp: what Triton 3.8 and 3.9 added.
Value atomic_load(BuiltinCall& call);
Value atomic_store(BuiltinCall& call);
Value atomic_poll(BuiltinCall& call);
Value expect_zero(BuiltinCall& call);

// builtins_reduce.cpp.
Value reduce(BuiltinCall& call);
Value reduce_with_indices(BuiltinCall& call);
Value associative_scan(BuiltinCall& call);
Value promote_bfloat16(BuiltinCall& call);

}  // namespace lockstep::frontend::rows
