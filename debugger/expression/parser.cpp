#include "debugger/expression/parser.h"

#include <algorithm>
#include <array>
#include <optional>

#include "debugger/expression/lexer.h"

namespace lockstep::debugger {
namespace {

struct Infix {
  std::string_view symbol;
  Operator op;
  int precedence;  // higher binds tighter
};
constexpr std::array<Infix, 11> kInfix = {{
    {"|", Operator::bit_or, 1},
    {"^", Operator::bit_xor, 2},
    {"&", Operator::bit_and, 3},
    {"<<", Operator::shift_left, 4},
    {">>", Operator::shift_right, 4},
    {"+", Operator::add, 5},
    {"-", Operator::subtract, 5},
    {"*", Operator::multiply, 6},
    {"/", Operator::divide, 6},
    {"//", Operator::floor_divide, 6},
    {"%", Operator::modulo, 6},
}};
struct Comparison {
  std::string_view symbol;
  Operator op;
};
constexpr std::array<Comparison, 6> kComparisons = {{
    {"==", Operator::equal},
    {"!=", Operator::not_equal},
    {"<", Operator::less},
    {"<=", Operator::less_equal},
    {">", Operator::greater},
    {">=", Operator::greater_equal},
}};
constexpr std::array<std::string_view, 9> kReserved = {"and", "or", "not", "if", "else", "in", "is", "for", "lambda"};

class Parser {
 public:
  Parser(std::string_view text, std::vector<Token> tokens) : text_(text), tokens_(std::move(tokens)) {}

  Expected<Expression, ExpressionError> parse() {
    const NodeId root = take_conditional();
    if (!error_ && token().kind != Token::Kind::end) fail_here("unexpected text after the expression");
    if (error_) return Unexpected{*error_};
    return Expression(std::string(text_), std::move(nodes_), root);
  }

 private:
  // Every take_ returns kNoNode after an error.
  struct Nesting {
    explicit Nesting(std::uint32_t& level) : level_(level) { ++level_; }
    ~Nesting() { --level_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    std::uint32_t& level_;
  };

  const Token& token(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool is_next(std::string_view text, std::size_t ahead = 0) const {
    const Token& next = token(ahead);
    return (next.kind == Token::Kind::symbol || next.kind == Token::Kind::name) && next.text == text;
  }
  bool take(std::string_view text) {
    if (!is_next(text)) return false;
    ++at_;
    return true;
  }
  NodeId fail(std::uint32_t begin, std::uint32_t end, std::string message) {
    if (!error_) error_ = ExpressionError{std::move(message), begin, std::max(end, begin + 1)};
    return kNoNode;
  }
  NodeId fail_here(std::string message) { return fail(token().begin, token().end, std::move(message)); }
  bool expect(std::string_view text) {
    if (take(text)) return true;
    const bool is_end = token().kind == Token::Kind::end;
    fail_here("expected '" + std::string(text) + "'" + (is_end ? " before the end" : " here"));
    return false;
  }

  NodeId add(NodeKind kind, std::uint32_t begin, std::vector<NodeId> children = {}) {
    Node node;
    node.kind = kind;
    node.begin = begin;
    node.end = at_ == 0 ? begin : tokens_[at_ - 1].end;
    for (const NodeId child : children) {
      if (child != kNoNode) node.depth = std::max(node.depth, nodes_[child].depth + 1);
    }
    if (node.depth > kMaxExpressionDepth) return fail(begin, node.end, "the expression is nested too deeply");
    node.children = std::move(children);
    nodes_.push_back(std::move(node));
    return static_cast<NodeId>(nodes_.size() - 1);
  }
  NodeId add_op(NodeKind kind, Operator op, std::uint32_t begin, std::vector<NodeId> children) {
    const NodeId id = add(kind, begin, std::move(children));
    if (id != kNoNode) nodes_[id].op = op;
    return id;
  }
  std::uint32_t begin_of(NodeId id) const { return nodes_[id].begin; }

  NodeId take_conditional() {
    const Nesting nesting(level_);
    if (level_ > 2 * kMaxExpressionDepth) return fail_here("the expression is nested too deeply");
    const NodeId first = take_or();
    if (error_) return kNoNode;
    if (take("?")) {
      const NodeId then = take_conditional();
      if (error_ || !expect(":")) return kNoNode;
      const NodeId otherwise = take_conditional();
      return error_ ? kNoNode : add(NodeKind::conditional, begin_of(first), {first, then, otherwise});
    }
    if (take("if")) {
      const NodeId condition = take_or();
      if (error_ || !expect("else")) return kNoNode;
      const NodeId otherwise = take_conditional();
      return error_ ? kNoNode : add(NodeKind::conditional, begin_of(first), {condition, first, otherwise});
    }
    return first;
  }

  NodeId take_or() {
    NodeId left = take_and();
    while (!error_ && (take("or") || take("||"))) {
      const NodeId right = take_and();
      if (!error_) left = add_op(NodeKind::logical, Operator::logical_or, begin_of(left), {left, right});
    }
    return error_ ? kNoNode : left;
  }
  NodeId take_and() {
    NodeId left = take_not();
    while (!error_ && (take("and") || take("&&"))) {
      const NodeId right = take_not();
      if (!error_) left = add_op(NodeKind::logical, Operator::logical_and, begin_of(left), {left, right});
    }
    return error_ ? kNoNode : left;
  }
  NodeId take_not() {
    if (!is_next("not")) return take_comparison();
    const std::uint32_t begin = token().begin;
    std::uint32_t count = 0;
    while (take("not")) ++count;
    NodeId operand = take_comparison();
    while (!error_ && count-- > 0) operand = add_op(NodeKind::unary, Operator::logical_not, begin, {operand});
    return error_ ? kNoNode : operand;
  }

  NodeId take_comparison() {
    const NodeId first = take_infix(1);
    std::vector<NodeId> operands = {first};
    std::vector<Operator> operators;
    while (!error_) {
      const auto* const row = std::find_if(kComparisons.begin(), kComparisons.end(),
                                           [&](const Comparison& entry) { return is_next(entry.symbol); });
      if (row == kComparisons.end()) break;
      ++at_;
      operators.push_back(row->op);
      operands.push_back(take_infix(1));
    }
    if (error_) return kNoNode;
    if (operators.empty()) return first;
    const NodeId id = add(NodeKind::compare, begin_of(first), std::move(operands));
    if (id != kNoNode) nodes_[id].operators = std::move(operators);
    return id;
  }

  const Infix* next_infix(int lowest) const {
    for (const Infix& row : kInfix) {
      if (row.precedence >= lowest && is_next(row.symbol)) return &row;
    }
    return nullptr;
  }
  NodeId take_infix(int lowest) {
    NodeId left = take_unary();
    while (!error_) {
      const Infix* row = next_infix(lowest);
      if (row == nullptr) break;
      ++at_;
      const NodeId right = take_infix(row->precedence + 1);
      if (!error_) left = add_op(NodeKind::binary, row->op, begin_of(left), {left, right});
    }
    return error_ ? kNoNode : left;
  }

  std::optional<Operator> take_sign() {
    if (take("-")) return Operator::negate;
    if (take("+")) return Operator::plus;
    if (take("~")) return Operator::invert;
    if (take("!")) return Operator::logical_not;
    return std::nullopt;
  }
  NodeId take_unary() {
    const Nesting nesting(level_);
    if (level_ > 2 * kMaxExpressionDepth) return fail_here("the expression is nested too deeply");
    const std::uint32_t begin = token().begin;
    if (const auto sign = take_sign()) {
      const NodeId operand = take_unary();
      return error_ ? kNoNode : add_op(NodeKind::unary, *sign, begin, {operand});
    }
    const NodeId base = take_postfix();
    if (error_ || !take("**")) return error_ ? kNoNode : base;
    const NodeId exponent = take_unary();
    return error_ ? kNoNode : add_op(NodeKind::binary, Operator::power, begin, {base, exponent});
  }

  NodeId take_postfix() {
    NodeId node = take_primary();
    while (!error_) {
      const std::uint32_t begin = begin_of(node);
      if (take(".")) {
        node = take_attribute(node, begin);
      } else if (take("[")) {
        node = take_index(node, begin);
      } else if (take("(")) {
        node = take_call(node, begin);
      } else {
        break;
      }
    }
    return error_ ? kNoNode : node;
  }
  NodeId take_attribute(NodeId of, std::uint32_t begin) {
    if (token().kind != Token::Kind::name) return fail_here("expected the name of an attribute");
    const std::string name(token().text);
    ++at_;
    const NodeId id = add(NodeKind::attribute, begin, {of});
    if (id != kNoNode) nodes_[id].text = name;
    return id;
  }
  NodeId take_index(NodeId of, std::uint32_t begin) {
    std::vector<NodeId> children = {of};
    do {
      if (children.size() > 1 && is_next("]")) break;
      children.push_back(take_slice());
    } while (!error_ && take(","));
    if (error_ || !expect("]")) return kNoNode;
    return add(NodeKind::index, begin, std::move(children));
  }
  NodeId take_slice() {
    const std::uint32_t begin = token().begin;
    if (is_next("]")) return fail_here("expected an index");
    const NodeId start = is_next(":") ? kNoNode : take_conditional();
    if (error_ || !take(":")) return start;
    NodeId parts[2] = {kNoNode, kNoNode};
    for (NodeId& part : parts) {
      const bool is_left_out = is_next(":") || is_next("]") || is_next(",");
      part = is_left_out ? kNoNode : take_conditional();
      if (error_ || (&part == &parts[0] && !take(":"))) break;
    }
    return error_ ? kNoNode : add(NodeKind::slice, begin, {start, parts[0], parts[1]});
  }
  NodeId take_call(NodeId callee, std::uint32_t begin) {
    std::vector<NodeId> children = {callee};
    while (!error_ && !is_next(")")) {
      children.push_back(take_argument());
      if (!take(",")) break;
    }
    if (error_ || !expect(")")) return kNoNode;
    return add(NodeKind::call, begin, std::move(children));
  }
  NodeId take_argument() {
    if (token().kind != Token::Kind::name || !is_next("=", 1)) return take_conditional();
    const std::uint32_t begin = token().begin;
    const std::string name(token().text);
    at_ += 2;
    const NodeId value = take_conditional();
    if (error_) return kNoNode;
    const NodeId id = add(NodeKind::keyword, begin, {value});
    if (id != kNoNode) nodes_[id].text = name;
    return id;
  }

  NodeId take_primary() {
    const Token& next = token();
    switch (next.kind) {
      case Token::Kind::end:
        return fail_here(text_.find_first_not_of(" \t\r\n") == std::string_view::npos
                             ? "there is no expression"
                             : "the expression ends too early");
      case Token::Kind::integer:
      case Token::Kind::floating:
      case Token::Kind::text: return take_literal(next);
      case Token::Kind::name: return take_name(next);
      case Token::Kind::symbol: return take_bracketed(next);
    }
    return kNoNode;
  }
  NodeId take_literal(const Token& next) {
    ++at_;
    const bool is_integer = next.kind == Token::Kind::integer, is_text = next.kind == Token::Kind::text;
    const NodeId id = add(is_integer ? NodeKind::integer : is_text ? NodeKind::text : NodeKind::floating, next.begin);
    if (id == kNoNode) return kNoNode;
    nodes_[id].integer = next.integer;
    nodes_[id].number = next.number;
    if (is_text) nodes_[id].text = next.text;
    return id;
  }
  NodeId take_name(const Token& next) {
    const bool is_boolean = next.text == "True" || next.text == "False";
    if (std::find(kReserved.begin(), kReserved.end(), next.text) != kReserved.end())
      return fail_here("'" + std::string(next.text) + "' cannot stand here");
    ++at_;
    const NodeId id = add(is_boolean            ? NodeKind::boolean
                          : next.text == "None" ? NodeKind::none
                                                : NodeKind::name,
                          next.begin);
    if (id == kNoNode) return kNoNode;
    nodes_[id].integer = next.text == "True" ? 1 : 0;
    nodes_[id].text = next.text;
    return id;
  }
  NodeId take_bracketed(const Token& next) {
    if (next.text == "%") return take_ssa_name();
    if (take("...")) return add(NodeKind::ellipsis, next.begin);
    if (take("[")) return take_sequence(next.begin, "]", false);
    if (take("(")) return take_sequence(next.begin, ")", true);
    return fail_here("expected a value here");
  }
  /// %12, %acc_24, %5#1: no space within.
  NodeId take_ssa_name() {
    const std::uint32_t begin = token().begin;
    const Token& word = token(1);
    const bool is_word = word.kind == Token::Kind::name || word.kind == Token::Kind::integer;
    if (!is_word || word.begin != token().end) return fail_here("expected a value here");
    at_ += 2;
    const bool has_number = is_next("#") && token().begin == word.end && token(1).begin == token().end &&
                            token(1).kind == Token::Kind::integer;
    if (has_number) at_ += 2;
    const NodeId id = add(NodeKind::name, begin);
    if (id != kNoNode) nodes_[id].text = text_.substr(begin, nodes_[id].end - begin);
    return id;
  }
  /// The part after an opening bracket. `may_be_single`: (a) is a.
  NodeId take_sequence(std::uint32_t begin, std::string_view closing, bool may_be_single) {
    std::vector<NodeId> children;
    bool has_comma = false;
    while (!error_ && !is_next(closing)) {
      children.push_back(take_conditional());
      if (!take(",")) break;
      has_comma = true;
    }
    if (error_ || !expect(closing)) return kNoNode;
    if (may_be_single && !has_comma && children.size() == 1) return children[0];
    return add(NodeKind::sequence, begin, std::move(children));
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t level_ = 0;
  std::vector<Node> nodes_;
  std::optional<ExpressionError> error_;
};

}  // namespace

Expected<Expression, ExpressionError> parse_expression(std::string_view text) {
  if (text.size() > kMaxExpressionBytes)
    return Unexpected{
        ExpressionError{"an expression has at most 16384 bytes", 0, static_cast<std::uint32_t>(kMaxExpressionBytes)}};
  auto tokens = lex_expression(text);
  if (!tokens) return Unexpected{tokens.error()};
  return Parser(text, std::move(*tokens)).parse();
}

}  // namespace lockstep::debugger
