// Lifted regions: a region on scalars (of tt.reduce, tt.scan, tt.map_elementwise) applied to whole tiles at once, op by
// op. Possible if every op is element-wise or an scf.if of such ops (both sides are computed, results selected:
// element-wise ops have no effects and no traps). Invariant: the results are those of the region run element by
// element. Not here: loops and calls (plan_builder's sub-regions run those).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/evaluators/elementwise.h"

namespace lockstep::interpreter {

struct LiftedOp {
  Elementwise op;
  std::array<std::size_t, 3> from{};  // indices of values: captured, arguments, results in order
  std::array<bool, 3> is_last_use{};  // of a value made here
};

struct Lifted {
  std::vector<Slot> captured;  // scalars from outside of the region
  std::size_t arguments = 0;
  std::vector<LiftedOp> ops;
  std::vector<std::size_t> returned;  // indices of values
};

/// The region lifted to tiles of `shape`; nullopt if one of its ops cannot be lifted. Plans the region's constants.
std::optional<Lifted> lift(PlanBuilder& builder, const ir::Region& region, const std::vector<std::int64_t>& shape);

/// The region's results for tiles of the shape it was lifted to; each holds its own count and may be any form.
std::vector<Tile> run_lifted(Machine& machine, const Lifted& lifted, std::span<const Tile> arguments);

}  // namespace lockstep::interpreter
