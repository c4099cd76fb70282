#include "cli/listings/completions.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/command.h"

namespace lockstep::cli {
namespace {

struct CompletionsOptions {
  std::string shell;  // bash|zsh|fish
};

std::string joined_words(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

constexpr const char* kBashFiles = "compopt -o filenames 2>/dev/null; ";  // no space behind a folder

std::string bash_action(const OptionText& option) {
  const auto among = [](const std::string& words) {
    return "COMPREPLY=($(compgen -W \"" + words + "\" -- \"$current\"))";
  };
  switch (completed(option)) {
    case Completed::words: return among(joined_words(option.choices, " "));
    case Completed::folders: return kBashFiles + std::string("COMPREPLY=($(compgen -d -- \"$current\"))");
    case Completed::codes: return among("$(\"$1\" explain 2>/dev/null | sed 's/:.*//')");
    case Completed::ops: return among("$(\"$1\" ops 2>/dev/null | sed '1d;s/ .*//')");
    case Completed::kernels:
      return kBashFiles +
             std::string(
                 "COMPREPLY=($(compgen -d -- \"$current\") $(compgen -f -X '!*.@(py|ttir|capsule)' -- \"$current\"))");
    case Completed::files: return kBashFiles + std::string("COMPREPLY=($(compgen -f -- \"$current\"))");
    case Completed::nothing: break;
  }
  return "COMPREPLY=()";
}

std::string bash_words(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return joined_words(names, " ");
}

// `case` arms for the options that take a value; one arm for all options with the same values.
std::string bash_values(const std::vector<OptionText>& options) {
  std::vector<std::pair<std::string, std::vector<std::string>>> arms;  // bash code that fills COMPREPLY, names
  for (const OptionText& option : options) {
    if (option.value.empty()) continue;
    const std::string action = bash_action(option);
    auto arm = std::find_if(arms.begin(), arms.end(), [&action](const auto& one) { return one.first == action; });
    if (arm == arms.end()) arm = arms.insert(arms.end(), {action, {}});
    arm->second.insert(arm->second.end(), option.names.begin(), option.names.end());
  }
  std::string text = "      case $previous in\n";
  for (const auto& [action, names] : arms)
    text += "        " + joined_words(names, " | ") + ") " + action + "; return ;;\n";
  return text + "      esac\n";
}

// A command's completions: the value of the option before, else an option, else a positional.
std::string bash_command(const CommandText& command) {
  std::string text = "    " + command.name + ")\n" + bash_values(command.options) +
                     "      if [[ $current == -* ]]; then\n        COMPREPLY=($(compgen -W \"" + bash_words(command) +
                     "\" -- \"$current\"))\n";
  if (!command.positionals.empty()) text += "      else\n        " + bash_action(command.positionals.front()) + "\n";
  return text + "      fi\n      ;;\n";
}

}  // namespace

Completed completed(const OptionText& option) {
  const std::string& name = option.names.back();
  const bool is_positional = name.front() != '-';
  if (!option.choices.empty()) return Completed::words;
  if (option.value.starts_with("FILE")) return Completed::files;
  if (option.value == "FOLDER") return Completed::folders;
  if (!is_positional) return Completed::nothing;
  if (name == "topic") return Completed::codes;
  if (name == "op") return Completed::ops;
  if (name == "kernel" || name == "capsule" || name == "target") return Completed::kernels;
  return Completed::nothing;
}

CommandTree completed_tree() {
  CommandTree tree = command_tree();
  const auto find = [&tree](const char* name) {
    return std::find_if(tree.commands.begin(), tree.commands.end(),
                        [name](const CommandText& one) { return one.name == name; });
  };
  const auto serve = find("serve"), debug = find("debug");
  for (const OptionText& option : debug->options) {
    const bool has = std::any_of(serve->options.begin(), serve->options.end(),
                                 [&option](const OptionText& one) { return one.names == option.names; });
    if (!has) serve->options.push_back(option);
  }
  serve->positionals = debug->positionals;
  for (const CommandText& command : tree.commands) find("help")->positionals.front().choices.push_back(command.name);
  for (CommandText& command : tree.commands) {  // those of `lockstep` are taken behind a command, too
    for (const OptionText& option : tree.whole.options) {
      if (option.names.back() == "--log-level" && command.name != "campaign" && command.name != "stages") command.options.push_back(option);
    }
  }
  return tree;
}

std::string bash_completions(const CommandTree& tree) {
  std::vector<std::string> names;
  for (const CommandText& command : tree.commands) names.push_back(command.name);
  std::string text =
      "# bash completions of lockstep, made by `lockstep completions bash`.\n"
      "_lockstep() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= word skipped=\n"
      "  if [[ $current == = ]]; then current=; fi  # --option=VALUE comes as three words\n"
      "  if [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
      "  COMPREPLY=()\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    if [[ $skipped ]]; then skipped=; continue; fi\n"
      "    case $word in\n"
      "      --log-level) skipped=1 ;;\n"
      "      " +
      joined_words(names, " | ") + ") command=$word; break ;;\n    esac\n  done\n  case $command in\n    '')\n" +
      bash_values(tree.whole.options);
  text += "      COMPREPLY=($(compgen -W \"" + joined_words(names, " ") + " " + bash_words(tree.whole) +
          "\" -- \"$current\"))\n      ;;\n";
  for (const CommandText& command : tree.commands) text += bash_command(command);
  return text +
         "  esac\n}\nshopt -q extglob || shopt -s extglob\ncomplete -o bashdefault -o default -F _lockstep lockstep\n";
}

namespace {

ExitCode run_completions(const CompletionsOptions& options) {
  const CommandTree tree = completed_tree();
  const std::string text = options.shell == "bash"  ? bash_completions(tree)
                           : options.shell == "zsh" ? zsh_completions(tree)
                                                    : fish_completions(tree);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::clean;
}

void declare_completions(OptionList& options, CompletionsOptions& completions) {
  options.word("shell", completions.shell, "bash, zsh or fish",
               {.choices = {"bash", "zsh", "fish"}, .is_required = true});
}

}  // namespace

extern const CommandRow kCompletionsCommand{
    .name = "completions",
    .summary = "print completions for a shell",
    .make = make_command<CompletionsOptions, declare_completions, run_completions>,
    .usage = " bash|zsh|fish",
    .is_hidden = true,
};

}  // namespace lockstep::cli
