// Evaluator: walks one expression once. Private to evaluate.h and target.h. Invariant: after an error, every function
// returns nullopt at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/expression/elementwise.h"
#include "debugger/expression/parser.h"
#include "debugger/expression/scope.h"
#include "debugger/expression/selection.h"

namespace lockstep::debugger {

/// The limit for all tensors of one evaluation.
constexpr std::int64_t kMaxWork = std::int64_t{1} << 25;

class Evaluator {
 public:
  Evaluator(const Expression& expression, const Scope& scope) : expression_(expression), scope_(scope) {}

  std::optional<Value> value(const Node& node);
  std::optional<bool> truth(const Node& node);
  /// nullopt: failed.
  std::optional<std::vector<Subscript>> subscripts(const Node& index_node);
  const ExpressionError& error() const { return *error_; }

  // ---- for functions that expressions call (evaluate_calls.cpp) ----
  using Result = std::optional<Value>;
  /// A call whose arguments are evaluated on demand.
  struct Call {
    const Node& node;
    std::string name;
    std::optional<Value> self;  // of a method: the first argument
    std::vector<const Node*> arguments;
    const Node* axis = nullptr;
    const Node* mask = nullptr;
    std::size_t count() const { return arguments.size() + (self ? 1 : 0); }
  };
  std::nullopt_t fail(const Node& node, std::string message);
  /// Fails beyond kMaxWork.
  bool spend(const Node& node, std::int64_t elements);
  Result take(const Node& node, Computed computed);
  std::optional<Tensor> tensor(const Node& node);
  std::optional<Tensor> read(const Node& node, Value value);
  std::optional<std::int64_t> integer(const Node& node);
  Result triple(const Node& node, std::string_view name);
  Result found(const Node& node, Scope::Found value);
  Result argument(Call& call, std::size_t i);
  std::optional<Tensor> tensor_argument(Call& call, std::size_t i);
  const Node& node_of(const Call& call, std::size_t i) const;
  Result argument_before(Call& call);
  const Scope& scope() const { return scope_; }
  /// Marks a use of memory; returns which age.
  Age use_memory() {
    ++memory_uses_;
    return age_;
  }

 private:
  const Node& child(const Node& node, std::size_t i) const { return expression_.node(node.children[i]); }
  std::optional<bool> truth_of(const Node& node, const Value& value);

  // Nodes.
  Result unary(const Node& node);
  Result binary(const Node& node);
  Result comparison(const Node& node);
  Result compare_two(const Node& node, Operator op, const Value& a, const Value& b);
  Result logical(const Node& node);
  Result conditional(const Node& node);
  Result sequence(const Node& node);
  Result index(const Node& node);
  Result mask_part(const Node& node, const Value& base, const Tensor& mask);
  std::optional<Subscript> subscript(const Node& node);
  bool bound(NodeId id, std::optional<std::int64_t>& out);

  // Names and attributes.
  Result name(const Node& node);
  Result base_of_index(const Node& node);
  Result attribute(const Node& node);
  Result attribute_of(const Node& node, const Value& value);
  bool is_module(const Node& node) const;

  // Calls.
  Result call(const Node& node);
  std::optional<Call> call_of(const Node& node);
  bool sort_arguments(Call& call);

  const Expression& expression_;
  const Scope& scope_;
  Age age_ = Age::now;
  std::int64_t work_ = 0, memory_uses_ = 0;
  std::optional<ExpressionError> error_;
};

/// Of a call.
bool is_expression_function(std::string_view name);

}  // namespace lockstep::debugger
