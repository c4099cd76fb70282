// Which evaluator each op has: the `evaluate` column of all rows in one place, because most ops share a family's evaluator.
// row() (rows.h) reads it. An op that is not named here is reported as not supported yet. Nothing here computes.
#pragma once

#include "interpreter/evaluate.h"
#include "ir/opcode.h"

namespace lockstep::ops {

consteval ir::EvaluateHook evaluator_of(ir::Opcode opcode) {
  using ir::Opcode;
  namespace engine = lockstep::interpreter;
  switch (opcode) {
    case Opcode::arith_addf: case Opcode::arith_addi: case Opcode::arith_andi: case Opcode::arith_bitcast: case Opcode::arith_ceildivsi:
    case Opcode::arith_ceildivui: case Opcode::arith_cmpf: case Opcode::arith_cmpi: case Opcode::arith_divf: case Opcode::arith_divsi:
    case Opcode::arith_divui: case Opcode::arith_extf: case Opcode::arith_extsi: case Opcode::arith_extui: case Opcode::arith_floordivsi:
    case Opcode::arith_fptosi: case Opcode::arith_fptoui: case Opcode::arith_index_cast: case Opcode::arith_index_castui:
    case Opcode::arith_maximumf: case Opcode::arith_maxnumf: case Opcode::arith_maxsi: case Opcode::arith_maxui: case Opcode::arith_minimumf:
    case Opcode::arith_minnumf: case Opcode::arith_minsi: case Opcode::arith_minui: case Opcode::arith_mulf: case Opcode::arith_muli:
    case Opcode::arith_negf: case Opcode::arith_ori: case Opcode::arith_remf: case Opcode::arith_remsi: case Opcode::arith_remui:
    case Opcode::arith_select: case Opcode::arith_shli: case Opcode::arith_shrsi: case Opcode::arith_shrui: case Opcode::arith_sitofp:
    case Opcode::arith_subf: case Opcode::arith_subi: case Opcode::arith_truncf: case Opcode::arith_trunci: case Opcode::arith_uitofp:
    case Opcode::arith_xori: case Opcode::math_absf: case Opcode::math_absi: case Opcode::math_ceil: case Opcode::math_cos:
    case Opcode::math_erf: case Opcode::math_exp: case Opcode::math_exp2: case Opcode::math_floor: case Opcode::math_fma:
    case Opcode::math_log: case Opcode::math_log2: case Opcode::math_rsqrt: case Opcode::math_sin: case Opcode::math_sqrt:
    case Opcode::math_tan: case Opcode::math_tanh: case Opcode::tt_bitcast: case Opcode::tt_clampf: case Opcode::tt_fp_to_fp:
    case Opcode::tt_int_to_ptr: case Opcode::tt_mulhiui: case Opcode::tt_precise_divf: case Opcode::tt_precise_sqrt:
    case Opcode::tt_ptr_to_int: return engine::evaluate_elementwise;
    case Opcode::arith_constant: return engine::evaluate_constant;
    case Opcode::ub_poison: return engine::evaluate_poison;
    case Opcode::tt_addptr: return engine::evaluate_addptr;
    case Opcode::tt_get_program_id: case Opcode::tt_get_num_programs: return engine::evaluate_program_info;
    case Opcode::tt_make_range: return engine::evaluate_make_range;
    case Opcode::gpu_barrier: case Opcode::llvm_intr_assume: return engine::evaluate_nothing;
    case Opcode::tt_splat: return engine::evaluate_splat;
    case Opcode::tt_unsplat: return engine::evaluate_unsplat;
    case Opcode::tt_broadcast: return engine::evaluate_broadcast;
    case Opcode::tt_expand_dims: return engine::evaluate_expand_dims;
    case Opcode::tt_reshape: return engine::evaluate_reshape;
    case Opcode::tt_trans: return engine::evaluate_trans;
    case Opcode::tt_join: return engine::evaluate_join;
    case Opcode::tt_split: return engine::evaluate_split;
    case Opcode::tt_cat: return engine::evaluate_cat;
    case Opcode::tt_gather: return engine::evaluate_gather;
    case Opcode::tt_histogram: return engine::evaluate_histogram;
    case Opcode::tt_load: return engine::evaluate_load;
    case Opcode::tt_store: return engine::evaluate_store;
    case Opcode::tt_atomic_rmw: return engine::evaluate_atomic_rmw;
    case Opcode::tt_atomic_cas: return engine::evaluate_atomic_cas;
    case Opcode::tt_reduce: return engine::evaluate_reduce;
    case Opcode::tt_scan: return engine::evaluate_scan;
    case Opcode::tt_reduce_return: case Opcode::tt_scan_return: return engine::evaluate_region_return;
    case Opcode::tt_dot: return engine::evaluate_dot;
    case Opcode::scf_if: return engine::evaluate_if;
    case Opcode::scf_for: return engine::evaluate_for;
    case Opcode::scf_while: return engine::evaluate_while;
    case Opcode::scf_yield: case Opcode::scf_condition: return engine::evaluate_yield;
    case Opcode::cf_br: case Opcode::cf_cond_br: return engine::evaluate_branch;
    case Opcode::tt_call: return engine::evaluate_call;
    case Opcode::tt_return: return engine::evaluate_return;
    case Opcode::tt_print: return engine::evaluate_print;
    case Opcode::tt_assert: return engine::evaluate_assert;
    default: return nullptr;
  }
}

}  // namespace lockstep::ops
