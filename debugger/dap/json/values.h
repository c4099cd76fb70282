// Values: variables and results in DAP's form: a line of text, and a number to expand them with.
#pragma once

#include <cstdint>
#include <string>

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

/// "0x7f3a00001000".
std::string address_text(std::uint64_t address);

/// Sets value (`text_key`: "value" or "result"), type, variablesReference, indexedVariables, memoryReference of an
/// object. `expression`: a person's expression for the value; empty: none.
void set_value(State& state, Json& object, const char* text_key, const Value& value, std::size_t level,
               const std::string& expression);

/// Lets the session look at that frame. Problem: the frame is unknown, or its variables cannot be seen. Number 0: the
/// innermost frame of the current program.
Expected<void, std::string> look_at_frame(State& state, std::int64_t frame);

/// The text of a name in a container (0: in a frame), and looks there. "[3]" in x[2] is x[2,3].
Expected<std::string, std::string> expression_in(State& state, std::int64_t container, std::int64_t frame,
                                                 const std::string& name);

/// "x[2,3]" for "x[2]" and 3.
std::string element_expression(const std::string& expression, std::int64_t index);

/// After an edit: the client's values are outdated.
void report_edit(State& state);

}  // namespace lockstep::debugger::dap
