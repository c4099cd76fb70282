#include "driver/launch/tuned_launch.h"

#include "driver/arguments/binding.h"
#include "driver/launch/constants.h"
#include "driver/words/dtype_name.h"

namespace lockstep::driver {
namespace {

constexpr std::size_t kListedConfigs = 200;

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string text_of(const frontend::KernelConfig& config) {
  std::string text;
  for (const auto& [name, value] : config.values) text += name + "=" + value + " ";
  return text + "num_warps=" + std::to_string(config.num_warps) + " num_stages=" + std::to_string(config.num_stages);
}

std::string text_of(const frontend::KernelTuning& tuning) {
  std::string text;
  if (!tuning.heuristics.empty()) text += "  heuristics: " + joined(tuning.heuristics) + "\n";
  for (std::size_t i = 0; i < tuning.configs.size() && i < kListedConfigs; ++i)
    text += "  --config " + std::to_string(i) + ": " + text_of(tuning.configs[i]) + "\n";
  if (tuning.configs.size() > kListedConfigs)
    text += "  and " + std::to_string(tuning.configs.size() - kListedConfigs) + " more\n";
  if (!tuning.unknown.empty()) text += "  some settings of its decorators are unknown: " + tuning.unknown + "\n";
  return text;
}

}  // namespace

std::map<std::string, frontend::LaunchArgument> launch_arguments(const std::vector<ArgumentText>& arguments,
                                                                 const std::vector<Tensor>& tensors,
                                                                 const memory_model::AddressSpace& memory) {
  std::map<std::string, frontend::LaunchArgument> known;
  for (const ArgumentText& argument : arguments) {
    const auto constant = to_constant(argument, arguments);
    if (std::holds_alternative<ScalarValue>(argument.value)) known[argument.name].type = "i64";
    if (constant) known[argument.name].value = *constant;
  }
  for (const Tensor& tensor : tensors) {
    const memory_model::View& view = memory.view(tensor.view);
    frontend::LaunchArgument& argument = known[tensor.name];
    argument.type = "*" + short_name(view.element, tensor.is_unsigned);
    argument.shape = view.shape;
    argument.strides = view.strides;
  }
  for (auto tuple = arguments.rbegin(); tuple != arguments.rend(); ++tuple) {  // inner ones stand behind theirs
    const auto* spec = std::get_if<TupleSpec>(&tuple->value);
    if (spec == nullptr) continue;
    std::vector<frontend::LaunchArgument> elements;
    for (const std::string& part : spec->parts) elements.push_back(known[tuple->name + "." + part]);
    known[tuple->name].elements = std::move(elements);
  }
  return known;
}

Status no_configurations(const std::string& kernel) {
  return {"LS1319", "--config: " + kernel + " has no @triton.autotune", "give its parameters as NAME=VALUE"};
}

std::string list_of_kernels(const std::vector<frontend::KernelInfo>& kernels, frontend::TuningRequest request,
                            DiagnosticSink& sink) {
  std::string text;
  for (const frontend::KernelInfo& kernel : kernels) {
    std::vector<std::string> parameters;
    for (const frontend::ParameterInfo& parameter : kernel.parameters)
      parameters.push_back(parameter.name + (parameter.is_constexpr ? ": constexpr" : ""));
    text += kernel.name + "(" + joined(parameters) + ")  line " + std::to_string(kernel.line) + "\n";
    if (!kernel.is_autotuned && !kernel.has_heuristics) continue;
    request.kernel = kernel.name;
    const auto tuning = frontend::describe_tuning(request, sink);
    if (tuning) text += text_of(*tuning);
  }
  return text;
}

}  // namespace lockstep::driver
