#include "interpreter/ptx/instructions.h"

namespace lockstep::interpreter::ptx {

namespace {

using enum Type;
using M = Modifier;

constexpr TypeSet kInt16To64 = set_of(u16, u32, u64, s16, s32, s64);
constexpr TypeSet kInt32And64 = set_of(u32, u64, s32, s64);
constexpr TypeSet kBits16To64 = set_of(b16, b32, b64);
constexpr TypeSet kSmallFloats = set_of(f16, f16x2, bf16, bf16x2);
constexpr TypeSet kAnyOneRegister = set_of(b16, b32, b64, u16, u32, u64, s16, s32, s64, f32, f64);
constexpr TypeSet kConvertible = set_of(u8, u16, u32, u64, s8, s16, s32, s64, f16, bf16, f32, f64);
constexpr Modifiers kRoundings = bits(M::rn, M::rz, M::rm, M::rp);
constexpr Modifiers kComparisons =
    bits(M::eq, M::ne, M::lt, M::le, M::gt, M::ge, M::equ, M::neu, M::ltu, M::leu, M::gtu, M::geu, M::num, M::isnan,
         M::compare_lo, M::compare_ls, M::compare_hi, M::compare_hs, M::lo, M::hi);
constexpr Modifiers kSetp = kComparisons | bits(M::and_, M::or_, M::xor_, M::ftz);
constexpr TypeSet kWord = set_of(u32, s32);

constexpr Row kRows[] = {
    // Integer arithmetic
    {"add", "0:00", {kInt16To64 | set_of(u16x2, s16x2)}, bits(M::sat), select_add_integer},
    {"sub", "0:00", {kInt16To64}, bits(M::sat), select_sub_integer},
    {"mul", "0:00", {kInt16To64}, bits(M::lo, M::hi, M::compare_lo, M::compare_hi), select_mul_integer},
    {"mul", "w:00", {set_of(u16, s16, u32, s32)}, bits(M::wide), select_mul_integer},
    {"mad", "0:000", {kInt16To64}, bits(M::lo, M::hi, M::sat, M::compare_lo, M::compare_hi), select_mad_integer},
    {"mad", "w:00w", {set_of(u16, s16, u32, s32)}, bits(M::wide), select_mad_integer},
    {"mul24", "0:00", {kWord}, bits(M::lo, M::hi, M::compare_lo, M::compare_hi), select_mul24},
    {"mad24", "0:000", {kWord}, bits(M::lo, M::hi, M::compare_lo, M::compare_hi), select_mad24},
    {"div", "0:00", {kInt16To64}, 0, select_div_integer},
    {"rem", "0:00", {kInt16To64}, 0, select_rem},
    {"neg", "0:0", {set_of(s16, s32, s64)}, 0, select_neg_integer},
    {"abs", "0:0", {set_of(s16, s32, s64)}, 0, select_abs_integer},
    {"min", "0:00", {kInt16To64 | set_of(u16x2, s16x2)}, bits(M::relu), select_min_integer},
    {"max", "0:00", {kInt16To64 | set_of(u16x2, s16x2)}, bits(M::relu), select_max_integer},
    {"sad", "0:000", {kInt16To64}, 0, select_sad},
    {"dp4a", "u:01u", {kWord, kWord}, 0, select_dp4a},
    {"dp2a", "u:01u", {kWord, kWord}, bits(M::lo, M::hi, M::compare_lo, M::compare_hi), select_dp2a},
    {"add", "0k:00", {kInt32And64}, bits(M::cc), select_add_carry},
    {"addc", "0:00k", {kInt32And64}, 0, select_addc},
    {"addc", "0k:00k", {kInt32And64}, bits(M::cc), select_addc},
    {"sub", "0k:00", {kInt32And64}, bits(M::cc), select_sub_carry},
    {"subc", "0:00k", {kInt32And64}, 0, select_subc},
    {"subc", "0k:00k", {kInt32And64}, bits(M::cc), select_subc},
    // Logic, shifts, fields
    {"and", "0:00", {kBits16To64 | set_of(pred)}, 0, select_and},
    {"or", "0:00", {kBits16To64 | set_of(pred)}, 0, select_or},
    {"xor", "0:00", {kBits16To64 | set_of(pred)}, 0, select_xor},
    {"not", "0:0", {kBits16To64 | set_of(pred)}, 0, select_not},
    {"cnot", "0:0", {kBits16To64}, 0, select_cnot},
    {"shl", "0:0u", {kBits16To64}, 0, select_shl},
    {"shr", "0:0u", {kBits16To64 | kInt16To64}, 0, select_shr},
    {"shf", "0:00u", {set_of(b32)}, bits(M::left, M::right, M::wrap, M::clamp), select_shf},
    {"lop3", "0:000i", {set_of(b32)}, 0, select_lop3},
    {"prmt", "0:00u", {set_of(b32)}, bits(M::f4e, M::b4e, M::rc8, M::ecl, M::ecr, M::rc16), select_prmt, true},
    {"bfe", "0:0uu", {kInt32And64}, 0, select_bfe},
    {"bfi", "0:00uu", {set_of(b32, b64)}, 0, select_bfi},
    {"bfind", "u:0", {kInt32And64}, bits(M::shiftamt), select_bfind},
    {"brev", "0:0", {set_of(b32, b64)}, 0, select_brev},
    {"clz", "u:0", {set_of(b32, b64)}, 0, select_clz},
    {"popc", "u:0", {set_of(b32, b64)}, 0, select_popc},
    {"szext", "0:0u", {kWord}, bits(M::wrap, M::clamp), select_szext},
    {"bmsk", "0:uu", {set_of(b32)}, bits(M::wrap, M::clamp), select_bmsk},
    // Floating point
    {"add", "0:00", {set_of(f32, f32x2)}, kRoundings | bits(M::ftz, M::sat), select_add_float},
    {"add", "0:00", {set_of(f64)}, kRoundings, select_add_float},
    {"add", "0:00", {kSmallFloats}, bits(M::rn, M::ftz, M::sat), select_add_float},
    {"sub", "0:00", {set_of(f32, f32x2)}, kRoundings | bits(M::ftz, M::sat), select_sub_float},
    {"sub", "0:00", {set_of(f64)}, kRoundings, select_sub_float},
    {"sub", "0:00", {kSmallFloats}, bits(M::rn, M::ftz, M::sat), select_sub_float},
    {"mul", "0:00", {set_of(f32, f32x2)}, kRoundings | bits(M::ftz, M::sat), select_mul_float},
    {"mul", "0:00", {set_of(f64)}, kRoundings, select_mul_float},
    {"mul", "0:00", {kSmallFloats}, bits(M::rn, M::ftz, M::sat), select_mul_float},
    {"fma", "0:000", {set_of(f32, f32x2)}, kRoundings | bits(M::ftz, M::sat), select_fma},
    {"fma", "0:000", {set_of(f64)}, kRoundings, select_fma},
    {"fma", "0:000", {kSmallFloats}, bits(M::rn, M::ftz, M::sat, M::relu), select_fma},
    {"mad", "0:000", {set_of(f32)}, kRoundings | bits(M::ftz, M::sat), select_fma},
    {"mad", "0:000", {set_of(f64)}, kRoundings, select_fma},
    {"div", "0:00", {set_of(f32, f64)}, kRoundings | bits(M::approx, M::full, M::ftz), select_div_float},
    {"rcp", "0:0", {set_of(f32, f64)}, kRoundings | bits(M::approx, M::ftz), select_rcp},
    {"sqrt", "0:0", {set_of(f32, f64)}, kRoundings | bits(M::approx, M::ftz), select_sqrt},
    {"neg", "0:0", {set_of(f32, f64) | kSmallFloats}, bits(M::ftz), select_neg_float},
    {"abs", "0:0", {set_of(f32, f64) | kSmallFloats}, bits(M::ftz), select_abs_float},
    {"min", "0:000?", {set_of(f32)}, bits(M::ftz, M::nan, M::xorsign, M::abs), select_min_float},
    {"min", "0:00", {kSmallFloats}, bits(M::ftz, M::nan, M::xorsign, M::abs), select_min_float},
    {"min", "0:00", {set_of(f64)}, 0, select_min_float},
    {"max", "0:000?", {set_of(f32)}, bits(M::ftz, M::nan, M::xorsign, M::abs), select_max_float},
    {"max", "0:00", {kSmallFloats}, bits(M::ftz, M::nan, M::xorsign, M::abs), select_max_float},
    {"max", "0:00", {set_of(f64)}, 0, select_max_float},
    {"copysign", "0:00", {set_of(f32, f64)}, 0, select_copysign},
    {"rsqrt", "0:0", {set_of(f32)}, bits(M::approx, M::ftz), select_rsqrt},
    {"sin", "0:0", {set_of(f32)}, bits(M::approx, M::ftz), select_sin},
    {"cos", "0:0", {set_of(f32)}, bits(M::approx, M::ftz), select_cos},
    {"ex2", "0:0", {set_of(f32) | kSmallFloats}, bits(M::approx, M::ftz), select_ex2},
    {"lg2", "0:0", {set_of(f32)}, bits(M::approx, M::ftz), select_lg2},
    {"tanh", "0:0", {set_of(f32) | kSmallFloats}, bits(M::approx), select_tanh},
    // Comparison and selection
    {"setp", "pq:00p?", {kAnyOneRegister | kSmallFloats}, kSetp, select_setp},
    {"set",
     "0:11p?",
     {kWord | set_of(f32, u16, s16) | kSmallFloats, kAnyOneRegister | kSmallFloats},
     kSetp,
     select_set},
    {"selp", "0:00p", {kAnyOneRegister}, 0, select_selp},
    {"slct", "0:001", {kAnyOneRegister, set_of(s32, f32)}, bits(M::ftz), select_slct},
    {"testp",
     "p:0",
     {set_of(f32, f64)},
     bits(M::finite, M::infinite, M::number, M::notanumber, M::normal, M::subnormal),
     select_testp},
    // Conversion
    {"cvt.pack", "u:11", {set_of(u16, s16), set_of(s32)}, bits(M::sat), select_cvt_pack},
    {"cvt.pack", "u:11u", {set_of(u8, s8), set_of(s32), set_of(b32)}, bits(M::sat), select_cvt_pack},
    {"cvt",
     "0:11",
     {set_of(f16x2, bf16x2, e4m3x2, e5m2x2, e2m1x2, e2m3x2, e3m2x2, ue8m0x2), set_of(f32)},
     bits(M::rn, M::rz, M::rp, M::relu, M::satfinite),
     select_cvt_two},
    {"cvt",
     "0:1",
     {set_of(f16x2), set_of(e4m3x2, e5m2x2, e2m1x2, e2m3x2, e3m2x2)},
     bits(M::rn, M::relu),
     select_cvt_unpack},
    {"cvt", "0:1", {set_of(e4m3x2, e5m2x2), set_of(f16x2)}, bits(M::rn, M::satfinite, M::relu), select_cvt_unpack},
    {"cvt", "0:1", {set_of(bf16x2), set_of(ue8m0x2)}, bits(M::rn), select_cvt_unpack},
    {"cvt", "0:1", {set_of(ue8m0x2), set_of(bf16x2)}, bits(M::rz, M::rp, M::satfinite), select_cvt_unpack},
    {"cvt",
     "D:S",
     {kConvertible | set_of(tf32), kConvertible},
     kRoundings | bits(M::rna, M::rni, M::rzi, M::rmi, M::rpi, M::ftz, M::sat, M::satfinite, M::relu),
     select_cvt},
    // Elements of a word
    {"vadd2", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vadd2, true},
    {"vsub2", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vsub2, true},
    {"vavrg2", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vavrg2, true},
    {"vabsdiff2", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vabsdiff2, true},
    {"vmin2", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vmin2, true},
    {"vmax2", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vmax2, true},
    {"vset2", "u:uuu", {kWord, kWord}, kComparisons | bits(M::add), select_vset2, true},
    {"vadd4", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vadd4, true},
    {"vsub4", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vsub4, true},
    {"vavrg4", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vavrg4, true},
    {"vabsdiff4", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vabsdiff4, true},
    {"vmin4", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vmin4, true},
    {"vmax4", "u:uuu", {kWord, kWord, kWord}, bits(M::sat, M::add), select_vmax4, true},
    {"vset4", "u:uuu", {kWord, kWord}, kComparisons | bits(M::add), select_vset4, true},
    // Moves; {a, b} operands are taken apart by the parser
    {"mov", "0:0", {kAnyOneRegister | set_of(pred)}, 0, select_mov},
    // Does nothing: programs have one thread here, and launches come one after the other
    {"griddepcontrol.wait", ":", {}, 0, select_nothing},
    {"griddepcontrol.launch_dependents", ":", {}, 0, select_nothing},
    {"membar.cta", ":", {}, 0, select_nothing},
    {"membar.gl", ":", {}, 0, select_nothing},
    {"membar.sys", ":", {}, 0, select_nothing},
    {"fence.acq_rel.cta", ":", {}, 0, select_nothing},
    {"fence.acq_rel.gpu", ":", {}, 0, select_nothing},
    {"fence.acq_rel.sys", ":", {}, 0, select_nothing},
    {"fence.sc.cta", ":", {}, 0, select_nothing},
    {"fence.sc.gpu", ":", {}, 0, select_nothing},
    {"fence.sc.sys", ":", {}, 0, select_nothing},
    {"bar.sync", ":i", {}, 0, select_nothing},
    {"nanosleep", ":0", {set_of(u32)}, 0, select_nothing},
};

}  // namespace

std::span<const Row> rows() { return kRows; }

}  // namespace lockstep::interpreter::ptx
