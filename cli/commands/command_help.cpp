// `lockstep help [COMMAND]`: prints the same as --help.
#include <unistd.h>

#include <algorithm>
#include <string>

#include "cli/commands/command.h"
#include "cli/listings/help_text.h"
#include "cli/put.h"
#include "ir/text/nearest_name.h"

namespace lockstep::cli {
namespace {

struct HelpOptions {
  std::string command;  // empty: all
};

ExitCode run_help(const HelpOptions& options) {
  const CommandTree tree = command_tree();
  const HelpStyle style = help_style(STDOUT_FILENO);
  if (options.command.empty()) return put(help_of(tree, style)), ExitCode::clean;
  const auto found = std::find_if(tree.commands.begin(), tree.commands.end(),
                                  [&](const CommandText& one) { return one.name == options.command; });
  if (found != tree.commands.end()) return put(help_of(tree, *found, style)), ExitCode::clean;
  std::vector<std::string_view> names;
  for (const CommandText& one : tree.commands) names.push_back(one.name);
  const std::string near = ir::nearest_name(options.command, names);
  return report(Status{"LS2202", "there is no command '" + options.command + "'",
                       near.empty() ? "`lockstep help` lists the commands" : "did you mean '" + near + "'?"});
}

void declare_help(OptionList& options, HelpOptions& help) {
  options.word("command", help.command, "a command; none: the list");
}

}  // namespace

extern const CommandRow kHelpCommand{
    .name = "help",
    .summary = "print the help of a command",
    .make = make_command<HelpOptions, declare_help, run_help>,
};

}  // namespace lockstep::cli
