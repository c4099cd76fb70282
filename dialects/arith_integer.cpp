// Integer arithmetic: two's complement, wrapping modulo 2^width; signedness is in the op. A divisor of zero, and the
// most negative number divided by -1, have no defined result in MLIR; what Lockstep gives is in the evaluator.
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

constexpr std::string_view kArithDialect = "MLIR Arith dialect";

consteval OpDef integer_binary(Opcode opcode, std::string_view summary, std::string_view form) {
  return row(opcode, {.summary = summary,
                      .operands = {{"lhs", kInteger}, {"rhs", kInteger}},
                      .attributes = {},
                      .results = {{"result", kInteger}},
                      .form = form,
                      .relations = "lhs=result rhs=result",
                      .source = kArithDialect});
}

constexpr std::string_view kPlain = "$lhs, $rhs attrs : type($result)";

consteval OpDef plain(Opcode opcode, std::string_view summary) { return integer_binary(opcode, summary, kPlain); }

/// Ops that may promise not to wrap.
consteval OpDef wrapping(Opcode opcode, std::string_view summary) {
  OpDef def = integer_binary(opcode, summary, "$lhs, $rhs verbatim($overflowFlags) attrs : type($result)");
  def.attributes = {{.name = "overflowFlags", .presence = Presence::defaulted}};
  return def;
}

/// Ops that may promise that nothing is lost.
consteval OpDef exact(Opcode opcode, std::string_view summary) {
  OpDef def = integer_binary(opcode, summary, "$lhs, $rhs (exact $isExact)? attrs : type($result)");
  def.attributes = {{"isExact", AttributeRule::unit, Presence::optional}};
  return def;
}

consteval OpDef noted(std::string_view note, OpDef def) {
  def.note = note;
  return def;
}
constexpr std::string_view kByZero = "S-20: by zero; a GPU's answer depends on the instructions around it";
constexpr std::string_view kShift = "S-21: shifts by the width or more";

}  // namespace

constexpr OpDef arith_addi = wrapping(Opcode::arith_addi, "result = lhs + rhs");
constexpr OpDef arith_subi = wrapping(Opcode::arith_subi, "result = lhs - rhs");
constexpr OpDef arith_muli = wrapping(Opcode::arith_muli, "result = lhs * rhs");
constexpr OpDef arith_shli =
    noted(kShift, wrapping(Opcode::arith_shli, "result = lhs << rhs; undefined if rhs >= width"));
constexpr OpDef arith_divsi = noted(kByZero, exact(Opcode::arith_divsi, "result = lhs / rhs, signed, toward zero"));
constexpr OpDef arith_divui = noted(kByZero, exact(Opcode::arith_divui, "result = lhs / rhs, unsigned"));
constexpr OpDef arith_shrsi =
    noted(kShift, exact(Opcode::arith_shrsi, "result = lhs >> rhs, copies of the sign move in"));
constexpr OpDef arith_shrui = noted(kShift, exact(Opcode::arith_shrui, "result = lhs >> rhs, zeros move in"));
constexpr OpDef arith_ceildivsi =
    noted(kByZero, plain(Opcode::arith_ceildivsi, "result = lhs / rhs, signed, toward plus infinity"));
constexpr OpDef arith_ceildivui =
    noted(kByZero, plain(Opcode::arith_ceildivui, "result = lhs / rhs, unsigned, rounded up"));
constexpr OpDef arith_floordivsi =
    noted(kByZero, plain(Opcode::arith_floordivsi, "result = lhs / rhs, signed, toward minus infinity"));
constexpr OpDef arith_remsi =
    noted(kByZero, plain(Opcode::arith_remsi, "result = lhs - rhs * trunc(lhs / rhs), sign of lhs"));
constexpr OpDef arith_remui = noted(kByZero, plain(Opcode::arith_remui, "result = lhs mod rhs, unsigned"));
constexpr OpDef arith_andi = plain(Opcode::arith_andi, "result = lhs & rhs, bit by bit");
constexpr OpDef arith_ori = plain(Opcode::arith_ori, "result = lhs | rhs, bit by bit");
constexpr OpDef arith_xori = plain(Opcode::arith_xori, "result = lhs ^ rhs, bit by bit");
constexpr OpDef arith_maxsi = plain(Opcode::arith_maxsi, "result = max(lhs, rhs), signed");
constexpr OpDef arith_maxui = plain(Opcode::arith_maxui, "result = max(lhs, rhs), unsigned");
constexpr OpDef arith_minsi = plain(Opcode::arith_minsi, "result = min(lhs, rhs), signed");
constexpr OpDef arith_minui = plain(Opcode::arith_minui, "result = min(lhs, rhs), unsigned");

}  // namespace lockstep::ops
