// Requests about values: variables, setVariable, evaluate, setExpression, completions.
#include <algorithm>
#include <cctype>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/members.h"
#include "debugger/dap/runs.h"
#include "debugger/dap/values.h"
#include "debugger/expression/show.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::int64_t kPage = 1000;  // rows without a page that was asked for
constexpr std::size_t kMostCompletions = 200;

std::string message_of(const ExpressionError& error) { return error.message; }

/// Elements along the first dimension.
Answer rows(State& state, const Container& container, std::int64_t start, std::int64_t count) {
  const std::int64_t extent = shape_of(container.value).front();
  const std::int64_t end = count > extent - start ? extent : start + count;
  Json::Array found;
  for (std::int64_t i = start; i < end; ++i) {
    Subscript at;
    at.number = i;
    const auto part = part_of(container.value, {at});
    if (!part) return refuse(part.error());
    const std::string expression = element_expression(container.expression, i);
    Json row = Json::record({{"name", "[" + std::to_string(i) + "]"}});
    set_value(state, row, "value", *part, container.level, expression);
    if (!expression.empty()) row.set("evaluateName", expression);
    found.push_back(std::move(row));
  }
  return done(Json::record({{"variables", std::move(found)}}));
}

Answer members_answer(State& state, const Container& container, std::int64_t start, std::int64_t count) {
  Json::Array found;
  std::int64_t number = 0;
  for (const NamedMember& member : members_of(state, container)) {
    const std::int64_t at = number++;
    if (at < start || at - start >= count) continue;
    found.push_back(member_json(state, container, member));
  }
  return done(Json::record({{"variables", std::move(found)}}));
}

/// Sets, and shows what is there now.
Answer set_and_show(State& state, const std::string& target, const std::string& text) {
  const auto set = state.session().set(target, text);
  if (!set) return refuse(set.error().text());
  const auto now = state.session().evaluate(target);
  if (!now) return refuse(message_of(now.error()));
  Json body = Json::record();
  set_value(state, body, "value", *now, state.session().level(), target);
  return then(done(std::move(body)), [&state] { report_edit(state); });
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%'; }

Json completion(const std::string& label, const char* type, std::size_t start, std::size_t length) {
  return Json::record({{"label", label}, {"type", type}, {"start", start}, {"length", length}});
}

}  // namespace

Answer variables(State& state, Arguments& in) {
  const std::int64_t number = in.integer("variablesReference", 1, INT32_MAX);
  const std::string filter = in.text_or("filter", "");
  const std::int64_t start = in.integer_or("start", 0, INT64_MAX, 0);
  std::int64_t count = in.integer_or("count", 0, INT64_MAX, 0);
  if (!filter.empty() && filter != "indexed" && filter != "named") in.fail("'filter' is indexed or named");
  if (!in.is_good()) return refuse(in.problem());
  const Container* known = state.references.container(number);
  if (known == nullptr) return refuse("there is no such variable any more");
  const Container container = *known;
  count = count == 0 ? kPage : std::min(count, kPage * 10);
  if (state.engine().point() != nullptr) state.session().set_level(container.level);
  const bool is_indexed = container.kind == Container::Kind::value;
  if (!filter.empty() && (filter == "indexed") != is_indexed)
    return done(Json::record({{"variables", Json(Json::Array{})}}));
  return is_indexed ? rows(state, container, start, count) : members_answer(state, container, start, count);
}

Answer set_variable(State& state, Arguments& in) {
  const std::int64_t container = in.integer("variablesReference", 1, INT32_MAX);
  const std::string name = in.text("name"), value = in.text("value");
  if (!in.is_good()) return refuse(in.problem());
  const auto target = expression_in(state, container, 0, name);
  if (!target) return refuse(target.error());
  return set_and_show(state, *target, value);
}

Answer set_expression(State& state, Arguments& in) {
  const std::string expression = in.text("expression"), value = in.text("value");
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, frame);
  if (!looked) return refuse(looked.error());
  return set_and_show(state, expression, value);
}

Answer evaluate_request(State& state, Arguments& in) {
  const std::string expression = in.text("expression"), context = in.text_or("context", "");
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, frame);
  if (!looked) return refuse(looked.error());
  const auto value = state.session().evaluate(expression);
  if (!value) return refuse(message_of(value.error()));
  Json body = Json::record();
  set_value(state, body, "result", *value, state.session().level(), expression);
  if (context == "clipboard" || (context == "repl" && !shape_of(*value).empty())) {
    if (const auto table = show_table(*value, state.session().scope())) body.set("result", *table);
  }
  return done(std::move(body));
}

Answer completions(State& state, Arguments& in) {
  const std::string text = in.text("text");
  const std::int64_t column = in.integer("column", 0, INT32_MAX) - state.client.first_column;
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  in.integer_or("line", 0, INT32_MAX, 0);
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, frame);
  if (!looked) return refuse(looked.error());
  const std::size_t end = std::min(text.size(), static_cast<std::size_t>(std::max<std::int64_t>(0, column)));
  std::size_t begin = end;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  const std::string prefix = text.substr(begin, end - begin);
  Json::Array targets;
  const auto offer = [&](std::string_view name, const char* type) {
    if (name.starts_with(prefix) && targets.size() < kMostCompletions)
      targets.push_back(completion(std::string(name), type, begin, prefix.size()));
  };
  if (begin > 0 && text[begin - 1] == '.') {
    for (const std::string_view name : expression_attributes()) offer(name, "property");
  } else {
    for (const std::string& name : state.session().scope().names()) offer(name, "variable");
    for (const FunctionHelp& function : expression_functions()) offer(function.name, "function");
  }
  return done(Json::record({{"targets", std::move(targets)}}));
}

}  // namespace lockstep::debugger::dap
