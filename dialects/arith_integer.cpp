// Integer arithmetic: two's complement, wrapping modulo 2^width; signedness is in the op. A divisor of zero, and the
// most negative number divided by -1, have no defined result in MLIR; what Lockstep gives is in the evaluator.
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

constexpr std::string_view kArithDialect = "MLIR Arith dialect";

/// The differences between the ops of this file, besides their text.
struct IntegerMeaning {
  Arithmetic arithmetic = Arithmetic::none;
  Numbers numbers = Numbers::none;
  const interpreter::ElementwiseLoops* loops = nullptr;
  std::string_view cuda{};
  ir::EncloseHook enclose = nullptr;
  bool reads_bits = false;
};

consteval OpDef integer_binary(Opcode opcode, std::string_view summary, const IntegerMeaning& meaning,
                               std::string_view form) {
  return row(opcode, {.summary = summary,
                      .operands = {{"lhs", kInteger}, {"rhs", kInteger}},
                      .attributes = {},
                      .results = {{"result", kInteger}},
                      .form = form,
                      .relations = "lhs=result rhs=result",
                      .arithmetic = meaning.arithmetic,
                      .numbers = meaning.numbers,
                      .reads_bits = meaning.reads_bits,
                      .batching = BatchingRule::elementwise,
                      .evaluate = evaluate_elementwise,
                      .loops = meaning.loops,
                      .emit_cuda = emit_text,
                      .cuda_text = meaning.cuda,
                      .enclose = meaning.enclose,
                      .source = kArithDialect});
}

constexpr std::string_view kPlain = "$lhs, $rhs attrs : type($result)";

consteval OpDef plain(Opcode opcode, std::string_view summary, const IntegerMeaning& meaning) {
  return integer_binary(opcode, summary, meaning, kPlain);
}

/// Ops that may promise not to wrap.
consteval OpDef wrapping(Opcode opcode, std::string_view summary, const IntegerMeaning& meaning) {
  OpDef def = integer_binary(opcode, summary, meaning, "$lhs, $rhs verbatim($overflowFlags) attrs : type($result)");
  def.attributes = {{.name = "overflowFlags", .presence = Presence::defaulted}};
  return def;
}

/// Ops that may promise an exact result.
consteval OpDef exact(Opcode opcode, std::string_view summary, const IntegerMeaning& meaning) {
  OpDef def = integer_binary(opcode, summary, meaning, "$lhs, $rhs (exact $isExact)? attrs : type($result)");
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

constexpr OpDef arith_addi =
    mistaken_for("arith.subi", wrapping(Opcode::arith_addi, "result = lhs + rhs",
                                        {Arithmetic::sum, Numbers::integers,
                                         &kBinaryLoops<Binary::addi, StructuredRule::add>,
                                         "add(%0, %1)", enclosure::enclose_integer}));
constexpr OpDef arith_subi =
    mistaken_for("arith.addi", wrapping(Opcode::arith_subi, "result = lhs - rhs",
                                        {Arithmetic::difference, Numbers::integers,
                                         &kBinaryLoops<Binary::subi, StructuredRule::subtract>,
                                         "sub(%0, %1)", enclosure::enclose_integer}));
constexpr OpDef arith_muli =
    wrapping(Opcode::arith_muli, "result = lhs * rhs",
             {Arithmetic::product, Numbers::integers, &kBinaryLoops<Binary::muli, StructuredRule::multiply>,
              "mul(%0, %1)", enclosure::enclose_integer});
constexpr OpDef arith_shli =
    noted(kShift, wrapping(Opcode::arith_shli, "result = lhs << rhs; undefined if rhs >= width",
                           {Arithmetic::shift_left, Numbers::integers, &kBinaryLoops<Binary::shli>,
                            "shl(%0, %1)", enclosure::enclose_bits, true}));
constexpr OpDef arith_divsi =
    noted(kByZero, exact(Opcode::arith_divsi, "result = lhs / rhs, signed, toward zero",
                         {Arithmetic::quotient, Numbers::with_sign,
                          &kBinaryLoops<Binary::divsi, StructuredRule::divide>,
                          "div_signed(%0, %1)", enclosure::enclose_points}));
constexpr OpDef arith_divui =
    noted(kByZero, exact(Opcode::arith_divui, "result = lhs / rhs, unsigned",
                         {Arithmetic::quotient, Numbers::without_sign,
                          &kBinaryLoops<Binary::divui, StructuredRule::divide>,
                          "div_unsigned(%0, %1)", enclosure::enclose_points, true}));
constexpr OpDef arith_shrsi =
    noted(kShift, exact(Opcode::arith_shrsi, "result = lhs >> rhs, copies of the sign move in",
                        {Arithmetic::shift_right, Numbers::with_sign, &kBinaryLoops<Binary::shrsi>,
                         "shr_signed(%0, %1)", enclosure::enclose_bits, true}));
constexpr OpDef arith_shrui =
    noted(kShift, exact(Opcode::arith_shrui, "result = lhs >> rhs, zeros move in",
                        {Arithmetic::shift_right, Numbers::without_sign, &kBinaryLoops<Binary::shrui>,
                         "shr_unsigned(%0, %1)", enclosure::enclose_bits, true}));
constexpr OpDef arith_ceildivsi =
    noted(kByZero, plain(Opcode::arith_ceildivsi, "result = lhs / rhs, signed, toward plus infinity",
                         {Arithmetic::ceiling_quotient, Numbers::with_sign, &kBinaryLoops<Binary::ceildivsi>,
                          "ceildiv_signed(%0, %1)", enclosure::enclose_points}));
constexpr OpDef arith_ceildivui =
    noted(kByZero, plain(Opcode::arith_ceildivui, "result = lhs / rhs, unsigned, rounded up",
                         {Arithmetic::ceiling_quotient, Numbers::without_sign, &kBinaryLoops<Binary::ceildivui>,
                          "ceildiv_unsigned(%0, %1)", enclosure::enclose_points}));
constexpr OpDef arith_floordivsi =
    noted(kByZero, plain(Opcode::arith_floordivsi, "result = lhs / rhs, signed, toward minus infinity",
                         {Arithmetic::floor_quotient, Numbers::with_sign,
                          &kBinaryLoops<Binary::floordivsi, StructuredRule::divide>,
                          "floordiv(%0, %1)", enclosure::enclose_points}));
constexpr OpDef arith_remsi =
    noted(kByZero, plain(Opcode::arith_remsi, "result = lhs - rhs * trunc(lhs / rhs), sign of lhs",
                         {Arithmetic::remainder, Numbers::with_sign,
                          &kBinaryLoops<Binary::remsi, StructuredRule::remainder>,
                          "rem_signed(%0, %1)", enclosure::enclose_points}));
constexpr OpDef arith_remui =
    noted(kByZero, plain(Opcode::arith_remui, "result = lhs mod rhs, unsigned",
                         {Arithmetic::remainder, Numbers::without_sign,
                          &kBinaryLoops<Binary::remui, StructuredRule::remainder>,
                          "rem_unsigned(%0, %1)", enclosure::enclose_points, true}));
constexpr OpDef arith_andi =
    plain(Opcode::arith_andi, "result = lhs & rhs, bit by bit",
          {Arithmetic::conjunction, Numbers::integers, &kBinaryLoops<Binary::andi, StructuredRule::and_>,
           "(%T)(%0 & %1)", enclosure::enclose_integer, true});
constexpr OpDef arith_ori =
    plain(Opcode::arith_ori, "result = lhs | rhs, bit by bit",
          {Arithmetic::disjunction, Numbers::integers, &kBinaryLoops<Binary::ori, StructuredRule::or_>,
           "(%T)(%0 | %1)", enclosure::enclose_integer, true});
constexpr OpDef arith_xori =
    plain(Opcode::arith_xori, "result = lhs ^ rhs, bit by bit",
          {Arithmetic::parity, Numbers::integers, &kBinaryLoops<Binary::xori, StructuredRule::xor_>,
           "(%T)(%0 ^ %1)", enclosure::enclose_integer, true});
constexpr OpDef arith_maxsi =
    plain(Opcode::arith_maxsi, "result = max(lhs, rhs), signed",
          {Arithmetic::maximum, Numbers::with_sign, &kBinaryLoops<Binary::maxsi, StructuredRule::maximum>,
           "max_signed(%0, %1)", enclosure::enclose_integer});
constexpr OpDef arith_maxui =
    plain(Opcode::arith_maxui, "result = max(lhs, rhs), unsigned",
          {Arithmetic::maximum, Numbers::without_sign, &kBinaryLoops<Binary::maxui>,
           "max_unsigned(%0, %1)", enclosure::enclose_integer, true});
constexpr OpDef arith_minsi =
    plain(Opcode::arith_minsi, "result = min(lhs, rhs), signed",
          {Arithmetic::minimum, Numbers::with_sign, &kBinaryLoops<Binary::minsi, StructuredRule::minimum>,
           "min_signed(%0, %1)", enclosure::enclose_integer});
constexpr OpDef arith_minui =
    plain(Opcode::arith_minui, "result = min(lhs, rhs), unsigned",
          {Arithmetic::minimum, Numbers::without_sign, &kBinaryLoops<Binary::minui>,
           "min_unsigned(%0, %1)", enclosure::enclose_integer, true});

}  // namespace lockstep::dialects
