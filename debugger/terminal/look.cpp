// What a terminal shows of where the launch stands: why it stopped, program, loops, line, values.
#include <algorithm>

#include "debugger/expression/show.h"
#include "debugger/session/brief.h"
#include "debugger/session/overview.h"
#include "debugger/terminal/terminal.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kLineNumber = 5;  // columns
constexpr const char* kArrow = "->";

}  // namespace

void Terminal::show_halt(bool shows_op) {
  const Halt& halt = session_.halt();
  const std::string why = session_.why();
  for (const std::string& problem : halt.problems) screen_.line(screen_.ink(Ink::red, "error: ") + problem);
  if (!why.empty()) screen_.line(screen_.ink(halt.findings.empty() ? Ink::yellow : Ink::red, why));
  if (session_.engine().point() == nullptr) {
    show_end();
    return;
  }
  show_place();
  show_loops();
  show_line();
  if (shows_op && !session_.listing().line(session_.frame().place()).empty())
    show_op(session_.engine().point()->number, true);
  show_displays();
}

void Terminal::show_end() {
  const ProgramCounts counts = count_programs(session_);
  std::string text =
      std::to_string(counts.ended) + " of " + std::to_string(session_.engine().program_count()) + " programs ended";
  const auto& findings = session_.engine().findings();
  if (!findings.empty()) text += ", " + std::to_string(findings.size()) + " findings (`info findings`)";
  screen_.line(text);
  if (options_.at_end == AtEnd::asks && !options_.is_batch) screen_.line("`continue` goes on with the program");
}

void Terminal::show_place() {
  const Engine& engine = session_.engine();
  const Frame frame = session_.frame();
  const Place place = frame.place();
  std::string text = "program " + screen_.ink(Ink::strong, program_text(engine.program_id(engine.program()))) + "  " +
                     session_.function_name(session_.level()) + "  " + screen_.ink(Ink::blue, place_text(place)) +
                     "  step " + std::to_string(engine.programs().current().steps);
  if (engine.timeline() != 0) text += "  timeline " + std::to_string(engine.timeline());
  screen_.line(text);
}

void Terminal::show_loops() {
  std::string text;
  for (const LoopPosition& loop : session_.frame().loops()) {
    text += (text.empty() ? "" : ", in ") + loop.text() + (loop.variable.empty() ? " of the loop" : "") +
            (loop.place.is_known() ? " (" + place_text(loop.place) + ")" : "");
  }
  if (!text.empty()) screen_.line(screen_.cut(text));
}

void Terminal::show_line() {
  const Place place = session_.frame().place();
  const std::string text = session_.listing().line(place);
  if (text.empty()) {
    show_op(session_.engine().point()->number, true);
  } else {
    screen_.line(screen_.ink(Ink::green, kArrow) + padded(std::to_string(place.line), kLineNumber - 2) + "  " +
                 screen_.cut(text, kLineNumber + 2));
  }
  const std::string values = values_in_line();
  if (!values.empty()) screen_.line(screen_.ink(Ink::faint, values));
}

void Terminal::show_op(std::uint32_t point, bool is_current) {
  const ListedOp& op = session_.listing().ops()[point];
  const std::string number = padded("*" + std::to_string(point), kLineNumber + 1);
  screen_.line(screen_.ink(Ink::green, is_current ? kArrow : "  ") + number + "  " +
               screen_.cut(std::string(2 * op.indent, ' ') + op.text, kLineNumber + 5));
}

/// Of the names in the line, as far as two lines of text go.
std::string Terminal::values_in_line() const {
  const std::string indent(kLineNumber + 2, ' ');
  std::string text, line = indent;
  std::size_t lines = 1;
  for (const std::string& name : session_.listing().names_in_line(session_.frame().place())) {
    const auto found = session_.scope().find(name);
    if (!found || !*found) continue;
    const auto narrowed = at_lane(**found);
    const std::string piece = narrowed ? name + index_text(lane_) + " " + inline_text(*narrowed, session_.scope())
                                       : name + " " + inline_text(**found, session_.scope());
    if (line != indent && line.size() + piece.size() + 3 > screen_.width()) {
      if (++lines > 2) break;
      text += line + "\n";
      line = indent;
    }
    line += (line == indent ? "" : " | ") + screen_.cut(piece, indent.size());
  }
  return line == indent ? text : text + line;
}

/// The element that `lane` chose, of tiles of that rank.
std::optional<Value> Terminal::at_lane(const Value& value) const {
  const auto* tensor = std::get_if<Tensor>(&value);
  if (lane_.empty() || tensor == nullptr || tensor->shape.size() != lane_.size()) return std::nullopt;
  std::vector<Subscript> subscripts;
  for (std::size_t d = 0; d < lane_.size(); ++d) {
    if (lane_[d] >= tensor->shape[d] && tensor->shape[d] != 1) return std::nullopt;
    Subscript subscript;
    subscript.number = tensor->shape[d] == 1 ? 0 : lane_[d];
    subscripts.push_back(subscript);
  }
  auto part = part_of(value, subscripts);
  if (!part) return std::nullopt;
  return std::move(*part);
}

std::string Terminal::shown(const Value& value) const {
  if (const auto narrowed = at_lane(value))
    return "lane " + index_text(lane_) + ": " + brief_text(*narrowed, session_.scope());
  return brief_text(value, session_.scope());
}

void Terminal::show_displays() {
  for (const Display& display : displays_) {
    const auto value = session_.evaluate(display.expression);
    screen_.line(std::to_string(display.id) + ": " + display.expression + " = " +
                 (value ? shown(*value) : "<" + value.error().message + ">"));
  }
}

}  // namespace lockstep::debugger
