#include "backend_cuda/emit/emit_ops.h"

#include "backend_cuda/emit/convert_layout.h"
#include "backend_cuda/emit/probes.h"
#include "backend_cuda/emit/source_lines.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {

namespace {

/// Converts a new value to all other layouts that read it.
void convert_variants(EmitContext& context, const ir::Value* value) {
  const auto anchor = context.plan().anchor(value);
  if (!anchor) return;
  for (const LayoutId id : context.plan().variants(value)) {
    if (id != *anchor && !context.has_variable(value, id))
      convert_layout(context, *value, context.variable(value, *anchor), context.declare(value, id));
  }
}

bool emit_variant(EmitContext& context, const ir::Op& op, LayoutId variant) {
  context.set_version(variant);
  if (op.def().emit_cuda == nullptr) return context.unsupported(op, "`lockstep ops` says why");
  return op.def().emit_cuda(context, op);
}

bool emit_variants(EmitContext& context, const ir::Op& op) {
  if (!context.plan().has_variants(op)) {
    if (!emit_variant(context, op, context.plan().working_layout(op))) return false;
    for (std::size_t i = 0; i < op.result_count(); ++i) convert_variants(context, op.result(i));
    return true;
  }
  for (const LayoutId variant : context.plan().variants(op.result())) {
    if (!emit_variant(context, op, variant)) return false;
  }
  return true;
}

}  // namespace

bool emit_op(EmitContext& context, const ir::Op& op) {
  if (context.pipelined().elsewhere.contains(&op)) return true;
  context.note_place(source_line_text(op.location()));
  const bool is_apart =
      context.has_several_blocks() && op.successors().empty() && op.def().effects != ir::Effects::control;
  if (is_apart) context.open("");
  const bool is_complete = emit_variants(context, op);
  if (is_complete && context.probes() != nullptr) context.probes()->write(context, op);
  if (is_apart) context.close();
  return is_complete;
}

bool emit_block(EmitContext& context, const ir::Block& block) {
  for (const auto& argument : block.arguments()) convert_variants(context, argument.get());
  for (const auto& op : block.ops()) {
    if (!emit_op(context, *op)) return false;
  }
  return true;
}

void declare_block_arguments(EmitContext& context, const ir::Region& region) {
  for (const auto& block : region.blocks()) {
    if (block == region.blocks().front()) continue;
    for (const auto& argument : block->arguments()) {
      for (const LayoutId id : context.plan().variants(argument.get())) {
        const auto anchor = context.plan().anchor(argument.get());
        if (!anchor || id == *anchor) context.declare(argument.get(), id);
      }
    }
  }
}

bool emit_region(EmitContext& context, const ir::Region& region, const std::vector<std::string>& names,
                 const std::function<void(const std::vector<std::string>&)>& finish) {
  for (std::size_t i = 0; i < region.front().arguments().size(); ++i) {
    const ir::Value* argument = region.front().argument(i);
    context.bind(argument, kScalar, {names[i], cpp_type(argument->type()), kScalar, 1, false});
  }
  const RegionScope scope(context, region.blocks().size() > 1);
  declare_block_arguments(context, region);
  bool is_complete = true;
  for (const auto& block : region.blocks()) {
    if (block != region.blocks().front()) context.line(context.label_of(block.get()) + ":;");
    for (const auto& op : block->ops()) {
      const bool returns = op.get() == block->terminator() && op->successors().empty();
      if (!returns) {
        is_complete = is_complete && emit_variant(context, *op, kScalar);
        continue;
      }
      std::vector<std::string> ends;
      for (const ir::Value* operand : op->operands()) {
        if (is_complete) ends.push_back(context.variable(operand, kScalar).name);
      }
      if (is_complete) finish(ends);
    }
  }
  return is_complete;
}

}  // namespace lockstep::backend_cuda
