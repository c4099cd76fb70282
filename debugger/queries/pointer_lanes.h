// Pointer lanes: the lane addresses of an access that a program is about to make, or of a tile of pointers that a
// person names, including those that the access path would refuse. access_map.h counts them.
#pragma once

#include <optional>
#include <string>

#include "debugger/engine/engine.h"
#include "debugger/expression/scope.h"
#include "debugger/queries/access_map.h"
#include "debugger/session/problem.h"

namespace lockstep::debugger {

/// The access of the op at the current point. nullopt: it touches no memory, or no program is at a point.
std::optional<LaneAddresses> access_lanes_of(const Engine& engine);

/// What `map` is asked about.
struct MappedAccess {
  LaneAddresses lanes;
  const Point* point = nullptr;  // of the op whose access it is; null: of an expression
  std::string text;              // "tt.load", or the expression
};
/// Empty `text`: the access of the current op, or else of the next op of the same line that touches memory (run and
/// undone). "POINTERS" or "POINTERS, MASK": a tile of pointers, or elements of an argument; the mask has its shape or
/// is one for all. The engine is where it was. Problem: no access there; no pointers; a wrong mask.
Expected<MappedAccess, Problem> find_mapped_access(Engine& engine, const Scope& scope, std::string_view text);

/// The argument that the lanes touch; null: none.
const memory_model::View* mapped_view(const Engine& engine, const LaneAddresses& lanes);

}  // namespace lockstep::debugger
