// Command: what people type in a debugging session (`lockstep debug`, a program's console, an editor's), a row each.
// Each family's rows and functions share a file in terminal/commands/; families.h lists the families. Invariant: a
// command checks its words before it does anything; a failure is a Problem with a hint. Not here: input, scripts,
// completion of a line (terminal.h); stops and values (session/, expression/).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "debugger/session/session.h"
#include "debugger/terminal/screen.h"
#include "support/ascii.h"

namespace lockstep::debugger {

/// What the end of the launch means for the session. stays: a place to look and go back from; asks: the same, and
/// continuing from there ends the session, because a program waits for it; leaves: the session's end.
enum class AtEnd : std::uint8_t { stays, asks, leaves };

/// State that commands leave for later ones.
struct CommandState {
  struct Display {
    std::uint32_t id = 0;
    std::string expression;
  };
  AtEnd at_end = AtEnd::stays;
  bool is_batch = false;
  bool has_quit = false, is_killed = false;
  std::vector<std::string> done;  // commands, for `history` and `record`
  std::string record;             // path; empty: nothing is recorded
  std::vector<Display> displays;
  std::uint32_t next_display = 1;
  std::vector<std::int64_t> lane;            // empty: none
  std::optional<std::uint32_t> next_listed;  // line or op that the same command, given again, begins at
};

/// The objects that a command works on.
struct CommandContext {
  Session& session;
  const Screen& screen;
  CommandState& state;
  /// Runs the commands of a file; false: not to its end.
  const std::function<bool(const std::string& path)>& run_script;
};

using Done = Expected<void, Problem>;

enum class CommandGroup : std::uint8_t { going, back, stops, programs, looking, changing, other };

struct Command {
  /// letters: other names, separated by blanks; usage: with the words after the name.
  std::string_view name, letters, usage, summary;
  CommandGroup group = CommandGroup::other;
  /// `words`: the text after the name.
  Done (*run)(CommandContext& in, std::string_view words) = nullptr;
  bool repeats = false;  // an empty line does it again
  /// Words that may follow; null: names of values and functions.
  std::vector<std::string> (*candidates)(const Session& session) = nullptr;
};

/// Takes off the first word.
std::string_view take_word(std::string_view& text);
/// All digits. nullopt: not a number, or beyond 64 bits.
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace lockstep::debugger
