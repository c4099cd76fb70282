// Elementary functions. Bounds are in ulp of the result type, whatever it is: Lockstep's and NVIDIA's (of what
// Triton 3.6 makes of the op for sm_90), then the largest error measured in f32 and f64 by tests/ops against MPFR, and
// for the vector kernels of f32 by tests/unit/interpreter_kernels over every fifth number.
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

constexpr ir::AttributeSpec kFastMathFlags{.name = "fastmath", .presence = Presence::defaulted};

constexpr std::string_view kNoLowering = "Triton 3.6 lowers it for no GPU";

struct Bounds {
  double ulp = 0, gpu_ulp = 0, worst_f32 = 0, worst_f64 = 0;
};

consteval OpDef unary(Opcode opcode, std::string_view summary, Bounds bounds, std::string_view note = "") {
  return row(opcode, {.summary = summary,
                      .operands = {{"operand", kFloat}},
                      .attributes = {kFastMathFlags},
                      .results = {{"result", kFloat}},
                      .form = "$operand verbatim($fastmath) attrs : type($result)",
                      .relations = "operand=result",
                      .bound = {bounds.ulp > 0 ? ErrorBound::Kind::ulp : ErrorBound::Kind::exact, bounds.ulp,
                                bounds.gpu_ulp, bounds.worst_f32, bounds.worst_f64},
                      .source = "MLIR Math dialect",
                      .note = note});
}

consteval OpDef binary(Opcode opcode, std::string_view summary, Bounds bounds) {
  OpDef def = unary(opcode, summary, bounds, kNoLowering);
  def.operands = {{"lhs", kFloat}, {"rhs", kFloat}};
  def.form = "$lhs, $rhs verbatim($fastmath) attrs : type($result)";
  def.relations = "lhs=result rhs=result";
  return def;
}

consteval OpDef classify(Opcode opcode, std::string_view summary) {
  OpDef def = unary(opcode, summary, {}, kNoLowering);
  def.results = {{"result", TypeRule::boolean_like}};
  def.form = "$operand attrs : type($operand)";
  def.relations = "result=bool(operand)";
  return def;
}

consteval OpDef integer_unary(Opcode opcode, std::string_view summary) {
  return row(opcode, {.summary = summary,
                      .operands = {{"operand", TypeRule::scalar_or_tile_of_integer}},
                      .results = {{"result", TypeRule::scalar_or_tile_of_integer}},
                      .form = "$operand attrs : type($result)",
                      .relations = "operand=result",
                      .source = "MLIR Math dialect"});
}

}  // namespace

constexpr OpDef math_absf = unary(Opcode::math_absf, "result = |operand|, the sign bit cleared", {});
constexpr OpDef math_ceil = unary(Opcode::math_ceil, "result = the least integer >= operand", {});
constexpr OpDef math_floor = unary(Opcode::math_floor, "result = the greatest integer <= operand", {});
constexpr OpDef math_trunc = unary(Opcode::math_trunc, "result = operand without its fraction", {}, kNoLowering);
constexpr OpDef math_round =
    unary(Opcode::math_round, "result = the nearest integer, ties away from zero", {}, kNoLowering);
constexpr OpDef math_roundeven =
    unary(Opcode::math_roundeven, "result = the nearest integer, ties to even", {}, kNoLowering);
constexpr OpDef math_sqrt =
    unary(Opcode::math_sqrt, "result = square root of operand", {0, 1}, "S-81: a GPU uses sqrt.approx.ftz in f32");
constexpr OpDef math_rsqrt =
    unary(Opcode::math_rsqrt, "result = 1 / square root of operand", {1.5, 2, 1.5, 1.45}, "a GPU uses rsqrt.approx");
constexpr OpDef math_cbrt =
    unary(Opcode::math_cbrt, "result = cube root of operand", {0.51, 0, 0.5, 0.501}, kNoLowering);
constexpr OpDef math_exp =
    unary(Opcode::math_exp, "result = e^operand", {1, 105, 0.97, 0.51}, "S-80: a GPU loses about 1.2 |x| ulp in f32");
constexpr OpDef math_exp2 =
    unary(Opcode::math_exp2, "result = 2^operand", {1.1, 2, 1.07, 0.51}, "a GPU uses ex2.approx.ftz in f32");
constexpr OpDef math_expm1 = unary(Opcode::math_expm1, "result = e^operand - 1", {0.51, 0, 0.5, 0.5}, kNoLowering);
constexpr OpDef math_log = unary(Opcode::math_log, "result = natural logarithm of operand", {0.85, 1, 0.81, 0.51});
constexpr OpDef math_log2 = unary(Opcode::math_log2, "result = logarithm of operand to base 2", {1.5, 1, 1.46, 0.52});
constexpr OpDef math_log10 =
    unary(Opcode::math_log10, "result = logarithm of operand to base 10", {0.51, 0, 0.5, 0.501}, kNoLowering);
constexpr OpDef math_log1p =
    unary(Opcode::math_log1p, "result = natural logarithm of 1 + operand", {0.51, 0, 0.5, 0.5}, kNoLowering);
constexpr OpDef math_sin = unary(Opcode::math_sin, "result = sine of operand in radians", {0.6, 2, 0.51, 0.51});
constexpr OpDef math_cos = unary(Opcode::math_cos, "result = cosine of operand in radians", {0.6, 2, 0.51, 0.57});
constexpr OpDef math_tan =
    unary(Opcode::math_tan, "result = tangent of operand in radians", {0.6, 0, 0.51, 0.53}, kNoLowering);
constexpr OpDef math_asin =
    unary(Opcode::math_asin, "result = arc sine of operand in radians", {0.6, 0, 0.5, 0.5}, kNoLowering);
constexpr OpDef math_acos =
    unary(Opcode::math_acos, "result = arc cosine of operand in radians", {0.6, 0, 0.5, 0.5}, kNoLowering);
constexpr OpDef math_atan =
    unary(Opcode::math_atan, "result = arc tangent of operand in radians", {0.6, 0, 0.5, 0.504}, kNoLowering);
constexpr OpDef math_sinh =
    unary(Opcode::math_sinh, "result = hyperbolic sine of operand", {0.51, 0, 0.5, 0.5}, kNoLowering);
constexpr OpDef math_cosh =
    unary(Opcode::math_cosh, "result = hyperbolic cosine of operand", {0.51, 0, 0.5, 0.5}, kNoLowering);
constexpr OpDef math_tanh =
    unary(Opcode::math_tanh, "result = hyperbolic tangent of operand", {1.4, 0, 1.34, 0.501}, kNoLowering);
constexpr OpDef math_erf = unary(Opcode::math_erf, "result = error function of operand", {1.6, 2, 1.52, 0.71});
constexpr OpDef math_erfc =
    unary(Opcode::math_erfc, "result = 1 - error function of operand", {0.51, 0, 0.5, 0.501}, kNoLowering);
constexpr OpDef math_acosh =
    unary(Opcode::math_acosh, "result = inverse hyperbolic cosine of operand", {0.51, 0, 0.5, 0.5}, kNoLowering);
constexpr OpDef math_asinh =
    unary(Opcode::math_asinh, "result = inverse hyperbolic sine of operand", {0.51, 0, 0.5, 0.501}, kNoLowering);
constexpr OpDef math_atanh =
    unary(Opcode::math_atanh, "result = inverse hyperbolic tangent of operand", {0.51, 0, 0.5, 0.5}, kNoLowering);
constexpr OpDef math_isnan = classify(Opcode::math_isnan, "result = operand is NaN");
constexpr OpDef math_isinf = classify(Opcode::math_isinf, "result = operand is an infinity");
constexpr OpDef math_isfinite = classify(Opcode::math_isfinite, "result = operand is neither an infinity nor NaN");
constexpr OpDef math_isnormal =
    classify(Opcode::math_isnormal, "result = operand is finite, not zero and not subnormal");
constexpr OpDef math_atan2 = binary(Opcode::math_atan2, "result = angle of the point (rhs, lhs)", {0.6, 0, 0.5, 0.501});
constexpr OpDef math_powf = binary(Opcode::math_powf, "result = lhs^rhs", {0.6, 0, 0.5, 0.504});
constexpr OpDef math_copysign = binary(Opcode::math_copysign, "result = |lhs| with the sign of rhs", {});

constexpr OpDef math_absi =
    integer_unary(Opcode::math_absi, "result = |operand|, signed; the most negative number stays");
constexpr OpDef math_ctlz = integer_unary(Opcode::math_ctlz, "result = number of zero bits above the highest set bit");
constexpr OpDef math_cttz = integer_unary(Opcode::math_cttz, "result = number of zero bits below the lowest set bit");
constexpr OpDef math_ctpop = integer_unary(Opcode::math_ctpop, "result = number of set bits");

constexpr OpDef math_ipowi =
    row(Opcode::math_ipowi,
        {.summary = "result = lhs^rhs, signed, wrapping; a negative rhs gives 0 unless lhs is 1 or -1",
         .operands = {{"lhs", TypeRule::scalar_or_tile_of_integer}, {"rhs", TypeRule::scalar_or_tile_of_integer}},
         .results = {{"result", TypeRule::scalar_or_tile_of_integer}},
         .form = "$lhs, $rhs attrs : type($result)",
         .relations = "lhs=result rhs=result",
         .source = "MLIR Math dialect"});

constexpr OpDef math_clampf =
    row(Opcode::math_clampf, {.summary = "result = min(max(value, min), max), NaN if one of the three is NaN",
                              .operands = {{"value", kFloat}, {"min", kFloat}, {"max", kFloat}},
                              .attributes = {kFastMathFlags},
                              .results = {{"result", kFloat}},
                              .form = "$value to ' ' [ $min, $max ] verbatim($fastmath) attrs : type($result)",
                              .relations = "value=result min=result max=result",
                              .source = "MLIR Math dialect"});

constexpr OpDef math_sincos =
    since("3.7", row(Opcode::math_sincos, {.summary = "sin, cos = sine and cosine of operand in radians",
                                           .operands = {{"operand", kFloat}},
                                           .attributes = {kFastMathFlags},
                                           .results = {{"sin", kFloat}, {"cos", kFloat}},
                                           .form = "$operand verbatim($fastmath) attrs : type($sin)",
                                           .relations = "operand=sin cos=sin",
                                           .bound = {ErrorBound::Kind::ulp, 0.6, 0, 0.51, 0.57},
                                           .source = "MLIR Math dialect",
                                           .note = kNoLowering}));

constexpr OpDef math_fpowi =
    row(Opcode::math_fpowi, {.summary = "result = lhs^rhs for a signed integer rhs",
                             .operands = {{"lhs", kFloat}, {"rhs", TypeRule::scalar_or_tile_of_integer}},
                             .attributes = {kFastMathFlags},
                             .results = {{"result", kFloat}},
                             .form = "$lhs, $rhs verbatim($fastmath) attrs : type($lhs), type($rhs)",
                             .relations = "result=lhs shape(rhs)=shape(lhs)",
                             .bound = {ErrorBound::Kind::ulp, 0.6, 0, 0.5, 0.504},
                             .source = "MLIR Math dialect",
                             .note = kNoLowering});

constexpr OpDef math_fma = row(Opcode::math_fma, {.summary = "result = a * b + c, rounded once",
                                                  .operands = {{"a", kFloat}, {"b", kFloat}, {"c", kFloat}},
                                                  .attributes = {kFastMathFlags},
                                                  .results = {{"result", kFloat}},
                                                  .form = "$a, $b, $c verbatim($fastmath) attrs : type($result)",
                                                  .relations = "a=result b=result c=result",
                                                  .source = "MLIR Math dialect; IEEE 754-2019"});

}  // namespace lockstep::ops
