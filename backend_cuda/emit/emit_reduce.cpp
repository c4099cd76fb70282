// tt.reduce: first within a thread's registers, then between lanes by shuffles, then between warps through shared
// memory. The region is one device lambda that combines two sets of elements into the first (emit_combine.h).
#include <algorithm>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_combine.h"
#include "backend_cuda/emit/emit_context.h"
#include "ir/op_def.h"
#include "support/check.h"

namespace lockstep::backend_cuda {
namespace {

std::string condition_of(const std::vector<int>& registers) {
  return registers.empty() ? "" : "if ((r & " + number(mask_of(registers)) + ") == 0) ";
}

void reduce_registers(EmitContext& context, const Variables& parts, const std::string& combine, const Axis& axis) {
  std::vector<int> done;
  for (std::size_t i = axis.reg.size(); i-- > 0;) {
    done.push_back(axis.reg[i]);
    context.each(parts[0], condition_of(done) + combine + "(" + elements(parts, "r") + ", " +
                               elements(parts, "r | " + number(1 << axis.reg[i])) + ");");
  }
}

void reduce_lanes(EmitContext& context, const Variables& parts, const std::string& combine, const Axis& axis) {
  for (std::size_t i = axis.lane.size(); i-- > 0;) {
    std::vector<std::string> others;
    for (const Variable& part : parts) {
      others.push_back("shuffle_xor(" + part.at() + ", " + number(1 << axis.lane[i]) + ")");
    }
    context.each(parts[0], condition_of(axis.reg) + combine + "(" + elements(parts, "r") + ", " + join(others) + ");");
  }
}

/// Every warp writes its parts; then each thread combines the parts of all warps of its row.
void reduce_warps(EmitContext& context, const ir::Op& op, const Variables& parts, const std::string& combine,
                  const Axis& axis) {
  const std::int64_t count = std::int64_t{1} << axis.warp.size();
  const WarpTable table = warp_table(context, op, parts, axis);
  std::vector<int> along(16, kReplicated);
  for (std::size_t i = 0; i < axis.warp.size(); ++i) {
    along[static_cast<std::size_t>(axis.warp[i])] = static_cast<int>(i);
  }
  Layout writers = context.layout(parts[0].layout);
  for (const int lane : axis.lane) writers.lane[static_cast<std::size_t>(lane)] = kReplicated;
  const std::string owner = writers.owner_text();
  if (!owner.empty()) context.open("if (" + owner + ")");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    context.each(parts[i],
                 condition_of(axis.reg) + table.at(i, move_bits_text("warp", along)) + " = " + parts[i].at() + ";");
  }
  if (!owner.empty()) context.close();
  context.memory().exchanged();
  std::vector<std::string> others;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    context.each(parts[i], condition_of(axis.reg) + parts[i].at() + " = " + table.at(i, "0") + ";");
    others.push_back(table.at(i, "w"));
  }
  context.open("LS_EACH_FROM(w, 1, " + number(count) + ")");
  context.each(parts[0], condition_of(axis.reg) + combine + "(" + elements(parts, "r") + ", " + join(others) + ");");
  context.close();
}

/// The remaining registers, in the result's order.
void write_results(EmitContext& context, const ir::Op& op, const Variables& parts, const Axis& axis) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ir::Value* value = op.result(i);
    const Variable result = context.declare(value, value->type().is_tensor() ? *context.plan().anchor(value) : kScalar);
    LOCKSTEP_CHECK(!result.is_tile ||
                       context.layout(result.layout) == context.layout(parts[i].layout).without(axis.first, axis.count),
                   "a reduction's result has what its source leaves");
    std::vector<int> spread;
    for (std::size_t k = 0; k < context.layout(parts[i].layout).reg.size(); ++k) {
      if (std::find(axis.reg.begin(), axis.reg.end(), static_cast<int>(k)) == axis.reg.end()) {
        spread.push_back(static_cast<int>(k));
      }
    }
    context.each(result, result.at() + " = " + parts[i].at(result.is_tile ? move_bits_text("r", spread) : "0") + ";");
  }
}

}  // namespace

bool emit_reduce(EmitContext& context, const ir::Op& op) {
  const Layout layout = context.layout(context.variant());
  const Axis axis = axis_of(op, layout);
  const Variables parts = copy_sources(context, op);
  const std::string combine = write_combiner(context, op, parts);
  if (combine.empty()) return false;
  reduce_registers(context, parts, combine, axis);
  reduce_lanes(context, parts, combine, axis);
  if (!axis.warp.empty()) reduce_warps(context, op, parts, combine, axis);
  write_results(context, op, parts, axis);
  return true;
}

}  // namespace lockstep::backend_cuda
