// The log: spdlog behind four functions, so that only support/log.cpp includes it. Quiet by default (warnings), on
// standard error, level by --log-level or LOCKSTEP_LOG (trace|debug|info|warn|error|off). Never used for results or
// findings.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::log {

/// Sets the level by name; false if the name is unknown.
bool set_level(std::string_view name);
/// Reads LOCKSTEP_LOG once.
void initialise_from_environment();
bool is_enabled_debug();
void debug(const std::string& message);
void info(const std::string& message);
void warn(const std::string& message);
void error(const std::string& message);

}  // namespace lockstep::log
