// Float arithmetic: each op rounds once to the type of its result, to nearest even.
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {


consteval OpDef float_binary(Opcode opcode, std::string_view summary) {
  return row(opcode, {.summary = summary,
                      .operands = {{"lhs", kFloat}, {"rhs", kFloat}},
                      .attributes = {{.name = "fastmath", .presence = Presence::defaulted}},
                      .results = {{"result", kFloat}},
                      .form = "$lhs, $rhs verbatim($fastmath) attrs : type($result)",
                      .relations = "lhs=result rhs=result",
                      .source = "MLIR Arith dialect; IEEE 754-2019"});
}

/// The row with what a GPU does otherwise.
consteval OpDef beside_gpu(OpDef def, double gpu_ulp, std::string_view note) {
  def.bound.gpu_ulp = gpu_ulp;
  def.note = note;
  return def;
}

}  // namespace

constexpr OpDef arith_addf = float_binary(Opcode::arith_addf, "result = lhs + rhs");
constexpr OpDef arith_subf = float_binary(Opcode::arith_subf, "result = lhs - rhs");
constexpr OpDef arith_mulf = float_binary(Opcode::arith_mulf, "result = lhs * rhs");
constexpr OpDef arith_divf = beside_gpu(float_binary(Opcode::arith_divf, "result = lhs / rhs"), 2,
                                        "S-35: a GPU's f32 division is div.full; f64 is exact there too");
constexpr OpDef arith_remf =
    beside_gpu(float_binary(Opcode::arith_remf, "result = lhs - rhs * trunc(lhs / rhs), as C's fmod"), 0,
               "S-105: a GPU rounds the quotient first and may be a multiple of rhs away");
constexpr OpDef arith_maximumf = float_binary(Opcode::arith_maximumf, "result = max(lhs, rhs), NaN if either is NaN");
constexpr OpDef arith_minimumf = float_binary(Opcode::arith_minimumf, "result = min(lhs, rhs), NaN if either is NaN");
constexpr OpDef arith_maxnumf = float_binary(Opcode::arith_maxnumf, "result = max(lhs, rhs), the number if one is NaN");
constexpr OpDef arith_minnumf = float_binary(Opcode::arith_minnumf, "result = min(lhs, rhs), the number if one is NaN");

constexpr OpDef arith_negf =
    row(Opcode::arith_negf, {.summary = "result = -operand, the sign bit flipped",
                             .operands = {{"operand", kFloat}},
                             .attributes = {{.name = "fastmath", .presence = Presence::defaulted}},
                             .results = {{"result", kFloat}},
                             .form = "$operand verbatim($fastmath) attrs : type($result)",
                             .relations = "operand=result",
                             .source = "MLIR Arith dialect; IEEE 754-2019"});

}  // namespace lockstep::ops
