#include "debugger/session/source/inlined_calls.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace lockstep::debugger {

namespace ast = python_syntax::ast;

namespace {

struct Formal {
  std::string_view name;
  const ast::Expr* value = nullptr;  // its default; null: none
  bool is_keyword_only = false;
};

/// nullopt: the function collects arguments (*args), which this does not follow.
std::optional<std::vector<Formal>> formals_of(const ast::Arguments& arguments) {
  if (arguments.vararg != nullptr || arguments.kwarg != nullptr) return std::nullopt;
  std::vector<Formal> formals;
  for (const auto* some : {&arguments.posonlyargs, &arguments.args}) {
    for (const auto& one : *some) formals.push_back({one->name});
  }
  const std::size_t required = formals.size() - arguments.defaults.size();
  for (std::size_t i = required; i < formals.size(); ++i) formals[i].value = arguments.defaults[i - required].get();
  for (std::size_t i = 0; i < arguments.kwonlyargs.size(); ++i)
    formals.push_back({arguments.kwonlyargs[i]->name, arguments.kw_defaults[i].get(), true});
  return formals;
}

/// The expression for each formal parameter; null: its default. nullopt: they do not fit.
std::optional<std::vector<const ast::Expr*>> assign(const ast::Call& call, const std::vector<Formal>& formals) {
  std::vector<const ast::Expr*> given(formals.size(), nullptr);
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (call.args[i]->is<ast::Starred>() || i >= formals.size() || formals[i].is_keyword_only) return std::nullopt;
    given[i] = call.args[i].get();
  }
  for (const auto& keyword : call.keywords) {
    const auto known =
        std::find_if(formals.begin(), formals.end(), [&](const Formal& formal) { return formal.name == keyword->arg; });
    const auto at = static_cast<std::size_t>(known - formals.begin());
    if (at >= formals.size() || given[at] != nullptr) return std::nullopt;
    given[at] = keyword->value.get();
  }
  return given;
}

}  // namespace

std::vector<MatchedParameter> match_parameters(const PythonSource& caller, const ast::Call& call,
                                               const PythonSource& callee, const ast::FunctionDef& definition) {
  const auto formals = formals_of(*definition.args);
  const auto given = formals ? assign(call, *formals) : std::nullopt;
  if (!given) return {};
  std::vector<MatchedParameter> all;
  for (std::size_t i = 0; i < formals->size(); ++i) {
    const Formal& formal = (*formals)[i];
    const ast::Expr* argument = (*given)[i];
    if (argument == nullptr && formal.value == nullptr) return {};
    const bool is_default = argument == nullptr;
    const SourceRange range = is_default ? formal.value->range : argument->range;
    const PythonSource& text = is_default ? callee : caller;
    // The call's own parentheses do not belong to the argument.
    const SourceRange inside =
        is_default ? definition.range : SourceRange{call.func->range.end + 1, call.range.end - 1};
    all.push_back({{std::string(formal.name), text.words_of(text.with_parentheses(range, inside)), is_default},
                   is_default ? SourceSpan{} : caller.span_of(range)});
  }
  return all;
}

InlinedCalls::InlinedCalls(const DebugKernel& kernel, const Listing& listing)
    : kernel_(kernel), listing_(listing), values_(std::make_unique<SourceValues>(kernel, listing)) {}

InlinedCalls::~InlinedCalls() = default;

std::vector<std::pair<const ir::Value*, Definitions::Result>> InlinedCalls::unpacked() { return values_->unpacked(); }

std::vector<Definitions::Renaming> InlinedCalls::renamings() const { return values_->renamings(); }

std::vector<const ir::Value*> InlinedCalls::offsets() const { return values_->offsets(); }

const PythonSource::Function* InlinedCalls::definition(const Place& inside) const {
  const PythonSource* source = inside.is_known() ? listing_.python(*inside.file) : nullptr;
  return source != nullptr ? source->function_around(inside.line) : nullptr;
}

/// Triton's location of a call is that of its last evaluated part: one of the arguments, or the name if there are none.
const InlinedCalls::Passed& InlinedCalls::passed(const Place& inside, const Place& call) const {
  const auto line_of = [](const Place& place) {
    return Line{place.file, std::uint64_t{place.line} << 32 | place.column};
  };
  const auto [known, is_new] = passed_.try_emplace({line_of(inside), line_of(call)});
  const PythonSource::Function* function = definition(inside);
  const PythonSource* caller = call.is_known() ? listing_.python(*call.file) : nullptr;
  if (!is_new || function == nullptr || function->tree == nullptr || caller == nullptr) return known->second;
  const ast::Call* around = caller->call_around(position_at(call.line, call.column), function->name);
  if (around == nullptr) return known->second;
  for (MatchedParameter& one : match_parameters(*caller, *around, *listing_.python(*inside.file), *function->tree)) {
    known->second.parameters.push_back(std::move(one.passed));
    known->second.spans.push_back(one.span);
  }
  return known->second;
}

const std::vector<PassedParameter>& InlinedCalls::parameters(const Place& inside, const Place& call) const {
  return passed(inside, call).parameters;
}

const ir::Value* InlinedCalls::argument(const Point& point, std::size_t level, std::size_t number) const {
  if (level + 1 >= point.frames.size()) return nullptr;
  const auto& spans = passed(point.frames[level], point.frames[level + 1]).spans;
  const Activation& running = kernel_.activations()[point.activation];
  const std::size_t outer = running.caller >= 0 ? kernel_.points()[running.call_point].frames.size() : 0;
  if (number >= spans.size() || spans[number].begin == spans[number].end || level + 1 + outer >= point.frames.size())
    return nullptr;
  return values_->argument(spans[number], {point.frames.begin() + static_cast<std::ptrdiff_t>(level) + 1,
                                           point.frames.end() - static_cast<std::ptrdiff_t>(outer)});
}

const std::string& InlinedCalls::function_around(const Place& place) const {
  static const std::string kUnknown;
  const PythonSource::Function* function = definition(place);
  return function != nullptr ? function->name : kUnknown;
}

/// Calls visit(point, frame) for the first statement of each frame below a call, once for each path to it.
template <typename Visit>
void InlinedCalls::for_each_entry(Visit&& visit) const {
  using Way = std::vector<std::tuple<std::string, std::uint32_t, std::uint32_t>>;
  std::set<std::pair<std::uint32_t, Way>> entered;
  for (const Point& point : kernel_.points()) {
    if (!point.is_statement) continue;
    Way way;
    for (std::size_t frame = point.frames.size(); frame-- > 1;) {
      const Place& call = point.frames[frame];
      if (!call.is_known()) break;
      way.emplace_back(*call.file, call.line, call.column);
      if (entered.emplace(point.activation, way).second) visit(point, frame - 1);
    }
  }
}

std::vector<Breakpoint::At> InlinedCalls::entries(std::string_view function) const {
  std::vector<Breakpoint::At> found;
  for_each_entry([&](const Point& point, std::size_t frame) {
    if (function_around(point.frames[frame]) == function) found.push_back({point.number, frame});
  });
  return found;
}

std::vector<std::string> InlinedCalls::functions() const {
  std::set<std::string> names;
  for_each_entry([&](const Point& point, std::size_t frame) { names.insert(function_around(point.frames[frame])); });
  names.erase("");
  return {names.begin(), names.end()};
}

}  // namespace lockstep::debugger
