// Addresses as people speak of them: elements of arguments. Where an address is of no argument the text says so.
#pragma once

#include <cstdint>
#include <string>

#include "debugger/session/session.h"

namespace lockstep::debugger {

/// An element of memory or of a tile as its number; "?": the bytes are none.
std::string number_text(ScalarKind kind, const std::string& bytes, const Scope& scope);
/// "x[17,3]".
std::string element_text_at(const Session& session, std::uint64_t address);
/// "x[17,0] to x[17,32]" of bytes that one argument's elements fill.
std::string range_at(const Session& session, ByteRange range);
/// The number that an element's bytes are.
std::string value_at(const Session& session, std::uint64_t address, const std::string& bytes);

}  // namespace lockstep::debugger
