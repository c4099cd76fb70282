// Where a function sets a name, for the message that the name is not defined at its use: the place, and why it does not
// reach the use (another branch, a loop body, later in the text). Syntax only; nested functions and classes are other
// scopes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/python_ast.h"


namespace lockstep::frontend {

struct NameDefinition {
  SourceRange range;  // of the name where it is set
  std::string why;    // "is set here, only in one branch of the if"
};

/// The last place before `use_offset` (bytes) that sets `name`, else the first one after it. nullopt: nowhere in the
/// body.
std::optional<NameDefinition> find_name_definition(const ast::Body& body, std::string_view name,
                                                   std::uint32_t use_offset);

}  // namespace lockstep::frontend
