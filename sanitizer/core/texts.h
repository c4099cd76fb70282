// Texts that findings of several checkers share: an element by its argument and index, a value, a line. Never an
// address. Not here: what they mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory_model/view.h"
#include "support/location.h"
#include "support/scalar.h"

namespace lockstep::sanitizer {

/// "x[3,17]"; of an address whose pointer's view is unknown (-1): the first view of its storage that holds it.
std::string place_text(const memory_model::AddressSpace& memory, std::int32_t view, std::uint64_t address);
/// Sets a finding's argument and element.
struct ElementName {
  std::string argument;
  std::int64_t element = 0;
};
ElementName element_of(const memory_model::AddressSpace& memory, std::int32_t view, std::uint64_t address);
/// "-3", "0.1", "nan"; pointers as integers. Floats have as many digits as make them distinct.
std::string value_text(ScalarKind kind, std::uint64_t bits);
/// "line 12"; "an unknown line".
std::string line_text(const Location& location);
/// "3" or "(3,17)"; "" for a scalar.
std::string lane_text(std::int64_t lane, const std::vector<std::int64_t>& shape);
/// "[128,64]".
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace lockstep::sanitizer
