// Which evaluator each op has: the `evaluate` column of all rows in one place, because most ops share a family's
// evaluator. row() (rows.h) reads it. An op that is not named here is reported as not supported yet. Nothing here
// computes.
#pragma once

#include "interpreter/plan/evaluate.h"
#include "ir/opcode.h"

namespace lockstep::dialects {

struct Evaluator {
  ir::Opcode opcode;
  ir::EvaluateHook evaluate;
};

inline constexpr ir::Opcode kElementwiseOps[] = {
    ir::Opcode::arith_addf,         ir::Opcode::arith_addi,      ir::Opcode::arith_andi,
    ir::Opcode::arith_bitcast,      ir::Opcode::arith_ceildivsi, ir::Opcode::arith_ceildivui,
    ir::Opcode::arith_cmpf,         ir::Opcode::arith_cmpi,      ir::Opcode::arith_divf,
    ir::Opcode::arith_divsi,        ir::Opcode::arith_divui,     ir::Opcode::arith_extf,
    ir::Opcode::arith_extsi,        ir::Opcode::arith_extui,     ir::Opcode::arith_floordivsi,
    ir::Opcode::arith_fptosi,       ir::Opcode::arith_fptoui,    ir::Opcode::arith_index_cast,
    ir::Opcode::arith_index_castui, ir::Opcode::arith_maximumf,  ir::Opcode::arith_maxnumf,
    ir::Opcode::arith_maxsi,        ir::Opcode::arith_maxui,     ir::Opcode::arith_minimumf,
    ir::Opcode::arith_minnumf,      ir::Opcode::arith_minsi,     ir::Opcode::arith_minui,
    ir::Opcode::arith_mulf,         ir::Opcode::arith_muli,      ir::Opcode::arith_negf,
    ir::Opcode::arith_ori,          ir::Opcode::arith_remf,      ir::Opcode::arith_remsi,
    ir::Opcode::arith_remui,        ir::Opcode::arith_select,    ir::Opcode::arith_shli,
    ir::Opcode::arith_shrsi,        ir::Opcode::arith_shrui,     ir::Opcode::arith_sitofp,
    ir::Opcode::arith_subf,         ir::Opcode::arith_subi,      ir::Opcode::arith_truncf,
    ir::Opcode::arith_trunci,       ir::Opcode::arith_uitofp,    ir::Opcode::arith_xori,
    ir::Opcode::math_absf,          ir::Opcode::math_absi,       ir::Opcode::math_ceil,
    ir::Opcode::math_cos,           ir::Opcode::math_erf,        ir::Opcode::math_exp,
    ir::Opcode::math_exp2,          ir::Opcode::math_floor,      ir::Opcode::math_fma,
    ir::Opcode::math_log,           ir::Opcode::math_log2,       ir::Opcode::math_rsqrt,
    ir::Opcode::math_sin,           ir::Opcode::math_sqrt,       ir::Opcode::math_tan,
    ir::Opcode::math_tanh,          ir::Opcode::tt_bitcast,      ir::Opcode::tt_clampf,
    ir::Opcode::tt_fp_to_fp,        ir::Opcode::tt_int_to_ptr,   ir::Opcode::tt_mulhiui,
    ir::Opcode::math_acos,          ir::Opcode::math_acosh,      ir::Opcode::math_asin,
    ir::Opcode::math_asinh,         ir::Opcode::math_atan,       ir::Opcode::math_atan2,
    ir::Opcode::math_atanh,         ir::Opcode::math_cbrt,       ir::Opcode::math_copysign,
    ir::Opcode::math_cosh,          ir::Opcode::math_clampf,     ir::Opcode::math_ctlz,
    ir::Opcode::math_ctpop,         ir::Opcode::math_cttz,       ir::Opcode::math_erfc,
    ir::Opcode::math_expm1,         ir::Opcode::math_fpowi,      ir::Opcode::math_ipowi,
    ir::Opcode::math_isfinite,      ir::Opcode::math_isinf,      ir::Opcode::math_isnan,
    ir::Opcode::math_isnormal,      ir::Opcode::math_log10,      ir::Opcode::math_log1p,
    ir::Opcode::math_powf,          ir::Opcode::math_round,      ir::Opcode::math_roundeven,
    ir::Opcode::math_sinh,          ir::Opcode::math_trunc,      ir::Opcode::tt_precise_divf,
    ir::Opcode::tt_approx_divf,     ir::Opcode::tt_precise_sqrt, ir::Opcode::tt_ptr_to_int,
};

inline constexpr Evaluator kEvaluators[] = {
    {ir::Opcode::arith_constant, interpreter::evaluate_constant},
    {ir::Opcode::arith_addui_extended, interpreter::evaluate_extended},
    {ir::Opcode::arith_mulsi_extended, interpreter::evaluate_extended},
    {ir::Opcode::arith_mului_extended, interpreter::evaluate_extended},
    {ir::Opcode::arith_subui_extended, interpreter::evaluate_extended},
    {ir::Opcode::ub_poison, interpreter::evaluate_poison},
    {ir::Opcode::tt_addptr, interpreter::evaluate_addptr},
    {ir::Opcode::tt_get_program_id, interpreter::evaluate_program_info},
    {ir::Opcode::tt_get_num_programs, interpreter::evaluate_program_info},
    {ir::Opcode::tt_make_range, interpreter::evaluate_make_range},
    {ir::Opcode::gpu_barrier, interpreter::evaluate_nothing},
    {ir::Opcode::ttg_barrier, interpreter::evaluate_nothing},
    {ir::Opcode::tt_grid_dependency_wait, interpreter::evaluate_nothing},
    {ir::Opcode::tt_grid_dependency_launch_dependents, interpreter::evaluate_nothing},
    {ir::Opcode::llvm_intr_assume, interpreter::evaluate_nothing},
    {ir::Opcode::tt_splat, interpreter::evaluate_splat},
    {ir::Opcode::tt_unsplat, interpreter::evaluate_unsplat},
    {ir::Opcode::tt_broadcast, interpreter::evaluate_broadcast},
    {ir::Opcode::tt_expand_dims, interpreter::evaluate_expand_dims},
    {ir::Opcode::tt_reshape, interpreter::evaluate_reshape},
    {ir::Opcode::tt_trans, interpreter::evaluate_trans},
    {ir::Opcode::tt_join, interpreter::evaluate_join},
    {ir::Opcode::tt_split, interpreter::evaluate_split},
    {ir::Opcode::tt_cat, interpreter::evaluate_cat},
    {ir::Opcode::tt_gather, interpreter::evaluate_gather},
    {ir::Opcode::tt_histogram, interpreter::evaluate_histogram},
    {ir::Opcode::tt_load, interpreter::evaluate_load},
    {ir::Opcode::tt_store, interpreter::evaluate_store},
    {ir::Opcode::tt_atomic_rmw, interpreter::evaluate_atomic_rmw},
    {ir::Opcode::tt_atomic_cas, interpreter::evaluate_atomic_cas},
    {ir::Opcode::tt_atomic_load, interpreter::evaluate_atomic_load},
    {ir::Opcode::tt_atomic_store, interpreter::evaluate_atomic_store},
    {ir::Opcode::tt_atomic_poll, interpreter::evaluate_atomic_poll},
    {ir::Opcode::tt_make_tensor_ptr, interpreter::evaluate_make_tensor_ptr},
    {ir::Opcode::tt_advance, interpreter::evaluate_advance},
    {ir::Opcode::tt_make_tensor_descriptor, interpreter::evaluate_make_tensor_descriptor},
    {ir::Opcode::tt_descriptor_load, interpreter::evaluate_descriptor_load},
    {ir::Opcode::tt_descriptor_store, interpreter::evaluate_descriptor_store},
    {ir::Opcode::tt_descriptor_reduce, interpreter::evaluate_descriptor_reduce},
    {ir::Opcode::tt_descriptor_gather, interpreter::evaluate_descriptor_gather},
    {ir::Opcode::tt_descriptor_scatter, interpreter::evaluate_descriptor_scatter},
    {ir::Opcode::tt_experimental_descriptor_load, interpreter::evaluate_descriptor_load},
    {ir::Opcode::tt_experimental_descriptor_store, interpreter::evaluate_descriptor_store},
    {ir::Opcode::tt_experimental_descriptor_gather, interpreter::evaluate_descriptor_gather},
    {ir::Opcode::tt_experimental_descriptor_scatter, interpreter::evaluate_descriptor_scatter},
    {ir::Opcode::tt_reduce, interpreter::evaluate_reduce},
    {ir::Opcode::tt_scan, interpreter::evaluate_scan},
    {ir::Opcode::tt_reduce_return, interpreter::evaluate_region_return},
    {ir::Opcode::tt_scan_return, interpreter::evaluate_region_return},
    {ir::Opcode::tt_map_elementwise, interpreter::evaluate_map_elementwise},
    {ir::Opcode::tt_map_elementwise_return, interpreter::evaluate_region_return},
    {ir::Opcode::tt_dot, interpreter::evaluate_dot},
    {ir::Opcode::tt_dot_scaled, interpreter::evaluate_dot_scaled},
    {ir::Opcode::scf_if, interpreter::evaluate_if},
    {ir::Opcode::scf_for, interpreter::evaluate_for},
    {ir::Opcode::scf_while, interpreter::evaluate_while},
    {ir::Opcode::scf_yield, interpreter::evaluate_yield},
    {ir::Opcode::scf_condition, interpreter::evaluate_yield},
    {ir::Opcode::cf_br, interpreter::evaluate_branch},
    {ir::Opcode::cf_cond_br, interpreter::evaluate_branch},
    {ir::Opcode::tt_call, interpreter::evaluate_call},
    {ir::Opcode::tt_return, interpreter::evaluate_return},
    {ir::Opcode::tt_elementwise_inline_asm, interpreter::evaluate_inline_asm},
    {ir::Opcode::math_sincos, interpreter::evaluate_sincos},
    {ir::Opcode::tt_extern_elementwise, interpreter::evaluate_extern_elementwise},
    {ir::Opcode::tt_print, interpreter::evaluate_print},
    {ir::Opcode::tt_assert, interpreter::evaluate_assert},
};

consteval ir::EvaluateHook evaluator_of(ir::Opcode opcode) {
  for (const ir::Opcode elementwise : kElementwiseOps) {
    if (elementwise == opcode) return interpreter::evaluate_elementwise;
  }
  for (const Evaluator& evaluator : kEvaluators) {
    if (evaluator.opcode == opcode) return evaluator.evaluate;
  }
  return nullptr;
}

}  // namespace lockstep::ops
