// What rows demand of their ops beyond counts, type rules and relations. Each function reports what is wrong and
// returns false. Source: the verifiers of Triton 3.6 and of MLIR's dialects.
#pragma once

#include <string_view>

#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::dialects {

/// Of what a verifier says about an op.
inline constexpr std::string_view kBrokenOp = "LS1113";

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

/// The `verify` column of all rows in one place, because families share rules. row() (rows.h) reads it.
consteval ir::VerifyHook verifier_of(ir::Opcode opcode) {
  using ir::Opcode;
  switch (opcode) {
    case Opcode::tt_make_range: return verify_make_range;
    case Opcode::tt_expand_dims: return verify_expand_dims;
    case Opcode::tt_broadcast: return verify_broadcast;
    case Opcode::tt_trans: return verify_trans;
    case Opcode::tt_reshape: return verify_reshape;
    case Opcode::tt_join: return verify_join;
    case Opcode::tt_split: return verify_split;
    case Opcode::tt_cat: return verify_cat;
    case Opcode::tt_gather: return verify_gather;
    case Opcode::tt_histogram: return verify_histogram;
    case Opcode::tt_unsplat: return verify_unsplat;
    case Opcode::tt_bitcast:
    case Opcode::arith_bitcast: return verify_same_width;
    case Opcode::arith_extf:
    case Opcode::arith_extsi:
    case Opcode::arith_extui: return verify_widening;
    case Opcode::arith_truncf:
    case Opcode::arith_trunci: return verify_narrowing;
    case Opcode::tt_fp_to_fp: return verify_fp_to_fp;
    case Opcode::arith_index_cast:
    case Opcode::arith_index_castui: return verify_index_cast;
    case Opcode::tt_int_to_ptr:
    case Opcode::tt_ptr_to_int: return verify_address;
    case Opcode::tt_approx_divf: return verify_approx_divf;
    case Opcode::tt_atomic_load: return verify_atomic_load;
    case Opcode::tt_atomic_store: return verify_atomic_store;
    case Opcode::tt_atomic_poll: return verify_atomic_poll;
    case Opcode::tt_elementwise_inline_asm: return verify_inline_asm;
    case Opcode::llvm_intr_assume: return verify_assume;
    case Opcode::arith_constant: return verify_constant;
    case Opcode::arith_select: return verify_select;
    case Opcode::tt_load:
    case Opcode::tt_store: return verify_block_access;
    case Opcode::tt_make_tensor_ptr: return verify_make_tensor_ptr;
    case Opcode::tt_advance: return verify_advance;
    case Opcode::tt_atomic_rmw: return verify_atomic;
    case Opcode::tt_make_tensor_descriptor: return verify_make_tensor_descriptor;
    case Opcode::tt_descriptor_load:
    case Opcode::tt_descriptor_store:
    case Opcode::tt_experimental_descriptor_load:
    case Opcode::tt_experimental_descriptor_store:
    case Opcode::tt_descriptor_reduce: return verify_descriptor_access;
    case Opcode::tt_experimental_descriptor_gather:
    case Opcode::tt_experimental_descriptor_scatter:
    case Opcode::tt_descriptor_gather:
    case Opcode::tt_descriptor_scatter: return verify_descriptor_rows;
    case Opcode::tt_dot: return verify_dot;
    case Opcode::tt_dot_scaled: return verify_dot_scaled;
    case Opcode::tt_reduce: return verify_reduce;
    case Opcode::tt_scan: return verify_scan;
    case Opcode::tt_map_elementwise: return verify_map_elementwise;
    case Opcode::scf_for: return verify_for;
    case Opcode::scf_if: return verify_if;
    case Opcode::scf_while: return verify_while;
    case Opcode::tt_func: return verify_function;
    case Opcode::tt_call: return verify_call;
    case Opcode::scf_yield:
    case Opcode::scf_condition:
    case Opcode::tt_return:
    case Opcode::tt_reduce_return:
    case Opcode::tt_scan_return:
    case Opcode::tt_map_elementwise_return: return verify_terminator_parent;
    default: return nullptr;
  }
}

}  // namespace lockstep::ops
