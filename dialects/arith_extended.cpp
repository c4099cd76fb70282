// Integer arithmetic with two results: the low half and the overflow.
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

/// The differences between the two ops with a carry, besides what they compute.
struct CarryText {
  std::string_view low, carry, form, relations;
};
consteval OpDef with_carry(Opcode opcode, std::string_view summary, Arithmetic arithmetic, const CarryText& text) {
  return row(opcode, {.summary = summary,
                      .operands = {{"lhs", kInteger}, {"rhs", kInteger}},
                      .results = {{text.low, kInteger}, {text.carry, TypeRule::boolean_like}},
                      .form = text.form,
                      .relations = text.relations,
                      .arithmetic = arithmetic,
                      .numbers = Numbers::without_sign,
                      .reads_bits = true,
                      .batching = BatchingRule::elementwise,
                      .evaluate = interpreter::evaluate_extended,
                      .emit_cuda = backend_cuda::emit_pair,
                      .enclose = enclosure::enclose_points,
                      .source = "MLIR Arith dialect"});
}

consteval OpDef product(Opcode opcode, std::string_view summary, Numbers numbers) {
  return row(opcode, {.summary = summary,
                      .operands = {{"lhs", kInteger}, {"rhs", kInteger}},
                      .results = {{"low", kInteger}, {"high", kInteger}},
                      .form = "$lhs, $rhs attrs : type($low)",
                      .relations = "lhs=low rhs=low high=low",
                      .arithmetic = Arithmetic::whole_product,
                      .numbers = numbers,
                      .reads_bits = true,
                      .batching = BatchingRule::elementwise,
                      .evaluate = interpreter::evaluate_extended,
                      .emit_cuda = backend_cuda::emit_pair,
                      .enclose = enclosure::enclose_points,
                      .source = "MLIR Arith dialect"});
}

}  // namespace

constexpr OpDef arith_addui_extended =
    with_carry(Opcode::arith_addui_extended, "sum = lhs + rhs; overflow = the carry out of it",
               Arithmetic::sum_with_carry,
               {"sum", "overflow", "$lhs, $rhs attrs : type($sum), type($overflow)",
                "lhs=sum rhs=sum overflow=bool(sum)"});
constexpr OpDef arith_subui_extended =
    since("3.8", with_carry(Opcode::arith_subui_extended, "diff = lhs - rhs; borrow = lhs < rhs, unsigned",
                            Arithmetic::difference_with_borrow,
                            {"diff", "borrow", "$lhs, $rhs attrs : type($diff), type($borrow)",
                             "lhs=diff rhs=diff borrow=bool(diff)"}));
constexpr OpDef arith_mulsi_extended =
    product(Opcode::arith_mulsi_extended, "low, high = the halves of the signed product lhs * rhs",
            Numbers::with_sign);
constexpr OpDef arith_mului_extended =
    product(Opcode::arith_mului_extended, "low, high = the halves of the unsigned product lhs * rhs",
            Numbers::without_sign);

}  // namespace lockstep::dialects
