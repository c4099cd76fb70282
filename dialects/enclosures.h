// Which enclosure each op has: the `enclose` column of all rows in one place, because most ops share a family's. row()
// (rows.h) reads it. An op that is not named here is reported by name, and what it makes is unbounded. Nothing here
// computes.
#pragma once

#include "enclosure/enclose.h"
#include "ir/opcode.h"

namespace lockstep::dialects {

struct Enclosure {
  ir::Opcode opcode;
  ir::EncloseHook enclose;
};

inline constexpr Enclosure kEnclosures[] = {
    {ir::Opcode::arith_constant, enclosure::enclose_constant},
    {ir::Opcode::arith_addf, enclosure::enclose_sum},
    {ir::Opcode::arith_subf, enclosure::enclose_sum},
    {ir::Opcode::arith_mulf, enclosure::enclose_product},
    {ir::Opcode::arith_divf, enclosure::enclose_quotient},
    {ir::Opcode::tt_precise_divf, enclosure::enclose_quotient},
    {ir::Opcode::tt_approx_divf, enclosure::enclose_quotient},
    {ir::Opcode::arith_remf, enclosure::enclose_remainder},
    {ir::Opcode::math_fma, enclosure::enclose_fma},
    {ir::Opcode::arith_maximumf, enclosure::enclose_extremum},
    {ir::Opcode::arith_minimumf, enclosure::enclose_extremum},
    {ir::Opcode::arith_maxnumf, enclosure::enclose_extremum},
    {ir::Opcode::arith_minnumf, enclosure::enclose_extremum},
    {ir::Opcode::tt_clampf, enclosure::enclose_clamp},
    {ir::Opcode::math_clampf, enclosure::enclose_clamp},
    {ir::Opcode::arith_negf, enclosure::enclose_sign},
    {ir::Opcode::math_absf, enclosure::enclose_sign},
    {ir::Opcode::math_copysign, enclosure::enclose_sign},
    {ir::Opcode::arith_extf, enclosure::enclose_float_cast},
    {ir::Opcode::arith_truncf, enclosure::enclose_float_cast},
    {ir::Opcode::tt_fp_to_fp, enclosure::enclose_float_cast},
    {ir::Opcode::arith_cmpf, enclosure::enclose_compare_floats},
    {ir::Opcode::math_isnan, enclosure::enclose_compare_floats},
    {ir::Opcode::arith_select, enclosure::enclose_select},
    {ir::Opcode::arith_cmpi, enclosure::enclose_compare_integers},
    {ir::Opcode::arith_shli, enclosure::enclose_bits},
    {ir::Opcode::arith_shrsi, enclosure::enclose_bits},
    {ir::Opcode::arith_shrui, enclosure::enclose_bits},
    {ir::Opcode::arith_bitcast, enclosure::enclose_bitcast},
    {ir::Opcode::tt_bitcast, enclosure::enclose_bitcast},
    {ir::Opcode::arith_sitofp, enclosure::enclose_number_cast},
    {ir::Opcode::arith_uitofp, enclosure::enclose_number_cast},
    {ir::Opcode::arith_fptosi, enclosure::enclose_number_cast},
    {ir::Opcode::arith_fptoui, enclosure::enclose_number_cast},
    {ir::Opcode::tt_extern_elementwise, enclosure::enclose_extern},
    {ir::Opcode::tt_elementwise_inline_asm, enclosure::enclose_inline_asm},
    {ir::Opcode::tt_reduce, enclosure::enclose_reduce},
    {ir::Opcode::tt_scan, enclosure::enclose_scan},
    {ir::Opcode::tt_map_elementwise, enclosure::enclose_map},
    {ir::Opcode::tt_dot, enclosure::enclose_dot},
    {ir::Opcode::tt_dot_scaled, enclosure::enclose_dot_scaled},
};

inline constexpr ir::Opcode kEnclosedFunctions[] = {
    ir::Opcode::math_ceil,  ir::Opcode::math_floor,  ir::Opcode::math_trunc,     ir::Opcode::math_round,
    ir::Opcode::math_sqrt,  ir::Opcode::math_rsqrt,  ir::Opcode::math_roundeven, ir::Opcode::tt_precise_sqrt,
    ir::Opcode::math_cbrt,  ir::Opcode::math_exp,    ir::Opcode::math_exp2,      ir::Opcode::math_expm1,
    ir::Opcode::math_log,   ir::Opcode::math_log2,   ir::Opcode::math_log10,     ir::Opcode::math_log1p,
    ir::Opcode::math_sin,   ir::Opcode::math_cos,    ir::Opcode::math_tan,       ir::Opcode::math_asin,
    ir::Opcode::math_acos,  ir::Opcode::math_atan,   ir::Opcode::math_sinh,      ir::Opcode::math_cosh,
    ir::Opcode::math_tanh,  ir::Opcode::math_erf,    ir::Opcode::math_erfc,      ir::Opcode::math_acosh,
    ir::Opcode::math_asinh, ir::Opcode::math_atanh,  ir::Opcode::math_atan2,     ir::Opcode::math_powf,
    ir::Opcode::math_fpowi, ir::Opcode::math_sincos,
};

inline constexpr ir::Opcode kEnclosedIntegers[] = {
    ir::Opcode::arith_addi,   ir::Opcode::arith_subi,       ir::Opcode::arith_muli,         ir::Opcode::arith_andi,
    ir::Opcode::arith_ori,    ir::Opcode::arith_xori,       ir::Opcode::arith_minsi,        ir::Opcode::arith_maxsi,
    ir::Opcode::arith_minui,  ir::Opcode::arith_maxui,      ir::Opcode::arith_extsi,        ir::Opcode::arith_extui,
    ir::Opcode::arith_trunci, ir::Opcode::arith_index_cast, ir::Opcode::arith_index_castui,
};

inline constexpr ir::Opcode kEnclosedShapes[] = {
    ir::Opcode::tt_splat,   ir::Opcode::tt_unsplat, ir::Opcode::tt_broadcast, ir::Opcode::tt_expand_dims,
    ir::Opcode::tt_reshape, ir::Opcode::tt_trans,   ir::Opcode::tt_join,      ir::Opcode::tt_split,
    ir::Opcode::tt_cat,     ir::Opcode::tt_gather,
};

/// What a GPU computes bit for bit where its operands are certain; else nothing is known.
inline constexpr ir::Opcode kEnclosedPoints[] = {
    ir::Opcode::arith_addui_extended,
    ir::Opcode::arith_ceildivsi,
    ir::Opcode::arith_ceildivui,
    ir::Opcode::arith_divsi,
    ir::Opcode::arith_divui,
    ir::Opcode::arith_floordivsi,
    ir::Opcode::arith_mulsi_extended,
    ir::Opcode::arith_mului_extended,
    ir::Opcode::arith_remsi,
    ir::Opcode::arith_remui,
    ir::Opcode::arith_subui_extended,
    ir::Opcode::math_absi,
    ir::Opcode::math_ctlz,
    ir::Opcode::math_ctpop,
    ir::Opcode::math_cttz,
    ir::Opcode::math_ipowi,
    ir::Opcode::math_isfinite,
    ir::Opcode::math_isinf,
    ir::Opcode::math_isnormal,
    ir::Opcode::tt_addptr,
    ir::Opcode::tt_get_num_programs,
    ir::Opcode::tt_get_program_id,
    ir::Opcode::tt_histogram,
    ir::Opcode::tt_int_to_ptr,
    ir::Opcode::tt_make_range,
    ir::Opcode::tt_mulhiui,
    ir::Opcode::tt_ptr_to_int,
    ir::Opcode::ub_poison,
    ir::Opcode::tt_make_tensor_ptr,
    ir::Opcode::tt_advance,
    ir::Opcode::tt_make_tensor_descriptor,
};

/// What the run follows by itself: memory, and whatever makes no value.
inline constexpr ir::Opcode kEnclosedMemory[] = {
    ir::Opcode::tt_load,
    ir::Opcode::tt_store,
    ir::Opcode::tt_atomic_rmw,
    ir::Opcode::tt_atomic_cas,
    ir::Opcode::tt_atomic_load,
    ir::Opcode::tt_atomic_store,
    ir::Opcode::tt_atomic_poll,
    ir::Opcode::tt_descriptor_load,
    ir::Opcode::tt_descriptor_store,
    ir::Opcode::tt_descriptor_reduce,
    ir::Opcode::tt_descriptor_gather,
    ir::Opcode::tt_descriptor_scatter,
    ir::Opcode::tt_experimental_descriptor_load,
    ir::Opcode::tt_experimental_descriptor_store,
    ir::Opcode::tt_experimental_descriptor_gather,
    ir::Opcode::tt_experimental_descriptor_scatter,
};

consteval ir::EncloseHook enclosure_of(ir::Opcode opcode) {
  for (const Enclosure& one : kEnclosures) {
    if (one.opcode == opcode) return one.enclose;
  }
  for (const ir::Opcode one : kEnclosedFunctions) {
    if (one == opcode) return enclosure::enclose_function;
  }
  for (const ir::Opcode one : kEnclosedIntegers) {
    if (one == opcode) return enclosure::enclose_integer;
  }
  for (const ir::Opcode one : kEnclosedShapes) {
    if (one == opcode) return enclosure::enclose_shape;
  }
  for (const ir::Opcode one : kEnclosedPoints) {
    if (one == opcode) return enclosure::enclose_points;
  }
  for (const ir::Opcode one : kEnclosedMemory) {
    if (one == opcode) return enclosure::enclose_memory;
  }
  return nullptr;
}

}  // namespace lockstep::ops
