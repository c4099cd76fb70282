// Nodes: values of JSON, and bytes, written once each: a table in which lists and objects name their parts by number.
// Steps of a run differ little, so that each costs a few numbers. Format: docs/trace.md. Invariant: a node names only
// nodes before it, so that a reader needs no recursion.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/json.h"

namespace lockstep::debugger::trace {

using Node = std::uint32_t;

class Nodes {
 public:
  /// Numbers continue after those of `base`, whose nodes may be named; it must outlive this and not grow.
  explicit Nodes(const Nodes* base = nullptr) : base_(base), first_(base == nullptr ? 0 : base->count()) {}

  Node add(const Json& value);
  Node list(const std::vector<Node>& parts);
  Node object(const std::vector<std::pair<std::string, Node>>& members);
  /// Elements of 1, 2, 4 or 8 bytes, in the shortest of a few codings.
  Node bytes(std::string_view bytes, int element_bytes);

  Node count() const { return first_ + own_; }
  /// The table: the number of nodes, the root's number, the nodes.
  std::string finish(Node root) const;

 private:
  Node put(std::string encoded);
  const Node* find(const std::string& encoded) const;
  Node integers(const Json::Array& values);

  const Nodes* base_;
  Node first_, own_ = 0;
  std::unordered_map<std::string, Node> known_;
  std::string text_;
};

}  // namespace lockstep::debugger::trace
