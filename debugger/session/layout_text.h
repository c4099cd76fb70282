// Where a tile's elements are on the GPU, as text: the registers that hold an element, and what a thread holds. Only
// tiles of TTGIR have a layout. Invariant: asking changes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/session/session.h"
#include "ir/layouts/encoding.h"
#include "ir/layouts/layout_questions.h"
#include "ir/layouts/linear_layout.h"

namespace lockstep::debugger {

/// A tile of the current frame and its layout.
struct LaidOutTile {
  std::string name;
  std::vector<std::int64_t> shape;
  const ir::Encoding* encoding = nullptr;
  ir::LinearLayout layout;  // outputs: dim0, dim1, ...
};

/// `name`: of Python ("acc") or of the IR ("%12"). Problem: no such variable, not a tile, or without a layout.
Expected<LaidOutTile, Problem> find_laid_out(const Session& session, std::string_view name);

/// "#ttg.blocked<{...}>", and how many registers, lanes, warps and blocks hold it.
std::vector<std::string> layout_lines(const LaidOutTile& tile);
/// A line for each register that holds the element; the one that acts comes with a mark where there are several.
/// Problem: the index is not of the tile.
Expected<std::vector<std::string>, Problem> holder_lines(const LaidOutTile& tile,
                                                         const std::vector<std::int64_t>& index);
/// A line for each register of a thread, with the element that it holds; at most 64, then how many there are.
/// Problem: there is no such thread.
Expected<std::vector<std::string>, Problem> thread_lines(const Session& session, const LaidOutTile& tile,
                                                         const ir::RegisterPlace& thread);

}  // namespace lockstep::debugger
