// An op's effect on memory, by its row: whether it loads, stores or updates, the moved value, its mask. Not here: which
// bytes (access_lanes.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/op.h"

namespace lockstep::interpreter {

enum class TouchKind : std::uint8_t { load, store, atomic };
/// "load", "store", "atomic": in messages.
std::string_view name_of(TouchKind kind);

/// True for ops that touch memory through a pointer or descriptor.
bool touches_memory(const ir::Op& op);
/// nullopt: it touches no memory.
std::optional<TouchKind> touch_kind(const ir::Op& op);
// For ops that touch memory: The value that goes from or to memory: the result of a load, else the tile that is stored,
// added, exchanged.
const ir::Value& moved_value(const ir::Op& op);
/// Null: the op has none.
const ir::Value* access_mask(const ir::Op& op);

}  // namespace lockstep::interpreter
