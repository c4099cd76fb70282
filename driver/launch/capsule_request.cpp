#include "driver/launch/capsule_request.h"

#include "support/diagnostics/report_status.h"

namespace lockstep::driver {
namespace {

// The name that a user passes an argument by: the text's own name, or arg0, arg1 ... if the text has numbers.
std::string parameter_name(const ir::Value& argument, std::size_t index) {
  const std::string& name = argument.name();
  const bool is_number = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
  return name.empty() || is_number ? "arg" + std::to_string(index) : name;
}

}  // namespace

interpreter::Argument argument_of(const BoundParameter& bound) {
  interpreter::Argument argument;
  argument.kind = bound.is_descriptor ? interpreter::Argument::Kind::descriptor
                  : bound.is_pointer  ? interpreter::Argument::Kind::pointer
                                      : interpreter::Argument::Kind::scalar;
  argument.bits = bound.bits;
  argument.view = bound.view;
  argument.pads_nan = bound.pads_nan;
  return argument;
}

std::vector<TtirParameter> ttir_parameters(const ir::Op& function) {
  const ir::Block& entry = function.region(0).front();
  std::vector<TtirParameter> parameters;
  for (std::size_t i = 0; i < entry.arguments().size(); ++i) {
    const ir::Value& argument = *entry.argument(i);
    TtirParameter parameter{parameter_name(argument, i), argument.type().to_string()};
    if (argument.type().is_descriptor()) {
      const ir::Type block = argument.type().pointee();
      parameter.is_descriptor = block.element().scalar_kind().has_value();
      parameter.block = block.shape();
      parameter.element = block.element().scalar_kind().value_or(ScalarKind::i8);
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

bool fill_from_capsule(const Capsule& capsule, interpreter::LaunchRequest& request, DiagnosticSink& sink) {
  const Manifest& manifest = capsule.manifest();
  if (!manifest.arch.empty()) {
    const auto profile = TargetProfile::parse(manifest.arch);
    if (!profile) return report_status(sink, profile.error()), false;
    request.profile = *profile;
  }
  const auto tensors = make_capsule_tensors(capsule, *request.memory, sink);
  if (!tensors) return false;
  const auto bound = bind_capsule(capsule, ttir_parameters(*request.function), *tensors, *request.memory, sink);
  if (!bound) return false;
  for (const BoundParameter& one : *bound) request.arguments.push_back(argument_of(one));
  request.grid = manifest.grid;
  request.reach = interpreter::Reach::storage;
  request.asserts_are_errors = manifest.debug;
  return true;
}

}  // namespace lockstep::driver
