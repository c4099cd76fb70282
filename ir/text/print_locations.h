// Aliases of locations (#loc, #loc1, ...) in MLIR's numbering and order: by depth first, then by first visit; aliases
// for block arguments come before the module, the others after it. Source: observed output of Triton 3.6's printer.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/text/print_aliases.h"
#include "support/location.h"

namespace lockstep::ir {

class LocationAliases {
 public:
  /// Records a use while the module is walked in printing order. `can_be_deferred`: the definition may follow the
  /// module.
  void visit(Location location, bool can_be_deferred);
  /// Numbers what was visited.
  void finish();

  /// "#loc3"; the location spelt out if it has no alias.
  std::string reference(Location location) const;
  /// Spelt out at the top, aliases inside: "\"x\"(#loc)".
  std::string inner(Location location) const;
  /// Lines "#loc = loc(...)" that stand before or after the module.
  std::vector<AliasLine> definitions(bool deferred) const;

 private:
  struct Entry {
    Location location;
    std::size_t depth = 1;
    bool can_be_deferred = true;
    std::vector<std::size_t> children;
  };
  std::size_t visit_index(Location location, bool can_be_deferred);
  void forbid_deferring(std::size_t index);

  std::vector<Entry> entries_;                                  // in order of first visit
  std::unordered_map<const LocationNode*, std::size_t> index_;  // unknown: null
  std::unordered_map<const LocationNode*, std::string> names_;
  std::vector<std::size_t> order_;
};

/// "a\22b" in quotes, with MLIR's escapes.
std::string quote(std::string_view text);

}  // namespace lockstep::ir
