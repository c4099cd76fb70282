// Triton's own arithmetic, besides the arith dialect:
#include <cmath>

#include "dialects/enums.h"
#include "dialects/rows.h"
#include "enclosure/functions.h"

namespace lockstep::dialects {
namespace {

/// Reads the bits as another type.
consteval OpDef reinterpretation(Opcode opcode, std::string_view summary, TypeRule from, TypeRule to,
                                 ir::VerifyHook verify, std::string_view cuda, ir::EncloseHook enclose) {
  return row(opcode, {.summary = summary,
                      .operands = {{"src", from}},
                      .results = {{"result", to}},
                      .form = "$src attrs : type($src) -> type($result)",
                      .relations = "shape(result)=shape(src)",
                      .verify = verify,
                      .arithmetic = Arithmetic::reinterpretation,
                      .batching = BatchingRule::elementwise,
                      .evaluate = evaluate_elementwise,
                      .loops = &interpreter::kReinterpretationLoops,
                      .emit_cuda = emit_text,
                      .cuda_text = cuda,
                      .enclose = enclose,
                      .source = kTritonOps});
}

consteval OpDef binary(Opcode opcode, std::string_view summary, TypeRule rule,
                       const interpreter::ElementwiseLoops& loops, std::string_view cuda, ir::EncloseHook enclose) {
  return row(opcode, {.summary = summary,
                      .operands = {{"x", rule}, {"y", rule}},
                      .results = {{"result", rule}},
                      .form = "$x, $y attrs : type($result)",
                      .relations = "x=result y=result",
                      .batching = BatchingRule::elementwise,
                      .evaluate = evaluate_elementwise,
                      .loops = &loops,
                      .emit_cuda = emit_text,
                      .cuda_text = cuda,
                      .enclose = enclose,
                      .source = kTritonOps});
}

consteval OpDef division(Opcode opcode, std::string_view summary, std::string_view cuda, ir::EncloseHook enclose) {
  OpDef def = binary(opcode, summary, kFloat, kBinaryLoops<Binary::divf>, cuda, enclose);
  def.arithmetic = Arithmetic::quotient;
  def.numbers = Numbers::floats;
  def.makes_nan = true;
  def.in_f64 = [](const double* x) { return x[0] / x[1]; };
  return def;
}

}  // namespace

constexpr OpDef tt_addptr =
    row(Opcode::tt_addptr, {.summary = "result = ptr + offset * size of the pointee, signed offset",
                            .operands = {{"ptr", kPointer}, {"offset", kInteger}},
                            .results = {{"result", kPointer}},
                            .form = "$ptr, $offset attrs : type($result), type($offset)",
                            .relations = "ptr=result shape(offset)=shape(result)",
                            .arithmetic = Arithmetic::displacement,
                            .provenance = Provenance::first_operand,
                            .batching = BatchingRule::elementwise,
                            .evaluate = interpreter::evaluate_addptr,
                            .emit_cuda = emit_text,
                            .cuda_text = "%0 + %1",
                            .enclose = enclosure::enclose_points,
                            .source = kTritonOps});
constexpr OpDef tt_bitcast = [] {
  OpDef def = reinterpretation(Opcode::tt_bitcast, "result = the bits of src read as another type of that width",
                               TypeRule::any, TypeRule::any, verify_same_width, "bits_as<%T>(%0)",
                               enclosure::enclose_bitcast);
  def.reads_bits = true;
  def.provenance = Provenance::first_operand_if_pointer;
  return def;
}();
constexpr OpDef tt_int_to_ptr = [] {
  OpDef def = reinterpretation(Opcode::tt_int_to_ptr, "result = the address src", kInteger, kPointer, verify_address,
                               "reinterpret_cast<%T>(%0)", enclosure::enclose_points);
  def.is_same_everywhere = false;
  return def;
}();
constexpr OpDef tt_ptr_to_int = [] {
  OpDef def = reinterpretation(Opcode::tt_ptr_to_int, "result = the address of src", kPointer, kInteger, verify_address,
                               "(%T)(long long)%0", enclosure::enclose_points);
  def.is_same_everywhere = false;
  return def;
}();
constexpr OpDef tt_mulhiui = [] {
  OpDef def = binary(Opcode::tt_mulhiui, "result = the high half of the unsigned product x * y", kInteger,
                     kBinaryLoops<Binary::mulhiui>, "mulhi_unsigned(%0, %1)", enclosure::enclose_points);
  def.reads_bits = true;
  return def;
}();
constexpr OpDef tt_approx_divf = [] {
  OpDef def = since("3.9", division(Opcode::tt_approx_divf,
                                    "result = x / y; a GPU multiplies by an approximate 1 / y", "fdiv(%0, %1)",
                                    enclosure::enclose_approximate_quotient));
  def.verify = verify_approx_divf;
  def.bound.gpu_ulp = 2;
  def.note = "Lockstep rounds correctly; a GPU's div.approx.f32 is within 2 ulp where |y| is in [2^-126, 2^126]";
  def.source = "libtriton 3.9.0, parsed and printed; PTX ISA, div";
  return def;
}();
constexpr OpDef tt_precise_divf = division(Opcode::tt_precise_divf, "result = x / y, correctly rounded",
                                           "narrow<%T>(precise_divide(wide(%0), wide(%1)))",
                                           enclosure::enclose_precise_quotient);

constexpr OpDef tt_precise_sqrt =
    row(Opcode::tt_precise_sqrt, {.summary = "result = square root of x, correctly rounded",
                                  .operands = {{"x", kFloat}},
                                  .results = {{"result", kFloat}},
                                  .form = "$x attrs : type($result)",
                                  .relations = "x=result",
                                  .batching = BatchingRule::elementwise,
                                  .makes_nan = true,
                                  .evaluate = evaluate_elementwise,
                                  .loops = &kUnaryLoops<Unary::sqrt>,
                                  .emit_cuda = emit_text,
                                  .cuda_text = "narrow<%T>(precise_sqrt_of(wide(%0)))",
                                  .enclose = enclosure::enclose_function_of<enclosure::kPreciseSqrt>,
                                  .in_f64 = [](const double* x) { return std::sqrt(x[0]); },
                                  .source = kTritonOps});

constexpr OpDef tt_fp_to_fp = row(
    Opcode::tt_fp_to_fp, {.summary = "result = src in another float format; narrowing rounds as said",
                          .operands = {{"src", kFloat}},
                          .attributes = {{"rounding", AttributeRule::enumeration, Presence::optional, 0, &kRounding}},
                          .results = {{"result", kFloat}},
                          .form = "$src attrs (, rounding = $rounding)? : type($src) -> type($result)",
                          .relations = "shape(result)=shape(src)",
                          .verify = verify_fp_to_fp,
                          .arithmetic = Arithmetic::conversion,
                          .numbers = Numbers::floats,
                          .batching = BatchingRule::elementwise,
                          .makes_nan = true,
                          .evaluate = evaluate_elementwise,
                          .loops = &interpreter::kFloatConversionLoops,
                          .emit_cuda = backend_cuda::emit_fp_to_fp,
                          .enclose = enclosure::enclose_float_cast,
                          .in_f64 = [](const double* x) { return x[0]; },
                          .source = kTritonOps,
                          .note = "S-33: f8 saturates; S-75, S-76: what the target's instructions do otherwise"});

constexpr OpDef tt_clampf =
    row(Opcode::tt_clampf,
        {.summary = "result = min(max(x, min), max); NaN of x stays if propagateNan = all, else gives min",
         .operands = {{"x", kFloat}, {"min", kFloat}, {"max", kFloat}},
         .attributes = {{"propagateNan", AttributeRule::enumeration, Presence::required, 0, &kPropagateNan}},
         .results = {{"result", kFloat}},
         .form = "$x, $min, $max, propagateNan = $propagateNan attrs : type($result)",
         .relations = "x=result min=result max=result",
         .arithmetic = Arithmetic::clamp,
         .numbers = Numbers::floats,
         .batching = BatchingRule::elementwise,
         .evaluate = evaluate_elementwise,
         .loops = &interpreter::kClampLoops,
         .emit_cuda = backend_cuda::emit_clamp,
         .enclose = enclosure::enclose_clamp,
         .in_f64 = [](const double* x) { return std::fmin(std::fmax(x[0], x[1]), x[2]); },
         .source = kTritonOps,
         .note = "S-77: limits that Triton sees to be -y and y clamp by magnitude"});

}  // namespace lockstep::dialects
