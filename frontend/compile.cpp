#include "frontend/compile.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/builtins/argument_templates.h"
#include "frontend/eval/module_loader.h"
#include "frontend/eval/namespaces.h"
#include "frontend/eval/request_value.h"
#include "frontend/gluon/layout_calls.h"
#include "frontend/gluon/settle_layouts.h"
#include "frontend/lowering/function_lowering.h"
#include "frontend/semantics/value_text.h"
#include "frontend/tuning.h"
#include "ir/op_registry.h"
#include "ir/passes/passes.h"
#include "ir/verify/verifier.h"
#include "support/check.h"

namespace lockstep::frontend {

namespace {

KernelInfo kernel_info(Modules& modules, const JitFunction& function) {
  KernelInfo info;
  info.name = function.name;
  info.line = function.module->file()->position(function.node->range.begin).line;
  for (const Parameter& parameter : function.parameters) {
    ParameterInfo entry;
    entry.name = parameter.name;
    entry.is_constexpr = parameter.is_constexpr;
    entry.annotation = parameter.type_annotation;
    entry.do_not_specialize = parameter.do_not_specialize;
    entry.do_not_specialize_on_alignment = parameter.do_not_specialize_on_alignment;
    if (parameter.default_value != nullptr)
      entry.default_value = to_request(modules.evaluate(*parameter.default_value, *function.module));
    info.parameters.push_back(std::move(entry));
  }
  for (const LaunchDecorator& decorator : function.launch_decorators)
    (decorator.is_autotune ? info.is_autotuned : info.has_heuristics) = true;
  return info;
}

/// What Gluon's modules say from the start, because layouts are checked against it.
void add_module_attributes(Compilation& compilation) {
  ir::Context& context = compilation.module.context();
  const Options& options = compilation.options;
  ir::Op& module = compilation.module.op();
  module.set_attribute("ttg.num-ctas", context.i32(options.num_ctas));
  module.set_attribute("ttg.num-warps", context.i32(options.num_warps));
  module.set_attribute("ttg.target", context.string(fmt::format("cuda:{}", options.capability)));
  module.set_attribute("ttg.threads-per-warp", context.i32(32));
}

/// A descriptor of Gluon's names the layout of its buffers. One of a launch by words has the default of its blocks.
ParameterSpecialisation with_default_layout(ParameterSpecialisation given) {
  const std::optional<ValueType> block = parse_descriptor_type(given.type);
  if (!block || block->layout != nullptr) return given;
  const ValueResult layout = call_layout_function(
      "gl.NVMMASharedLayout.get_default_for",
      {tuple_of_integers(block->shape), Constant::dtype({block->element, {}})}, {}, false);
  if (layout) given.type.insert(given.type.size() - 1, "," + layout->constant()->layout()->repr());
  return given;
}

class Request {
 public:
  Request(const ir::OpRegistry& ops, const CompileRequest& request, DiagnosticSink& sink)
      : ops_(ops),
        request_(request),
        sink_(sink),
        loader_(request.search_path, request.globals, sink, capability_of(request.target)) {}
  std::optional<ir::Module> compile(Stage stage);

 private:
  void fail(DiagnosticCode code, std::string message, std::string hint = {}, SourceSpan span = {}) {
    sink_.report({Severity::error, code, std::move(message), std::move(span), {}, std::move(hint)});
  }
  const JitFunction* find_kernel(const PythonModule& module);
  void check_names(const JitFunction& kernel);
  bool bind(const JitFunction& kernel, const Parameter& parameter);
  bool bind_specialised(const JitFunction& kernel, const Parameter& parameter, const ParameterSpecialisation& given,
                        const SourceSpan& span);

  const ir::OpRegistry& ops_;
  const CompileRequest& request_;
  DiagnosticSink& sink_;
  ModuleLoader loader_;
  std::vector<Value> arguments_;
  ArgumentTemplates templates_;
};

const JitFunction* Request::find_kernel(const PythonModule& module) {
  if (const JitFunction* kernel = module.find_function(request_.kernel)) return kernel;
  std::vector<std::string> names;
  for (const auto& function : module.functions()) names.push_back(function->name);
  const Value* held = module.find(request_.kernel);
  fail(codes::kSpecialisation,
       held != nullptr ? fmt::format("'{}' in {} is not a @triton.jit or @gluon.jit function", request_.kernel, request_.path)
                       : fmt::format("{} has no kernel '{}'", request_.path, request_.kernel),
       names.empty() ? "the file has no @triton.jit or @gluon.jit function" : fmt::format("it has: {}", fmt::join(names, ", ")));
  return nullptr;
}

bool Request::bind_specialised(const JitFunction& kernel, const Parameter& parameter,
                               const ParameterSpecialisation& given, const SourceSpan& span) {
  if (given.constant) {
    Value value = from_request(*given.constant);
    arguments_.push_back(value.is_string() ? value.as_constexpr() : value);  // may name a function: call_named()
    return true;
  }
  if (parameter.is_constexpr) {
    fail(codes::kSpecialisation,
         fmt::format("parameter '{}' is a tl.constexpr and needs a value, not the type {}", parameter.name, given.type),
         {}, span);
    return false;
  }
  Value value = templates_.make(kernel.is_gluon ? with_default_layout(given) : given);
  if (value.is_invalid() || value.opaque() != nullptr) {
    fail(codes::kSpecialisation, fmt::format("'{}' is not a type for the parameter '{}'", given.type, parameter.name),
         "types look like *fp32, i32, fp16, u1, tensordesc<fp16[16, 32]>, (*fp32, i32, None), (x=*fp32, n=i32)", span);
    return false;
  }
  arguments_.push_back(std::move(value));
  return true;
}

bool Request::bind(const JitFunction& kernel, const Parameter& parameter) {
  const SourceSpan span{kernel.module->file(), parameter.range};
  if (const auto given = request_.parameters.find(parameter.name); given != request_.parameters.end())
    return bind_specialised(kernel, parameter, given->second, span);
  if (parameter.default_value == nullptr) {
    fail(codes::kSpecialisation,
         fmt::format("no value or type is given for the parameter '{}' of {}", parameter.name, kernel.name), {}, span);
    return false;
  }
  Value value = loader_.evaluate(*parameter.default_value, *kernel.module);
  if (value.constant() == nullptr && value.elements() == nullptr && value.jit() == nullptr) {
    fail(codes::kGlobal, fmt::format("the default of parameter '{}' is {}", parameter.name, describe(value)),
         "give the parameter a value", span);
    return false;
  }
  arguments_.push_back(std::move(value));
  return true;
}

/// Arguments for *args are not checked here: no name in the kernel refers to them, and lowering reports a use.
void Request::check_names(const JitFunction& kernel) {
  const auto& rest = kernel.node->args->vararg;
  for (const auto& [name, given] : request_.parameters) {
    bool known = rest != nullptr && rest->name == name;
    for (const Parameter& parameter : kernel.parameters) known = known || parameter.name == name;
    if (!known) fail(codes::kSpecialisation, fmt::format("{} has no parameter '{}'", kernel.name, name));
  }
}

std::optional<ir::Module> Request::compile(Stage stage) {
  const PythonModule* module = loader_.load_main(request_.path, request_.source);
  const JitFunction* kernel = module != nullptr ? find_kernel(*module) : nullptr;
  if (kernel == nullptr) return std::nullopt;
  Compilation compilation(ops_, loader_, sink_);
  compilation.print = request_.print;
  compilation.options = {capability_of(request_.target), request_.debug, request_.debug || request_.keeps_asserts,
                         request_.sanitize_overflow, request_.num_warps};
  if (compilation.options.capability == 0) {
    fail(codes::kSpecialisation, fmt::format("'{}' is no target", request_.target), "targets look like sm_90");
    return std::nullopt;
  }
  compilation.options.is_gluon = kernel->is_gluon;
  compilation.options.num_ctas = request_.num_ctas;
  if (kernel->is_gluon) add_module_attributes(compilation);
  check_names(*kernel);
  for (const Parameter& parameter : kernel->parameters) bind(*kernel, parameter);
  if (sink_.has_errors()) return std::nullopt;
  FunctionLowering lowering(compilation, *kernel, kernel->name, true, {});
  const bool fine = lowering.run(arguments_, templates_.divisibility());
  if (!fine || sink_.has_errors()) {
    LOCKSTEP_CHECK(sink_.has_errors(), "lowering failed without a diagnostic");
    return std::nullopt;
  }
  if (const auto& rest = kernel->node->args->vararg; rest != nullptr && request_.parameters.contains(rest->name)) {
    fail(codes::kSpecialisation, fmt::format("{} does nothing with *{}", kernel->name, rest->name), "leave it out");
    return std::nullopt;
  }
  if (stage == Stage::ttir && kernel->is_gluon && !run_gluon_pipeline(compilation)) return std::nullopt;
  if (stage == Stage::ttir && !kernel->is_gluon) ir::passes::run_ttir_pipeline(compilation.module);
  if (!ir::verify(compilation.module, sink_)) return std::nullopt;
  return std::move(compilation.module);
}

}  // namespace

std::optional<std::vector<KernelInfo>> list_kernels(const std::string& path, DiagnosticSink& sink,
                                                    std::optional<std::string> source) {
  ModuleLoader loader({}, {}, sink);
  const PythonModule* module = loader.load_main(path, std::move(source));
  if (module == nullptr) return std::nullopt;
  std::vector<KernelInfo> kernels;
  for (const auto& function : module->functions()) {
    if (!function->is_constexpr_function) kernels.push_back(kernel_info(loader, *function));
  }
  for (const Scope::Entry& global : module->globals().entries()) {
    const JitFunction* made = global.second.jit();
    if (made == nullptr || made->captured == nullptr || made->is_constexpr_function) continue;
    kernels.push_back(kernel_info(loader, *made));  // by a function of the module; known by the name it is bound to
    kernels.back().name = global.first;
  }
  return kernels;
}

std::optional<Tuning> tune(const TuningRequest& request, DiagnosticSink& sink) {
  ModuleLoader loader(request.search_path, request.globals, sink, capability_of(request.target));
  const PythonModule* module = loader.load_main(request.path, request.source);
  const JitFunction* kernel = module != nullptr ? module->find_function(request.kernel) : nullptr;
  if (module == nullptr) return std::nullopt;
  if (kernel == nullptr) return Tuning{};  // compile_kernel() says so
  return Tuner(loader, *kernel, request, sink).tune();
}

std::optional<KernelTuning> describe_tuning(const TuningRequest& request, DiagnosticSink& sink) {
  ModuleLoader loader(request.search_path, request.globals, sink, capability_of(request.target));
  const PythonModule* module = loader.load_main(request.path, request.source);
  const JitFunction* kernel = module != nullptr ? module->find_function(request.kernel) : nullptr;
  if (kernel == nullptr) return std::nullopt;
  return Tuner(loader, *kernel, request, sink).describe();
}

bool is_language_name(const std::string& space, const std::string& name) {
  DiagnosticSink sink;
  ModuleLoader loader({}, {}, sink);
  return (space == "triton.language" || space.starts_with("triton.language.")) &&
         namespace_attribute(loader, space, name).has_value();
}

std::optional<ir::Module> compile_kernel(const ir::OpRegistry& ops, const CompileRequest& request, Stage stage,
                                         DiagnosticSink& sink) {
  return Request(ops, request, sink).compile(stage);
}

}  // namespace lockstep::frontend
