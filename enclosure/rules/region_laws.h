// What is proved of the region of a reduction or scan, from its text: which places are known operations, whether any
// bracketing and any order make the same numbers. Known operations by name; choices (comparisons of one place's values,
// selections) by trying every order in which three values may stand, which is all that such a region can tell apart;
// polynomials by comparing coefficients. Invariant: what is said holds; what is not said is not known. Private to the
// room.
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
  /// The very same numbers: in any bracketing; in any order. Only of regions without a rounding.
  bool is_associative = false, is_commutative = false;
  /// Each result is one of the two arguments of its place; and so in any order if the values of place `key` differ.
  bool is_choice = false;
  std::optional<std::size_t> key;
  /// Of floats of one kind, the same in real numbers in any bracketing (where it says so, in any order).
  std::shared_ptr<const RegionPolynomials> polynomials;
  /// Of a reduction: sample numbers show that results hang on bracketing or order by far more than roundings
  /// (order_shows), so that bounds for all orders would say nothing.
  bool shows_order = false;

  bool are_places_known() const;
};

/// Found once for each region in a launch. `in_order`: of a scan.
const RegionLaws& laws_of(EncloseContext& context, const ir::Region& region, bool in_order);

}  // namespace lockstep::enclosure
