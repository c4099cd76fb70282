// Instructions: the ops of the TTIR as DAP sees machine code: one "address" each, its point's number from kBase on, so
// that a client may look before the first one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

constexpr std::int64_t kInstructionBase = 0x10000;

/// "0x10005" for point 5; also for numbers without a point.
std::string instruction_address(std::int64_t point);
/// The number `offset` ops after a reference, even without a point there; nullopt: the text is not a reference.
std::optional<std::int64_t> instruction_number(const std::string& reference, std::int64_t offset);
/// nullopt: not a point of the kernel.
std::optional<std::uint32_t> point_at(const State& state, const std::string& reference, std::int64_t offset);
/// A number from "0x1f" or "31".
std::optional<std::uint64_t> parse_address(const std::string& text);

}  // namespace lockstep::debugger::dap
