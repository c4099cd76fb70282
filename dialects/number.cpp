// Triton's own arithmetic beside the arith dialect: pointer arithmetic, conversions, high multiplication, precise
// division.
#include "dialects/enums.h"
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {


consteval OpDef conversion(Opcode opcode, std::string_view summary, TypeRule from, TypeRule to) {
  return row(opcode, {.summary = summary,
                      .operands = {{"src", from}},
                      .results = {{"result", to}},
                      .form = "$src attrs : type($src) -> type($result)",
                      .relations = "shape(result)=shape(src)",
                      .source = kTritonOps});
}

consteval OpDef binary(Opcode opcode, std::string_view summary, TypeRule rule) {
  return row(opcode, {.summary = summary,
                      .operands = {{"x", rule}, {"y", rule}},
                      .results = {{"result", rule}},
                      .form = "$x, $y attrs : type($result)",
                      .relations = "x=result y=result",
                      .source = kTritonOps});
}

}  // namespace

constexpr OpDef tt_addptr =
    row(Opcode::tt_addptr, {.summary = "result = ptr + offset * size of the pointee, signed offset",
                            .operands = {{"ptr", kPointer}, {"offset", kInteger}},
                            .results = {{"result", kPointer}},
                            .form = "$ptr, $offset attrs : type($result), type($offset)",
                            .relations = "ptr=result shape(offset)=shape(result)",
                            .source = kTritonOps});
constexpr OpDef tt_bitcast = conversion(
    Opcode::tt_bitcast, "result = the bits of src read as another type of that width", TypeRule::any, TypeRule::any);
constexpr OpDef tt_int_to_ptr = conversion(Opcode::tt_int_to_ptr, "result = the address src", kInteger, kPointer);
constexpr OpDef tt_ptr_to_int = conversion(Opcode::tt_ptr_to_int, "result = the address of src", kPointer, kInteger);
constexpr OpDef tt_mulhiui =
    binary(Opcode::tt_mulhiui, "result = the high half of the unsigned product x * y", kInteger);
constexpr OpDef tt_approx_divf = [] {
  OpDef def =
      since("3.9", binary(Opcode::tt_approx_divf, "result = x / y; a GPU multiplies by an approximate 1 / y", kFloat));
  def.bound.gpu_ulp = 2;
  def.note = "Lockstep rounds correctly; a GPU's div.approx.f32 is within 2 ulp where |y| is in [2^-126, 2^126]";
  def.source = "libtriton 3.9.0, parsed and printed; PTX ISA, div";
  return def;
}();
constexpr OpDef tt_precise_divf = binary(Opcode::tt_precise_divf, "result = x / y, correctly rounded", kFloat);

constexpr OpDef tt_precise_sqrt =
    row(Opcode::tt_precise_sqrt, {.summary = "result = square root of x, correctly rounded",
                                  .operands = {{"x", kFloat}},
                                  .results = {{"result", kFloat}},
                                  .form = "$x attrs : type($result)",
                                  .relations = "x=result",
                                  .source = kTritonOps});

constexpr OpDef tt_fp_to_fp = row(
    Opcode::tt_fp_to_fp, {.summary = "result = src in another float format; narrowing rounds as said",
                          .operands = {{"src", kFloat}},
                          .attributes = {{"rounding", AttributeRule::enumeration, Presence::optional, 0, &kRounding}},
                          .results = {{"result", kFloat}},
                          .form = "$src attrs (, rounding = $rounding)? : type($src) -> type($result)",
                          .relations = "shape(result)=shape(src)",
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
         .source = kTritonOps,
         .note = "S-77: limits that Triton sees to be -y and y clamp by magnitude"});

}  // namespace lockstep::ops
