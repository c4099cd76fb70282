#include "debugger/terminal/inspect.h"

#include <algorithm>

#include "debugger/expression/show.h"
#include "debugger/session/buffers.h"
#include "debugger/session/overview.h"
#include "debugger/session/summary.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kLineNumber = 5;  // columns
constexpr const char* kArrow = "->";

}  // namespace

void show_halt(CommandContext& in, bool shows_op) {
  const StopEvent& stop_event = in.session.stop_event();
  const std::string why = in.session.why();
  for (const std::string& problem : stop_event.problems) in.screen.line(in.screen.ink(Ink::red, "error: ") + problem);
  if (!why.empty()) in.screen.line(in.screen.ink(stop_event.findings.empty() ? Ink::yellow : Ink::red, why));
  if (in.session.engine().point() == nullptr) {
    show_end(in);
    return;
  }
  show_place(in);
  show_loops(in);
  show_source_line(in);
  if (shows_op && !in.session.listing().line(in.session.frame().place()).empty())
    show_op(in, in.session.engine().point()->number, true);
  show_displays(in);
}

void show_end(CommandContext& in) {
  const ProgramCounts counts = count_programs(in.session);
  std::string text =
      std::to_string(counts.ended) + " of " + std::to_string(in.session.engine().program_count()) + " programs ended";
  const auto& findings = in.session.engine().findings();
  if (!findings.empty()) text += ", " + std::to_string(findings.size()) + " findings (`info findings`)";
  in.screen.line(text);
  if (in.state.at_end == AtEnd::asks && !in.state.is_batch) in.screen.line("`continue` returns to your Python code");
}

void show_place(CommandContext& in) {
  const Engine& engine = in.session.engine();
  const Frame frame = in.session.frame();
  const Place place = frame.place();
  const std::string group = group_name(engine);
  std::string text = "program " + in.screen.ink(Ink::strong, program_text(engine.program_id(engine.program()))) + "  " +
                     (group.empty() ? "" : group + "  ") + in.session.function_name(in.session.level()) + "  " + in.screen.ink(Ink::blue, place_text(place)) +
                     "  step " + std::to_string(engine.programs().current().steps);
  if (engine.timelines().current() != 0) text += "  timeline " + std::to_string(engine.timelines().current());
  in.screen.line(text);
}

void show_loops(CommandContext& in) {
  std::string text;
  for (const LoopPosition& loop : in.session.frame().loops()) {
    text += (text.empty() ? "" : ", in ") + loop.text() + (loop.variable.empty() ? " of the loop" : "") +
            (loop.place.is_known() ? " (" + place_text(loop.place) + ")" : "");
  }
  if (!text.empty()) in.screen.line(in.screen.cut(text));
}

std::optional<Value> at_lane(CommandContext& in, const Value& value) {
  const auto* tensor = std::get_if<Tensor>(&value);
  if (in.state.lane.empty() || tensor == nullptr || tensor->shape.size() != in.state.lane.size()) return std::nullopt;
  std::vector<Subscript> subscripts;
  for (std::size_t d = 0; d < in.state.lane.size(); ++d) {
    if (in.state.lane[d] >= tensor->shape[d] && tensor->shape[d] != 1) return std::nullopt;
    Subscript subscript;
    subscript.number = tensor->shape[d] == 1 ? 0 : in.state.lane[d];
    subscripts.push_back(subscript);
  }
  auto part = part_of(value, subscripts);
  if (!part) return std::nullopt;
  return std::move(*part);
}

namespace {

/// Values of the names in the line, up to two lines of text.
std::string values_in_line(CommandContext& in) {
  const std::string indent(kLineNumber + 2, ' ');
  std::string text, line = indent;
  std::size_t lines = 1;
  for (const std::string& name : in.session.listing().names_in_line(in.session.frame().place())) {
    const auto found = in.session.scope().find(name);
    if (!found || !*found) continue;
    const auto narrowed = at_lane(in, **found);
    const std::string piece = narrowed
                                  ? name + index_text(in.state.lane) + " " + inline_text(*narrowed, in.session.scope())
                                  : name + " " + inline_text(**found, in.session.scope());
    if (line != indent && line.size() + piece.size() + 3 > in.screen.width()) {
      if (++lines > 2) break;
      text += line + "\n";
      line = indent;
    }
    line += (line == indent ? "" : " | ") + in.screen.cut(piece, indent.size());
  }
  return line == indent ? text : text + line;
}

}  // namespace

void show_source_line(CommandContext& in) {
  const Place place = in.session.frame().place();
  const std::string text = in.session.listing().line(place);
  if (text.empty()) {
    show_op(in, in.session.engine().point()->number, true);
  } else {
    in.screen.line(in.screen.ink(Ink::green, kArrow) + padded(std::to_string(place.line), kLineNumber - 2) + "  " +
                   in.screen.cut(text, kLineNumber + 2));
  }
  const std::string values = values_in_line(in);
  if (!values.empty()) in.screen.line(in.screen.ink(Ink::faint, values));
}

void show_op(CommandContext& in, std::uint32_t point, bool is_current) {
  const ListedOp& op = in.session.listing().ops()[point];
  const std::string number = padded("*" + std::to_string(point), kLineNumber + 1);
  in.screen.line(in.screen.ink(Ink::green, is_current ? kArrow : "  ") + number + "  " +
                 in.screen.cut(std::string(2 * op.indent, ' ') + op.text, kLineNumber + 5));
}

std::string shown(CommandContext& in, const Value& value) {
  if (const auto narrowed = at_lane(in, value))
    return "lane " + index_text(in.state.lane) + ": " + brief_text(*narrowed, in.session.scope());
  return brief_text(value, in.session.scope());
}

void show_displays(CommandContext& in) {
  for (const CommandState::Display& display : in.state.displays) {
    const auto value = evaluate(display.expression, in.session.scope());
    in.screen.line(std::to_string(display.id) + ": " + display.expression + " = " +
                   (value ? shown(in, *value) : "<" + value.error().message + ">"));
  }
}

void show_program(CommandContext& in) {
  if (in.session.engine().point() == nullptr) {
    show_end(in);
    return;
  }
  const Engine& engine = in.session.engine();
  show_place(in);
  const auto& grid = engine.grid();
  in.screen.line("number " + std::to_string(engine.program()) + " of " + std::to_string(engine.program_count()) +
                 ", grid (" + std::to_string(grid[0]) + "," + std::to_string(grid[1]) + "," + std::to_string(grid[2]) +
                 "), time slice " + std::to_string(engine.mark().turn) + ", point " + std::to_string(engine.mark().step));
}

void show_timelines(CommandContext& in) {
  constexpr std::uint64_t kBehindAll = std::uint64_t{1} << 62;  // points of a program that was not run point by point
  const auto text_of = [](const Mark& mark) {
    if (mark.step >= kBehindAll) return "after time slice " + std::to_string(mark.turn);
    return "at time slice " + std::to_string(mark.turn) + ", point " + std::to_string(mark.step);
  };
  for (const TimelineFacts& timeline : in.session.engine().timelines().all(in.session.engine().mark())) {
    const bool is_here = timeline.id == in.session.engine().timelines().current();
    std::string text = std::string(is_here ? "* " : "  ") + std::to_string(timeline.id);
    if (timeline.id != 0)
      text += "  forked from " + std::to_string(timeline.parent) + " " + text_of(timeline.forked_at);
    in.screen.line(text + (is_here ? "  now " : "  left ") + text_of(timeline.last));
  }
}

}  // namespace lockstep::debugger
