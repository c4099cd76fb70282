#include "backend_cuda/emit/emit_module.h"

#include <algorithm>

#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/emit/emit_ops.h"
#include "backend_cuda/layout/persistent.h"
#include "backend_cuda/layout/program_order.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "ir/passes/inline_all.h"
#include "ir/passes/passes.h"

namespace lockstep::backend_cuda {
namespace {

std::string layout_functions(EmitContext& context) {
  std::string text;
  for (const LayoutId id : context.used_layouts()) {
    const std::string number = std::to_string(id);
    text += "// Layout " + number + ": " + context.layout(id).to_string() + "\n";
    text += "__device__ constexpr int r" + number + "(int r) { return " + context.layout(id).register_text() + "; }\n";
  }
  return text;
}

std::string thread_parts(EmitContext& context) {
  // Descriptors of wgmma lie in uniform registers: the compiler must see that a warp's number is one number.
  const bool is_uniform = context.text().find("tile_start<") != std::string::npos;
  const std::string warp = is_uniform ? "__shfl_sync(0xffffffffu, (int)threadIdx.x >> 5, 0)" : "threadIdx.x >> 5";
  std::string text = "  const int lane = threadIdx.x & 31, warp = " + warp + ";\n";
  for (const LayoutId id : context.used_layouts()) {
    text += "  const int t" + std::to_string(id) + " = " + context.layout(id).thread_text() + ";\n";
  }
  return text + "  (void)lane, (void)warp;\n";
}

std::string c_identifier(std::string_view name) {
  std::string text;
  for (const char c : name) text += (std::isalnum(static_cast<unsigned char>(c)) != 0) ? c : '_';
  return text;
}

bool emit_blocks(EmitContext& context, const ir::Region& region) {
  declare_block_arguments(context, region);
  for (const auto& block : region.blocks()) {
    if (block != region.blocks().front()) {
      context.line(context.label_of(block.get()) + ":;");
      context.memory().forget_barriers();
    }
    if (!emit_block(context, *block)) return false;
  }
  return true;
}

/// Lines that were written one level deeper.
std::string less_indented(const std::string& text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = text.find('\n', at) + 1;
    lines += text.substr(at + 2, next - at - 2);
    at = next;
  }
  return lines;
}

/// The kernel's statements. A persistent kernel's barriers order its exchanges and nothing else: lanes wait for each other
/// if these stay within warps.
std::string text_of_warps(EmitContext& context) {
  std::string text = context.text();
  if (!context.target().is_persistent || !context.memory().stays_in_warps()) return text;
  const std::string barrier = "sync_warps<" + std::to_string(context.target().threads()) + ">();";
  for (std::size_t at = text.find(barrier); at != std::string::npos; at = text.find(barrier, at))
    text.replace(at, barrier.size(), "__syncwarp();");
  return text;
}

bool has_calls(const ir::Region& region) {
  for (const auto& block : region.blocks()) {
    for (const auto& op : block->ops()) {
      if (ir::is_call(*op)) return true;
      for (const auto& inner : op->regions()) {
        if (has_calls(*inner)) return true;
      }
    }
  }
  return false;
}

std::optional<EmittedKernel> emit_plain(const ir::Op& function, const Target& target, DiagnosticSink& sink,
                                        const ProbeRequest* probes) {
  EmittedKernel kernel;
  kernel.name = c_identifier(ir::symbol_name(function));
  kernel.threads = target.threads();
  if (function.region().empty()) return std::nullopt;
  EmitContext context(function, target, sink);
  std::string parameters;
  for (const auto& argument : function.region().front().arguments()) {
    const std::string type = cpp_type(argument->type());
    if (type.empty() || argument->type().is_tensor()) {
      context.unsupported(function, "a parameter of type " + argument->type().to_string());
      return std::nullopt;
    }
    const Variable variable{context.fresh(stem_of(*argument)), type, kScalar, 1, false};
    context.bind(argument.get(), kScalar, variable);
    parameters += (parameters.empty() ? "" : ", ") + type + " " + variable.name;
  }
  std::optional<ProbeWriter> writer;
  if (probes != nullptr) context.probe_with(&writer.emplace(*probes, function));
  if (target.is_persistent) {
    context.line("#pragma unroll 1");
    context.open(kProgramLoop);
    context.memory().forget_barriers();
    parameters += (parameters.empty() ? "" : ", ") + std::string(kGridParameters);
  }
  if (!emit_blocks(context, function.region())) return std::nullopt;
  if (target.is_persistent) {
    context.close();
    kernel.is_persistent = !context.pipelined().head.empty();
    kernel.threads += kernel.is_persistent ? 32 : 0;
  }
  if (writer) {
    kernel.probes = writer->table();
    parameters += std::string(parameters.empty() ? "" : ", ") + "char* ls_probes";
  }
  kernel.maps = context.maps();
  std::string maps = kernel.is_persistent ? "// Persistent: ls_grid_x, ls_grid_y, ls_grid_z are the grid.\n" : "";
  for (std::size_t i = 0; i < kernel.maps.size(); ++i) {
    parameters += ", const __grid_constant__ tensor_map ls_map_" + std::to_string(i);
    maps += "// Tensor map: " + text_of(kernel.maps[i]) + "\n";
  }
  kernel.shared_bytes = context.memory().bytes();
  std::string functions;
  for (const auto& [name, text] : context.functions()) functions += text;
  const std::string launch = "// Launch: " + std::to_string(kernel.threads) + " threads a block, " +
                             std::to_string(kernel.shared_bytes) + " bytes of dynamic shared memory.\n" + maps;
  kernel.body = layout_functions(context) + functions + "\n" + launch +
                "extern \"C\" __global__ void __launch_bounds__(" + std::to_string(kernel.threads) + ")\n" +
                kernel.name + "(" + parameters + ") {\n" +
                (kernel.shared_bytes > 0 ? "  extern __shared__ __align__(1024) char ls_scratch[];\n" : "") +
                (context.memory().has_buffers()
                     ? "  char* const ls_buffers = ls_scratch + " + std::to_string(context.memory().first_buffer()) + ";\n"
                     : "") +
                (target.long_axis >= 0 ? longest_first_text(static_cast<std::size_t>(target.long_axis)) : "") +
                thread_parts(context) + (writer ? writer->declarations(target) : "") + less_indented(context.pipelined().head) + text_of_warps(context) + "}\n";
  kernel.text = prelude_text() + "\n" + kernel.body;
  return kernel;
}

/// As a persistent kernel; nullopt: it is none, or has no room.
std::optional<EmittedKernel> emit_persistent(const ir::Op& function, Target target) {
  if (!target.has_maps || target.capability != 90 || !may_persist(function)) return std::nullopt;
  target.is_persistent = true;
  DiagnosticSink unused;  // what is not supported is said of the plain kernel
  auto kernel = emit_plain(function, target, unused, nullptr);
  const bool fits = kernel && kernel->is_persistent && kernel->shared_bytes <= target.shared_limit();
  return fits ? std::move(kernel) : std::nullopt;
}

/// Emits with fewer stages where a block's shared memory cannot hold all requested ones.
std::optional<EmittedKernel> emit_fitting(const ir::Op& function, Target target, DiagnosticSink& sink,
                                          const ProbeRequest* probes) {
  if (probes == nullptr) {
    if (auto kernel = emit_persistent(function, target)) return kernel;
  }
  if (const auto axis = axis_of_longer_programs(function)) target.long_axis = static_cast<int>(*axis);
  for (;; --target.stages) {
    auto kernel = emit_plain(function, target, sink, probes);
    if (!kernel || kernel->shared_bytes <= target.shared_limit()) return kernel;
    if (target.stages > 1) continue;
    EmitContext(function, target, sink)
        .unsupported(function, "a block needs " + std::to_string(kernel->shared_bytes) + " bytes of shared memory, " +
                                   target.architecture() + " has " + std::to_string(target.shared_limit()));
    return std::nullopt;
  }
}

}  // namespace

ir::Module without_calls(const ir::Op& function) {
  const auto context = std::make_shared<ir::Context>(ir::function_type(function).context().ops());
  ir::passes::CloneMap map;
  ir::Module module(context, ir::passes::clone_op(*function.parent_op(), map, *context));
  ir::passes::simplify_blocks(module);
  ir::passes::inline_all_calls(module);
  return module;
}

std::optional<EmittedKernel> emit_kernel(const ir::Op& function, const Target& target, DiagnosticSink& sink,
                                         const ProbeRequest* probes) {
  if (probes != nullptr || !has_calls(function.region()) || function.parent_op() == nullptr)
    return emit_fitting(function, target, sink, probes);
  const ir::Module module = without_calls(function);
  const ir::Op* copy = module.find_function(ir::symbol_name(function));
  return copy == nullptr ? std::nullopt : emit_fitting(*copy, target, sink, nullptr);
}

}  // namespace lockstep::backend_cuda
