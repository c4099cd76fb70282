// Places: lines of the texts that a person wrote.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/location.h"

namespace lockstep::debugger {

/// A line of a text that a person wrote (or of the .ttir file where it has no locations). Column: 0-based, as in
/// Location. Null file: unknown.
struct Place {
  const std::string* file = nullptr;
  std::uint32_t line = 0, column = 0;
  bool is_known() const { return file != nullptr; }
  bool same_line(const Place& other) const {
    return line == other.line && is_known() == other.is_known() && (!is_known() || *file == *other.file);
  }
};

/// The user's lines of a location, innermost first (user_frames).
std::vector<Place> places_of(Location location);

}  // namespace lockstep::debugger
