// Expression: the text of an expression as a tree, without its meaning. One array holds the nodes, so that freeing
// needs no walk of a deep tree. Invariant: depth, length and number of nodes are bounded (parse_expression), and so is
// recursion over a tree.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::debugger {

enum class NodeKind : std::uint8_t {
  integer,
  floating,
  text,
  boolean,
  none,
  ellipsis,
  name,         // `text`; SSA names with their %
  attribute,    // of children[0]: `text`
  index,        // children[0] by the others
  slice,        // start, stop, step; kNoNode where left out
  call,         // children[0] with the others
  keyword,      // `text` = children[0], among a call's arguments
  unary,        // op
  binary,       // op
  compare,      // children joined by operators: a < b <= c
  logical,      // op: logical_and, logical_or
  conditional,  // condition, then, else
  sequence,     // (a, b) and [a, b]
};

enum class Operator : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  negate,
  plus,
  invert,
  logical_not,
  logical_and,
  logical_or,
};

using NodeId = std::uint32_t;
constexpr NodeId kNoNode = ~NodeId{0};

struct Node {
  NodeKind kind = NodeKind::none;
  Operator op = Operator::add;
  std::uint32_t begin = 0, end = 0;  // bytes of the text
  std::uint32_t depth = 1;
  std::int64_t integer = 0;  // of booleans too
  double number = 0;
  std::string text;
  std::vector<NodeId> children;
  std::vector<Operator> operators;  // of compare
};

class Expression {
 public:
  Expression(std::string text, std::vector<Node> nodes, NodeId root)
      : text_(std::move(text)), nodes_(std::move(nodes)), root_(root) {}

  const std::string& text() const { return text_; }
  const Node& root() const { return nodes_[root_]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::string text_;
  std::vector<Node> nodes_;
  NodeId root_;
};

}  // namespace lockstep::debugger
