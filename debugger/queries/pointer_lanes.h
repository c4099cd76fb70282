// Pointer lanes: the addresses of an access that a program is about to make, or of a tile of pointers that a person
// names, lane by lane, those that the access path would refuse included: what access_map.h counts.
#pragma once

#include <optional>
#include <string>

#include "debugger/engine/engine.h"
#include "debugger/expression/scope.h"
#include "debugger/queries/access_map.h"
#include "debugger/session/problem.h"

namespace lockstep::debugger {

/// The access of the op at the point where the engine stands. nullopt: it touches no memory, or nobody stands there.
std::optional<LaneAddresses> access_lanes_of(const Engine& engine);

/// What `map` is asked about.
struct MappedAccess {
  LaneAddresses lanes;
  const Point* point = nullptr;  // of the op whose access it is; null: of an expression
  std::string text;              // "tt.load", or the expression
};
/// Empty `text`: the access of the op at which it stands, or else of the next op of the same line that touches memory
/// (run and taken back). "POINTERS" or "POINTERS, MASK": a tile of pointers, or elements of an argument; the mask has
/// its shape or is one for all. The engine stands where it stood. Problem: no access there; no pointers; a wrong mask.
Expected<MappedAccess, Problem> find_mapped_access(Engine& engine, const Scope& scope, std::string_view text);

/// The argument that the lanes touch; null: none.
const memory_model::View* mapped_view(const Engine& engine, const LaneAddresses& lanes);

}  // namespace lockstep::debugger
