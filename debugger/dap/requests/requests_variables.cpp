// Requests about variables: variables, setVariable, setExpression.
#include <algorithm>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/json/layout_json.h"
#include "debugger/dap/json/members.h"
#include "debugger/dap/json/values.h"
#include "debugger/dap/runs.h"
#include "debugger/expression/show.h"
#include "debugger/session/edits.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::int64_t kPage = 1000;  // rows without a page that was asked for

std::string message_of(const ExpressionError& error) { return error.message; }

/// The layout of a tile, if it has one: its named child.
Json::Array named_rows(State& state, const Container& container) {
  Json::Array found;
  if (const auto tile = laid_out(state, container.expression))
    found.push_back(layout_member(state, *tile, container.level));
  return found;
}

/// Elements along the first dimension, after what is in `found`.
Answer rows(State& state, const Container& container, std::int64_t start, std::int64_t count,
            Json::Array found) {
  const std::int64_t extent = shape_of(container.value).front();
  const std::int64_t end = count > extent - start ? extent : start + count;
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

/// Sets, and shows the new value.
Answer set_and_show(State& state, const std::string& target, const std::string& text) {
  const auto set = assign_text(state.session(), target, text);
  if (!set) return refuse(set.error().text());
  const auto now = evaluate(target, state.session().scope());
  if (!now) return refuse(message_of(now.error()));
  Json body = Json::record();
  set_value(state, body, "value", *now, state.session().level(), target);
  return then(done(std::move(body)), [&state] { report_edit(state); });
}

}  // namespace

Answer variables(State& state, Arguments& in) {
  const std::int64_t number = in.integer("variablesReference", 1, INT32_MAX);
  const std::string filter = in.text_or("filter", "");
  const std::int64_t start = in.integer_or("start", 0, INT64_MAX, 0);
  std::int64_t count = in.integer_or("count", 0, INT64_MAX, 0);
  if (!filter.empty() && filter != "indexed" && filter != "named") in.fail("'filter' must be indexed or named");
  if (!in.is_good()) return refuse(in.problem());
  const Container* known = state.references.container(number);
  if (known == nullptr) return refuse("this variable no longer exists");
  const Container container = *known;
  count = count == 0 ? kPage : std::min(count, kPage * 10);
  if (state.engine().point() != nullptr) state.session().set_level(container.level);
  const bool is_value = container.kind == Container::Kind::value;
  const bool is_indexed = is_value || container.kind == Container::Kind::layout;
  Json::Array named;
  if (is_value && filter != "indexed" && start == 0) named = named_rows(state, container);
  if (!filter.empty() && (filter == "indexed") != is_indexed)
    return done(Json::record({{"variables", std::move(named)}}));
  if (container.kind == Container::Kind::layout) {
    auto found = layout_rows(state, container, start, count);
    if (!found) return refuse(found.error());
    return done(Json::record({{"variables", std::move(*found)}}));
  }
  return is_value ? rows(state, container, start, count, std::move(named))
                  : members_answer(state, container, start, count);
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

}  // namespace lockstep::debugger::dap
