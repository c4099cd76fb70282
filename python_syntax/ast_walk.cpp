#include "python_syntax/ast_walk.h"

namespace lockstep::python_syntax::ast {

namespace {

/// Children of one node, kind by kind.
class Children {
 public:
  explicit Children(const VisitNode& visit) : visit_(visit) {}

  void of(const Node& node) {
    if (of_definition(node) || of_block(node) || of_statement(node) || of_operation(node) || of_display(node)) return;
    of_pattern(node);
  }

 private:
  template <typename T>
  void add(const std::unique_ptr<T>& child) {
    if (child != nullptr) visit_(*child);
  }
  template <typename T>
  void add(const std::vector<std::unique_ptr<T>>& children) {
    for (const auto& child : children) add(child);
  }
  template <typename... Fields>
  bool all(const Fields&... fields) {
    (add(fields), ...);
    return true;
  }
  /// A dict's pairs, key before value.
  template <typename Left, typename Right>
  bool in_turn(const Left& left, const Right& right) {
    for (std::size_t i = 0; i < left.size(); ++i) all(left[i], right[i]);
    return true;
  }

  bool of_definition(const Node& node) {
    if (const auto* one = node.as<Module>()) return all(one->body);
    if (const auto* one = node.as<FunctionDef>())
      return all(one->decorator_list, one->type_params, one->args, one->returns, one->body);
    if (const auto* one = node.as<ClassDef>())
      return all(one->decorator_list, one->type_params, one->bases, one->keywords, one->body);
    if (const auto* one = node.as<Lambda>()) return all(one->args, one->body);
    if (const auto* one = node.as<Arguments>())
      return all(one->posonlyargs, one->args, one->vararg, one->kwonlyargs, one->kw_defaults, one->kwarg,
                 one->defaults);
    if (const auto* one = node.as<Arg>()) return all(one->annotation);
    if (const auto* one = node.as<TypeVar>()) return all(one->bound);
    if (const auto* one = node.as<TypeAlias>()) return all(one->name, one->type_params, one->value);
    return false;
  }

  bool of_block(const Node& node) {
    if (const auto* one = node.as<For>()) return all(one->target, one->iter, one->body, one->orelse);
    if (const auto* one = node.as<While>()) return all(one->test, one->body, one->orelse);
    if (const auto* one = node.as<If>()) return all(one->test, one->body, one->orelse);
    if (const auto* one = node.as<With>()) return all(one->items, one->body);
    if (const auto* one = node.as<WithItem>()) return all(one->context_expr, one->optional_vars);
    if (const auto* one = node.as<Try>()) return all(one->body, one->handlers, one->orelse, one->finalbody);
    if (const auto* one = node.as<ExceptHandler>()) return all(one->type, one->body);
    if (const auto* one = node.as<Match>()) return all(one->subject, one->cases);
    if (const auto* one = node.as<MatchCase>()) return all(one->pattern, one->guard, one->body);
    return false;
  }

  bool of_statement(const Node& node) {
    if (const auto* one = node.as<Return>()) return all(one->value);
    if (const auto* one = node.as<Delete>()) return all(one->targets);
    if (const auto* one = node.as<Assign>()) return all(one->targets, one->value);
    if (const auto* one = node.as<AugAssign>()) return all(one->target, one->value);
    if (const auto* one = node.as<AnnAssign>()) return all(one->target, one->annotation, one->value);
    if (const auto* one = node.as<Raise>()) return all(one->exc, one->cause);
    if (const auto* one = node.as<Assert>()) return all(one->test, one->msg);
    if (const auto* one = node.as<Import>()) return all(one->names);
    if (const auto* one = node.as<ImportFrom>()) return all(one->names);
    if (const auto* one = node.as<ExprStmt>()) return all(one->value);
    return false;
  }

  bool of_operation(const Node& node) {
    if (const auto* one = node.as<BoolOp>()) return all(one->values);
    if (const auto* one = node.as<NamedExpr>()) return all(one->target, one->value);
    if (const auto* one = node.as<BinOp>()) return all(one->left, one->right);
    if (const auto* one = node.as<UnaryOp>()) return all(one->operand);
    if (const auto* one = node.as<Compare>()) return all(one->left, one->comparators);
    if (const auto* one = node.as<IfExp>()) return all(one->test, one->body, one->orelse);
    if (const auto* one = node.as<Call>()) return all(one->func, one->args, one->keywords);
    if (const auto* one = node.as<Keyword>()) return all(one->value);
    if (const auto* one = node.as<Attribute>()) return all(one->value);
    if (const auto* one = node.as<Subscript>()) return all(one->value, one->slice);
    if (const auto* one = node.as<Slice>()) return all(one->lower, one->upper, one->step);
    if (const auto* one = node.as<Starred>()) return all(one->value);
    if (const auto* one = node.as<Await>()) return all(one->value);
    if (const auto* one = node.as<Yield>()) return all(one->value);
    if (const auto* one = node.as<YieldFrom>()) return all(one->value);
    return false;
  }

  bool of_display(const Node& node) {
    if (const auto* one = node.as<Tuple>()) return all(one->elts);
    if (const auto* one = node.as<List>()) return all(one->elts);
    if (const auto* one = node.as<Set>()) return all(one->elts);
    if (const auto* one = node.as<Dict>()) return in_turn(one->keys, one->values);
    if (const auto* one = node.as<ListComp>()) return all(one->elt, one->generators);
    if (const auto* one = node.as<SetComp>()) return all(one->elt, one->generators);
    if (const auto* one = node.as<GeneratorExp>()) return all(one->elt, one->generators);
    if (const auto* one = node.as<DictComp>()) return all(one->key, one->value, one->generators);
    if (const auto* one = node.as<Comprehension>()) return all(one->target, one->iter, one->ifs);
    if (const auto* one = node.as<JoinedStr>()) return all(one->values);
    if (const auto* one = node.as<FormattedValue>()) return all(one->value, one->format_spec);
    return false;
  }

  bool of_pattern(const Node& node) {
    if (const auto* one = node.as<MatchValue>()) return all(one->value);
    if (const auto* one = node.as<MatchSequence>()) return all(one->patterns);
    if (const auto* one = node.as<MatchMapping>()) return all(one->keys, one->patterns);
    if (const auto* one = node.as<MatchClass>()) return all(one->cls, one->patterns, one->kwd_patterns);
    if (const auto* one = node.as<MatchAs>()) return all(one->pattern);
    if (const auto* one = node.as<MatchOr>()) return all(one->patterns);
    return false;
  }

  const VisitNode& visit_;
};

}  // namespace

void for_each_child(const Node& node, const VisitNode& visit) { Children(visit).of(node); }

void walk(const Node& node, const VisitNode& visit) {
  visit(node);
  for_each_child(node, [&](const Node& child) { walk(child, visit); });
}

}  // namespace lockstep::python_syntax::ast
