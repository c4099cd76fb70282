// Commands about the session itself: scripts, the typed commands, help, its end.
#include <algorithm>
#include <fstream>
#include <optional>

#include "debugger/expression/evaluate.h"
#include "debugger/terminal/commands/families.h"

namespace lockstep::debugger {

namespace {

Done do_source(CommandContext& in, std::string_view words) {
  if (words.empty()) return Unexpected{Problem{"source needs a file", "source steps.dbg"}};
  if (!std::ifstream(std::string(words))) return Unexpected{Problem{"'" + std::string(words) + "' cannot be read", ""}};
  if (in.run_script(std::string(words))) return {};
  return Unexpected{Problem{"the script '" + std::string(words) + "' stopped before its end", ""}};
}

Done do_record(CommandContext& in, std::string_view words) {
  if (words.empty()) {
    in.screen.line(in.state.record.empty() ? "nothing is recorded" : "commands go to " + in.state.record);
    return {};
  }
  if (words == "off") {
    in.state.record.clear();
    return {};
  }
  if (!std::ofstream(std::string(words), std::ios::app))
    return Unexpected{Problem{"'" + std::string(words) + "' cannot be written", ""}};
  in.state.record = std::string(words);
  return {};
}

Done do_history(CommandContext& in, std::string_view words) {
  constexpr std::size_t kShown = 20;
  const auto count = words.empty() ? std::optional<std::uint64_t>(kShown) : parse_number(words);
  if (!count) return Unexpected{Problem{"'" + std::string(words) + "' is not a number", "history 20"}};
  const std::size_t from = in.state.done.size() > *count ? in.state.done.size() - static_cast<std::size_t>(*count) : 0;
  for (std::size_t i = from; i < in.state.done.size(); ++i) in.screen.line("  " + in.state.done[i]);
  return {};
}

// ---- help ----

std::string_view title_of(CommandGroup group) {
  using G = CommandGroup;
  switch (group) {
    case G::going: return "Forwards";
    case G::back: return "Backwards";
    case G::stops: return "Stops";
    case G::programs: return "Programs";
    case G::looking: return "Looking";
    case G::changing: return "What if";
    case G::other: return "The session";
  }
  return "";
}

std::string in_column(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

std::vector<std::string> names_of_commands(const Session&) {
  std::vector<std::string> names;
  for (const Command& one : all_commands()) names.emplace_back(one.name);
  return names;
}

Done do_help(CommandContext& in, std::string_view words) {
  constexpr std::size_t kName = 26;
  if (words == "expressions" || words == "functions") {
    for (const FunctionHelp& function : expression_functions())
      in.screen.line("  " + in_column(function.signature, kName) + std::string(function.summary));
    return {};
  }
  if (words.empty()) {
    std::optional<CommandGroup> group;
    for (const Command& command : all_commands()) {
      if (group != command.group) in.screen.line(in.screen.ink(Ink::strong, title_of(command.group)));
      group = command.group;
      const std::string names =
          std::string(command.name) + (command.letters.empty() ? "" : " (" + std::string(command.letters) + ")");
      in.screen.line("  " + in_column(names, kName) + std::string(command.summary));
    }
    in.screen.line(
        "Commands may be abbreviated; an empty line repeats the last step. `help expressions` lists functions.");
    return {};
  }
  const auto command = find_command(words);
  if (!command) return Unexpected{command.error()};
  in.screen.line(in.screen.ink(Ink::strong, (*command)->usage) + "  " + std::string((*command)->summary));
  if (!(*command)->letters.empty()) in.screen.line("also: " + std::string((*command)->letters));
  return {};
}

Done do_kill(CommandContext& in, std::string_view) {
  in.state.has_quit = in.state.is_killed = true;
  return {};
}

Done do_quit(CommandContext& in, std::string_view) {
  in.state.has_quit = true;
  return {};
}

}  // namespace

CommandRows conversation_commands() {
  static constexpr Command kRows[] = {
      {"source", "", "source FILE", "commands from a file", CommandGroup::other, do_source},
      {"record", "", "record FILE | off", "write the typed commands to a file that `source` reads", CommandGroup::other,
       do_record},
      {"history", "", "history [N]", "the last commands", CommandGroup::other, do_history},
      {"help", "h", "help [COMMAND]", "this", CommandGroup::other, do_help, false, names_of_commands},
      {"kill", "", "kill", "end the launch here; a program that made it gets an exception",
       CommandGroup::other, do_kill},
      {"quit", "q exit", "quit", "leave; a program's launch runs to its end", CommandGroup::other, do_quit},
  };
  return kRows;
}

}  // namespace lockstep::debugger
