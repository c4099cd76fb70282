// The proved laws of a reduction's or scan's region, from its text: which places are known operations, whether any
// bracketing and any order give the same numbers. Known operations by name; choices (comparisons of one place's values,
// selections) by trying every order of three values, which is all that such a region can distinguish; polynomials by
// comparing coefficients. Invariant: every stated law holds; others are unknown. Private to the room.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "enclosure/enclose_context.h"
#include "enclosure/rules/region_polynomial.h"

namespace lockstep::enclosure {

/// Result r as an operation of the two arguments of place r alone.
enum class PlaceLaw : std::uint8_t { none, sum, product, exact };

struct RegionLaws {
  std::vector<PlaceLaw> places;
  /// The same numbers: in any bracketing; in any order. Only for regions without a rounding.
  bool is_associative = false, is_commutative = false;
  /// Each result is one of the two arguments of its place; and so in any order if the values of place `key` differ.
  bool is_choice = false;
  std::optional<std::size_t> key;
  /// For floats of one kind, the same real numbers in any bracketing (if it says so, in any order).
  std::shared_ptr<const RegionPolynomials> polynomials;
  /// For a reduction: sample numbers show that results depend on bracketing or order by far more than roundings
  /// (order_shows), so that bounds for all orders would be useless.
  bool shows_order = false;

  bool are_places_known() const;
};

/// Found once for each region in a launch. `in_order`: for a scan.
const RegionLaws& laws_of(EncloseContext& context, const ir::Region& region, bool in_order);

}  // namespace lockstep::enclosure
