// Edits: values of variables and bytes of memory that a person sets. Each forks the timeline.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "debugger/session/session.h"

namespace lockstep::debugger {

/// `target` = `expression`. Returns what was set, as text.
Expected<std::string, Problem> assign_text(Session& session, std::string_view target, std::string_view expression);
/// writeMemory.
Expected<void, Problem> write_bytes(Session& session, std::uint64_t address, const std::string& bytes);

}  // namespace lockstep::debugger
