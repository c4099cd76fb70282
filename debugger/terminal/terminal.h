// Terminal: a debugging session by commands, typed or from scripts: gdb's and pdb's names and letters. Each command is
// checked before it does anything; what cannot be done is one line with a hint. Invariant: the same script on the same
// launch writes the same text. Not here: what stops and values mean (session/, expression/).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "debugger/expression/target.h"
#include "debugger/questions/access_map.h"
#include "debugger/questions/birth.h"
#include "debugger/questions/program_order.h"
#include "debugger/questions/slice.h"
#include "debugger/session/session.h"
#include "debugger/terminal/line_input.h"
#include "debugger/terminal/screen.h"
#include "support/ascii.h"

namespace lockstep::debugger {

class Terminal {
 public:
  /// What the end of the launch is for the session. stays: a place to look and go back from; asks: the same, and going
  /// on from there ends the session, because a program waits for it; leaves: the session's end.
  enum class AtEnd : std::uint8_t { stays, asks, leaves };
  struct Options {
    std::vector<std::string> scripts;   // files, run first
    std::vector<std::string> commands;  // run then
    bool is_batch = false;              // ends after them, and at the first error
    AtEnd at_end = AtEnd::stays;
    /// Where typed commands come from; empty: standard input.
    std::function<std::unique_ptr<LineInput>(LineInput::Complete)> input = nullptr;
  };
  /// How it ended.
  struct End {
    bool has_script_error = false;  // a command of a script could not be done (--batch)
    bool has_errors = false;        // findings of tier error were made
    bool is_killed = false;         // by `kill`
  };

  Terminal(Session& session, const Screen& screen, Options options)
      : session_(session), screen_(screen), options_(std::move(options)) {}

  /// One command, checked and done. Text goes to the screen.
  Expected<std::monostate, Problem> type(const std::string& line);
  /// Words that can stand at `begin` of the line, rising.
  std::vector<std::string> complete(const std::string& line, std::size_t begin) const;
  /// Until `quit`, `kill`, the end of the input, or of the scripts with is_batch; or as at_end says.
  End run();

  using Done = Expected<std::monostate, Problem>;
  using Words = std::string_view;  // what stands behind a command's name
  enum class Group : std::uint8_t { going, back, stops, programs, looking, changing, other };
  struct Command {
    std::string_view name, letters, usage, summary;
    Group group = Group::other;
    Done (Terminal::*run)(Words words) = nullptr;
    bool repeats = false;  // an empty line does it again
  };
  static const std::vector<Command>& commands();
  /// By name, letters, or a prefix that only one name has.
  static Expected<const Command*, Problem> find_command(std::string_view name);

 private:
  // commands.cpp: the rows of commands(), in its order
  static std::vector<Command> moving_commands();
  static std::vector<Command> looking_commands();
  static std::vector<Command> other_commands();

  // terminal.cpp
  Done perform(const std::string& line);
  void talk();
  bool run_script(const std::string& path, std::size_t depth);
  bool run_line(const std::string& line, const std::string& place);
  void show_problem(const Problem& problem, const std::string& place);

  // look.cpp: what is shown of where it stands
  void show_halt(bool shows_op = false);
  void show_place();
  void show_loops();
  void show_line();
  void show_op(std::uint32_t point, bool is_current);
  void show_displays();
  void show_end();
  std::string values_in_line() const;
  std::string shown(const Value& value) const;
  std::optional<Value> at_lane(const Value& value) const;

  // commands_go.cpp
  Done times(Words words, Direction direction, const Halt& (Session::*move)(Direction));
  Done lines(Words words, Direction direction, bool over);
  Done do_run(Words words);
  Done do_restart(Words words);
  Done do_continue(Words words);
  Done do_next(Words words);
  Done do_step(Words words);
  Done do_stepi(Words words);
  Done do_finish(Words words);
  Done do_turn(Words words);
  Done do_reverse_turn(Words words);
  Done do_until(Words words);
  Done do_iter(Words words);
  Done do_reverse_continue(Words words);
  Done do_reverse_next(Words words);
  Done do_reverse_step(Words words);
  Done do_reverse_stepi(Words words);
  Done do_reverse_finish(Words words);
  Done do_reverse_until(Words words);

  // commands_stops.cpp
  Done add_break(Words words, bool is_temporary);
  Done add_watch(Words words, Watch::Kind kind);
  void show_stop(const StopFacts& stop);
  void show_watch(const WatchFacts& watch);
  Done do_break(Words words);
  Done do_tbreak(Words words);
  Done do_log(Words words);
  Done do_condition(Words words);
  Done do_ignore(Words words);
  Done do_enable(Words words);
  Done do_disable(Words words);
  Done do_delete(Words words);
  Done do_watch(Words words);
  Done do_rwatch(Words words);
  Done do_awatch(Words words);
  Done do_catch(Words words);
  Done for_ids(Words words, const std::function<Done(std::uint32_t)>& act);

  // commands_programs.cpp
  Expected<std::uint64_t, Problem> program_number(Words words) const;
  Done do_program(Words words);
  Done do_programs(Words words);
  Done do_grid(Words words);
  Done do_switch(Words words);
  Done do_lane(Words words);
  void show_lane();

  // commands_look.cpp
  Done print(Words words, const std::function<Expected<std::string, std::string>(const Value&)>& text);
  Done do_print(Words words);
  Done do_print_table(Words words);
  Done do_print_histogram(Words words);
  Done do_print_bits(Words words);
  Done do_display(Words words);
  Done do_undisplay(Words words);
  Done do_examine(Words words);
  Done do_list(Words words);
  Done do_ttir(Words words);
  Done do_where(Words words);
  Done do_up(Words words);
  Done do_down(Words words);

  // commands_questions.cpp
  Expected<Target, Problem> memory_target(const char* command, Words words) const;
  /// "x[17,3]" of an address in an argument; "x[17,0] to x[17,32]"; the number that an element's bytes are.
  std::string element_at(std::uint64_t address) const;
  std::string range_at(ByteRange range) const;
  std::string value_at(std::uint64_t address, const std::string& bytes) const;
  void show_slice_steps(const Slice& slice);
  Done do_who(Words words);
  Done do_why(Words words);

  // commands_whole.cpp
  void show_difference(const TensorDifference& one);
  void show_culprit(const Culprit& culprit);
  void show_operands(const Culprit& culprit, const Point& point);
  Done do_diff(Words words);
  Done do_bisect(Words words);
  Done do_lint(Words words);
  Done do_cost(Words words);
  Done do_roofline(Words words);

  // commands_born.cpp
  std::string birth_step_text(const BirthStep& step) const;
  std::string origin_text(const Birth& birth) const;
  void show_birth(const Birth& birth);
  bool say_special(const std::string& place, const std::string& element, std::size_t count, std::size_t all,
                   const Number& number);
  Done born_in_variable(const Target& target);
  Done born_in_memory(const Target& target);
  Done do_born(Words words);

  // commands_map.cpp
  void show_outside(const AccessMap& map, const memory_model::View* view);
  Done do_map(Words words);

  // commands_order.cpp
  std::string access_text(const OrderedAccess& access) const;
  void show_path(const std::vector<OrderEdge>& path, std::uint64_t from, std::uint64_t to);
  void show_conflict(const Conflict& conflict);
  void show_order(const ProgramOrder& order, std::uint64_t first, std::uint64_t second);
  Done do_hb(Words words);

  // commands_info.cpp
  struct Topic {
    std::string_view name, summary;
    void (Terminal::*show)();
  };
  static const std::vector<Topic>& topics();
  void show_variables(const std::function<bool(const Variable&, const Value&)>& wants, const char* none);
  void info_args();
  void info_breaks();
  void info_catch();
  void info_findings();
  void info_history();
  void info_line();
  void info_loop();
  void info_masks();
  void info_pointers();
  void info_program();
  void info_tiles();
  void info_timeline();
  Done do_info(Words words);

  // commands_other.cpp
  Done do_set(Words words);
  Done do_timeline(Words words);
  Done do_source(Words words);
  Done do_record(Words words);
  Done do_history(Words words);
  Done do_help(Words words);
  Done do_kill(Words words);
  Done do_quit(Words words);

  struct Display {
    std::uint32_t id = 0;
    std::string expression;
  };

  Session& session_;
  const Screen& screen_;
  Options options_;
  bool has_quit_ = false, is_killed_ = false;
  std::size_t script_depth_ = 0;
  std::string last_;               // the command that an empty line repeats
  std::vector<std::string> done_;  // commands, for `history` and `record`
  std::string record_;             // path; empty: nothing is recorded
  std::vector<Display> displays_;
  std::uint32_t next_display_ = 1;
  std::vector<std::int64_t> lane_;          // empty: none
  std::optional<std::uint32_t> list_from_;  // line that the next `list` begins at
  std::optional<std::uint32_t> ttir_from_;
};

/// The first word, taken off.
std::string_view take_word(std::string_view& text);
/// All digits. nullopt: no number, or beyond 64 bits.
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace lockstep::debugger
