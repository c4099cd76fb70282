#include "support/location.h"

namespace lockstep {

Location Location::innermost_file() const {
  // An explicit stack: locations of hostile .ttir text may nest deeper than the machine's own stack allows.
  std::vector<Location> pending{*this};
  while (!pending.empty()) {
    const Location current = pending.back();
    pending.pop_back();
    if (current.is_unknown()) continue;
    if (current->kind == LocationNode::Kind::file) return current;
    const std::vector<Location>& children = current->children;
    // Last in, first out: the callee of a call site and the first part of a fusion are looked at first.
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
  return {};
}

std::string Location::file_text() const {
  const Location place = innermost_file();
  if (place.is_unknown()) return "";
  return place->text + ":" + std::to_string(place->line) + ":" + std::to_string(place->display_column());
}

}  // namespace lockstep
