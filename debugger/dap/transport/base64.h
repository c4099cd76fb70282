// Base64 (RFC 4648), DAP's form for bytes of memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::debugger::dap {

std::string to_base64(std::string_view bytes);
/// nullopt: not base64 with its padding.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace lockstep::debugger::dap
