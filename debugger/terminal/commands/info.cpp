// `info`: facts of the current position, a topic at a time.
#include <algorithm>

#include "debugger/queries/pipeline.h"
#include "debugger/queries/pointer_parts.h"
#include "debugger/session/overview.h"
#include "debugger/session/summary.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/commands/stops.h"
#include "debugger/terminal/inspect.h"
#include "interpreter/access/access_lanes.h"
#include "interpreter/shared_memory/block_view.h"
#include "ir/op_def.h"
#include "ir/text/python_name.h"

namespace lockstep::debugger {

namespace {

// ---- variables ----

void show_variables(CommandContext& in, const std::function<bool(const Variable&, const Value&)>& wants,
                    const char* none) {
  if (in.session.engine().point() == nullptr) {
    show_end(in);
    return;
  }
  const auto variables = in.session.frame().variables();
  const bool is_named =
      std::any_of(variables.begin(), variables.end(), [](const auto& one) { return !one.is_argument; });
  std::size_t shown_count = 0;
  for (const Variable& variable : is_named ? variables : in.session.frame().numbered()) {
    const auto found = in.session.scope().find(variable.name);
    if (!found || !*found || !wants(variable, **found)) continue;
    in.screen.line("  " + in.screen.cut(variable.name + " = " + shown(in, **found), 2));
    ++shown_count;
  }
  if (shown_count == 0) in.screen.line(none);
}

void info_tiles(CommandContext& in) {
  show_variables(
      in, [](const Variable& variable, const Value&) { return !variable.is_argument; }, "no variable has a value yet");
}

/// The mask of the next access, where it has no name; "": there is none.
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
  return "  mask of this " + ir::shown_name(*point->op) + " = " + inline_text(bits, session.scope());
}

void info_masks(CommandContext& in) {
  const std::string own = own_mask_text(in.session);
  show_variables(
      in,
      [](const Variable&, const Value& value) {
        const auto* tensor = std::get_if<Tensor>(&value);
        return tensor != nullptr && tensor->elements == ElementClass::boolean;
      },
      own.empty() ? "no mask has a value yet" : "no variable holds a mask");
  if (!own.empty()) in.screen.line(own);
}

void info_pointers(CommandContext& in) {
  show_variables(
      in,
      [](const Variable& variable, const Value& value) {
        const auto* tensor = std::get_if<Tensor>(&value);
        return !variable.is_argument && tensor != nullptr && tensor->elements == ElementClass::pointer;
      },
      "no pointer has a value yet");
}

void info_args(CommandContext& in) {
  const Engine& engine = in.session.engine();
  for (const PassedParameter& passed : in.session.scope().parameters()) {
    const auto found = in.session.scope().find(passed.name);
    const std::string text = found && *found ? shown(in, **found) : "?";
    in.screen.line("  " + in.screen.cut(passed.name + " = " + text + "  from " + passed.words, 2));
  }
  const auto& parameters = engine.kernel().function().region().front().arguments();
  for (const auto& parameter : parameters) {
    const std::string name = name_of(*parameter);
    if (const auto window = in.session.scope().argument(name)) {
      std::string line = name + "  " + type_text(Value(*window)) + "  strides " + index_text(window->strides);
      if (window->name != name) line += "  of " + window->name;
      in.screen.line("  " + in.screen.cut(line, 2));
      continue;
    }
    if (engine.point() == nullptr) continue;
    Datum datum = read(engine, engine.kernel().slot_of(*parameter, 0));
    in.screen.line(
        "  " + name + " = " +
        brief_text(decode_tensor(datum.kind, datum.shape, datum.bytes, datum.provenance), in.session.scope()));
  }
  for (const auto& [name, value] : in.session.setup().constants)
    in.screen.line("  " + name + " = " + brief_text(value, in.session.scope()) + "  constant");
}

// ---- the position ----

void info_loop(CommandContext& in) {
  if (in.session.engine().point() == nullptr) {
    show_end(in);
    return;
  }
  if (in.session.frame().loops().empty()) in.screen.line("no loop is around");
  show_loops(in);
}

void info_line(CommandContext& in) {
  const Point* point = in.session.engine().point();
  if (point == nullptr) {
    show_end(in);
    return;
  }
  const Place place = in.session.frame().place();
  show_source_line(in);
  for (const Point& other : in.session.engine().kernel().points()) {
    const bool is_of_line =
        std::any_of(other.frames.begin(), other.frames.end(), [&](const Place& one) { return one.same_line(place); });
    if (is_of_line && other.is_statement) show_op(in, other.number, &other == point);
  }
}

void info_breaks(CommandContext& in) {
  for (const auto& [id, stop] : in.session.stops().all()) show_stop(in, stop);
  for (const auto& [id, watch] : in.session.stops().watches()) show_watch(in, watch);
  if (in.session.stops().all().empty() && in.session.stops().watches().empty()) in.screen.line("no breakpoints, no watches");
}

void info_findings(CommandContext& in) {
  const auto& findings = in.session.engine().findings();
  for (const auto& [mark, finding] : findings) in.screen.put(render_text(finding, in.screen.has_color()));
  if (in.session.caught().checked() != nullptr) {
    in.screen.line("findings of the run under checkers:");
    for (const Finding& finding : in.session.caught().checked()->findings())
      in.screen.put(render_text(finding, in.screen.has_color()));
  }
  if (findings.empty() && in.session.caught().checked() == nullptr) in.screen.line("none up to here");
}

void info_history(CommandContext& in) {
  const auto counted = [](std::uint64_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  const History& history = in.session.engine().history();
  const auto mebibytes = [](std::uint64_t bytes) { return std::to_string((bytes + (1U << 19U)) >> 20U) + " MiB"; };
  in.screen.line(counted(history.checkpoint_count(), "checkpoint") + ", " + mebibytes(history.bytes()) + " of " +
                 mebibytes(history.limit_bytes()) + " (--history)");
}

/// "barrier 1 of full: ..., line 12".
std::string block_line_text(const interpreter::BlockLine& line) {
  const std::string buffer = line.buffer == nullptr ? "" : name_of(*line.buffer->result(0));
  std::string text = line.text;
  if (line.kind == interpreter::BlockLine::Kind::barrier)
    text = "barrier " + std::to_string(line.index) + (buffer.empty() ? "" : " of " + buffer) + ": " + text;
  if (line.kind == interpreter::BlockLine::Kind::operation && !buffer.empty()) text += ", on " + buffer;
  const Location at = line.location.innermost_file();
  if (!at.is_unknown()) text += ", line " + std::to_string(at->line);
  return text;
}

void info_groups(CommandContext& in) {
  if (in.session.engine().point() == nullptr) {
    show_end(in);
    return;
  }
  const auto lines = interpreter::describe_block(in.session.engine().machine());
  for (const interpreter::BlockLine& line : lines) in.screen.line("  " + block_line_text(line));
  if (lines.empty()) in.screen.line("no groups of warps, barriers or asynchronous operations");
}

void info_pipeline(CommandContext& in) {
  Engine& engine = in.session.engine();
  const auto found = find_pipeline(engine, engine.point() == nullptr ? 0 : engine.program());
  if (!found) {
    in.screen.line(found.error().text());
    return;
  }
  for (const std::string& line : pipeline_lines(*found, in.screen.width())) in.screen.line(in.screen.cut(line));
}

// ---- topics ----

struct Topic {
  std::string_view name, summary;
  void (*show)(CommandContext& in);
};

constexpr Topic kTopics[] = {
    {"args", "the arguments of the launch", info_args},
    {"breaks", "breakpoints, log points, watches", info_breaks},
    {"catch", "what is caught", show_catches},
    {"findings", "the findings so far", info_findings},
    {"groups", "groups of warps, barriers, operations in flight", info_groups},
    {"history", "what going backwards costs", info_history},
    {"line", "the source line and its ops", info_line},
    {"loop", "the loops around", info_loop},
    {"masks", "variables that are masks", info_masks},
    {"pipeline", "what groups of warps and operations did side by side up to now", info_pipeline},
    {"pointers", "variables that are pointers", info_pointers},
    {"program", "the program that stands", show_program},
    {"tiles", "all variables", info_tiles},
    {"timeline", "what was changed", show_timelines},
};

std::vector<std::string> names_of_topics(const Session&) {
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) names.emplace_back(topic.name);
  return names;
}

Done do_info(CommandContext& in, std::string_view words) {
  if (words.empty()) {
    for (const Topic& topic : kTopics)
      in.screen.line("  info " + std::string(topic.name) + std::string(11 - topic.name.size(), ' ') +
                     std::string(topic.summary));
    return {};
  }
  const Topic* found = nullptr;
  std::string several;
  for (const Topic& topic : kTopics) {
    if (!topic.name.starts_with(words)) continue;
    several += (several.empty() ? "" : ", ") + std::string(topic.name);
    found = &topic;
    if (topic.name == words) break;
  }
  if (found == nullptr) {
    const std::string near = nearest_name(words, names_of_topics(in.session));
    return Unexpected{Problem{"there is no `info " + std::string(words) + "`",
                              near.empty() ? "`info` lists the topics" : "did you mean '" + near + "'?"}};
  }
  if (found->name != words && several != found->name)
    return Unexpected{Problem{"'" + std::string(words) + "' is ambiguous", several}};
  found->show(in);
  return {};
}

}  // namespace

CommandRows info_commands() {
  static constexpr Command kRows[] = {
      {"info", "i", "info TOPIC", "tiles, masks, args, loop, line, breaks, ...", CommandGroup::looking, do_info, false,
       names_of_topics},
  };
  return kRows;
}

}  // namespace lockstep::debugger
