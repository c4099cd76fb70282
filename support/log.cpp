#include "support/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>

namespace lockstep::log {
namespace {

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto created = std::make_shared<spdlog::logger>("lockstep", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    created->set_pattern("lockstep: %l: %v");
    created->set_level(spdlog::level::warn);
    return created;
  }();
  return *instance;
}

void write(spdlog::level::level_enum level, const std::string& message) {
  logger().log(level, spdlog::string_view_t(message.data(), message.size()));
}

}  // namespace

bool set_level(std::string_view name) {
  using spdlog::level::level_enum;
  struct Entry {
    std::string_view name;
    level_enum level;
  };
  constexpr Entry kLevels[] = {{"trace", level_enum::trace}, {"debug", level_enum::debug}, {"info", level_enum::info},
                               {"warn", level_enum::warn},   {"error", level_enum::err},   {"off", level_enum::off}};
  for (const Entry& entry : kLevels) {
    if (entry.name == name) {
      logger().set_level(entry.level);
      return true;
    }
  }
  return false;
}

void initialise_from_environment() {
  const char* level = std::getenv("LOCKSTEP_LOG");
  if (level != nullptr && *level != '\0' && !set_level(level)) {
    warn("LOCKSTEP_LOG=" + std::string(level) + " is not a level (trace, debug, info, warn, error, off)");
  }
}

bool is_enabled_debug() { return logger().should_log(spdlog::level::debug); }
void debug(const std::string& message) { write(spdlog::level::debug, message); }
void info(const std::string& message) { write(spdlog::level::info, message); }
void warn(const std::string& message) { write(spdlog::level::warn, message); }
void error(const std::string& message) { write(spdlog::level::err, message); }

}  // namespace lockstep::log
