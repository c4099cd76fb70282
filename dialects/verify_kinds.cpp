// Rules about the kinds of elements and enum cases of single ops, as in Triton's and MLIR's verifiers.
#include "dialects/verify_hooks.h"
#include "ir/verify/verifier.h"

namespace lockstep::dialects {
namespace {

using ir::Op;
using ir::Type;
using ir::VerifyContext;

constexpr std::int64_t kRelaxed = 1, kAcquire = 2, kRelease = 3;

std::string quoted(const Op& op) { return "'" + std::string(op.spelling()) + "'"; }

bool expect_order(VerifyContext& context, const Op& op, std::int64_t other, std::string_view names) {
  const std::int64_t order = op.integer_attribute("sem", kRelaxed);
  if (order == kRelaxed || order == other) return true;
  return context.error(op, kBrokenOp, quoted(op) + " is " + std::string(names));
}

bool is_one_bit(Type type) { return type.element().is_integer(1); }

}  // namespace

bool verify_index_cast(VerifyContext& context, const Op& op) {
  const bool from = op.operand(0)->type().element().is_index(), to = op.result()->type().element().is_index();
  if (from != to) return true;
  return context.error(op, kBrokenOp,
                       quoted(op) + " goes from index to an integer or back, not from " +
                           op.operand(0)->type().to_string() + " to " + op.result()->type().to_string());
}

bool verify_address(VerifyContext& context, const Op& op) {
  const Type operand = op.operand(0)->type().element(), result = op.result()->type().element();
  const Type integer = operand.is_pointer() ? result : operand;
  if (integer.is_integer(64)) return true;
  return context.error(op, kBrokenOp, "addresses of " + quoted(op) + " are i64, not " + integer.to_string());
}

bool verify_approx_divf(VerifyContext& context, const Op& op) {
  const Type element = op.result()->type().element();
  if (element.scalar_kind() == ScalarKind::f32) return true;
  return context.error(op, kBrokenOp, quoted(op) + " divides f32, not " + element.to_string());
}

bool verify_atomic_load(VerifyContext& context, const Op& op) {
  if (is_one_bit(op.result()->type())) return context.error(op, kBrokenOp, quoted(op) + " has no form for i1");
  return expect_order(context, op, kAcquire, "relaxed or acquire");
}

bool verify_atomic_store(VerifyContext& context, const Op& op) {
  if (is_one_bit(op.operand(1)->type())) return context.error(op, kBrokenOp, quoted(op) + " has no form for i1");
  return expect_order(context, op, kRelease, "relaxed or release");
}

bool verify_atomic_poll(VerifyContext& context, const Op& op) {
  const Type element = op.operand(1)->type().element();
  const bool fits = element.is_integer(16) || element.is_integer(32) || element.is_integer(64);
  if (!fits) return context.error(op, kBrokenOp, quoted(op) + " waits for i16, i32 or i64, not " + element.to_string());
  return expect_order(context, op, kAcquire, "relaxed or acquire");
}

bool verify_inline_asm(VerifyContext& context, const Op& op) {
  return op.integer_attribute("packed_element", 1) > 0 ||
         context.error(op, kBrokenOp, "packed_element of " + quoted(op) + " is at least 1");
}

}  // namespace lockstep::dialects
