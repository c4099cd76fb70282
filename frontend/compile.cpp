#include "frontend/compile.h"

#include <charconv>

#include <fmt/format.h>

#include "frontend/lowering.h"
#include "ir/passes/passes.h"
#include "ir/verifier.h"
#include "support/check.h"

namespace lockstep::frontend {

namespace {

std::optional<ConstantValue> to_request(const Value& value) {
  const Constant* constant = value.constant();
  if (constant == nullptr) return std::nullopt;
  if (constant->is_none()) return ConstantValue::of_none();
  if (constant->is_bool()) return ConstantValue::of_bool(constant->truth());
  if (constant->is_float()) return ConstantValue::of_float(constant->as_double());
  if (constant->is_string()) return ConstantValue{ConstantValue::Kind::string, 0, 0, constant->text()};
  if (constant->is_dtype()) {
    const DType& type = constant->type().element;
    return ConstantValue{ConstantValue::Kind::dtype, 0, 0, type.is_int() ? type.mangle() : type.name()};
  }
  if (constant->is_integer() && constant->as_integer() <= INT64_MAX && constant->as_integer() >= INT64_MIN) {
    return ConstantValue::of_integer(static_cast<std::int64_t>(constant->as_integer()));
  }
  return std::nullopt;
}

KernelInfo describe(ModuleLoader& loader, const JitFunction& function) {
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
      entry.default_value = to_request(loader.evaluate(*parameter.default_value, *function.module));
    info.parameters.push_back(std::move(entry));
  }
  return info;
}

/// "sm_90" -> 90; also "sm_90a", "90". 0 if it is no target.
int capability_of(std::string_view target) {
  if (target.starts_with("sm_")) target.remove_prefix(3);
  int value = 0;
  const std::from_chars_result end = std::from_chars(target.data(), target.data() + target.size(), value);
  const std::string_view rest(end.ptr, static_cast<std::size_t>(target.data() + target.size() - end.ptr));
  return end.ec == std::errc() && (rest.empty() || rest == "a") && value >= 50 && value < 200 ? value : 0;
}

class Request {
 public:
  Request(const CompileRequest& request, DiagnosticSink& sink)
      : request_(request), sink_(sink), loader_(request.search_path, request.globals, sink) {}
  std::optional<ir::Module> compile(Stage stage);

 private:
  void fail(std::string_view code, std::string message, std::string hint = {}, SourceSpan span = {}) {
    sink_.report({Severity::error, std::string(code), std::move(message), std::move(span), {}, std::move(hint)});
  }
  const JitFunction* find_kernel(const PythonModule& module);
  bool bind(const JitFunction& kernel, const Parameter& parameter);
  bool bind_specialised(const Parameter& parameter, const ParameterSpecialisation& given, const SourceSpan& span);

  const CompileRequest& request_;
  DiagnosticSink& sink_;
  ModuleLoader loader_;
  std::vector<Value> arguments_;
  std::vector<std::int64_t> divisibility_;
};

const JitFunction* Request::find_kernel(const PythonModule& module) {
  if (const JitFunction* kernel = module.find_function(request_.kernel)) return kernel;
  std::vector<std::string> names;
  for (const auto& function : module.functions()) names.push_back(function->name);
  const Value* held = module.find(request_.kernel);
  fail(codes::kSpecialisation,
       held != nullptr ? fmt::format("'{}' in {} is not a @triton.jit function", request_.kernel, request_.path)
                       : fmt::format("{} has no kernel '{}'", request_.path, request_.kernel),
       names.empty() ? "the file has no @triton.jit function" : fmt::format("it has: {}", fmt::join(names, ", ")));
  return nullptr;
}

bool Request::bind_specialised(const Parameter& parameter, const ParameterSpecialisation& given,
                               const SourceSpan& span) {
  divisibility_.push_back(given.divisibility);
  if (given.constant) {
    arguments_.emplace_back(Constant::from_request(*given.constant));
    return true;
  }
  if (parameter.is_constexpr) {
    fail(codes::kSpecialisation,
         fmt::format("parameter '{}' is a tl.constexpr and needs a value, not the type {}", parameter.name, given.type),
         {}, span);
    return false;
  }
  static ir::Value template_value;  // stands for the argument: only its type counts until the function exists
  if (const std::optional<ValueType> block = parse_descriptor_type(given.type)) {
    std::vector<Value> geometry;
    for (const Scalar scalar : {Scalar::int32, Scalar::int64}) {
      const Tensor part{&template_value, {DType(scalar), {}}};
      geometry.push_back(Value::tuple(std::vector<Value>(block->shape.size(), Value(part))));
    }
    arguments_.emplace_back(
        DescriptorValue{&template_value, *block, std::make_shared<const std::vector<Value>>(std::move(geometry))});
    return true;
  }
  const std::optional<DType> type = parse_signature_type(given.type);
  if (!type || type->is_void()) {
    fail(codes::kSpecialisation, fmt::format("'{}' is no type for the parameter '{}'", given.type, parameter.name),
         "types look like *fp32, i32, fp16, u1, tensordesc<fp16[16, 32]>", span);
    return false;
  }
  arguments_.emplace_back(Tensor{&template_value, {*type, {}}});
  return true;
}

bool Request::bind(const JitFunction& kernel, const Parameter& parameter) {
  const SourceSpan span{kernel.module->file(), parameter.range};
  if (const auto given = request_.parameters.find(parameter.name); given != request_.parameters.end())
    return bind_specialised(parameter, given->second, span);
  if (parameter.default_value == nullptr) {
    fail(codes::kSpecialisation,
         fmt::format("no value or type is given for the parameter '{}' of {}", parameter.name, kernel.name), {}, span);
    return false;
  }
  divisibility_.push_back(0);
  Value value = loader_.evaluate(*parameter.default_value, *kernel.module);
  if (value.constant() == nullptr && value.elements() == nullptr && value.jit() == nullptr) {
    fail(codes::kGlobal, fmt::format("the default of parameter '{}' is {}", parameter.name, value.describe()),
         "give the parameter a value", span);
    return false;
  }
  arguments_.push_back(std::move(value));
  return true;
}

std::optional<ir::Module> Request::compile(Stage stage) {
  const PythonModule* module = loader_.load_main(request_.path);
  const JitFunction* kernel = module != nullptr ? find_kernel(*module) : nullptr;
  if (kernel == nullptr) return std::nullopt;
  Compilation compilation(loader_, sink_);
  compilation.print = request_.print;
  compilation.options = {capability_of(request_.target), request_.debug, request_.sanitize_overflow,
                         request_.num_warps};
  if (compilation.options.capability == 0) {
    fail(codes::kSpecialisation, fmt::format("'{}' is no target", request_.target), "targets look like sm_90");
    return std::nullopt;
  }
  for (const auto& [name, given] : request_.parameters) {
    bool known = false;
    for (const Parameter& parameter : kernel->parameters) known = known || parameter.name == name;
    if (!known) fail(codes::kSpecialisation, fmt::format("{} has no parameter '{}'", kernel->name, name));
  }
  for (const Parameter& parameter : kernel->parameters) bind(*kernel, parameter);
  if (sink_.has_errors()) return std::nullopt;
  FunctionLowering lowering(compilation, *kernel, kernel->name, true, {});
  const bool fine = lowering.run(arguments_, divisibility_);
  if (!fine || sink_.has_errors()) {
    LOCKSTEP_CHECK(sink_.has_errors(), "lowering failed without a diagnostic");
    return std::nullopt;
  }
  if (stage == Stage::ttir) ir::passes::run_ttir_pipeline(compilation.module);
  if (!ir::verify(compilation.module, sink_)) return std::nullopt;
  return std::move(compilation.module);
}

}  // namespace

std::optional<std::vector<KernelInfo>> list_kernels(const std::string& path, DiagnosticSink& sink) {
  ModuleLoader loader({}, {}, sink);
  const PythonModule* module = loader.load_main(path);
  if (module == nullptr) return std::nullopt;
  std::vector<KernelInfo> kernels;
  for (const auto& function : module->functions()) {
    if (!function->is_constexpr_function) kernels.push_back(describe(loader, *function));
  }
  return kernels;
}

std::optional<ir::Module> compile_kernel(const CompileRequest& request, Stage stage, DiagnosticSink& sink) {
  return Request(request, sink).compile(stage);
}

}  // namespace lockstep::frontend
