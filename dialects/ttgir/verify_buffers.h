// What rows of TTGIR demand of their ops; as dialects/verify_hooks.h.
#pragma once

#include "dialects/verify_hooks.h"

namespace lockstep::dialects {

bool verify_buffer(ir::VerifyContext& context, const ir::Op& op);         // ttg.local_alloc, ttng.tmem_alloc
bool verify_written(ir::VerifyContext& context, const ir::Op& op);        // what is stored to can be changed
bool verify_copied_buffer(ir::VerifyContext& context, const ir::Op& op);  // ttg.async_copy_global_to_local
bool verify_lanes_of_axis(ir::VerifyContext& context, const ir::Op& op);  // ttg.local_gather and its like
bool verify_memdesc_index(ir::VerifyContext& context, const ir::Op& op);
bool verify_memdesc_subslice(ir::VerifyContext& context, const ir::Op& op);
bool verify_memdesc_trans(ir::VerifyContext& context, const ir::Op& op);
bool verify_memdesc_reshape(ir::VerifyContext& context, const ir::Op& op);
bool verify_memdesc_reinterpret(ir::VerifyContext& context, const ir::Op& op);
bool verify_tmem_subslice(ir::VerifyContext& context, const ir::Op& op);
bool verify_barrier(ir::VerifyContext& context, const ir::Op& op);
bool verify_tma_copy(ir::VerifyContext& context, const ir::Op& op);
bool verify_buffer_product(ir::VerifyContext& context, const ir::Op& op);
bool verify_fp4_to_fp(ir::VerifyContext& context, const ir::Op& op);
bool verify_tensormap(ir::VerifyContext& context, const ir::Op& op);
bool verify_cancel_answer(ir::VerifyContext& context, const ir::Op& op);  // ttng.clc_try_cancel, clc_load_result
bool verify_warp_specialize(ir::VerifyContext& context, const ir::Op& op);
bool verify_warp_yield(ir::VerifyContext& context, const ir::Op& op);

}  // namespace lockstep::dialects
