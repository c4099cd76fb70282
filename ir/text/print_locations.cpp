#include "ir/text/print_locations.h"

#include <algorithm>
#include <utility>

namespace lockstep::ir {

std::string quote(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      out += "\\\\";
    } else if (byte >= 0x20 && byte < 0x7F && c != '"') {
      out += c;
    } else {
      out += '\\';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out + "\"";
}

std::size_t LocationAliases::visit_index(Location location, bool can_be_deferred) {
  const auto [place, is_new] = index_.try_emplace(location.node(), entries_.size());
  const std::size_t index = place->second;
  if (!is_new) {
    if (!can_be_deferred) forbid_deferring(index);
    return index;
  }
  entries_.push_back({location, 1, can_be_deferred, {}});
  if (location.is_unknown()) return index;
  std::size_t deepest = 0;
  std::vector<std::size_t> children;
  for (const Location child : location->children) {
    if (location->kind == LocationNode::Kind::name && child.is_unknown()) continue;
    children.push_back(visit_index(child, can_be_deferred));
    deepest = std::max(deepest, entries_[children.back()].depth);
  }
  entries_[index].children = std::move(children);
  if (deepest != 0) entries_[index].depth = deepest + 1;
  return index;
}

void LocationAliases::forbid_deferring(std::size_t index) {
  if (!entries_[index].can_be_deferred) return;
  entries_[index].can_be_deferred = false;
  for (const std::size_t child : entries_[index].children) forbid_deferring(child);
}

void LocationAliases::visit(Location location, bool can_be_deferred) { visit_index(location, can_be_deferred); }

void LocationAliases::finish() {
  order_.resize(entries_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
  std::stable_sort(order_.begin(), order_.end(),
                   [this](std::size_t a, std::size_t b) { return entries_[a].depth < entries_[b].depth; });
  for (std::size_t i = 0; i < order_.size(); ++i) {
    names_[entries_[order_[i]].location.node()] = i == 0 ? "#loc" : "#loc" + std::to_string(i);
  }
}

std::string LocationAliases::reference(Location location) const {
  const auto found = names_.find(location.node());
  return found == names_.end() ? inner(location) : found->second;
}

std::string LocationAliases::inner(Location location) const {
  if (location.is_unknown()) return "unknown";
  const LocationNode& node = *location.node();
  std::string out;
  switch (node.kind) {
    case LocationNode::Kind::file:
      out = quote(node.text) + ":" + std::to_string(node.line) + ":" + std::to_string(node.column);
      if (node.end_line == 0 || (node.end_line == node.line && node.end_column == node.column)) return out;
      out += " to ";
      if (node.end_line != node.line) out += std::to_string(node.end_line);
      return out + ":" + std::to_string(node.end_column);
    case LocationNode::Kind::name:
      out = quote(node.text);
      return node.children.empty() ? out : out + "(" + reference(node.children[0]) + ")";
    case LocationNode::Kind::call_site:
      return "callsite(" + reference(node.children[0]) + " at " + reference(node.children[1]) + ")";
    case LocationNode::Kind::fused:
      for (const Location part : node.children) out += (out.empty() ? "" : ", ") + reference(part);
      return "fused[" + out + "]";
  }
  return out;
}

std::vector<AliasLine> LocationAliases::definitions(bool deferred) const {
  std::vector<AliasLine> lines;
  for (const std::size_t index : order_) {
    const Entry& entry = entries_[index];
    if (entry.can_be_deferred != deferred) continue;
    lines.push_back({entry.depth, "loc", names_.at(entry.location.node()) + " = loc(" + inner(entry.location) + ")\n"});
  }
  return lines;
}

}  // namespace lockstep::ir
