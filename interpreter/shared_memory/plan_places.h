// How the places of a view follow from its type and layout (places.h): for plans.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/shared_memory/places.h"
#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// False: diagnosed at `op`; its type is one that Lockstep does not hold yet.
bool plan_places(PlanBuilder& builder, const ir::Op& op, ir::Type view, ViewPlaces& out);
/// The blocks of a cluster that hold different parts of a buffer of this type, which has a layout; 1: all hold all of it.
std::int64_t pieces_of(ir::Type view);
/// Bytes of a new buffer of this type; 0: diagnosed.
std::int64_t buffer_bytes(PlanBuilder& builder, const ir::Op& op, ir::Type buffer);
/// Bytes from one buffer of a ring to the next, without its first dimension; 0: diagnosed.
std::int64_t ring_bytes(PlanBuilder& builder, const ir::Op& op, ir::Type ring);
/// What a view that starts at `start` of `source` xors into all places.
bool plan_start(PlanBuilder& builder, const ir::Op& op, ir::Type source, const std::vector<std::int64_t>& start,
                std::uint32_t& out);

}  // namespace lockstep::interpreter
