// The rows' rules for their ops beyond counts, type rules and relations. Each function reports a violation and returns
// false; rows name them. Source: the verifiers of Triton 3.6 and of MLIR's dialects.
#pragma once

#include <string_view>

#include "ir/op.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "support/diagnostics/diagnostic_code.h"

namespace lockstep::dialects {

/// The code of a verifier's complaint about an op.
inline constexpr DiagnosticCode kBrokenOp = "LS1113";

bool verify_make_range(ir::VerifyContext& context, const ir::Op& op);
bool verify_expand_dims(ir::VerifyContext& context, const ir::Op& op);
bool verify_broadcast(ir::VerifyContext& context, const ir::Op& op);
bool verify_trans(ir::VerifyContext& context, const ir::Op& op);
bool verify_reshape(ir::VerifyContext& context, const ir::Op& op);
bool verify_join(ir::VerifyContext& context, const ir::Op& op);
bool verify_split(ir::VerifyContext& context, const ir::Op& op);
bool verify_cat(ir::VerifyContext& context, const ir::Op& op);
bool verify_gather(ir::VerifyContext& context, const ir::Op& op);
bool verify_histogram(ir::VerifyContext& context, const ir::Op& op);
bool verify_unsplat(ir::VerifyContext& context, const ir::Op& op);

bool verify_same_width(ir::VerifyContext& context, const ir::Op& op);
bool verify_widening(ir::VerifyContext& context, const ir::Op& op);
bool verify_narrowing(ir::VerifyContext& context, const ir::Op& op);
bool verify_fp_to_fp(ir::VerifyContext& context, const ir::Op& op);
bool verify_index_cast(ir::VerifyContext& context, const ir::Op& op);
bool verify_address(ir::VerifyContext& context, const ir::Op& op);  // tt.int_to_ptr, tt.ptr_to_int
bool verify_approx_divf(ir::VerifyContext& context, const ir::Op& op);
bool verify_atomic_load(ir::VerifyContext& context, const ir::Op& op);
bool verify_atomic_store(ir::VerifyContext& context, const ir::Op& op);
bool verify_atomic_poll(ir::VerifyContext& context, const ir::Op& op);
bool verify_inline_asm(ir::VerifyContext& context, const ir::Op& op);
bool verify_assume(ir::VerifyContext& context, const ir::Op& op);
bool verify_constant(ir::VerifyContext& context, const ir::Op& op);
bool verify_select(ir::VerifyContext& context, const ir::Op& op);

bool verify_block_access(ir::VerifyContext& context, const ir::Op& op);
bool verify_make_tensor_ptr(ir::VerifyContext& context, const ir::Op& op);
bool verify_advance(ir::VerifyContext& context, const ir::Op& op);
bool verify_atomic(ir::VerifyContext& context, const ir::Op& op);
bool verify_make_tensor_descriptor(ir::VerifyContext& context, const ir::Op& op);
bool verify_descriptor_access(ir::VerifyContext& context, const ir::Op& op);
bool verify_descriptor_rows(ir::VerifyContext& context, const ir::Op& op);

bool verify_dot(ir::VerifyContext& context, const ir::Op& op);
bool verify_dot_scaled(ir::VerifyContext& context, const ir::Op& op);
bool verify_reduce(ir::VerifyContext& context, const ir::Op& op);
bool verify_scan(ir::VerifyContext& context, const ir::Op& op);
bool verify_map_elementwise(ir::VerifyContext& context, const ir::Op& op);

bool verify_for(ir::VerifyContext& context, const ir::Op& op);
bool verify_if(ir::VerifyContext& context, const ir::Op& op);
bool verify_while(ir::VerifyContext& context, const ir::Op& op);
bool verify_function(ir::VerifyContext& context, const ir::Op& op);
bool verify_call(ir::VerifyContext& context, const ir::Op& op);
bool verify_terminator_parent(ir::VerifyContext& context, const ir::Op& op);

}  // namespace lockstep::dialects
