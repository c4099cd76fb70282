// Integer arithmetic with two results: the low half and what does not fit in it.
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

consteval OpDef with_carry(Opcode opcode, std::string_view summary, std::string_view low, std::string_view carry) {
  return row(opcode, {.summary = summary,
                      .operands = {{"lhs", kInteger}, {"rhs", kInteger}},
                      .results = {{low, kInteger}, {carry, TypeRule::boolean_like}},
                      .form = opcode == Opcode::arith_addui_extended ? "$lhs, $rhs attrs : type($sum), type($overflow)"
                                                                     : "$lhs, $rhs attrs : type($diff), type($borrow)",
                      .relations = opcode == Opcode::arith_addui_extended ? "lhs=sum rhs=sum overflow=bool(sum)"
                                                                          : "lhs=diff rhs=diff borrow=bool(diff)",
                      .reads_bits = true,
                      .batching = BatchingRule::elementwise,
                      .evaluate = interpreter::evaluate_extended,
                      .emit_cuda = backend_cuda::emit_pair,
                      .enclose = enclosure::enclose_points,
                      .source = "MLIR Arith dialect"});
}

consteval OpDef product(Opcode opcode, std::string_view summary) {
  return row(opcode, {.summary = summary,
                      .operands = {{"lhs", kInteger}, {"rhs", kInteger}},
                      .results = {{"low", kInteger}, {"high", kInteger}},
                      .form = "$lhs, $rhs attrs : type($low)",
                      .relations = "lhs=low rhs=low high=low",
                      .reads_bits = true,
                      .batching = BatchingRule::elementwise,
                      .evaluate = interpreter::evaluate_extended,
                      .emit_cuda = backend_cuda::emit_pair,
                      .enclose = enclosure::enclose_points,
                      .source = "MLIR Arith dialect"});
}

}  // namespace

constexpr OpDef arith_addui_extended =
    with_carry(Opcode::arith_addui_extended, "sum = lhs + rhs; overflow = the carry out of it", "sum", "overflow");
constexpr OpDef arith_subui_extended =
    since("3.8",
          with_carry(Opcode::arith_subui_extended, "diff = lhs - rhs; borrow = lhs < rhs, unsigned", "diff", "borrow"));
constexpr OpDef arith_mulsi_extended =
    product(Opcode::arith_mulsi_extended, "low, high = the halves of the signed product lhs * rhs");
constexpr OpDef arith_mului_extended =
    product(Opcode::arith_mului_extended, "low, high = the halves of the unsigned product lhs * rhs");

}  // namespace lockstep::dialects
