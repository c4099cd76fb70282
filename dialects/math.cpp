// Elementary functions. Bounds are in ulp of the result type, whatever it is: Lockstep's and NVIDIA's (of what
// Triton 3.6 makes of the op for sm_90), then the largest error measured in f32 and f64 by tests/ops against MPFR, and
// for the vector kernels of f32 by tests/unit/interpreter_kernels over every fifth number.
#include <cmath>

#include "dialects/rows.h"
#include "enclosure/functions.h"
#include "interpreter/evaluators/math_loops.h"

namespace lockstep::dialects {
namespace {

using interpreter::ElementwiseLoops;
using interpreter::kBitCountLoops;
using interpreter::kClassTestLoops;
using interpreter::kRealLoops;
using interpreter::kRealPairLoops;
namespace fn = interpreter::libdevice;  // functions of one and two numbers

constexpr ir::AttributeSpec kFastMathFlags{.name = "fastmath", .presence = Presence::defaulted};

constexpr std::string_view kNoLowering = "Triton 3.6 lowers it for no GPU";

struct Bounds {
  double ulp = 0, gpu_ulp = 0, worst_f32 = 0, worst_f64 = 0;
};

consteval OpDef unary(Opcode opcode, std::string_view summary, Bounds bounds, const ElementwiseLoops& loops,
                      std::string_view cuda, std::string_view note = "") {
  return row(opcode, {.summary = summary,
                      .operands = {{"operand", kFloat}},
                      .attributes = {kFastMathFlags},
                      .results = {{"result", kFloat}},
                      .form = "$operand verbatim($fastmath) attrs : type($result)",
                      .relations = "operand=result",
                      .batching = BatchingRule::elementwise,
                      .makes_nan = true,
                      .flops = 1,
                      .evaluate = evaluate_elementwise,
                      .loops = &loops,
                      .emit_cuda = emit_text,
                      .cuda_text = cuda,
                      .bound = {bounds.ulp > 0 ? ErrorBound::Kind::ulp : ErrorBound::Kind::exact, bounds.ulp,
                                bounds.gpu_ulp, bounds.worst_f32, bounds.worst_f64},
                      .source = "MLIR Math dialect",
                      .note = note});
}

/// What the engines need to know about a function of one number.
struct Curve {
  ir::EncloseHook enclose = nullptr;
  ir::ExactHook in_f64 = nullptr;
};
template <const enclosure::RealFunction& kFunction>
double value_of(const double* x) {
  return kFunction.value(x[0]);
}
template <const enclosure::RealFunction& kFunction>
constexpr Curve kCurve{enclosure::enclose_function_of<kFunction>, value_of<kFunction>};
/// No rule follows the exact results of these.
template <const enclosure::RealFunction& kFunction>
constexpr Curve kUnfollowed{enclosure::enclose_function_of<kFunction>, nullptr};

consteval OpDef function(Opcode opcode, std::string_view summary, Bounds bounds, const ElementwiseLoops& loops,
                         std::string_view cuda, const Curve& curve, std::string_view note = "") {
  OpDef def = unary(opcode, summary, bounds, loops, cuda, note);
  def.enclose = curve.enclose;
  def.in_f64 = curve.in_f64;
  return def;
}

/// A function that analyses know by its calculation.
consteval OpDef computing(Arithmetic arithmetic, OpDef def) {
  def.arithmetic = arithmetic;
  def.numbers = Numbers::floats;
  return def;
}

consteval OpDef binary(Opcode opcode, std::string_view summary, Bounds bounds, const ElementwiseLoops& loops,
                       std::string_view cuda, ir::EncloseHook enclose, ir::ExactHook in_f64) {
  OpDef def = unary(opcode, summary, bounds, loops, cuda, kNoLowering);
  def.operands = {{"lhs", kFloat}, {"rhs", kFloat}};
  def.form = "$lhs, $rhs verbatim($fastmath) attrs : type($result)";
  def.relations = "lhs=result rhs=result";
  def.enclose = enclose;
  def.in_f64 = in_f64;
  return def;
}

consteval OpDef classify(Opcode opcode, std::string_view summary, const ElementwiseLoops& loops, std::string_view cuda,
                         ir::EncloseHook enclose) {
  OpDef def = unary(opcode, summary, {}, loops, cuda, kNoLowering);
  def.results = {{"result", TypeRule::boolean_like}};
  def.form = "$operand attrs : type($operand)";
  def.relations = "result=bool(operand)";
  def.makes_nan = false;
  def.flops = 0;
  def.enclose = enclose;
  return def;
}

consteval OpDef integer_unary(Opcode opcode, std::string_view summary, const ElementwiseLoops& loops,
                              std::string_view cuda) {
  return row(opcode, {.summary = summary,
                      .operands = {{"operand", TypeRule::scalar_or_tile_of_integer}},
                      .results = {{"result", TypeRule::scalar_or_tile_of_integer}},
                      .form = "$operand attrs : type($result)",
                      .relations = "operand=result",
                      .batching = BatchingRule::elementwise,
                      .evaluate = evaluate_elementwise,
                      .loops = &loops,
                      .emit_cuda = emit_text,
                      .cuda_text = cuda,
                      .enclose = enclosure::enclose_points,
                      .source = "MLIR Math dialect"});
}

}  // namespace

constexpr OpDef math_absf = [] {
  OpDef def = unary(Opcode::math_absf, "result = |operand|, the sign bit cleared", {}, kUnaryLoops<Unary::absf>,
                    "fabs_bits(%0)");
  def.arithmetic = Arithmetic::magnitude;
  def.numbers = Numbers::floats;
  def.enclose = enclosure::enclose_sign;
  def.in_f64 = [](const double* x) { return std::fabs(x[0]); };
  return def;
}();
constexpr OpDef math_ceil =
    computing(Arithmetic::ceiling,
              function(Opcode::math_ceil, "result = the least integer >= operand", {}, kUnaryLoops<Unary::ceil>,
                       "narrow<%T>(ceil_of(wide(%0)))", kCurve<enclosure::kCeil>));
constexpr OpDef math_floor =
    computing(Arithmetic::floor,
              function(Opcode::math_floor, "result = the greatest integer <= operand", {}, kUnaryLoops<Unary::floor>,
                       "narrow<%T>(floor_of(wide(%0)))", kCurve<enclosure::kFloor>));
constexpr OpDef math_trunc =
    function(Opcode::math_trunc, "result = operand without its fraction", {}, kRealLoops<fn::trunc_f64>,
             "narrow<%T>(trunc_of(wide(%0)))", kUnfollowed<enclosure::kTrunc>, kNoLowering);
constexpr OpDef math_round =
    function(Opcode::math_round, "result = the nearest integer, ties away from zero", {}, kRealLoops<fn::round_f64>,
             "narrow<%T>(round_of(wide(%0)))", kUnfollowed<enclosure::kRound>, kNoLowering);
constexpr OpDef math_roundeven =
    function(Opcode::math_roundeven, "result = the nearest integer, ties to even", {}, kRealLoops<fn::round_even>,
             "narrow<%T>(roundeven_of(wide(%0)))", kUnfollowed<enclosure::kRoundeven>, kNoLowering);
constexpr OpDef math_sqrt =
    mistaken_for("math.rsqrt", function(Opcode::math_sqrt, "result = square root of operand", {0, 1},
                                        kUnaryLoops<Unary::sqrt>, "narrow<%T>(sqrt_of(wide(%0)))",
                                        kCurve<enclosure::kSqrt>, "S-81: a GPU uses sqrt.approx.ftz in f32"));
constexpr OpDef math_rsqrt =
    mistaken_for("math.sqrt", function(Opcode::math_rsqrt, "result = 1 / square root of operand", {1.5, 2, 1.5, 1.45},
                                       kUnaryLoops<Unary::rsqrt>, "narrow<%T>(rsqrt_of(wide(%0)))",
                                       kCurve<enclosure::kRsqrt>, "a GPU uses rsqrt.approx"));
constexpr OpDef math_cbrt =
    function(Opcode::math_cbrt, "result = cube root of operand", {0.51, 0, 0.5, 0.501},
             kRealLoops<fn::cbrt_fast, fn::cbrt_f64>, "narrow<%T>(cbrt_of(wide(%0)))", kCurve<enclosure::kCbrt>,
             kNoLowering);
constexpr OpDef math_exp =
    mistaken_for("math.exp2", function(Opcode::math_exp, "result = e^operand", {0.9, 105, 0.89, 0.51},
                                       kUnaryLoops<Unary::exp>, "narrow<%T>(exp_of(wide(%0)))",
                                       kCurve<enclosure::kExp>, "S-80: a GPU loses about 1.2 |x| ulp in f32"));
constexpr OpDef math_exp2 =
    mistaken_for("math.exp", function(Opcode::math_exp2, "result = 2^operand", {0.9, 2, 0.87, 0.51},
                                      kUnaryLoops<Unary::exp2>, "narrow<%T>(exp2_of(wide(%0)))",
                                      kCurve<enclosure::kExp2>, "a GPU uses ex2.approx.ftz in f32"));
constexpr OpDef math_expm1 =
    function(Opcode::math_expm1, "result = e^operand - 1", {0.51, 0, 0.5, 0.5},
             kRealLoops<fn::expm1_fast, fn::expm1_f64>, "narrow<%T>(expm1_of(wide(%0)))", kCurve<enclosure::kExpm1>,
             kNoLowering);
constexpr OpDef math_log =
    mistaken_for("math.log2", function(Opcode::math_log, "result = natural logarithm of operand",
                                       {0.85, 1, 0.81, 0.51}, kUnaryLoops<Unary::log>, "narrow<%T>(log_of(wide(%0)))",
                                       kCurve<enclosure::kLog>));
constexpr OpDef math_log2 =
    mistaken_for("math.log", function(Opcode::math_log2, "result = logarithm of operand to base 2",
                                      {1.5, 1, 1.46, 0.52}, kUnaryLoops<Unary::log2>, "narrow<%T>(log2_of(wide(%0)))",
                                      kCurve<enclosure::kLog2>));
constexpr OpDef math_log10 =
    function(Opcode::math_log10, "result = logarithm of operand to base 10", {0.51, 0, 0.5, 0.501},
             kRealLoops<fn::log10_fast, fn::log10_f64>, "narrow<%T>(log10_of(wide(%0)))", kCurve<enclosure::kLog10>,
             kNoLowering);
constexpr OpDef math_log1p =
    function(Opcode::math_log1p, "result = natural logarithm of 1 + operand", {0.51, 0, 0.5, 0.5},
             kRealLoops<fn::log1p_fast, fn::log1p_f64>, "narrow<%T>(log1p_of(wide(%0)))", kCurve<enclosure::kLog1p>,
             kNoLowering);
constexpr OpDef math_sin =
    function(Opcode::math_sin, "result = sine of operand in radians", {0.6, 2, 0.51, 0.51}, kUnaryLoops<Unary::sin>,
             "narrow<%T>(sin_of(wide(%0)))", kCurve<enclosure::kSin>);
constexpr OpDef math_cos =
    function(Opcode::math_cos, "result = cosine of operand in radians", {0.6, 2, 0.51, 0.57}, kUnaryLoops<Unary::cos>,
             "narrow<%T>(cos_of(wide(%0)))", kCurve<enclosure::kCos>);
constexpr OpDef math_tan =
    function(Opcode::math_tan, "result = tangent of operand in radians", {0.6, 0, 0.51, 0.53}, kUnaryLoops<Unary::tan>,
             "narrow<%T>(tan_of(wide(%0)))", kCurve<enclosure::kTan>, kNoLowering);
constexpr OpDef math_asin =
    function(Opcode::math_asin, "result = arc sine of operand in radians", {0.6, 0, 0.5, 0.5},
             kRealLoops<fn::asin_f64>, "narrow<%T>(asin_of(wide(%0)))", kUnfollowed<enclosure::kAsin>, kNoLowering);
constexpr OpDef math_acos =
    function(Opcode::math_acos, "result = arc cosine of operand in radians", {0.6, 0, 0.5, 0.5},
             kRealLoops<fn::acos_f64>, "narrow<%T>(acos_of(wide(%0)))", kUnfollowed<enclosure::kAcos>, kNoLowering);
constexpr OpDef math_atan =
    function(Opcode::math_atan, "result = arc tangent of operand in radians", {0.6, 0, 0.5, 0.504},
             kRealLoops<fn::atan_f64>, "narrow<%T>(atan_of(wide(%0)))", kCurve<enclosure::kAtan>, kNoLowering);
constexpr OpDef math_sinh =
    function(Opcode::math_sinh, "result = hyperbolic sine of operand", {0.51, 0, 0.5, 0.5},
             kRealLoops<fn::sinh_fast, fn::sinh_f64>, "narrow<%T>(sinh_of(wide(%0)))", kCurve<enclosure::kSinh>,
             kNoLowering);
constexpr OpDef math_cosh =
    function(Opcode::math_cosh, "result = hyperbolic cosine of operand", {0.51, 0, 0.5, 0.5},
             kRealLoops<fn::cosh_fast, fn::cosh_f64>, "narrow<%T>(cosh_of(wide(%0)))", kCurve<enclosure::kCosh>,
             kNoLowering);
constexpr OpDef math_tanh =
    function(Opcode::math_tanh, "result = hyperbolic tangent of operand", {1.4, 0, 1.35, 0.501},
             interpreter::kUnaryButF64Loops<Unary::tanh, fn::tanh_f64>, "narrow<%T>(tanh_of(wide(%0)))",
             kCurve<enclosure::kTanh>, kNoLowering);
constexpr OpDef math_erf =
    function(Opcode::math_erf, "result = error function of operand", {1.6, 2, 1.49, 0.71}, kUnaryLoops<Unary::erf>,
             "narrow<%T>(erf_of(wide(%0)))", kCurve<enclosure::kErf>);
constexpr OpDef math_erfc =
    function(Opcode::math_erfc, "result = 1 - error function of operand", {0.51, 0, 0.5, 0.501},
             kRealLoops<fn::erfc_fast, fn::erfc_f64>, "narrow<%T>(erfc_of(wide(%0)))", kCurve<enclosure::kErfc>,
             kNoLowering);
constexpr OpDef math_acosh =
    function(Opcode::math_acosh, "result = inverse hyperbolic cosine of operand", {0.51, 0, 0.5, 0.5},
             kRealLoops<fn::acosh_fast, fn::acosh_f64>, "narrow<%T>(acosh_of(wide(%0)))",
             kUnfollowed<enclosure::kAcosh>, kNoLowering);
constexpr OpDef math_asinh =
    function(Opcode::math_asinh, "result = inverse hyperbolic sine of operand", {0.51, 0, 0.5, 0.501},
             kRealLoops<fn::asinh_fast, fn::asinh_f64>, "narrow<%T>(asinh_of(wide(%0)))",
             kUnfollowed<enclosure::kAsinh>, kNoLowering);
constexpr OpDef math_atanh =
    function(Opcode::math_atanh, "result = inverse hyperbolic tangent of operand", {0.51, 0, 0.5, 0.5},
             kRealLoops<fn::atanh_fast, fn::atanh_f64>, "narrow<%T>(atanh_of(wide(%0)))",
             kUnfollowed<enclosure::kAtanh>, kNoLowering);
constexpr OpDef math_isnan =
    classify(Opcode::math_isnan, "result = operand is NaN", kClassTestLoops<interpreter::math_loops::IsNan>,
        "is_nan(%0)", enclosure::enclose_nan_test);
constexpr OpDef math_isinf =
    classify(Opcode::math_isinf, "result = operand is an infinity",
        kClassTestLoops<interpreter::math_loops::IsInfinite>, "is_infinite(%0)", enclosure::enclose_points);
constexpr OpDef math_isfinite =
    classify(Opcode::math_isfinite, "result = operand is neither an infinity nor NaN",
        kClassTestLoops<interpreter::math_loops::IsFinite>, "is_finite(%0)", enclosure::enclose_points);
constexpr OpDef math_isnormal =
    classify(Opcode::math_isnormal, "result = operand is finite, not zero and not subnormal",
        kClassTestLoops<interpreter::math_loops::IsNormal>, "is_normal(%0)", enclosure::enclose_points);
constexpr OpDef math_atan2 =
    binary(Opcode::math_atan2, "result = angle of the point (rhs, lhs)", {0.6, 0, 0.5, 0.501},
        kRealPairLoops<fn::atan2_f64>, "narrow<%T>(atan2_of(wide(%0), wide(%1)))", enclosure::enclose_angle,
        [](const double* x) { return std::atan2(x[0], x[1]); });
constexpr OpDef math_powf =
    binary(Opcode::math_powf, "result = lhs^rhs", {0.6, 0, 0.5, 0.504}, kRealPairLoops<fn::pow_f64>,
        "narrow<%T>(pow_of(wide(%0), wide(%1)))", enclosure::enclose_power,
        [](const double* x) { return std::pow(x[0], x[1]); });
constexpr OpDef math_copysign =
    binary(Opcode::math_copysign, "result = |lhs| with the sign of rhs", {}, kRealPairLoops<fn::copy_sign<double>>,
        "copy_sign(%0, %1)", enclosure::enclose_copied_sign, [](const double* x) { return std::copysign(x[0], x[1]); });

constexpr OpDef math_absi =
    integer_unary(Opcode::math_absi, "result = |operand|, signed; the most negative number stays",
        kUnaryLoops<Unary::absi>, "(%T)(%0 < 0 ? sub((%T)0, %0) : %0)");
constexpr OpDef math_ctlz =
    integer_unary(Opcode::math_ctlz, "result = number of zero bits above the highest set bit",
        kBitCountLoops<interpreter::math_loops::LeadingZeros>, "count_leading(%0)");
constexpr OpDef math_cttz =
    integer_unary(Opcode::math_cttz, "result = number of zero bits below the lowest set bit",
        kBitCountLoops<interpreter::math_loops::TrailingZeros>, "count_trailing(%0)");
constexpr OpDef math_ctpop =
    integer_unary(Opcode::math_ctpop, "result = number of set bits", kBitCountLoops<interpreter::math_loops::OneBits>,
        "count_ones(%0)");

constexpr OpDef math_ipowi =
    row(Opcode::math_ipowi,
        {.summary = "result = lhs^rhs, signed, wrapping; a negative rhs gives 0 unless lhs is 1 or -1",
         .operands = {{"lhs", TypeRule::scalar_or_tile_of_integer}, {"rhs", TypeRule::scalar_or_tile_of_integer}},
         .results = {{"result", TypeRule::scalar_or_tile_of_integer}},
         .form = "$lhs, $rhs attrs : type($result)",
         .relations = "lhs=result rhs=result",
         .batching = BatchingRule::elementwise,
         .evaluate = evaluate_elementwise,
         .loops = &interpreter::kIntegerPowerLoops,
         .emit_cuda = emit_text,
         .cuda_text = "integer_power(%0, %1)",
         .enclose = enclosure::enclose_points,
         .source = "MLIR Math dialect"});

constexpr OpDef math_clampf =
    row(Opcode::math_clampf, {.summary = "result = min(max(value, min), max), NaN if one of the three is NaN",
                              .operands = {{"value", kFloat}, {"min", kFloat}, {"max", kFloat}},
                              .attributes = {kFastMathFlags},
                              .results = {{"result", kFloat}},
                              .form = "$value to ' ' [ $min, $max ] verbatim($fastmath) attrs : type($result)",
                              .relations = "value=result min=result max=result",
                              .arithmetic = Arithmetic::clamp,
                              .numbers = Numbers::floats,
                              .batching = BatchingRule::elementwise,
                              .makes_nan = true,
                              .flops = 1,
                              .evaluate = evaluate_elementwise,
                              .loops = &kTernaryLoops<Ternary::clampf_all>,
                              .emit_cuda = emit_text,
                              .cuda_text = "clamp_any(%0, %1, %2)",
                              .enclose = enclosure::enclose_clamp,
                              .in_f64 = [](const double* x) { return std::fmin(std::fmax(x[0], x[1]), x[2]); },
                              .source = "MLIR Math dialect"});

constexpr OpDef math_sincos =
    since("3.7", row(Opcode::math_sincos, {.summary = "sin, cos = sine and cosine of operand in radians",
                                           .operands = {{"operand", kFloat}},
                                           .attributes = {kFastMathFlags},
                                           .results = {{"sin", kFloat}, {"cos", kFloat}},
                                           .form = "$operand verbatim($fastmath) attrs : type($sin)",
                                           .relations = "operand=sin cos=sin",
                                           .batching = BatchingRule::elementwise,
                                           .makes_nan = true,
                                           .flops = 1,
                                           .evaluate = interpreter::evaluate_sincos,
                                           .emit_cuda = backend_cuda::emit_pair,
                                           .bound = {ErrorBound::Kind::ulp, 0.6, 0, 0.51, 0.57},
                                           .enclose = enclosure::enclose_sincos,
                                           .source = "MLIR Math dialect",
                                           .note = kNoLowering}));

constexpr OpDef math_fpowi =
    row(Opcode::math_fpowi, {.summary = "result = lhs^rhs for a signed integer rhs",
                             .operands = {{"lhs", kFloat}, {"rhs", TypeRule::scalar_or_tile_of_integer}},
                             .attributes = {kFastMathFlags},
                             .results = {{"result", kFloat}},
                             .form = "$lhs, $rhs verbatim($fastmath) attrs : type($lhs), type($rhs)",
                             .relations = "result=lhs shape(rhs)=shape(lhs)",
                             .batching = BatchingRule::elementwise,
                             .makes_nan = true,
                             .flops = 1,
                             .evaluate = evaluate_elementwise,
                             .loops = &interpreter::kRealPowerLoops,
                             .emit_cuda = emit_text,
                             .cuda_text = "float_power(%0, %1)",
                             .bound = {ErrorBound::Kind::ulp, 0.6, 0, 0.5, 0.504},
                             .enclose = enclosure::enclose_power,
                             .source = "MLIR Math dialect",
                             .note = kNoLowering});

constexpr OpDef math_fma = row(Opcode::math_fma, {.summary = "result = a * b + c, rounded once",
                                                  .operands = {{"a", kFloat}, {"b", kFloat}, {"c", kFloat}},
                                                  .attributes = {kFastMathFlags},
                                                  .results = {{"result", kFloat}},
                                                  .form = "$a, $b, $c verbatim($fastmath) attrs : type($result)",
                                                  .relations = "a=result b=result c=result",
                                                  .arithmetic = Arithmetic::fused_product,
                                                  .numbers = Numbers::floats,
                                                  .batching = BatchingRule::elementwise,
                                                  .makes_nan = true,
                                                  .flops = 2,
                                                  .evaluate = evaluate_elementwise,
                                                  .loops = &kTernaryLoops<Ternary::fma>,
                                                  .emit_cuda = emit_text,
                                                  .cuda_text = "ffma(%0, %1, %2)",
                                                  .enclose = enclosure::enclose_fma,
                                                  .in_f64 = [](const double* x) { return x[0] * x[1] + x[2]; },
                                                  .source = "MLIR Math dialect; IEEE 754-2019"});

}  // namespace lockstep::dialects
