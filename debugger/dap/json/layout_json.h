// Layouts: where the elements of a tile are on the GPU, as variables of DAP: a child of the tile, which expands by
// dimensions. Only tiles of TTGIR have one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "debugger/dap/state.h"
#include "debugger/session/layout_text.h"

namespace lockstep::debugger::dap {

/// The tile that a variable's name means in the session's frame. nullopt: not a variable, or without a layout.
std::optional<LaidOutTile> laid_out(const State& state, const std::string& expression);

/// The child `layout` of a tile.
Json layout_member(State& state, const LaidOutTile& tile, std::size_t level);

/// Elements along the container's next dimension, from `start` on, at most `count`. The last dimension's have the
/// warp, lane and register that holds them. Problem: the tile is not there any more.
Expected<Json::Array, std::string> layout_rows(State& state, const Container& container, std::int64_t start,
                                               std::int64_t count);

}  // namespace lockstep::debugger::dap
