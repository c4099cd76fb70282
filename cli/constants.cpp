#include "cli/constants.h"

#include "cli/kernel_target.h"

namespace lockstep::cli {
namespace {

using Front = frontend::ConstantValue::Kind;
using Host = host::Constant::Kind;
static_assert(static_cast<int>(Front::none) == static_cast<int>(Host::none) &&
              static_cast<int>(Front::boolean) == static_cast<int>(Host::boolean) &&
              static_cast<int>(Front::integer) == static_cast<int>(Host::integer) &&
              static_cast<int>(Front::floating) == static_cast<int>(Host::floating) &&
              static_cast<int>(Front::string) == static_cast<int>(Host::string) &&
              static_cast<int>(Front::dtype) == static_cast<int>(Host::dtype));

}  // namespace

frontend::ConstantValue to_frontend(const host::Constant& constant) {
  return {static_cast<Front>(constant.kind), constant.integer, constant.floating, constant.text};
}
host::Constant to_host(const frontend::ConstantValue& constant) {
  return {static_cast<Host>(constant.kind), constant.integer, constant.floating, constant.text};
}

std::optional<std::map<std::string, frontend::ConstantValue>> parse_constants(const std::vector<std::string>& texts,
                                                                              DiagnosticSink& sink) {
  std::map<std::string, frontend::ConstantValue> constants;
  for (const std::string& text : texts) {
    const auto argument = host::parse_argument(text, sink);
    if (!argument) return std::nullopt;
    const auto* scalar = std::get_if<host::ScalarValue>(&argument->value);
    const auto constant = scalar != nullptr ? host::to_constant(*scalar) : std::nullopt;
    if (!constant) {
      report_status(sink, {"LS2209", "'" + text + "' is no compile-time value",
                           "a number below 2^63, a dtype, true, none or a text"});
      return std::nullopt;
    }
    constants[argument->name] = to_frontend(*constant);
  }
  return constants;
}

}  // namespace lockstep::cli
