#include "backend_cuda/emit/probes.h"

#include <algorithm>

#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/layout/program_order.h"
#include "ir/analysis/axis_rules.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "support/check.h"

namespace lockstep::backend_cuda {
namespace {

void add_ops(const ir::Region& region, std::vector<const ir::Op*>& all) {
  for (const auto& block : region.blocks()) {
    for (const auto& op : block->ops()) {
      all.push_back(op.get());
      for (const auto& inner : op->regions()) add_ops(*inner, all);
    }
  }
}

/// Its results are the yields of its regions, or it only transfers control.
bool is_control(const ir::Op& op) {
  return ir::is_structured(op) || op.def().is_terminator || op.def().effects == ir::Effects::control;
}

std::string replicated_bits(const std::vector<int>& bits) {
  unsigned mask = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) mask |= bits[i] == kReplicated ? 1u << i : 0u;
  return mask == 0 ? "" : std::to_string(mask);
}

/// As Layout::owner_text, for the last of the threads that hold an element.
std::string last_owner_text(const Layout& layout) {
  const std::string lanes = replicated_bits(layout.lane), warps = replicated_bits(layout.warp);
  std::string text;
  if (!lanes.empty()) text = "(lane & " + lanes + ") == " + lanes;
  if (!warps.empty()) text += (text.empty() ? "" : " && ") + ("(warp & " + warps + ") == " + warps);
  return text;
}

}  // namespace

std::vector<const ir::Op*> ops_in_order(const ir::Op& function) {
  std::vector<const ir::Op*> all;
  for (const auto& region : function.regions()) add_ops(*region, all);
  return all;
}

ProbeWriter::ProbeWriter(const ProbeRequest& request, const ir::Op& function) : request_(request) {
  const std::vector<const ir::Op*> all = ops_in_order(function);
  LOCKSTEP_CHECK(request.occurrences.size() == all.size(), "probes count the executions of every op");
  for (std::uint32_t i = 0; i < all.size(); ++i) numbers_[all[i]] = i;
  table_.bytes = (sizeof(std::uint32_t) * all.size() + 15) / 16 * 16;
}

void ProbeWriter::write_value(EmitContext& context, const ir::Op& op, std::uint32_t result, LayoutId id) {
  const ir::Value* value = op.result(result);
  Variable variable = context.variable(value, id);
  variable.layout = value->type().is_tensor() ? id : kScalar;
  variable.type = cpp_type(value->type());
  ProbeSlot slot;
  slot.op = numbers_.at(&op);
  slot.result = result;
  slot.kind = *value->type().element().scalar_kind();
  slot.elements = value->type().is_tensor() ? value->type().element_count() : 1;
  for (const ProbeSlot& one : table_.slots)
    slot.variant += one.op == slot.op && one.result == result && !one.is_last_copy ? 1u : 0u;
  if (id == kScalar) {
    write_copy(context, variable, slot, "threadIdx.x == 0");
  } else {
    slot.layout = context.layout(id).to_string();
    write_copy(context, variable, slot, context.layout(id).owner_text());
  }
  const std::string last = id == kScalar ? "threadIdx.x == blockDim.x - 1" : last_owner_text(context.layout(id));
  if (last.empty() || ir::is_constant(op)) return;
  slot.is_last_copy = true;
  write_copy(context, variable, slot, last);
}

void ProbeWriter::write_copy(EmitContext& context, const Variable& variable, ProbeSlot slot, const std::string& owner) {
  const std::uint64_t left = request_.max_bytes - std::min(table_.bytes, request_.max_bytes);
  slot.occurrences =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(request_.occurrences[slot.op], left / slot.stride()));
  slot.offset = table_.bytes;
  table_.bytes += slot.occurrences * slot.stride();
  table_.slots.push_back(slot);
  if (slot.occurrences == 0) return;
  const std::string seen = "ls_seen_" + std::to_string(slot.op);
  const std::string at =
      "ls_probes + " + std::to_string(slot.offset) + "ull + " + seen + " * " + std::to_string(slot.stride()) + "ull";
  context.open("if (" + seen + " < " + std::to_string(slot.occurrences) + "u" +
               (owner.empty() ? "" : " && (" + owner + ")") + ")");
  const std::string call = "ls_probe<" + variable.type + ">(" + at;
  if (variable.layout == kScalar) {
    context.line(call + ", " + variable.name + ");");
  } else {
    context.line("LS_EACH(" + std::to_string(context.layout(variable.layout).registers()) + ") " + call + " + " +
                 context.index_text(variable.layout) + " * " + std::to_string(size_bytes(slot.kind)) + ", " +
                 variable.at() + ");");
  }
  context.close();
}

void ProbeWriter::write(EmitContext& context, const ir::Op& op) {
  if (op.result_count() == 0 || is_control(op)) return;
  const std::uint32_t number = numbers_.at(&op);
  if (std::find(probed_.begin(), probed_.end(), number) != probed_.end()) return;
  probed_.push_back(number);
  context.declare_function("template <class T> LS_FN void ls_probe(char* to, T value) { *(T*)to = value; }");
  const std::string seen = "ls_seen_" + std::to_string(number);
  context.open("if (ls_probed)");
  for (std::uint32_t i = 0; i < op.result_count(); ++i) {
    const ir::Value* value = op.result(i);
    const auto kind = value->type().element().scalar_kind();
    if (!kind || *kind == ScalarKind::pointer || !value->has_uses()) continue;
    for (const LayoutId id : context.plan().variants(value)) {
      if (context.has_variable(value, id)) write_value(context, op, i, id);
    }
  }
  context.line("++" + seen + ";");
  context.line("if (threadIdx.x == 0) ((unsigned*)ls_probes)[" + std::to_string(number) + "] = " + seen + ";");
  context.close();
}

std::string ProbeWriter::declarations(const Target& target) const {
  const auto id = [&](std::size_t axis) {
    return program_number(axis, target.long_axis) + " == " + std::to_string(request_.program[axis]) + "u";
  };
  std::string text = "  const bool ls_probed = " + id(0) + " && " + id(1) + " && " + id(2) + ";\n";
  for (const std::uint32_t number : probed_) text += "  unsigned ls_seen_" + std::to_string(number) + " = 0;\n";
  return text;
}

}  // namespace lockstep::backend_cuda
