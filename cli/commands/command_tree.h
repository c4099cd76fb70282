// The command line as names and texts, from CLI11's own tree, for completions and the manual page.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lockstep::cli {

struct OptionText {
  std::vector<std::string> names;  // "-g", "--grid"; a positional has one without dashes
  std::string value;               // "X,Y,Z"; empty: a flag, or a positional
  std::string help;
  std::string initial;               // the default, where the help shows it
  std::string group;                 // "Launch", "Checks", ...; "Options" where nothing else is said
  std::vector<std::string> choices;  // empty: anything
  std::vector<std::string> excludes;  // "--rtol": what may not come along
  bool is_required = false, repeats = false;
};

struct CommandText {
  std::string name, summary;
  std::string usage;    // of a launch: " FILE.py[::KERNEL] --grid ..."; empty: the positionals say it
  std::string details;  // what `--help` says below the options
  std::vector<OptionText> options, positionals;
  bool takes_words = false;  // what follows is read by something else: a launch, the Python package
};

struct CommandTree {
  CommandText whole;                  // `lockstep` itself
  std::vector<CommandText> commands;  // those that `lockstep --help` lists
};

/// All commands and options, in the order of the help.
CommandTree command_tree();

CommandTree describe(CLI::App& app);

}  // namespace lockstep::cli
