#include "debugger/terminal/commands/programs.h"

#include <algorithm>

#include "debugger/session/overview.h"
#include "debugger/session/summary.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/inspect.h"

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

Done do_program(CommandContext& in, std::string_view words) {
  if (words.empty()) {
    show_program(in);
    return {};
  }
  const auto number = program_number(in.session, words);
  if (!number) return Unexpected{number.error()};
  in.session.go_to_program(*number);
  show_halt(in);
  return {};
}

Done do_switch(CommandContext& in, std::string_view words) {
  const auto number = program_number(in.session, words);
  if (!number) return Unexpected{number.error()};
  auto done = in.session.switch_to(*number);
  if (!done) return done;
  show_halt(in);
  return {};
}

Done do_programs(CommandContext& in, std::string_view) {
  for (const ProgramFacts& program : notable_programs(in.session, kMostListed)) {
    std::string text = std::string(program.status == ProgramStatus::focus ? "* " : "  ") + program_text(program.id) +
                       "  " + std::string(text_of(program.status));
    if (program.place.is_known()) text += "  " + place_text(program.place) + "  step " + std::to_string(program.steps);
    in.screen.line(in.screen.ink(ink_of(program.status), text));
  }
  const ProgramCounts counts = count_programs(in.session);
  in.screen.line(std::to_string(in.session.engine().program_count()) + " programs: " + std::to_string(counts.ended) +
                 " ended, " + std::to_string(counts.live) + " running, " + std::to_string(counts.not_started) +
                 " not started, " + std::to_string(counts.faults) + " with findings");
  return {};
}

/// A sign for each program, a row for each y (and z); if there are too many programs, a sign for several, showing the
/// worst.
Done do_grid(CommandContext& in, std::string_view) {
  const auto& grid = in.session.engine().grid();
  const auto columns = static_cast<std::uint64_t>(grid[0]), rows = static_cast<std::uint64_t>(grid[1] * grid[2]);
  const std::uint64_t across = std::max<std::uint64_t>(1, (columns + in.screen.width() - 9) / (in.screen.width() - 8));
  const std::uint64_t down = std::max<std::uint64_t>(1, (rows + kMostRows - 1) / kMostRows);
  constexpr std::uint64_t kMostAsked = 64;  // programs behind one sign that are looked at
  for (std::uint64_t row = 0; row < rows; row += down) {
    std::string line;
    for (std::uint64_t column = 0; column < columns; column += across) {
      ProgramStatus worst = status_of(in.session, row * columns + column);
      const std::uint64_t step = std::max<std::uint64_t>(1, across / kMostAsked);
      for (std::uint64_t x = column; x < std::min(columns, column + across); x += step) {
        for (std::uint64_t y = row; y < std::min(rows, row + down);
             y += std::max<std::uint64_t>(1, down / kMostAsked)) {
          const ProgramStatus status = status_of(in.session, y * columns + x);
          if (status == ProgramStatus::focus || (status == ProgramStatus::fault && worst != ProgramStatus::focus))
            worst = status;
        }
      }
      line += in.screen.ink(ink_of(worst), std::string(1, status_sign(worst)));
    }
    in.screen.line(line);
  }
  std::string legend = "@ here  # ended  w waits  ! finding  . not started";
  if (across * down > 1) legend += ", " + std::to_string(across * down) + " programs a sign";
  in.screen.line(in.screen.ink(Ink::faint, legend));
  return {};
}

// ---- one lane ----

/// The values of the current op in that lane, then the variables.
void show_lane(CommandContext& in) {
  const Engine& engine = in.session.engine();
  in.screen.line("lane " + index_text(in.state.lane));
  if (engine.point() == nullptr) return;
  const Scope& scope = in.session.scope();
  for (const Variable& variable : in.session.frame().variables()) {
    const auto found = scope.find(variable.name);
    const auto narrowed = found && *found ? at_lane(in, **found) : std::nullopt;
    if (narrowed)
      in.screen.line("  " + variable.name + index_text(in.state.lane) + " = " + brief_text(*narrowed, scope));
  }
  const Point& point = *engine.point();
  if (engine.kernel().lookup(point) == nullptr) return;
  std::string text = "  *" + std::to_string(point.number) + " " + std::string(point.op->spelling());
  for (const ir::Value* operand : point.op->operands()) {
    const interpreter::Slot slot = engine.kernel().slot_of(*operand, point.activation);
    if (slot == interpreter::kNoSlot) continue;
    Datum datum = read(engine, slot);
    const auto part = at_lane(in, decode_tensor(datum.kind, datum.shape, datum.bytes, datum.provenance));
    if (part) text += "  " + (operand->name().empty() ? "" : "%" + operand->name() + " ") + brief_text(*part, scope);
  }
  in.screen.line(text);
}

Done do_lane(CommandContext& in, std::string_view words) {
  if (words == "off") {
    in.state.lane.clear();
    return {};
  }
  if (words.empty()) {
    if (in.state.lane.empty()) return Unexpected{Problem{"no lane is chosen", "lane 3, lane 0,5, lane off"}};
    show_lane(in);
    return {};
  }
  std::vector<std::int64_t> lane;
  std::string text(words);
  for (char& c : text) {
    if (c == ',' || c == '[' || c == ']') c = ' ';
  }
  std::string_view rest = text;
  while (!trimmed(rest).empty()) {
    const auto number = parse_number(take_word(rest));
    if (!number || *number > 0x7fffffffU || lane.size() >= 16)
      return Unexpected{Problem{"'" + std::string(words) + "' is not a lane", "lane 3, lane 0,5, lane off"}};
    lane.push_back(static_cast<std::int64_t>(*number));
  }
  in.state.lane = std::move(lane);
  show_lane(in);
  return {};
}

}  // namespace

Expected<std::uint64_t, Problem> program_number(const Session& session, std::string_view words) {
  std::string text(words);
  for (char& c : text) {
    if (c == ',' || c == '(' || c == ')') c = ' ';
  }
  ProgramId id{};
  std::string_view rest = text;
  for (std::size_t d = 0; d < 3 && !trimmed(rest).empty(); ++d) {
    const auto number = parse_number(take_word(rest));
    if (!number || *number > 0x7fffffffU)
      return Unexpected{Problem{"'" + std::string(words) + "' is not a program", "program 3 0 0"}};
    id[d] = static_cast<std::int32_t>(*number);
  }
  const auto number = session.engine().number_of(id);
  if (number && trimmed(rest).empty()) return *number;
  const auto& grid = session.engine().grid();
  return Unexpected{Problem{
      "program " + program_text(id) + " is not in the grid",
      "the grid is (" + std::to_string(grid[0]) + "," + std::to_string(grid[1]) + "," + std::to_string(grid[2]) + ")"}};
}

CommandRows program_commands() {
  static constexpr Command kRows[] = {
      {"program", "pg", "program [X [Y [Z]]]", "go to the beginning of that program", CommandGroup::programs,
       do_program},
      {"programs", "", "programs", "list the programs that run, wait or have findings", CommandGroup::programs, do_programs},
      {"grid", "", "grid", "a map of all programs", CommandGroup::programs, do_grid},
      {"switch", "", "switch X [Y [Z]]", "let that program run now (forks the timeline)",
       CommandGroup::programs, do_switch},
      {"lane", "", "lane [I[,J] | off]", "look at one element of every tile", CommandGroup::programs, do_lane},
  };
  return kRows;
}

}  // namespace lockstep::debugger
