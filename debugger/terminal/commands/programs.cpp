// Commands about programs: which one is looked at, how far they are, and one lane of its tiles.
#include <algorithm>

#include "debugger/session/brief.h"
#include "debugger/session/overview.h"
#include "debugger/terminal/terminal.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kMostListed = 20;
constexpr std::size_t kMostRows = 32;

std::string_view text_of(ProgramStatus status) {
  switch (status) {
    case ProgramStatus::not_started: return "not started";
    case ProgramStatus::focus: return "here";
    case ProgramStatus::waiting: return "waits";
    case ProgramStatus::ended: return "ended";
    case ProgramStatus::fault: return "finding";
  }
  return "";
}

char status_sign(ProgramStatus status) {
  switch (status) {
    case ProgramStatus::not_started: return '.';
    case ProgramStatus::focus: return '@';
    case ProgramStatus::waiting: return 'w';
    case ProgramStatus::ended: return '#';
    case ProgramStatus::fault: return '!';
  }
  return ' ';
}

Ink ink_of(ProgramStatus status) {
  switch (status) {
    case ProgramStatus::focus: return Ink::strong;
    case ProgramStatus::waiting: return Ink::yellow;
    case ProgramStatus::ended: return Ink::green;
    case ProgramStatus::fault: return Ink::red;
    default: return Ink::faint;
  }
}

}  // namespace

/// "3", "3 0", "3,0,0", "(3, 0, 0)".
Expected<std::uint64_t, Problem> Terminal::program_number(Words words) const {
  std::string text(words);
  for (char& c : text) {
    if (c == ',' || c == '(' || c == ')') c = ' ';
  }
  ProgramId id{};
  Words rest = text;
  for (std::size_t d = 0; d < 3 && !trimmed(rest).empty(); ++d) {
    const auto number = parse_number(take_word(rest));
    if (!number || *number > 0x7fffffffU)
      return Unexpected{Problem{"'" + std::string(words) + "' is no program", "program 3 0 0"}};
    id[d] = static_cast<std::int32_t>(*number);
  }
  const auto number = session_.engine().number_of(id);
  if (number && trimmed(rest).empty()) return *number;
  const auto& grid = session_.engine().grid();
  return Unexpected{Problem{
      "program " + program_text(id) + " is not in the grid",
      "the grid is (" + std::to_string(grid[0]) + "," + std::to_string(grid[1]) + "," + std::to_string(grid[2]) + ")"}};
}

Terminal::Done Terminal::do_program(Words words) {
  if (words.empty()) {
    info_program();
    return std::monostate{};
  }
  const auto number = program_number(words);
  if (!number) return Unexpected{number.error()};
  session_.go_to_program(*number);
  show_halt();
  return std::monostate{};
}

Terminal::Done Terminal::do_switch(Words words) {
  const auto number = program_number(words);
  if (!number) return Unexpected{number.error()};
  auto done = session_.switch_to(*number);
  if (!done) return done;
  show_halt();
  return std::monostate{};
}

Terminal::Done Terminal::do_programs(Words) {
  for (const ProgramFacts& program : notable_programs(session_, kMostListed)) {
    std::string text = std::string(program.status == ProgramStatus::focus ? "* " : "  ") + program_text(program.id) +
                       "  " + std::string(text_of(program.status));
    if (program.place.is_known()) text += "  " + place_text(program.place) + "  step " + std::to_string(program.steps);
    screen_.line(screen_.ink(ink_of(program.status), text));
  }
  const ProgramCounts counts = count_programs(session_);
  screen_.line(std::to_string(session_.engine().program_count()) + " programs: " + std::to_string(counts.ended) +
               " ended, " + std::to_string(counts.live) + " under way, " + std::to_string(counts.not_started) +
               " not started, " + std::to_string(counts.faults) + " with findings");
  return std::monostate{};
}

/// A sign for each program, a row for each of y (and z); of more programs than fit a sign for several, the worst of
/// them.
Terminal::Done Terminal::do_grid(Words) {
  const auto& grid = session_.engine().grid();
  const auto columns = static_cast<std::uint64_t>(grid[0]), rows = static_cast<std::uint64_t>(grid[1] * grid[2]);
  const std::uint64_t across = std::max<std::uint64_t>(1, (columns + screen_.width() - 9) / (screen_.width() - 8));
  const std::uint64_t down = std::max<std::uint64_t>(1, (rows + kMostRows - 1) / kMostRows);
  constexpr std::uint64_t kMostAsked = 64;  // programs behind one sign that are looked at
  for (std::uint64_t row = 0; row < rows; row += down) {
    std::string line;
    for (std::uint64_t column = 0; column < columns; column += across) {
      ProgramStatus worst = status_of(session_, row * columns + column);
      const std::uint64_t step = std::max<std::uint64_t>(1, across / kMostAsked);
      for (std::uint64_t x = column; x < std::min(columns, column + across); x += step) {
        for (std::uint64_t y = row; y < std::min(rows, row + down);
             y += std::max<std::uint64_t>(1, down / kMostAsked)) {
          const ProgramStatus status = status_of(session_, y * columns + x);
          if (status == ProgramStatus::focus || (status == ProgramStatus::fault && worst != ProgramStatus::focus))
            worst = status;
        }
      }
      line += screen_.ink(ink_of(worst), std::string(1, status_sign(worst)));
    }
    screen_.line(line);
  }
  std::string legend = "@ here  # ended  w waits  ! finding  . not started";
  if (across * down > 1) legend += ", " + std::to_string(across * down) + " programs a sign";
  screen_.line(screen_.ink(Ink::faint, legend));
  return std::monostate{};
}

// ---- one lane ----

/// What the op that it stands at has in that lane, then the variables.
void Terminal::show_lane() {
  const Engine& engine = session_.engine();
  screen_.line("lane " + index_text(lane_));
  if (engine.point() == nullptr) return;
  const Scope& scope = session_.scope();
  for (const Variable& variable : session_.frame().variables()) {
    const auto found = scope.find(variable.name);
    const auto narrowed = found && *found ? at_lane(**found) : std::nullopt;
    if (narrowed) screen_.line("  " + variable.name + index_text(lane_) + " = " + brief_text(*narrowed, scope));
  }
  const Point& point = *engine.point();
  if (engine.kernel().lookup(point) == nullptr) return;
  std::string text = "  *" + std::to_string(point.number) + " " + std::string(point.op->spelling());
  for (const ir::Value* operand : point.op->operands()) {
    const interpreter::Slot slot = engine.kernel().slot_of(*operand, point.activation);
    if (slot == interpreter::kNoSlot) continue;
    Datum datum = read(engine, slot);
    const auto part = at_lane(decode_tensor(datum.kind, datum.shape, datum.bytes, datum.provenance));
    if (part) text += "  " + (operand->name().empty() ? "" : "%" + operand->name() + " ") + brief_text(*part, scope);
  }
  screen_.line(text);
}

Terminal::Done Terminal::do_lane(Words words) {
  if (words == "off") {
    lane_.clear();
    return std::monostate{};
  }
  if (words.empty()) {
    if (lane_.empty()) return Unexpected{Problem{"no lane is chosen", "lane 3, lane 0,5, lane off"}};
    show_lane();
    return std::monostate{};
  }
  std::vector<std::int64_t> lane;
  std::string text(words);
  for (char& c : text) {
    if (c == ',' || c == '[' || c == ']') c = ' ';
  }
  Words rest = text;
  while (!trimmed(rest).empty()) {
    const auto number = parse_number(take_word(rest));
    if (!number || *number > 0x7fffffffU || lane.size() >= 16)
      return Unexpected{Problem{"'" + std::string(words) + "' is no lane", "lane 3, lane 0,5, lane off"}};
    lane.push_back(static_cast<std::int64_t>(*number));
  }
  lane_ = std::move(lane);
  show_lane();
  return std::monostate{};
}

}  // namespace lockstep::debugger
