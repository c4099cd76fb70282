#include "cli/command_line.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/command_list.h"
#include "cli/commands/command_tree.h"
#include "cli/exit_code.h"
#include "cli/listings/first_launch.h"
#include "cli/listings/help_text.h"
#include "driver/options/given_words.h"
#include "driver/options/usage_problem.h"
#include "ir/text/nearest_name.h"
#include "support/log.h"

namespace lockstep::cli {
namespace {

constexpr const char* kMainFooter = R"(
`lockstep help COMMAND` tells more, `lockstep run FILE.py` how to launch a kernel.
The log goes to standard error: --log-level or LOCKSTEP_LOG.)";

struct Parsed {
  std::map<std::string, std::unique_ptr<Command>> commands;  // by name
  bool wants_version = false;
  std::string log_level;
};

void declare_command(CLI::App& main, const CommandRow& row, Parsed& parsed) {
  CLI::App& app = *main.add_subcommand(row.name, row.summary);
  if (*row.footer != '\0') app.footer(row.footer);
  if (row.is_hidden) app.group("");
  if (row.words == Words::all) app.set_help_flag();
  auto& command = parsed.commands[row.name] = row.make();
  OptionList options(app);
  command->declare(options);
  if (row.words != Words::none) app.fallthrough(false)->prefix_command();
}

void declare(CLI::App& app, Parsed& parsed) {
  app.name("lockstep");
  app.description("Run Triton kernels on a CPU, unmodified, and see which line is wrong.");
  app.footer(kMainFooter);
  app.fallthrough();
  app.require_subcommand(0, 1);
  app.add_flag("--version", parsed.wants_version, "print version, compiler, build type and instruction set");
  app.add_option("--log-level", parsed.log_level, "lowest level that the log shows (default: warn)")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->type_name("LEVEL");
  for (const CommandRow* row : command_rows()) declare_command(app, *row, parsed);
}

// Two swapped letters are the most frequent slip, and nearest_name misses them in short names.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  for (const std::string& one : candidates) {
    if (one.size() == name.size() && std::is_permutation(one.begin(), one.end(), name.begin())) return one;
  }
  return ir::nearest_name(name, {candidates.begin(), candidates.end()});
}

int usage_error(const std::string& message, const std::string& hint) {
  std::fputs(("error: " + message + "\nhint: " + hint + "\n").c_str(), stderr);
  return 2;
}

int unknown_option(const CLI::App& command, const std::string& option) {
  std::vector<std::string> names;
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* one : app->get_options()) {
      for (const std::string& name : one->get_lnames()) names.push_back("--" + name);
    }
  }
  const std::string near = did_you_mean(option, names);
  const std::string help = command.get_parent() == nullptr ? "" : command.get_name() + " ";
  return usage_error("unknown option '" + option + "'",
                     near.empty() ? "`lockstep " + help + "--help` lists the options" : "did you mean '" + near + "'?");
}

int unknown_command(const CLI::App& app, const std::string& command) {
  std::vector<std::string> names;
  std::string all;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App* any) { return !any->get_group().empty(); })) {
    names.push_back(one->get_name());
    all += (all.empty() ? "" : ", ") + one->get_name();
  }
  const std::string near = did_you_mean(command, names);
  return usage_error("unknown command '" + command + "'",
                     near.empty() ? "the commands are " + all : "did you mean '" + near + "'?");
}

/// How to launch the named kernel; empty: no kernel was named.
std::string first_launch_of(const CLI::App& command) {
  const driver::GivenWords given = driver::given_words(command);
  const bool launches = command.get_option_no_throw("kernel") != nullptr && command.get_option_no_throw("arguments") != nullptr;
  return launches && !given.target.empty() ? first_launch(command.get_name(), given, use_color(STDERR_FILENO)) : "";
}

int missing_required(const CLI::App& command) {
  std::string missing;
  for (const CLI::Option* one : command.get_options()) {
    if (!one->get_required() || one->count() > 0) continue;
    missing += (missing.empty() ? "" : " and ") + (one->get_positional() ? "a " + one->get_name() : one->get_name());
  }
  const std::string& name = command.get_name();
  const std::string first = first_launch_of(command);
  if (!first.empty()) {
    std::fputs(("error: " + name + " needs " + missing + "\n" + first).c_str(), stderr);
    return 2;
  }
  const auto rows = command_rows();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const CommandRow* one) { return one->name == name; });
  const char* usage = row == rows.end() ? "" : (*row)->usage;
  return usage_error(name + " needs " + missing, "usage: lockstep " + name + usage);
}

int print_help(const CLI::App& app) {
  const CommandTree tree = command_tree();
  const HelpStyle style = help_style(STDOUT_FILENO);
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  std::string text = chosen.empty() ? help_of(tree, style) : "";
  for (const CommandText& one : tree.commands) {
    if (!chosen.empty() && one.name == chosen.front()->get_name()) text = help_of(tree, one, style);
  }
  // Commands outside the list are for installation.
  std::fputs((text.empty() ? app.help() : text).c_str(), stdout);
  return 0;
}

// CLI11's message about a missing option hides a misspelt one, and lists unexpected words from last to first.
int explain_usage(const CLI::App& app, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) return print_help(app);
  const bool is_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const std::vector<CLI::App*> commands = app.get_subcommands();
  const CLI::App& command = commands.empty() ? app : *commands.front();
  if (!is_missing && dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) {
    const driver::UsageProblem problem = driver::usage_problem(command, error);
    return usage_error(problem.message, problem.hint);
  }
  const std::vector<std::string> words = app.remaining(true);
  for (const std::string& word : words) {
    if (word.size() > 1 && word[0] == '-') return unknown_option(command, word.substr(0, word.find('=')));
    if (commands.empty()) return unknown_command(app, word);
  }
  if (is_missing) return missing_required(command);
  return usage_error("unexpected argument '" + (words.empty() ? "" : words.front()) + "'",
                     "`lockstep " + command.get_name() + " --help` tells more");
}

/// The row of the command that the words name; null: none.
const CommandRow* named_row(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    for (const CommandRow* row : command_rows()) {
      if (word == row->name) return row;
    }
  }
  return nullptr;
}

/// Puts a command's own options before its words: CLI11 reads none of them once a word has come that belongs to the
/// launch. An option that lacks its value ends the words, so that the error is about that.
std::vector<std::string> with_options_first(CLI::App& app, std::vector<std::string> words) {
  const CommandRow* row = named_row(words);
  if (row == nullptr || row->words != Words::rest) return words;
  const CLI::App& command = *app.get_subcommand(row->name);
  auto at = std::find(words.begin(), words.end(), row->name);
  std::vector<std::string> of_all(words.begin(), at), of_command{row->name}, rest;
  bool lacks_value = false;
  while (++at != words.end() && !lacks_value) {
    const std::string name = at->starts_with("-") ? at->substr(0, at->find('=')) : "";
    const CLI::Option* own = name.empty() ? nullptr : command.get_option_no_throw(name);
    const CLI::Option* option = own != nullptr || name.empty() ? own : app.get_option_no_throw(name);
    auto& there = own != nullptr ? of_command : option != nullptr ? of_all : rest;
    there.push_back(*at);
    if (option == nullptr || option->get_items_expected_max() == 0 || name.size() < at->size()) continue;
    lacks_value = at + 1 == words.end();
    if (!lacks_value) there.push_back(*++at);
  }
  of_all.insert(of_all.end(), of_command.begin(), of_command.end());
  if (!lacks_value) of_all.insert(of_all.end(), rest.begin(), rest.end());
  return of_all;
}

std::variant<std::unique_ptr<Command>, int> chosen(const CLI::App& app, Parsed& parsed) {
  if (parsed.wants_version) return std::move(parsed.commands.at("version"));
  for (const CLI::App* one : app.get_subcommands()) {
    auto& command = parsed.commands.at(one->get_name());
    command->take_words(one->remaining());
    return std::move(command);
  }
  std::fputs(help_of(command_tree(), help_style(STDERR_FILENO)).c_str(), stderr);
  return 2;
}

}  // namespace

std::variant<std::unique_ptr<Command>, int> parse_command_line(int argc, const char* const* argv) {
  Parsed parsed;
  CLI::App app;
  declare(app, parsed);
  try {
    std::vector<std::string> words = with_options_first(app, {argv + 1, argv + argc});
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return explain_usage(app, error);
  }
  log::initialise_from_environment();
  if (!parsed.log_level.empty()) log::set_level(parsed.log_level);
  return chosen(app, parsed);
}

CommandTree command_tree() {
  Parsed parsed;
  CLI::App app;
  declare(app, parsed);
  CommandTree tree = describe(app);
  for (CommandText& one : tree.commands) {
    const CommandRow& row = **std::find_if(command_rows().begin(), command_rows().end(),
                                           [&](const CommandRow* any) { return any->name == one.name; });
    const bool launches = one.takes_words || (!one.positionals.empty() && one.positionals.front().names.back() == "kernel");
    if (launches) one.usage = row.usage;
  }
  return tree;
}

}  // namespace lockstep::cli
