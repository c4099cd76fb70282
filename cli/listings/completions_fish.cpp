#include "cli/listings/completions.h"

namespace lockstep::cli {
namespace {

// Within single quotes, fish has two escapes.
std::string fish_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "'";
}

std::string fish_values(const OptionText& option) {
  switch (completed(option)) {
    case Completed::words: {
      std::string words;
      for (const std::string& choice : option.choices) words += (words.empty() ? "" : " ") + choice;
      return " -x -a " + fish_quoted(words);
    }
    case Completed::folders: return " -x -a '(__fish_complete_directories)'";
    case Completed::codes: return " -x -a '(lockstep explain 2>/dev/null | string replace \": \" \\t)'";
    case Completed::ops: return " -x -a '(lockstep ops 2>/dev/null | string match -r \"^[a-z_]+[.]\\S+\")'";
    case Completed::kernels:
    case Completed::files: return " -r -F";
    case Completed::nothing: break;
  }
  return " -x";
}

std::string fish_line(const std::string& condition, const OptionText& option) {
  std::string text = "complete -c lockstep -n " + fish_quoted(condition);
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return text + (option.value.empty() ? "" : fish_values(option)) + " -d " + fish_quoted(option.help) + "\n";
}

std::string fish_command(const CommandText& command) {
  const std::string condition = "__fish_lockstep_command " + command.name;
  std::string text = "\ncomplete -c lockstep -n __fish_lockstep_no_command -a " + command.name + " -d " +
                     fish_quoted(command.summary) + "\n";
  for (const OptionText& option : command.options) text += fish_line(condition, option);
  if (!command.positionals.empty()) {
    const std::string offered = fish_values(command.positionals.front());
    if (offered == " -r -F")
      text += "complete -c lockstep -n " + fish_quoted(condition) + " -F\n";
    else if (offered != " -x")
      text += "complete -c lockstep -n " + fish_quoted(condition) + offered.substr(3) + "\n";
  } else if (command.takes_words) {
    text += "complete -c lockstep -n " + fish_quoted(condition) + " -F\n";
  }
  return text;
}

}  // namespace

std::string fish_completions(const CommandTree& tree) {
  std::string names;
  for (const CommandText& command : tree.commands) names += " " + command.name;
  std::string text =
      "# fish completions of lockstep, made by `lockstep completions fish`.\n"
      "function __fish_lockstep_words  # the command and what follows\n"
      "    set -l words (commandline -opc)[2..-1]\n"
      "    while set -q words[1]\n"
      "        switch $words[1]\n"
      "            case --log-level\n"
      "                set -e words[1]\n"
      "            case" +
      names +
      "\n"
      "                string join -- \\n $words\n"
      "                return 0\n"
      "        end\n"
      "        set -e words[1]\n"
      "    end\n"
      "    return 1\n"
      "end\n"
      "function __fish_lockstep_no_command\n    not __fish_lockstep_words >/dev/null\nend\n"
      "function __fish_lockstep_command\n"
      "    set -l words (__fish_lockstep_words)\n"
      "    and test $words[1] = $argv[1]\n"
      "end\n\ncomplete -c lockstep -f\n";
  for (const OptionText& option : tree.whole.options) text += fish_line("__fish_lockstep_no_command", option);
  for (const CommandText& command : tree.commands) text += fish_command(command);
  return text;
}

}  // namespace lockstep::cli
