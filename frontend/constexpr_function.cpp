#include "frontend/constexpr_function.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/module_evaluator.h"

namespace lockstep::frontend {

namespace {

constexpr int kMaxSteps = 1'000'000;  // of an outermost call and all that it calls
constexpr std::size_t kMaxItems = 100'000;
constexpr int kMaxDepth = 50;
thread_local int running_depth = 0;
thread_local int steps_taken = 0;

class Interpreter {
 public:
  Interpreter(ModuleLoader& loader, const JitFunction& function)
      : function_(function), evaluator_(loader, *function.module, &locals_) {}
  ValueResult run(const std::vector<Value>& arguments);

 private:
  enum class Flow : std::uint8_t { next, leave_loop, next_iteration, returned, failed };

  Flow run(const ast::Body& body);
  Flow run(const ast::Stmt& node);
  Flow run_for(const ast::For& node);
  Flow run_while(const ast::While& node);
  Flow run_try(const ast::Try& node);
  Flow run_import(const ast::Import& node);
  Flow run_import(const ast::ImportFrom& node);
  Flow bind_import(const std::string& name, const Value& value);
  Flow assign(const ast::Expr& target, const Value& value);
  Flow fail(std::string why) {
    error_ = std::move(why);
    return Flow::failed;
  }
  /// Invalid after a failure.
  Value evaluate(const ast::Expr& node);
  bool iterate(const ast::Expr& node, std::vector<Value>& items);

  const JitFunction& function_;
  Scope locals_;
  ModuleEvaluator evaluator_;
  Value result_{Constant()};
  std::string error_;
  bool is_import_error_ = false;  // error_ stands for Python's ImportError
};

Value Interpreter::evaluate(const ast::Expr& node) {
  const Value value = evaluator_.evaluate(node);
  if (value.opaque() == nullptr) return value;
  const LineColumn at = function_.module->file()->position(node.range.begin);
  error_ = fmt::format("line {} of {}() uses {}", at.line, function_.name, value.opaque()->what);
  return {};
}

ValueResult Interpreter::run(const std::vector<Value>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) locals_.set(function_.parameters[i].name, arguments[i]);
  const Flow flow = run(function_.node->body);
  if (flow == Flow::failed) return Unexpected<std::string>{error_};
  return result_;
}

Interpreter::Flow Interpreter::run(const ast::Body& body) {
  for (const ast::StmtPtr& statement : body) {
    if (++steps_taken > kMaxSteps) return fail(fmt::format("{}() does not end", function_.name));
    if (const Flow flow = run(*statement); flow != Flow::next) return flow;
  }
  return Flow::next;
}

Interpreter::Flow Interpreter::run(const ast::Stmt& node) {
  if (node.is<ast::Pass>()) return Flow::next;
  if (node.is<ast::Break>()) return Flow::leave_loop;
  if (node.is<ast::Continue>()) return Flow::next_iteration;
  if (const auto* loop = node.as<ast::For>()) return run_for(*loop);
  if (const auto* loop = node.as<ast::While>()) return run_while(*loop);
  if (const auto* attempt = node.as<ast::Try>()) return run_try(*attempt);
  if (const auto* import = node.as<ast::Import>()) return run_import(*import);
  if (const auto* import = node.as<ast::ImportFrom>()) return run_import(*import);
  if (const auto* assignment = node.as<ast::Assign>()) {
    const Value value = evaluate(*assignment->value);
    for (const ast::ExprPtr& target : assignment->targets) {
      if (assign(*target, value) == Flow::failed) return Flow::failed;
    }
    return Flow::next;
  }
  if (const auto* annotated = node.as<ast::AnnAssign>())
    return annotated->value ? assign(*annotated->target, evaluate(*annotated->value)) : Flow::next;
  if (const auto* augmented = node.as<ast::AugAssign>()) {
    const Value left = evaluate(*augmented->target);
    const Value right = evaluate(*augmented->value);
    if (left.is_invalid() || right.is_invalid()) return Flow::failed;
    const ValueResult value = apply_host(augmented->op, left, right);
    return value ? assign(*augmented->target, *value) : fail(value.error());
  }
  if (const auto* returned = node.as<ast::Return>()) {
    if (returned->value) result_ = evaluate(*returned->value);
    return result_.is_invalid() ? Flow::failed : Flow::returned;
  }
  if (const auto* expression = node.as<ast::ExprStmt>())
    return evaluate(*expression->value).is_invalid() ? Flow::failed : Flow::next;
  const auto* branch = node.as<ast::If>();
  const auto* check = node.as<ast::Assert>();
  if (branch == nullptr && check == nullptr)
    return fail(fmt::format("{}() has a statement of type {}", function_.name, ast::kind_name(node.kind)));
  const Value test = evaluate(branch != nullptr ? *branch->test : *check->test);
  if (test.is_invalid()) return Flow::failed;
  const bool holds = truth(test).value_or(false);
  if (branch != nullptr) return run(holds ? branch->body : branch->orelse);
  return holds ? Flow::next : fail(fmt::format("AssertionError in {}()", function_.name));
}

/// Whether `except TYPE` takes an ImportError.
bool takes_import_error(const ast::ExceptHandler& handler) {
  if (handler.type == nullptr) return true;
  const auto* name = handler.type->as<ast::Name>();
  return name != nullptr && (name->id == "ImportError" || name->id == "ModuleNotFoundError" ||
                             name->id == "Exception" || name->id == "BaseException");
}

/// Only one exception is known: the ImportError of a module that is not to be found. Any other failure is not an
/// answer.
Interpreter::Flow Interpreter::run_try(const ast::Try& node) {
  Flow flow = run(node.body);
  if (flow == Flow::next) flow = run(node.orelse);
  if (flow == Flow::failed && is_import_error_) {
    const auto handler = std::find_if(node.handlers.begin(), node.handlers.end(),
                                      [](const auto& candidate) { return takes_import_error(*candidate); });
    if (handler == node.handlers.end()) return flow;
    is_import_error_ = false;
    flow = run((*handler)->body);
  }
  if (flow == Flow::failed) return flow;
  const Flow last = run(node.finalbody);
  return last == Flow::next ? flow : last;
}

Interpreter::Flow Interpreter::bind_import(const std::string& name, const Value& value) {
  is_import_error_ = value.opaque() != nullptr;
  if (is_import_error_) return fail(fmt::format("'{}' is {}", name, value.opaque()->what));
  locals_.set(name, value);
  return Flow::next;
}

Interpreter::Flow Interpreter::run_import(const ast::Import& node) {
  for (const auto& alias : node.names) {
    const std::string top = alias->name.substr(0, alias->name.find('.'));
    if (bind_import(alias->asname.value_or(top), evaluator_.imported(alias->asname ? alias->name : top)) ==
        Flow::failed)
      return Flow::failed;
  }
  return Flow::next;
}

Interpreter::Flow Interpreter::run_import(const ast::ImportFrom& node) {
  if (node.level != 0 || !node.module) return fail(fmt::format("{}() has a relative import", function_.name));
  for (const auto& alias : node.names) {
    const Value value = evaluator_.imported(*node.module, alias->name);
    if (bind_import(alias->asname.value_or(alias->name), value) == Flow::failed) return Flow::failed;
  }
  return Flow::next;
}

Interpreter::Flow Interpreter::assign(const ast::Expr& target, const Value& value) {
  if (value.is_invalid()) return Flow::failed;
  if (const auto* name = target.as<ast::Name>()) {
    locals_.set(name->id, value);
    return Flow::next;
  }
  const auto* tuple = target.as<ast::Tuple>();
  if (tuple == nullptr || value.elements() == nullptr || value.elements()->size() != tuple->elts.size()) {
    return fail(fmt::format("{}() has an assignment that is not supported", function_.name));
  }
  for (std::size_t i = 0; i < tuple->elts.size(); ++i) {
    if (assign(*tuple->elts[i], (*value.elements())[i]) == Flow::failed) return Flow::failed;
  }
  return Flow::next;
}

bool Interpreter::iterate(const ast::Expr& node, std::vector<Value>& items) {
  const auto* call = node.as<ast::Call>();
  const auto* name = call != nullptr ? call->func->as<ast::Name>() : nullptr;
  if (name == nullptr || name->id != "range") {
    const Value sequence = evaluate(node);
    if (sequence.elements() == nullptr)
      return !sequence.is_invalid() && fail(fmt::format("{} is not a sequence", sequence.describe())) != Flow::failed;
    items = *sequence.elements();
    return true;
  }
  std::vector<Integer> bounds;
  for (const ast::ExprPtr& argument : call->args) {
    const Value bound = evaluate(*argument);
    if (bound.constant() == nullptr || !bound.constant()->is_integral())
      return fail("range() needs integers") != Flow::failed;
    bounds.push_back(bound.constant()->as_integer());
  }
  if (bounds.empty() || bounds.size() > 3) return fail("range() takes 1 to 3 arguments") != Flow::failed;
  const Integer start = bounds.size() > 1 ? bounds[0] : 0;
  const Integer end = bounds.size() > 1 ? bounds[1] : bounds[0];
  const Integer step = bounds.size() > 2 ? bounds[2] : 1;
  if (step == 0) return fail("range() step must not be zero") != Flow::failed;
  for (Integer i = start; step > 0 ? i < end : i > end; i += step) {
    if (items.size() >= kMaxItems) return fail("range() is too long") != Flow::failed;
    items.emplace_back(Constant::integer(i));
  }
  return true;
}

Interpreter::Flow Interpreter::run_for(const ast::For& node) {
  std::vector<Value> items;
  if (!iterate(*node.iter, items)) return Flow::failed;
  for (const Value& item : items) {
    if (++steps_taken > kMaxSteps) return fail(fmt::format("{}() does not end", function_.name));
    if (assign(*node.target, item) == Flow::failed) return Flow::failed;
    const Flow flow = run(node.body);
    if (flow == Flow::leave_loop) return Flow::next;
    if (flow == Flow::returned || flow == Flow::failed) return flow;
  }
  return run(node.orelse);
}

Interpreter::Flow Interpreter::run_while(const ast::While& node) {
  for (;;) {
    if (++steps_taken > kMaxSteps) return fail(fmt::format("{}() does not end", function_.name));
    const Value test = evaluate(*node.test);
    if (test.is_invalid()) return Flow::failed;
    if (!truth(test).value_or(false)) return run(node.orelse);
    const Flow flow = run(node.body);
    if (flow == Flow::leave_loop) return Flow::next;
    if (flow == Flow::returned || flow == Flow::failed) return flow;
  }
}

}  // namespace

ValueResult run_constexpr_function(ModuleLoader& loader, const JitFunction& function,
                                   const std::vector<Value>& positional,
                                   const std::vector<std::pair<std::string, Value>>& keywords) {
  const std::size_t count = function.parameters.size();
  if (positional.size() > count)
    return Unexpected<std::string>{
        fmt::format("{}() takes {} arguments but {} were given", function.name, count, positional.size())};
  std::vector<Value> arguments = positional;
  arguments.resize(count);
  for (const auto& [name, value] : keywords) {
    std::size_t i = 0;
    while (i < count && function.parameters[i].name != name) ++i;
    if (i == count)
      return Unexpected<std::string>{fmt::format("{}() got an unexpected keyword argument '{}'", function.name, name)};
    arguments[i] = value;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Parameter& parameter = function.parameters[i];
    if (arguments[i].is_invalid() && parameter.default_value != nullptr)
      arguments[i] = loader.evaluate(*parameter.default_value, *function.module);
    if (arguments[i].is_invalid())
      return Unexpected<std::string>{fmt::format("{}() is missing the argument '{}'", function.name, parameter.name)};
    if (arguments[i].tensor() != nullptr)
      return Unexpected<std::string>{fmt::format(
          "argument '{}' of the constexpr function {}() is only known at run time", parameter.name, function.name)};
  }
  if (running_depth >= kMaxDepth)
    return Unexpected<std::string>{fmt::format("{}() is nested too deeply", function.name)};
  if (running_depth++ == 0) steps_taken = 0;
  ValueResult result = Interpreter(loader, function).run(arguments);
  --running_depth;
  return result;
}

}  // namespace lockstep::frontend
