// Opcode: one enumerator per op, generated from ir/op_list.def, with its spelling. The list is the single enumeration
// of ops; a row outside the list does not compile, and a listed op without a row does not link.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep::ir {

enum class Opcode : std::uint16_t {
#define LOCKSTEP_OP(identifier, spelling) identifier,
#include "ir/op_list.def"
#undef LOCKSTEP_OP
};

inline constexpr std::array kOpSpellings = {
#define LOCKSTEP_OP(identifier, spelling) std::string_view(spelling),
#include "ir/op_list.def"
#undef LOCKSTEP_OP
};
inline constexpr std::size_t kOpCount = kOpSpellings.size();

/// "tt.load" of Opcode::tt_load.
constexpr std::string_view spelling(Opcode opcode) { return kOpSpellings[static_cast<std::size_t>(opcode)]; }

}  // namespace lockstep::ir
