#include "driver/launch/constants.h"

#include "driver/launch/kernel_target.h"

namespace lockstep::driver {

std::optional<std::map<std::string, ConstantValue>> parse_constants(const std::vector<std::string>& texts,
                                                                              DiagnosticSink& sink) {
  std::map<std::string, ConstantValue> constants;
  for (const std::string& text : texts) {
    std::vector<ArgumentText> arguments;
    if (!parse_arguments(text, sink, arguments)) return std::nullopt;
    const auto constant = to_constant(arguments.front(), arguments);
    if (!constant) {
      report_status(sink, {"LS2209", "'" + text + "' is not a compile-time value",
                           "a number below 2^63, a dtype, true, none, a text, or a tuple of them"});
      return std::nullopt;
    }
    constants[arguments.front().name] = *constant;
  }
  return constants;
}

}  // namespace lockstep::driver
