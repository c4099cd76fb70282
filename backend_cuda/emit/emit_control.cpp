// Control flow: loops, branches, blocks. Conditions are scalars, so all threads of a block take the same path and
// barriers inside are safe. A carried value has one variable for its argument and its result.
#include <algorithm>
#include <optional>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/emit/emit_dot.h"
#include "backend_cuda/emit/emit_ops.h"
#include "backend_cuda/layout/pipeline.h"

namespace lockstep::backend_cuda {
namespace {

using Values = std::vector<const ir::Value*>;

struct Copy {
  Variable from, to;
};

/// The layouts in which a carried value is passed on; conversions to others follow its definition.
std::vector<LayoutId> carried_versions(EmitContext& context, const ir::Value* value) {
  if (const auto anchor = context.plan().anchor(value)) return {*anchor};
  return context.plan().variants(value);
}

/// A parallel assignment: saves a value first if it would be read after it was overwritten.
void assign(EmitContext& context, std::vector<Copy> copies) {
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const auto overwrites = [&](const Copy& copy) { return copy.to.name == copies[i].from.name; };
    if (std::none_of(copies.begin(), copies.begin() + static_cast<std::ptrdiff_t>(i), overwrites)) continue;
    const Variable saved = context.temporary("old", copies[i].from.type, copies[i].from.layout);
    context.each(saved, saved.at() + " = " + copies[i].from.at() + ";");
    copies[i].from = saved;
  }
  for (const Copy& copy : copies) {
    if (copy.from.name != copy.to.name) context.each(copy.to, copy.to.at() + " = " + copy.from.at() + ";");
  }
}

void assign(EmitContext& context, const Values& from, const Values& to) {
  std::vector<Copy> copies;
  for (std::size_t i = 0; i < to.size(); ++i) {
    for (const LayoutId id : carried_versions(context, to[i])) {
      copies.push_back({context.variable(from[i], id), context.variable(to[i], id)});
    }
  }
  assign(context, std::move(copies));
}

void declare(EmitContext& context, const Values& values) {
  for (const ir::Value* value : values) {
    for (const LayoutId id : carried_versions(context, value)) context.declare(value, id);
  }
}

void alias(EmitContext& context, const ir::Value* value, const ir::Value* of) {
  for (const LayoutId id : carried_versions(context, value)) context.bind(value, id, context.variable(of, id));
}

Values results_of(const ir::Op& op) {
  Values values;
  for (std::size_t i = 0; i < op.result_count(); ++i) values.push_back(op.result(i));
  return values;
}

Values arguments_of(const ir::Block& block, std::size_t first = 0) {
  Values values;
  for (std::size_t i = first; i < block.arguments().size(); ++i) values.push_back(block.argument(i));
  return values;
}

Values operands_from(const ir::Op& op, std::size_t first) {
  return {op.operands().begin() + static_cast<std::ptrdiff_t>(first), op.operands().end()};
}

constexpr const char* kLoopStart = "#pragma unroll 1";

/// Warps that wait for all others in the loop's body cannot multiply in turn: the lines about turns go.
std::string without_turns_beside_barriers(const std::string& text) {
  const std::size_t start = text.find(kLoopStart), end = text.rfind("wait_products<0>();");
  const std::size_t barrier = text.find("__syncthreads();", start);
  if (barrier == std::string::npos || barrier > end) return text;
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, next - at);
    if (line.find("turn_") == std::string::npos) kept += line;
    at = next;
  }
  return kept;
}

bool emit_body(EmitContext& context, const ir::Region& region) {
  return region.empty() || emit_block(context, region.front());
}

}  // namespace

bool emit_for(EmitContext& context, const ir::Op& op) {
  const ir::Block& body = op.region().front();
  const Values carried = arguments_of(body, 1);
  declare(context, carried);
  assign(context, operands_from(op, 3), carried);
  const Variable lower = context.variable(op.operand(0), kScalar), upper = context.variable(op.operand(1), kScalar);
  const Variable step = context.variable(op.operand(2), kScalar);
  const ir::Value* induction = body.argument(0);
  const Variable i{context.fresh(stem_of(*induction)), lower.type, kScalar, 1, false};
  context.bind(induction, kScalar, i);
  const std::int64_t first_buffer = context.memory().reserved_bytes();
  const std::vector<const ir::Value*> resident = place_resident_operands(context, op);
  std::optional<Pipeline> pipeline = Pipeline::plan(context, op);
  const bool is_unsigned = op.attribute("unsignedCmp") && op.integer_attribute("unsignedCmp", 1) != 0;
  const auto compared = [&](const std::string& text) { return is_unsigned ? "as_unsigned(" + text + ")" : text; };
  // The counter wraps (S-107), which C++ leaves undefined for its own addition.
  const std::string next = may_wrap(op) ? i.name + " = add(" + i.name + ", " + step.name + ")"
                                        : i.name + " += " + step.name;
  const auto emit_loop = [&] {
    if (pipeline && !pipeline->begin()) return false;
    context.memory().forget_barriers();
    context.line(kLoopStart);
    context.open("for (" + i.type + " " + i.name + " = " + lower.name + "; " + compared(i.name) + " < " +
                 compared(upper.name) + "; " + next + ")");
    if (pipeline && !pipeline->step()) return false;
    if (!emit_body(context, op.region())) return false;
    assign(context, operands_from(*body.terminator(), 0), carried);
    if (pipeline) pipeline->advance();
    context.close();
    if (pipeline) pipeline->end();
    return true;
  };
  const auto text = context.capture(emit_loop);
  if (!text) return false;
  context.append(pipeline && pipeline->takes_turns() ? without_turns_beside_barriers(*text) : *text);
  for (const ir::Value* value : resident) context.forget_shared(value);
  context.memory().release_buffers(first_buffer);
  context.memory().forget_barriers();
  for (std::size_t k = 0; k < op.result_count(); ++k) alias(context, op.result(k), carried[k]);
  return true;
}

bool emit_if(EmitContext& context, const ir::Op& op) {
  const Values results = results_of(op);
  declare(context, results);
  context.open("if (" + context.variable(op.operand(0), kScalar).name + ")");
  for (std::size_t i = 0; i < op.regions().size(); ++i) {
    const ir::Region& region = op.region(i);
    if (region.empty()) continue;
    if (i == 1) {
      context.close();
      context.open("else");
    }
    context.memory().forget_barriers();
    if (!emit_body(context, region)) return false;
    if (const ir::Op* end = region.front().terminator()) assign(context, operands_from(*end, 0), results);
  }
  context.close();
  context.memory().forget_barriers();
  return true;
}

// Both regions see the loop's values in the variables of the results.
bool emit_while(EmitContext& context, const ir::Op& op) {
  const ir::Block& before = op.region(0).front();
  const ir::Block& after = op.region(1).front();
  const Values carried = arguments_of(before), results = results_of(op);
  declare(context, carried);
  declare(context, results);
  assign(context, operands_from(op, 0), carried);
  context.memory().forget_barriers();
  context.open("while (true)");
  if (!emit_block(context, before)) return false;
  const ir::Op& condition = *before.terminator();
  assign(context, operands_from(condition, 1), results);
  context.line("if (!" + context.variable(condition.operand(0), kScalar).name + ") break;");
  for (std::size_t i = 0; i < results.size(); ++i) alias(context, after.argument(i), results[i]);
  if (!emit_block(context, after)) return false;
  assign(context, operands_from(*after.terminator(), 0), carried);
  context.close();
  context.memory().forget_barriers();
  return true;
}

// cf.br, cf.cond_br. The variables of block arguments are declared with the function.
bool emit_branch(EmitContext& context, const ir::Op& op) {
  const auto jump = [&](std::size_t i) {
    const ir::Block* block = op.successors()[i].block;
    const std::vector<ir::Value*> passed = op.successor_arguments(i);
    assign(context, {passed.begin(), passed.end()}, arguments_of(*block));
    context.line("goto " + context.label_of(block) + ";");
  };
  if (op.successors().size() == 1) {
    jump(0);
    return true;
  }
  context.open("if (" + context.variable(op.operand(0), kScalar).name + ")");
  jump(0);
  context.close();
  jump(1);
  return true;
}

bool emit_return(EmitContext& context, const ir::Op& op) {
  if (op.operand_count() != 0) return context.unsupported(op, "a function that returns values is not a kernel");
  if (!context.target().is_persistent) context.line("return;");
  return true;
}

bool emit_call(EmitContext& context, const ir::Op& op) {
  return context.unsupported(op, "a function without a body, recursive, or with early returns inside a loop");
}

bool emit_nothing(EmitContext&, const ir::Op&) { return true; }

bool emit_barrier(EmitContext& context, const ir::Op& op) {
  if (context.is_in_region()) return context.unsupported(op, "a barrier inside the region of another op");
  context.memory().barrier();
  return true;
}

namespace {

// Targets before sm_90 have no dependent launches: the launches before this one have ended.
bool emit_dependency(EmitContext& context, const char* what) {
  if (context.target().capability >= 90)
    context.line(std::string("asm volatile(\"griddepcontrol.") + what + ";\" ::: \"memory\");");
  return true;
}

}  // namespace

bool emit_grid_wait(EmitContext& context, const ir::Op&) { return emit_dependency(context, "wait"); }
bool emit_grid_release(EmitContext& context, const ir::Op&) { return emit_dependency(context, "launch_dependents"); }

}  // namespace lockstep::backend_cuda
