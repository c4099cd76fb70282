// A person's input: evaluate and completions. In the console (repl), a text without a value may be a command of the
// terminal.
#include <algorithm>
#include <cctype>
#include <set>

#include "debugger/dap/console.h"
#include "debugger/dap/dispatch.h"
#include "debugger/dap/json/values.h"
#include "debugger/dap/line_proof.h"
#include "debugger/dap/runs.h"
#include "debugger/dap/sources.h"
#include "debugger/dap/stops.h"
#include "debugger/expression/show.h"
#include "debugger/session/break_locations.h"
#include "debugger/terminal/commands/families.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::size_t kMostCompletions = 200, kTitle = 60;
constexpr char kCommandMark = '`';  // a command whatever the text means as an expression

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%'; }

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
  return text.substr(0, end);
}

bool names_command(std::string_view word) { return !word.empty() && find_command(word).has_value(); }

/// For a text without a value. A text that parses as an expression is one, unless it is only a command's name or begins
/// with a long one: `c + 1` without a variable c must not continue the launch.
bool is_command(const std::string& text) {
  const std::string_view word = first_word(text);
  if (!names_command(word)) return false;
  if (!parse_expression(text)) return true;
  return word.size() == text.size() || (word.size() > 1 && (*find_command(word))->name == word);
}

Console& console_of(State& state) {
  if (!state.console) state.console = std::make_unique<Console>(state.session(), state.client.has_ansi);
  return *state.console;
}

/// The state that a command may change.
struct Before {
  Engine::ReturnMark home;
  std::uint32_t timeline = 0;
  std::set<std::uint32_t> stops;
};

std::set<std::uint32_t> stops_of(const Session& session) {
  std::set<std::uint32_t> ids;
  for (const auto& [id, stop] : session.stops().all()) ids.insert(id);
  for (const auto& [id, watch] : session.stops().watches()) ids.insert(id);
  return ids;
}

Before before_of(const State& state) {
  return {state.engine().home(), state.engine().timelines().current(), stops_of(state.session())};
}

/// Adds typed breakpoints to the editor's list.
void report_stops(State& state, const std::set<std::uint32_t>& before) {
  const std::set<std::uint32_t> now = stops_of(state.session());
  const auto tell = [&state](const char* reason, Json breakpoint) {
    state.channel.event("breakpoint", Json::record({{"reason", reason}, {"breakpoint", std::move(breakpoint)}}));
  };
  for (const std::uint32_t id : now) {
    if (!before.contains(id)) tell("new", breakpoint_json(state, id, true));
  }
  for (const std::uint32_t id : before) {
    if (!now.contains(id)) tell("removed", Json::record({{"id", id}, {"verified", false}}));
  }
}

Answer command(State& state, const std::string& line) {
  const auto found = find_command(first_word(line));
  const bool leaves = found && ((*found)->name == "quit" || (*found)->name == "kill");
  if (leaves) return refuse("the editor ends the session: disconnect or terminate");
  const Before before = before_of(state);
  Expected<std::string, Problem> said = std::string();
  const Interruption why = interruptible(state, line.substr(0, kTitle), [&] { said = console_of(state).type(line); });
  const Engine::ReturnMark home = state.engine().home();
  const bool has_moved = home.mark != before.home.mark || home.is_end != before.home.is_end;
  const bool is_edited = state.engine().timelines().current() != before.timeline;
  if (has_moved) forget_references(state);
  Answer answer =
      said ? done(Json::record({{"result", *said}, {"variablesReference", 0}})) : refuse(said.error().text());
  if (!said && why == Interruption::pause) answer = {Json(), "cancelled", "cancelled", {}};
  return then(std::move(answer), [&state, has_moved, is_edited, why, stops = before.stops] {
    if (why == Interruption::leave) return;
    report_stops(state, stops);
    if (has_moved) report_stop(state, state.session().stop_event(), "step");
    if (is_edited) report_edit(state);
  });
}

Json completion(const std::string& label, const char* type, std::size_t start, std::size_t length) {
  return Json::record({{"label", label}, {"type", type}, {"start", start}, {"length", length}});
}

/// Of a hover whose client says where it is (`source`, `line`): what the proof says of that line. "": nothing.
std::string hover_proof(const State& state, Arguments& in) {
  if (!in.has("line") || in.object_or_null("source").is_null()) return {};
  const std::int64_t line = in.integer("line", 0, INT32_MAX) + 1 - state.client.first_line;
  const NamedSource source = read_source(state, in);
  if (!in.is_good() || source.is_ttir || state.proof.is_null()) return {};
  const auto where = resolve_line(state.engine().kernel(), source.file, 1);
  return where && where->place.is_known() ? line_proof(state.proof, *where->place.file, line) : std::string();
}

}  // namespace

Answer evaluate_request(State& state, Arguments& in) {
  const std::string text = in.text("expression"), context = in.text_or("context", "");
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  const std::string proof = context == "hover" ? hover_proof(state, in) : "";
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, frame);
  if (!looked) return refuse(looked.error());
  const std::string line(trimmed(text));
  if (context == "repl" && line.starts_with(kCommandMark)) return command(state, line.substr(1));
  const auto value = evaluate(text, state.session().scope());
  if (!value && context == "repl" && is_command(line)) return command(state, line);
  if (!value && !proof.empty()) return done(Json::record({{"result", proof}, {"variablesReference", 0}}));
  if (!value) return refuse(value.error().message);
  Json body = Json::record();
  set_value(state, body, "result", *value, state.session().level(), text);
  if (!proof.empty()) body.set("result", *body.find("result")->text() + "\n" + proof);
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
  std::set<std::string> offered;
  const auto offer = [&](std::string_view name, const char* type) {
    if (name.starts_with(prefix) && targets.size() < kMostCompletions && offered.emplace(name).second)
      targets.push_back(completion(std::string(name), type, begin, prefix.size()));
  };
  const std::string_view word = first_word(text);
  const bool is_in_command = word.size() < begin && text[word.size()] == ' ' && names_command(word);
  if (begin > 0 && text[begin - 1] == '.') {
    for (const std::string_view name : expression_attributes()) offer(name, "property");
  } else if (!is_in_command) {
    for (const std::string& name : state.session().scope().names()) offer(name, "variable");
    for (const FunctionHelp& function : expression_functions()) offer(function.name, "function");
  }
  for (const std::string& name : console_of(state).complete(text.substr(0, end), begin)) offer(name, "keyword");
  return done(Json::record({{"targets", std::move(targets)}}));
}

}  // namespace lockstep::debugger::dap
