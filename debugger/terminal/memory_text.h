// Addresses in people's terms: elements of arguments. An address outside of every argument is called so.
#pragma once

#include <cstdint>
#include <string>

#include "debugger/session/session.h"

namespace lockstep::debugger {

/// An element of memory or of a tile as its number; "?": wrong bytes.
std::string number_text(ScalarKind kind, const std::string& bytes, const Scope& scope);
/// "x[17,3]".
std::string element_text_at(const Session& session, std::uint64_t address);
/// "x[17,0] to x[17,32]" for bytes that one argument's elements cover.
std::string range_at(const Session& session, ByteRange range);
/// The number in an element's bytes.
std::string value_at(const Session& session, std::uint64_t address, const std::string& bytes);

}  // namespace lockstep::debugger
