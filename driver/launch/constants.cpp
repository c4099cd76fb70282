#include "driver/launch/constants.h"

#include "driver/launch/kernel_target.h"

namespace lockstep::driver {
namespace {

using Front = frontend::ConstantValue::Kind;
using Host = Constant::Kind;
static_assert(static_cast<int>(Front::none) == static_cast<int>(Host::none) &&
              static_cast<int>(Front::boolean) == static_cast<int>(Host::boolean) &&
              static_cast<int>(Front::integer) == static_cast<int>(Host::integer) &&
              static_cast<int>(Front::floating) == static_cast<int>(Host::floating) &&
              static_cast<int>(Front::string) == static_cast<int>(Host::string) &&
              static_cast<int>(Front::dtype) == static_cast<int>(Host::dtype) &&
              static_cast<int>(Front::tuple) == static_cast<int>(Host::tuple));

}  // namespace

frontend::ConstantValue to_frontend(const Constant& constant) {
  frontend::ConstantValue made{
      static_cast<Front>(constant.kind), constant.integer, constant.floating, constant.text, {}};
  for (const Constant& element : constant.elements) made.elements.push_back(to_frontend(element));
  return made;
}
Constant to_host(const frontend::ConstantValue& constant) {
  Constant made{static_cast<Host>(constant.kind), constant.integer, constant.floating, constant.text, {}};
  for (const frontend::ConstantValue& element : constant.elements) made.elements.push_back(to_host(element));
  return made;
}

std::optional<std::map<std::string, frontend::ConstantValue>> parse_constants(const std::vector<std::string>& texts,
                                                                              DiagnosticSink& sink) {
  std::map<std::string, frontend::ConstantValue> constants;
  for (const std::string& text : texts) {
    std::vector<ArgumentText> arguments;
    if (!parse_arguments(text, sink, arguments)) return std::nullopt;
    const auto constant = to_constant(arguments.front(), arguments);
    if (!constant) {
      report_status(sink, {"LS2209", "'" + text + "' is no compile-time value",
                           "a number below 2^63, a dtype, true, none, a text, or a tuple of them"});
      return std::nullopt;
    }
    constants[arguments.front().name] = to_frontend(*constant);
  }
  return constants;
}

}  // namespace lockstep::driver
