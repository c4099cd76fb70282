// How each op becomes CUDA C++: the `emit_cuda` and `cuda_text` columns of all rows in one place. An elementwise op has
// a text (%0, %1 ... are its operands' elements, %T the result's type; functions are those of backend_cuda/prelude),
// others a hook. row() (rows.h) reads it. Nothing here computes.
#pragma once

#include "backend_cuda/emit/emit.h"
#include "ir/opcode.h"

namespace lockstep::dialects {

struct CudaText {
  ir::Opcode opcode;
  std::string_view text;
};
struct Emitter {
  ir::Opcode opcode;
  ir::EmitHook emit;
};

inline constexpr CudaText kCudaTexts[] = {
    {ir::Opcode::arith_addf, "fadd(%0, %1)"},
    {ir::Opcode::arith_addi, "add(%0, %1)"},
    {ir::Opcode::arith_andi, "(%T)(%0 & %1)"},
    {ir::Opcode::arith_bitcast, "bits_as<%T>(%0)"},
    {ir::Opcode::arith_ceildivsi, "ceildiv_signed(%0, %1)"},
    {ir::Opcode::arith_ceildivui, "ceildiv_unsigned(%0, %1)"},
    {ir::Opcode::arith_divf, "fdiv(%0, %1)"},
    {ir::Opcode::arith_divsi, "div_signed(%0, %1)"},
    {ir::Opcode::arith_divui, "div_unsigned(%0, %1)"},
    {ir::Opcode::arith_extf, "narrow<%T>(wide(%0))"},
    {ir::Opcode::arith_extsi, "sign_extended<%T>(%0)"},
    {ir::Opcode::arith_extui, "(%T)as_unsigned(%0)"},
    {ir::Opcode::arith_floordivsi, "floordiv(%0, %1)"},
    {ir::Opcode::arith_fptosi, "to_signed<%T>(%0)"},
    {ir::Opcode::arith_fptoui, "to_unsigned<%T>(%0)"},
    {ir::Opcode::arith_index_cast, "(%T)%0"},
    {ir::Opcode::arith_index_castui, "(%T)as_unsigned(%0)"},
    {ir::Opcode::arith_maximumf, "fmax_any(%0, %1)"},
    {ir::Opcode::arith_maxnumf, "fmax_number(%0, %1)"},
    {ir::Opcode::arith_maxsi, "max_signed(%0, %1)"},
    {ir::Opcode::arith_maxui, "max_unsigned(%0, %1)"},
    {ir::Opcode::arith_minimumf, "fmin_any(%0, %1)"},
    {ir::Opcode::arith_minnumf, "fmin_number(%0, %1)"},
    {ir::Opcode::arith_minsi, "min_signed(%0, %1)"},
    {ir::Opcode::arith_minui, "min_unsigned(%0, %1)"},
    {ir::Opcode::arith_mulf, "fmul(%0, %1)"},
    {ir::Opcode::arith_muli, "mul(%0, %1)"},
    {ir::Opcode::arith_negf, "fneg(%0)"},
    {ir::Opcode::arith_ori, "(%T)(%0 | %1)"},
    {ir::Opcode::arith_remf, "frem(%0, %1)"},
    {ir::Opcode::arith_remsi, "rem_signed(%0, %1)"},
    {ir::Opcode::arith_remui, "rem_unsigned(%0, %1)"},
    {ir::Opcode::arith_select, "%0 ? %1 : %2"},
    {ir::Opcode::arith_shli, "shl(%0, %1)"},
    {ir::Opcode::arith_shrsi, "shr_signed(%0, %1)"},
    {ir::Opcode::arith_shrui, "shr_unsigned(%0, %1)"},
    {ir::Opcode::arith_sitofp, "from_signed<%T>(sign_extended<long long>(%0))"},
    {ir::Opcode::arith_subf, "fsub(%0, %1)"},
    {ir::Opcode::arith_subi, "sub(%0, %1)"},
    {ir::Opcode::arith_trunci, "truncated<%T>(%0)"},
    {ir::Opcode::arith_uitofp, "from_unsigned<%T>(as_unsigned(%0))"},
    {ir::Opcode::arith_xori, "(%T)(%0 ^ %1)"},
    {ir::Opcode::math_absf, "fabs_bits(%0)"},
    {ir::Opcode::math_absi, "(%T)(%0 < 0 ? sub((%T)0, %0) : %0)"},
    {ir::Opcode::math_acos, "narrow<%T>(acos_of(wide(%0)))"},
    {ir::Opcode::math_acosh, "narrow<%T>(acosh_of(wide(%0)))"},
    {ir::Opcode::math_asin, "narrow<%T>(asin_of(wide(%0)))"},
    {ir::Opcode::math_asinh, "narrow<%T>(asinh_of(wide(%0)))"},
    {ir::Opcode::math_atan, "narrow<%T>(atan_of(wide(%0)))"},
    {ir::Opcode::math_atan2, "narrow<%T>(atan2_of(wide(%0), wide(%1)))"},
    {ir::Opcode::math_atanh, "narrow<%T>(atanh_of(wide(%0)))"},
    {ir::Opcode::math_cbrt, "narrow<%T>(cbrt_of(wide(%0)))"},
    {ir::Opcode::math_ceil, "narrow<%T>(ceil_of(wide(%0)))"},
    {ir::Opcode::math_clampf, "clamp_any(%0, %1, %2)"},
    {ir::Opcode::math_copysign, "copy_sign(%0, %1)"},
    {ir::Opcode::math_cos, "narrow<%T>(cos_of(wide(%0)))"},
    {ir::Opcode::math_cosh, "narrow<%T>(cosh_of(wide(%0)))"},
    {ir::Opcode::math_ctlz, "count_leading(%0)"},
    {ir::Opcode::math_ctpop, "count_ones(%0)"},
    {ir::Opcode::math_cttz, "count_trailing(%0)"},
    {ir::Opcode::math_erf, "narrow<%T>(erf_of(wide(%0)))"},
    {ir::Opcode::math_erfc, "narrow<%T>(erfc_of(wide(%0)))"},
    {ir::Opcode::math_exp, "narrow<%T>(exp_of(wide(%0)))"},
    {ir::Opcode::math_exp2, "narrow<%T>(exp2_of(wide(%0)))"},
    {ir::Opcode::math_expm1, "narrow<%T>(expm1_of(wide(%0)))"},
    {ir::Opcode::math_floor, "narrow<%T>(floor_of(wide(%0)))"},
    {ir::Opcode::math_fma, "ffma(%0, %1, %2)"},
    {ir::Opcode::math_fpowi, "float_power(%0, %1)"},
    {ir::Opcode::math_ipowi, "integer_power(%0, %1)"},
    {ir::Opcode::math_isfinite, "is_finite(%0)"},
    {ir::Opcode::math_isinf, "is_infinite(%0)"},
    {ir::Opcode::math_isnan, "is_nan(%0)"},
    {ir::Opcode::math_isnormal, "is_normal(%0)"},
    {ir::Opcode::math_log, "narrow<%T>(log_of(wide(%0)))"},
    {ir::Opcode::math_log10, "narrow<%T>(log10_of(wide(%0)))"},
    {ir::Opcode::math_log1p, "narrow<%T>(log1p_of(wide(%0)))"},
    {ir::Opcode::math_log2, "narrow<%T>(log2_of(wide(%0)))"},
    {ir::Opcode::math_powf, "narrow<%T>(pow_of(wide(%0), wide(%1)))"},
    {ir::Opcode::math_round, "narrow<%T>(round_of(wide(%0)))"},
    {ir::Opcode::math_roundeven, "narrow<%T>(roundeven_of(wide(%0)))"},
    {ir::Opcode::math_rsqrt, "narrow<%T>(rsqrt_of(wide(%0)))"},
    {ir::Opcode::math_sin, "narrow<%T>(sin_of(wide(%0)))"},
    {ir::Opcode::math_sinh, "narrow<%T>(sinh_of(wide(%0)))"},
    {ir::Opcode::math_sqrt, "narrow<%T>(sqrt_of(wide(%0)))"},
    {ir::Opcode::math_tan, "narrow<%T>(tan_of(wide(%0)))"},
    {ir::Opcode::math_tanh, "narrow<%T>(tanh_of(wide(%0)))"},
    {ir::Opcode::math_trunc, "narrow<%T>(trunc_of(wide(%0)))"},
    {ir::Opcode::tt_addptr, "%0 + %1"},
    {ir::Opcode::tt_approx_divf, "fdiv(%0, %1)"},
    {ir::Opcode::tt_bitcast, "bits_as<%T>(%0)"},
    {ir::Opcode::tt_int_to_ptr, "reinterpret_cast<%T>(%0)"},
    {ir::Opcode::tt_mulhiui, "mulhi_unsigned(%0, %1)"},
    {ir::Opcode::tt_precise_divf, "narrow<%T>(precise_divide(wide(%0), wide(%1)))"},
    {ir::Opcode::tt_precise_sqrt, "narrow<%T>(precise_sqrt_of(wide(%0)))"},
    {ir::Opcode::tt_ptr_to_int, "(%T)(long long)%0"},
};

inline constexpr Emitter kEmitters[] = {
    {ir::Opcode::arith_addui_extended, backend_cuda::emit_pair},
    {ir::Opcode::arith_cmpf, backend_cuda::emit_compare},
    {ir::Opcode::arith_cmpi, backend_cuda::emit_compare},
    {ir::Opcode::arith_constant, backend_cuda::emit_constant},
    {ir::Opcode::arith_mulsi_extended, backend_cuda::emit_pair},
    {ir::Opcode::arith_mului_extended, backend_cuda::emit_pair},
    {ir::Opcode::arith_subui_extended, backend_cuda::emit_pair},
    {ir::Opcode::arith_truncf, backend_cuda::emit_truncate},
    {ir::Opcode::cf_br, backend_cuda::emit_branch},
    {ir::Opcode::cf_cond_br, backend_cuda::emit_branch},
    {ir::Opcode::gpu_barrier, backend_cuda::emit_barrier},
    {ir::Opcode::llvm_intr_assume, backend_cuda::emit_nothing},
    {ir::Opcode::math_sincos, backend_cuda::emit_pair},
    {ir::Opcode::scf_condition, backend_cuda::emit_nothing},
    {ir::Opcode::scf_for, backend_cuda::emit_for},
    {ir::Opcode::scf_if, backend_cuda::emit_if},
    {ir::Opcode::scf_while, backend_cuda::emit_while},
    {ir::Opcode::scf_yield, backend_cuda::emit_nothing},
    {ir::Opcode::tt_advance, backend_cuda::emit_advance},
    {ir::Opcode::tt_assert, backend_cuda::emit_assert},
    {ir::Opcode::tt_atomic_cas, backend_cuda::emit_atomic},
    {ir::Opcode::tt_atomic_load, backend_cuda::emit_atomic},
    {ir::Opcode::tt_atomic_poll, backend_cuda::emit_atomic},
    {ir::Opcode::tt_atomic_rmw, backend_cuda::emit_atomic},
    {ir::Opcode::tt_atomic_store, backend_cuda::emit_atomic},
    {ir::Opcode::tt_broadcast, backend_cuda::emit_shape_op},
    {ir::Opcode::tt_call, backend_cuda::emit_call},
    {ir::Opcode::tt_cat, backend_cuda::emit_shape_op},
    {ir::Opcode::tt_clampf, backend_cuda::emit_clamp},
    {ir::Opcode::tt_descriptor_gather, backend_cuda::emit_descriptor_load},
    {ir::Opcode::tt_descriptor_load, backend_cuda::emit_descriptor_load},
    {ir::Opcode::tt_descriptor_reduce, backend_cuda::emit_descriptor_reduce},
    {ir::Opcode::tt_descriptor_scatter, backend_cuda::emit_descriptor_store},
    {ir::Opcode::tt_descriptor_store, backend_cuda::emit_descriptor_store},
    {ir::Opcode::tt_dot, backend_cuda::emit_dot},
    {ir::Opcode::tt_dot_scaled, backend_cuda::emit_dot_scaled},
    {ir::Opcode::tt_elementwise_inline_asm, backend_cuda::emit_inline_asm},
    {ir::Opcode::tt_expand_dims, backend_cuda::emit_shape_op},
    {ir::Opcode::tt_experimental_descriptor_gather, backend_cuda::emit_descriptor_load},
    {ir::Opcode::tt_experimental_descriptor_load, backend_cuda::emit_descriptor_load},
    {ir::Opcode::tt_experimental_descriptor_scatter, backend_cuda::emit_descriptor_store},
    {ir::Opcode::tt_experimental_descriptor_store, backend_cuda::emit_descriptor_store},
    {ir::Opcode::tt_extern_elementwise, backend_cuda::emit_extern},
    {ir::Opcode::tt_fp_to_fp, backend_cuda::emit_fp_to_fp},
    {ir::Opcode::tt_gather, backend_cuda::emit_gather},
    {ir::Opcode::tt_get_num_programs, backend_cuda::emit_program_info},
    {ir::Opcode::tt_get_program_id, backend_cuda::emit_program_info},
    {ir::Opcode::tt_grid_dependency_launch_dependents, backend_cuda::emit_grid_dependency},
    {ir::Opcode::tt_grid_dependency_wait, backend_cuda::emit_grid_dependency},
    {ir::Opcode::tt_histogram, backend_cuda::emit_histogram},
    {ir::Opcode::tt_join, backend_cuda::emit_shape_op},
    {ir::Opcode::tt_load, backend_cuda::emit_load},
    {ir::Opcode::tt_make_range, backend_cuda::emit_make_range},
    {ir::Opcode::tt_make_tensor_descriptor, backend_cuda::emit_descriptor},
    {ir::Opcode::tt_make_tensor_ptr, backend_cuda::emit_block_pointer},
    {ir::Opcode::tt_map_elementwise, backend_cuda::emit_map},
    {ir::Opcode::tt_map_elementwise_return, backend_cuda::emit_nothing},
    {ir::Opcode::tt_print, backend_cuda::emit_print},
    {ir::Opcode::tt_reduce, backend_cuda::emit_reduce},
    {ir::Opcode::tt_reduce_return, backend_cuda::emit_nothing},
    {ir::Opcode::tt_reshape, backend_cuda::emit_shape_op},
    {ir::Opcode::tt_return, backend_cuda::emit_return},
    {ir::Opcode::tt_scan, backend_cuda::emit_scan},
    {ir::Opcode::tt_scan_return, backend_cuda::emit_nothing},
    {ir::Opcode::tt_splat, backend_cuda::emit_splat},
    {ir::Opcode::tt_split, backend_cuda::emit_split},
    {ir::Opcode::tt_store, backend_cuda::emit_store},
    {ir::Opcode::tt_trans, backend_cuda::emit_shape_op},
    {ir::Opcode::tt_unsplat, backend_cuda::emit_unsplat},
    {ir::Opcode::ttg_barrier, backend_cuda::emit_barrier},
    {ir::Opcode::ub_poison, backend_cuda::emit_poison},
};

/// Why an op has no hook.
struct EmitReason {
  ir::Opcode opcode;
  std::string_view reason;
};
inline constexpr EmitReason kEmitReasons[] = {
    {ir::Opcode::builtin_module, "it holds functions; each kernel is a text of its own"},
    {ir::Opcode::tt_func, "it is the kernel itself: backend_cuda/emit/emit_module.h"},
    {ir::Opcode::tt_reinterpret_tensor_descriptor, "the bytes are a CUtensorMap, whose layout NVIDIA does not publish"},
};

/// The text of an elementwise op, or "".
consteval std::string_view cuda_text_of(ir::Opcode opcode) {
  for (const CudaText& entry : kCudaTexts) {
    if (entry.opcode == opcode) return entry.text;
  }
  return "";
}
consteval ir::EmitHook emitter_of(ir::Opcode opcode) {
  for (const Emitter& entry : kEmitters) {
    if (entry.opcode == opcode) return entry.emit;
  }
  return cuda_text_of(opcode).empty() ? nullptr : backend_cuda::emit_text;
}
constexpr std::string_view emit_reason_of(ir::Opcode opcode) {
  for (const EmitReason& entry : kEmitReasons) {
    if (entry.opcode == opcode) return entry.reason;
  }
  return "";
}

}  // namespace lockstep::ops
