// Float arithmetic: each op rounds once to the type of its result, to nearest even.
#include <cmath>

#include "dialects/rows.h"
#include "interpreter/evaluators/math_loops.h"

namespace lockstep::dialects {
namespace {

/// The differences between the ops of this file, besides their text.
struct FloatMeaning {
  Arithmetic arithmetic = Arithmetic::none;
  const interpreter::ElementwiseLoops* loops = nullptr;
  std::string_view cuda{};
  ir::EncloseHook enclose = nullptr;
  ir::ExactHook in_f64 = nullptr;
  std::string_view mistaken_for = "";
};

consteval OpDef float_binary(Opcode opcode, std::string_view summary, const FloatMeaning& meaning) {
  const bool calculates = meaning.enclose != enclosure::enclose_extremum;  // not: chooses
  const bool counts = calculates && meaning.arithmetic != Arithmetic::remainder;
  return row(opcode, {.summary = summary,
                      .operands = {{"lhs", kFloat}, {"rhs", kFloat}},
                      .attributes = {{.name = "fastmath", .presence = Presence::defaulted}},
                      .results = {{"result", kFloat}},
                      .form = "$lhs, $rhs verbatim($fastmath) attrs : type($result)",
                      .relations = "lhs=result rhs=result",
                      .arithmetic = meaning.arithmetic,
                      .numbers = Numbers::floats,
                      .batching = BatchingRule::elementwise,
                      .makes_nan = calculates,
                      .flops = static_cast<std::uint8_t>(counts ? 1 : 0),
                      .mistaken_for = meaning.mistaken_for,
                      .evaluate = evaluate_elementwise,
                      .loops = meaning.loops,
                      .emit_cuda = emit_text,
                      .cuda_text = meaning.cuda,
                      .enclose = meaning.enclose,
                      .in_f64 = meaning.in_f64,
                      .source = "MLIR Arith dialect; IEEE 754-2019"});
}

/// The row, with the GPU's deviation.
consteval OpDef beside_gpu(OpDef def, double gpu_ulp, std::string_view note) {
  def.bound.gpu_ulp = gpu_ulp;
  def.note = note;
  return def;
}

// Functions, because clang 14 loses the parameter of a lambda within two calls of consteval functions.
double quotient_in_f64(const double* x) { return x[0] / x[1]; }
double remainder_in_f64(const double* x) { return std::fmod(x[0], x[1]); }

}  // namespace

constexpr OpDef arith_addf =
    float_binary(Opcode::arith_addf, "result = lhs + rhs",
                 {Arithmetic::sum, &kBinaryLoops<Binary::addf>, "fadd(%0, %1)", enclosure::enclose_sum,
                  [](const double* x) { return x[0] + x[1]; }, "arith.subf"});
constexpr OpDef arith_subf =
    float_binary(Opcode::arith_subf, "result = lhs - rhs",
                 {Arithmetic::difference, &kBinaryLoops<Binary::subf>, "fsub(%0, %1)", enclosure::enclose_sum,
                  [](const double* x) { return x[0] - x[1]; }, "arith.addf"});
constexpr OpDef arith_mulf =
    float_binary(Opcode::arith_mulf, "result = lhs * rhs",
                 {Arithmetic::product, &kBinaryLoops<Binary::mulf>, "fmul(%0, %1)", enclosure::enclose_product,
                  [](const double* x) { return x[0] * x[1]; }, "arith.divf"});
constexpr OpDef arith_divf =
    beside_gpu(float_binary(Opcode::arith_divf, "result = lhs / rhs",
                            {Arithmetic::quotient, &kBinaryLoops<Binary::divf>, "fdiv(%0, %1)",
                             enclosure::enclose_quotient, quotient_in_f64, "arith.mulf"}), 2,
                                        "S-35: a GPU's f32 division is div.full; f64 is exact there too");
constexpr OpDef arith_remf =
    beside_gpu(float_binary(Opcode::arith_remf, "result = lhs - rhs * trunc(lhs / rhs), as C's fmod",
                            {Arithmetic::remainder, &kBinaryLoops<Binary::remf>, "frem(%0, %1)",
                             enclosure::enclose_remainder, remainder_in_f64}), 0,
               "S-105: a GPU rounds the quotient first and may be a multiple of rhs away");
constexpr OpDef arith_maximumf =
    float_binary(Opcode::arith_maximumf, "result = max(lhs, rhs), NaN if either is NaN",
                 {Arithmetic::maximum, &kBinaryLoops<Binary::maximumf>, "fmax_any(%0, %1)", enclosure::enclose_extremum,
                  [](const double* x) { return std::fmax(x[0], x[1]); }});
constexpr OpDef arith_minimumf =
    float_binary(Opcode::arith_minimumf, "result = min(lhs, rhs), NaN if either is NaN",
                 {Arithmetic::minimum, &kBinaryLoops<Binary::minimumf>, "fmin_any(%0, %1)", enclosure::enclose_extremum,
                  [](const double* x) { return std::fmin(x[0], x[1]); }});
constexpr OpDef arith_maxnumf =
    float_binary(Opcode::arith_maxnumf, "result = max(lhs, rhs), the number if one is NaN",
                 {Arithmetic::maximum_number, &kBinaryLoops<Binary::maxnumf>, "fmax_number(%0, %1)",
                  enclosure::enclose_extremum,
                  [](const double* x) { return std::fmax(x[0], x[1]); }, "arith.minnumf"});
constexpr OpDef arith_minnumf =
    float_binary(Opcode::arith_minnumf, "result = min(lhs, rhs), the number if one is NaN",
                 {Arithmetic::minimum_number, &kBinaryLoops<Binary::minnumf>, "fmin_number(%0, %1)",
                  enclosure::enclose_extremum,
                  [](const double* x) { return std::fmin(x[0], x[1]); }, "arith.maxnumf"});

constexpr OpDef arith_negf =
    row(Opcode::arith_negf, {.summary = "result = -operand, the sign bit flipped",
                             .operands = {{"operand", kFloat}},
                             .attributes = {{.name = "fastmath", .presence = Presence::defaulted}},
                             .results = {{"result", kFloat}},
                             .form = "$operand verbatim($fastmath) attrs : type($result)",
                             .relations = "operand=result",
                             .arithmetic = Arithmetic::negation,
                             .numbers = Numbers::floats,
                             .batching = BatchingRule::elementwise,
                             .evaluate = evaluate_elementwise,
                             .loops = &kUnaryLoops<Unary::negf>,
                             .emit_cuda = emit_text,
                             .cuda_text = "fneg(%0)",
                             .enclose = enclosure::enclose_sign,
                             .in_f64 = [](const double* x) { return -x[0]; },
                             .source = "MLIR Arith dialect; IEEE 754-2019"});

constexpr OpDef arith_flush_denormals =
    since("3.8", row(Opcode::arith_flush_denormals,
                     {.summary = "result = operand, a zero of the same sign if it is subnormal",
                      .operands = {{"operand", kFloat}},
                      .attributes = {{.name = "fastmath", .presence = Presence::defaulted}},
                      .results = {{"result", kFloat}},
                      .form = "$operand verbatim($fastmath) attrs : type($result)",
                      .relations = "operand=result",
                      .batching = BatchingRule::elementwise,
                      .evaluate = evaluate_elementwise,
                      .loops = &interpreter::kFlushLoops,
                      .emit_cuda = emit_text,
                      .cuda_text = "flush_subnormal(%0)",
                      .enclose = enclosure::enclose_flush,
                      .source = "MLIR Arith dialect",
                      .note = "Triton 3.8 and 3.9 lower it for no GPU"}));

}  // namespace lockstep::dialects
