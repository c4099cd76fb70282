// `info`: what there is to know of where it stands, a topic at a time.
#include <algorithm>

#include "debugger/questions/pointer_parts.h"
#include "debugger/session/brief.h"
#include "debugger/session/overview.h"
#include "debugger/terminal/terminal.h"
#include "interpreter/access/access_lanes.h"
#include "ir/op_def.h"

namespace lockstep::debugger {

const std::vector<Terminal::Topic>& Terminal::topics() {
  using T = Terminal;
  static const std::vector<Topic> topics = {
      {"args", "the arguments of the launch", &T::info_args},
      {"breaks", "breakpoints, log points, watches", &T::info_breaks},
      {"catch", "what is caught", &T::info_catch},
      {"findings", "what was found up to now", &T::info_findings},
      {"history", "what going backwards costs", &T::info_history},
      {"line", "the source line and its ops", &T::info_line},
      {"loop", "the loops around", &T::info_loop},
      {"masks", "variables that are masks", &T::info_masks},
      {"pointers", "variables that are pointers", &T::info_pointers},
      {"program", "the program that stands", &T::info_program},
      {"tiles", "all variables", &T::info_tiles},
      {"timeline", "what was changed", &T::info_timeline},
  };
  return topics;
}

Terminal::Done Terminal::do_info(Words words) {
  if (words.empty()) {
    for (const Topic& topic : topics())
      screen_.line("  info " + std::string(topic.name) + std::string(11 - topic.name.size(), ' ') +
                   std::string(topic.summary));
    return std::monostate{};
  }
  const Topic* found = nullptr;
  std::string several;
  for (const Topic& topic : topics()) {
    if (!topic.name.starts_with(words)) continue;
    several += (several.empty() ? "" : ", ") + std::string(topic.name);
    found = &topic;
    if (topic.name == words) break;
  }
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const Topic& topic : topics()) names.emplace_back(topic.name);
    const std::string near = nearest_name(words, names);
    return Unexpected{Problem{"there is no `info " + std::string(words) + "`",
                              near.empty() ? "`info` lists the topics" : "did you mean '" + near + "'?"}};
  }
  if (found->name != words && several != found->name)
    return Unexpected{Problem{"'" + std::string(words) + "' is the beginning of several topics", several}};
  (this->*found->show)();
  return std::monostate{};
}

// ---- variables ----

void Terminal::show_variables(const std::function<bool(const Variable&, const Value&)>& wants, const char* none) {
  if (session_.engine().point() == nullptr) {
    show_end();
    return;
  }
  const auto variables = session_.frame().variables();
  const bool is_named =
      std::any_of(variables.begin(), variables.end(), [](const auto& one) { return !one.is_argument; });
  std::size_t shown_count = 0;
  for (const Variable& variable : is_named ? variables : session_.frame().numbered()) {
    const auto found = session_.scope().find(variable.name);
    if (!found || !*found || !wants(variable, **found)) continue;
    screen_.line("  " + screen_.cut(variable.name + " = " + shown(**found), 2));
    ++shown_count;
  }
  if (shown_count == 0) screen_.line(none);
}

void Terminal::info_tiles() {
  show_variables([](const Variable& variable, const Value&) { return !variable.is_argument; },
                 "no variable has a value yet");
}

namespace {

/// The mask of the access that the program is about to make, where it has no name; "": there is none.
std::string own_mask_text(const Session& session) {
  const Engine& engine = session.engine();
  const Point* point = engine.point();
  if (point == nullptr || !interpreter::touches_memory(*point->op)) return "";
  const ir::Value* mask = interpreter::access_mask(*point->op);
  if (mask == nullptr || is_variable(engine, *mask)) return "";
  const auto slot = engine.kernel().slot_of(*mask, point->activation);
  if (slot == interpreter::kNoSlot) return "";
  const Datum datum = read(engine, slot);
  const Tensor bits = decode_tensor(datum.kind, datum.shape, datum.bytes);
  return "  mask of this " + std::string(point->op->spelling()) + " = " + inline_text(bits, session.scope());
}

}  // namespace

void Terminal::info_masks() {
  const std::string own = own_mask_text(session_);
  show_variables(
      [](const Variable&, const Value& value) {
        const auto* tensor = std::get_if<Tensor>(&value);
        return tensor != nullptr && tensor->elements == ElementClass::boolean;
      },
      own.empty() ? "no mask has a value yet" : "no mask has a name");
  if (!own.empty()) screen_.line(own);
}

void Terminal::info_pointers() {
  show_variables(
      [](const Variable& variable, const Value& value) {
        const auto* tensor = std::get_if<Tensor>(&value);
        return !variable.is_argument && tensor != nullptr && tensor->elements == ElementClass::pointer;
      },
      "no pointer has a value yet");
}

void Terminal::info_args() {
  const Engine& engine = session_.engine();
  for (const PassedParameter& passed : session_.parameters()) {
    const auto found = session_.scope().find(passed.name);
    const std::string text = found && *found ? shown(**found) : "?";
    screen_.line("  " + screen_.cut(passed.name + " = " + text + "  from " + passed.words, 2));
  }
  const auto& parameters = engine.kernel().function().region().front().arguments();
  for (const auto& parameter : parameters) {
    const std::string name = name_of(*parameter);
    if (const auto window = session_.scope().argument(name)) {
      std::string line = name + "  " + type_text(Value(*window)) + "  strides " + index_text(window->strides);
      if (window->name != name) line += "  of " + window->name;
      screen_.line("  " + screen_.cut(line, 2));
      continue;
    }
    if (engine.point() == nullptr) continue;
    Datum datum = read(engine, engine.kernel().slot_of(*parameter, 0));
    screen_.line("  " + name + " = " +
                 brief_text(decode_tensor(datum.kind, datum.shape, datum.bytes, datum.provenance), session_.scope()));
  }
  for (const auto& [name, value] : session_.constants())
    screen_.line("  " + name + " = " + brief_text(value, session_.scope()) + "  constant");
}

// ---- where it stands ----

void Terminal::info_program() {
  if (session_.engine().point() == nullptr) {
    show_end();
    return;
  }
  const Engine& engine = session_.engine();
  show_place();
  const auto& grid = engine.grid();
  screen_.line("number " + std::to_string(engine.program()) + " of " + std::to_string(engine.program_count()) +
               ", grid (" + std::to_string(grid[0]) + "," + std::to_string(grid[1]) + "," + std::to_string(grid[2]) +
               "), turn " + std::to_string(engine.moment().turn) + ", point " + std::to_string(engine.moment().step));
}

void Terminal::info_loop() {
  if (session_.engine().point() == nullptr) {
    show_end();
    return;
  }
  if (session_.frame().loops().empty()) screen_.line("no loop is around");
  show_loops();
}

void Terminal::info_line() {
  const Point* point = session_.engine().point();
  if (point == nullptr) {
    show_end();
    return;
  }
  const Place place = session_.frame().place();
  show_line();
  for (const Point& other : session_.engine().kernel().points()) {
    const bool is_of_line =
        std::any_of(other.frames.begin(), other.frames.end(), [&](const Place& one) { return one.same_line(place); });
    if (is_of_line && other.is_statement) show_op(other.number, &other == point);
  }
}

void Terminal::info_breaks() {
  for (const auto& [id, stop] : session_.stops()) show_stop(stop);
  for (const auto& [id, watch] : session_.watches()) show_watch(watch);
  if (session_.stops().empty() && session_.watches().empty()) screen_.line("no breakpoints, no watches");
}

void Terminal::info_catch() {
  if (session_.catches().empty()) screen_.line("nothing is caught");
  for (const CatchRequest& request : session_.catches()) {
    std::string title;
    for (const CatchFilter& filter : catch_filters()) {
      if (filter.name == request.filter) title = std::string(filter.title);
    }
    screen_.line("catch " + request.filter + (title.empty() ? "" : ": " + title) +
                 (request.condition.empty() ? "" : "  if " + request.condition));
  }
  if (session_.checked() == nullptr) return;
  screen_.line("stops are set where a run under checkers found " + std::to_string(session_.births()) +
               " of these (`info findings`)");
  const auto& found = session_.checked()->findings();
  const auto own = std::count_if(found.begin(), found.end(), [this](const Finding& one) {
    const auto& all = session_.catches();
    return is_found_by_running(one.code) && std::any_of(all.begin(), all.end(), [&one](const CatchRequest& request) {
             const auto rule = make_rule(request);
             return rule && rule->wants(one);
           });
  });
  if (own != 0) screen_.line(std::to_string(own) + " more the launch finds by itself, and stops there");
  if (const std::size_t count = session_.placeless(); count != 0)
    screen_.line(std::to_string(count) + (count == 1 ? " more has" : " more have") +
                 " no line to stop at: what is said when the launch ends");
}

void Terminal::info_findings() {
  const auto& findings = session_.engine().findings();
  for (const auto& [moment, finding] : findings) screen_.put(render_text(finding, screen_.has_color()));
  if (session_.checked() != nullptr) {
    screen_.line("of the run under checkers:");
    for (const Finding& finding : session_.checked()->findings())
      screen_.put(render_text(finding, screen_.has_color()));
  }
  if (findings.empty() && session_.checked() == nullptr) screen_.line("none up to here");
}

void Terminal::info_history() {
  const auto counted = [](std::uint64_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  const History& history = session_.engine().history();
  const auto mebibytes = [](std::uint64_t bytes) { return std::to_string((bytes + (1U << 19U)) >> 20U) + " MiB"; };
  screen_.line(counted(history.checkpoint_count(), "checkpoint") + ", " + mebibytes(history.bytes()) + " of " +
               mebibytes(history.limit_bytes()) + " (--history)");
}

void Terminal::info_timeline() {
  constexpr std::uint64_t kBehindAll = std::uint64_t{1} << 62;  // points of a program that was not run point by point
  const auto text_of = [](const Moment& moment) {
    if (moment.step >= kBehindAll) return "behind turn " + std::to_string(moment.turn);
    return "turn " + std::to_string(moment.turn) + ", point " + std::to_string(moment.step);
  };
  for (const Engine::Timeline& timeline : session_.engine().timelines()) {
    const bool is_here = timeline.id == session_.engine().timeline();
    std::string text = std::string(is_here ? "* " : "  ") + std::to_string(timeline.id);
    if (timeline.id != 0)
      text += "  forked from " + std::to_string(timeline.parent) + " at " + text_of(timeline.forked_at);
    screen_.line(text + (is_here ? "  now at " : "  left at ") + text_of(timeline.last));
  }
}

}  // namespace lockstep::debugger
