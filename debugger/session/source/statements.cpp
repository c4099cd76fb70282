#include "debugger/session/source/statements.h"

#include <algorithm>

#include "python_syntax/ast_walk.h"

namespace lockstep::debugger {

namespace ast = python_syntax::ast;

namespace {

bool is_starred(const ast::ExprPtr& one) { return one->is<ast::Starred>(); }

std::string name_of_plain(const ast::Expr& expression) {
  const auto* name = expression.as<ast::Name>();
  return name != nullptr ? name->id : "";
}

SourceExpression plain_expression(const PythonSource& source, const ast::Expr& expression) {
  const auto* call = expression.as<ast::Call>();
  return {source.span_of(expression.range), name_of_plain(expression), call != nullptr ? dotted_name(*call->func) : ""};
}

SourceExpression source_expression(const PythonSource& source, const ast::Expr& expression) {
  SourceExpression made = plain_expression(source, expression);
  const auto* tuple = expression.as<ast::Tuple>();
  if (tuple == nullptr || tuple->elts.size() < 2 || std::any_of(tuple->elts.begin(), tuple->elts.end(), is_starred))
    return made;
  for (const ast::ExprPtr& item : tuple->elts) made.items.push_back(plain_expression(source, *item));
  return made;
}

/// The targets of an assignment: the parts of a tuple or a list, or the single one.
std::vector<const ast::Expr*> targets_in(const ast::Expr& target) {
  const auto* tuple = target.as<ast::Tuple>();
  const auto* list = target.as<ast::List>();
  std::vector<const ast::Expr*> parts;
  if (tuple == nullptr && list == nullptr) return {&target};
  for (const ast::ExprPtr& one : tuple != nullptr ? tuple->elts : list->elts) parts.push_back(one.get());
  return parts;
}

/// The name at the start of a sum: "a" of "a + b * c - 1", even before a condition or a comparison.
std::string first_summand(const ast::Expr& value) {
  const ast::Expr* at = &value;
  const ast::BinOp* around = nullptr;
  for (;;) {
    if (const auto* binary = at->as<ast::BinOp>()) {
      around = binary;
      at = binary->left.get();
    } else if (const auto* choice = at->as<ast::IfExp>()) {
      at = choice->body.get();
    } else if (const auto* comparison = at->as<ast::Compare>()) {
      at = comparison->left.get();
    } else {
      break;
    }
  }
  const bool is_sum =
      around != nullptr && (around->op == ast::BinaryOperator::Add || around->op == ast::BinaryOperator::Sub);
  return is_sum && at->range.begin == value.range.begin ? name_of_plain(*at) : "";
}

/// Sorts the statements of one text into the four lists.
class StatementReader {
 public:
  StatementReader(const PythonSource& source, std::vector<Unpacking>& unpackings, std::vector<Advance>& advances,
                  std::vector<Renaming>& renamings)
      : source_(source), unpackings_(unpackings), advances_(advances), renamings_(renamings) {}

  void read(const ast::Assign& statement, std::uint32_t last_line) {
    if (statement.targets.size() != 1) return;
    const ast::Expr &target = *statement.targets.front(), &value = *statement.value;
    const std::vector<const ast::Expr*> targets = targets_in(target);
    read_renamings(statement, targets, last_line);
    if (const std::string name = name_of_plain(target); !name.empty() && first_summand(value) == name)
      advances_.push_back({name, source_.span_of(statement.range)});
    const auto is_star = [](const ast::Expr* one) { return one->is<ast::Starred>(); };
    if (targets.size() < 2 || std::any_of(targets.begin(), targets.end(), is_star)) return;
    Unpacking made{{}, source_expression(source_, value)};
    for (const ast::Expr* one : targets) made.targets.push_back(name_of_plain(*one));
    unpackings_.push_back(std::move(made));
  }

  void read(const ast::AugAssign& statement) {
    const std::string name = name_of_plain(*statement.target);
    if (!name.empty() && (statement.op == ast::BinaryOperator::Add || statement.op == ast::BinaryOperator::Sub))
      advances_.push_back({name, source_.span_of(statement.range)});
  }

 private:
  void read_renamings(const ast::Assign& statement, const std::vector<const ast::Expr*>& targets,
                      std::uint32_t last_line) {
    const auto* tuple = statement.value->as<ast::Tuple>();
    std::vector<const ast::Expr*> sources{statement.value.get()};
    if (tuple != nullptr) sources = targets_in(*tuple);
    for (std::size_t i = 0; targets.size() == sources.size() && i < targets.size(); ++i) {
      const std::string target = name_of_plain(*targets[i]), source = name_of_plain(*sources[i]);
      if (!target.empty() && !source.empty())
        renamings_.push_back({target, source, line_of(source_.span_of(statement.range).begin), last_line});
    }
  }

  const PythonSource& source_;
  std::vector<Unpacking>& unpackings_;
  std::vector<Advance>& advances_;
  std::vector<Renaming>& renamings_;
};

}  // namespace

Statements::Statements(const PythonSource& source) {
  for (const PythonSource::Function& one : source.functions())
    functions_.push_back({one.name, one.first_line, one.last_line, {}});
  StatementReader reader(source, unpackings_, advances_, renamings_);
  ast::walk(source.tree(), [&](const ast::Node& node) {
    if (const auto* assign = node.as<ast::Assign>()) reader.read(*assign, source.last_line_of_block(*assign));
    if (const auto* advance = node.as<ast::AugAssign>()) reader.read(*advance);
    const auto* leave = node.as<ast::Return>();
    if (leave == nullptr || leave->value == nullptr) return;
    const SourcePosition spot = source.span_of(leave->range).begin;
    for (auto one = functions_.rbegin(); one != functions_.rend(); ++one) {  // the last that begins before it
      if (one->first_line > line_of(spot) || line_of(spot) > one->last_line) continue;
      one->returns.push_back(source_expression(source, *leave->value));
      break;
    }
  });
}

const Unpacking* Statements::unpacking_at(SourcePosition spot) const {
  const auto next = std::upper_bound(unpackings_.begin(), unpackings_.end(), spot,
                                     [](SourcePosition at, const Unpacking& one) { return at < one.value.span.begin; });
  if (next == unpackings_.begin() || !std::prev(next)->value.span.holds(spot)) return nullptr;
  return &*std::prev(next);
}

const Advance* Statements::advance_at(SourcePosition spot) const {
  const auto next = std::upper_bound(advances_.begin(), advances_.end(), spot,
                                     [](SourcePosition at, const Advance& one) { return at < one.span.begin; });
  if (next == advances_.begin() || !std::prev(next)->span.holds(spot)) return nullptr;
  return &*std::prev(next);
}

const SourceFunction* Statements::function_at(SourcePosition spot) const {
  const std::uint32_t line = line_of(spot);
  const SourceFunction* found = nullptr;  // the last one that begins before it is the innermost
  for (const SourceFunction& one : functions_) {
    if (one.first_line <= line && line <= one.last_line) found = &one;
  }
  return found;
}

}  // namespace lockstep::debugger
