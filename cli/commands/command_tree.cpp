#include "cli/commands/command_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace lockstep::cli {
namespace {

// The text of the option's check: "{on,off}", "INT in [1 - 64]"; empty without one.
std::string restriction(CLI::Option& option) {
  try {
    return option.get_validator()->get_description();
  } catch (const CLI::OptionNotFound&) {
    return "";
  }
}

std::vector<std::string> choices_of(const std::string& restriction) {
  if (restriction.size() < 2 || restriction.front() != '{' || restriction.back() != '}') return {};
  return CLI::detail::split(restriction.substr(1, restriction.size() - 2), ',');
}

OptionText describe_option(CLI::Option& option) {
  OptionText text;
  if (option.get_positional()) {
    text.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  }
  const std::string limits = restriction(option);
  if (option.get_items_expected_max() > 0 && !option.get_positional()) {
    text.value = option.get_type_name();
    if (!limits.empty()) text.value.resize(text.value.size() - limits.size() - 1);  // "on|off:{on,off}"
  }
  text.help = option.get_description();
  text.initial = option.get_default_str();
  text.choices = choices_of(limits);
  text.group = option.get_group();
  for (const CLI::Option* other : option.get_excludes()) text.excludes.push_back("--" + other->get_lnames().front());
  std::sort(text.excludes.begin(), text.excludes.end());
  text.is_required = option.get_required();
  text.repeats = option.get_expected_max() > 1;
  return text;
}

CommandText describe_command(CLI::App& app) {
  CommandText text;
  text.name = app.get_name();
  text.summary = app.get_description();
  text.details = app.get_footer();
  text.takes_words = app.get_prefix_command();
  for (CLI::Option* option : app.get_options([](const CLI::Option*) { return true; }))
    (option->get_positional() ? text.positionals : text.options).push_back(describe_option(*option));
  return text;
}

}  // namespace

CommandTree describe(CLI::App& app) {
  CommandTree tree{describe_command(app), {}};
  for (CLI::App* command : app.get_subcommands([](CLI::App* one) { return !one->get_group().empty(); }))
    tree.commands.push_back(describe_command(*command));
  return tree;
}

}  // namespace lockstep::cli
