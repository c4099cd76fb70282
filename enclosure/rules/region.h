// Regions of tt.reduce, tt.scan and tt.map_elementwise, evaluated on bounds: every op by its row's hook, on many
// elements at once. An scf.if computes both sides and takes one, or the hull of both. Invariant: as for the hooks. Not
// here: loops and calls, which are unknown. Private to the room.
#pragma once

#include <optional>
#include <vector>

#include "enclosure/enclose_context.h"

namespace lockstep::enclosure {

/// The region's results for arguments of one count; nullopt: one of its ops is unknown.
std::optional<std::vector<BoundsRef>> evaluate_region(EncloseContext& outside, const ir::Region& region,
                                                      const std::vector<BoundsRef>& arguments);
/// None of its ops rounds: the results are the same numbers in any order of combination, and on a GPU.
bool is_exact_region(const ir::Region& region);
/// On sample numbers, the region's results change by far more than roundings if neighbours are combined in another
/// order or change places (region_order.cpp).
bool order_shows(EncloseContext& outside, const ir::Region& region);
/// The only op of a region `return op(arguments)`, or null.
const ir::Op* only_op(const ir::Region& region);
/// A reduction of one whole tile whose enclosure does not depend on an element's place: sums, extrema, integers.
bool is_order_free(const ir::Op& op);

}  // namespace lockstep::enclosure
