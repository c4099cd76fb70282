// Members: the content of a frame's scopes: tiles, masks, pointers, arguments, loops, and the launch itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

/// One row. Without a value: a text without members.
struct NamedMember {
  std::string name, text;
  std::optional<Value> value;
  bool is_expression = true;  // the name means the value in an expression
  std::int64_t location = 0;  // of its definition, for `locations`; 0: unknown
};
/// Precondition: the session looks at the container's level, and the container is not a value.
std::vector<NamedMember> members_of(const State& state, const Container& container);
Json member_json(State& state, const Container& container, const NamedMember& member);

}  // namespace lockstep::debugger::dap
