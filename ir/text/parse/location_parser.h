// Locations of the text form: loc("file":1:2), names, calls, fused ones, aliases of them.
#pragma once

#include <cstdint>

#include "ir/text/parse/type_parser.h"

namespace lockstep::ir {

class LocationParser : public TypeParser {
 public:
  using TypeParser::TypeParser;
  bool parse_optional_location(Location& location, bool& found);  // loc(...)

 protected:
  ~LocationParser() = default;
  /// The place in the text itself.
  Location location_at(std::uint32_t offset);

  bool has_locations_ = false;

 private:
  bool parse_location_body(Location& location);
  bool parse_name_or_file_location(Location& location);
  bool parse_location_alias(Location& location);
};

}  // namespace lockstep::ir
