// PointerParts: what one lane of a value was computed from, in the program that stands: the arguments, program ids,
// ranges, loaded numbers and variables that its address adds up from. Reads present values; runs nothing. Precondition:
// Engine::point(), and the values exist. Not here: memory, the past, text.
#pragma once

#include <cstdint>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/engine/frame.h"

namespace lockstep::debugger {

struct PointerPart {
  enum class What : std::uint8_t {
    argument,
    scalar,
    program_id,
    range,
    loaded,
    carried,
    variable
  } what = What::variable;
  const ir::Value* value = nullptr;
  std::int64_t lane = 0;
  std::size_t depth = 0;  // of variables around it
  Datum number;           // that lane alone
};

/// The value belongs to a variable of the kernel's text, not to a step on the way.
bool is_variable(const Engine& engine, const ir::Value& value);

/// The value itself first, then in the order in which the expression reads them; each value once. At most `most`.
std::vector<PointerPart> parts_of(const Engine& engine, const ir::Value& value, std::uint32_t activation,
                                  std::int64_t lane, std::size_t most);

}  // namespace lockstep::debugger
