// Conversions between float formats whose rounding is named or decided by the target (docs/semantics.md S-33, S-75,
// S-76), and clamping. The functions are those of backend_cuda/prelude/number.cuh.
#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_context.h"
#include "ir/op_def.h"
#include "ir/passes/passes.h"
#include "support/float_formats.h"

namespace lockstep::backend_cuda {
namespace {

constexpr std::int64_t kNone = -1;
// arith.truncf's roundingmode and tt.fp_to_fp's rounding.
constexpr std::int64_t kArithNearest = 0, kArithTowardZero = 3;
constexpr std::int64_t kTritonTowardZero = 0;

bool converts_small_floats(const EmitContext& context) { return context.target().capability >= 89; }

bool is_e5m2_or_e4m3(ScalarKind kind) { return kind == ScalarKind::f8E5M2 || kind == ScalarKind::f8E4M3FN; }

/// How a target narrows to a format of 8 bits; from sm_90 on by one rounding.
std::string_view narrowing_text(const EmitContext& context, ScalarKind from, ScalarKind to) {
  constexpr std::string_view kOnce = "narrow<%T>(wide(%0))";
  if (!is_e5m2_or_e4m3(to) || context.target().capability >= 90) return kOnce;
  const bool is_wide = from == ScalarKind::f32 || from == ScalarKind::bf16;
  if (converts_small_floats(context)) return is_wide ? "through_f16<%T>(wide(%0))" : kOnce;
  return is_wide || from == ScalarKind::f16 ? "to_e5m2_by_bits(%0)" : kOnce;
}

}  // namespace

bool emit_truncate(EmitContext& context, const ir::Op& op) {
  const std::int64_t mode = op.integer_attribute("roundingmode", kNone);
  if (mode == kArithTowardZero) return emit_expression(context, op, "toward_zero<%T>(wide(%0))");
  if (mode != kNone && mode != kArithNearest) return context.unsupported(op, "this rounding mode");
  return emit_expression(context, op, "narrow<%T>(wide(%0))");
}

bool emit_fp_to_fp(EmitContext& context, const ir::Op& op) {
  const auto from = op.operand(0)->type().element().scalar_kind(), to = op.result()->type().element().scalar_kind();
  if (!from || !to) return context.unsupported(op, "these types");
  const bool uses_e4m3 = *from == ScalarKind::f8E4M3FN || *to == ScalarKind::f8E4M3FN;
  if (uses_e4m3 && !converts_small_floats(context)) {
    return context.unsupported(op, "f8E4M3FN exists from sm_89 on (LS1904)");
  }
  if (*from == ScalarKind::f8E5M2 && *to == ScalarKind::bf16) {
    return emit_expression(context, op, "e5m2_to_bf16(%0)");
  }
  const bool truncates = op.integer_attribute("rounding", kNone) == kTritonTowardZero;
  if (truncates) return emit_expression(context, op, "toward_zero<%T>(wide(%0))");
  return emit_expression(context, op, narrowing_text(context, *from, *to));
}

bool emit_clamp(EmitContext& context, const ir::Op& op) {
  const bool keeps_nan = op.integer_attribute("propagateNan", 0) != 0;
  if (!keeps_nan && context.target().capability >= 90 && ir::passes::has_opposite_limits(op)) {
    return emit_expression(context, op, "clamp_by_magnitude(%0, %2)");
  }
  return emit_expression(context, op, keeps_nan ? "clamp_any(%0, %1, %2)" : "clamp_number(%0, %1, %2)");
}

}  // namespace lockstep::backend_cuda
