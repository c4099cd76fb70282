#include "cli/listings/completions.h"

namespace lockstep::cli {
namespace {

// Within single quotes, where `_arguments` reads [help] and :message:action.
std::string zsh_quoted(const std::string& text, const std::string& escaped) {
  std::string result;
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (escaped.find(c) != std::string::npos)
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result;
}

std::string zsh_action(const OptionText& option) {
  switch (completed(option)) {
    case Completed::words: {
      std::string words;
      for (const std::string& choice : option.choices) words += (words.empty() ? "" : " ") + choice;
      return "(" + words + ")";
    }
    case Completed::folders: return "_files -/";
    case Completed::codes: return "_lockstep_codes";
    case Completed::ops: return "_lockstep_ops";
    case Completed::kernels: return "_files -g \"*.(py|ttir|capsule)\"";
    case Completed::files: return "_files";
    case Completed::nothing: break;
  }
  return " ";
}

// One specification of `_arguments`, with a backslash for the next line.
std::string zsh_specification(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ",") + name;
  const std::string value =
      option.value.empty() ? "" : ":" + zsh_quoted(option.value, ":\\") + ":" + zsh_quoted(zsh_action(option), "");
  std::string excluded;
  for (const std::string& name : option.names) excluded += (excluded.empty() ? "" : " ") + name;
  std::string text = option.repeats ? "'*'" : "'(" + excluded + ")'";
  text += option.names.size() > 1 ? "{" + names + "}" : names;
  return "    " + text + "'[" + zsh_quoted(option.help, "[]:\\") + "]" + value + "' \\\n";
}

std::string zsh_function(const CommandText& command) {
  std::string text = "_lockstep_" + command.name + "() {\n  _arguments -s -S \\\n";
  for (const OptionText& option : command.options) text += zsh_specification(option);
  for (const OptionText& positional : command.positionals) {
    const std::string rest = zsh_quoted(positional.names.back(), ":\\") + ":" + zsh_quoted(zsh_action(positional), "");
    text += "    '" + std::string(positional.repeats ? "*:" : ":") + rest + "' \\\n";
  }
  if (command.takes_words && command.positionals.empty()) text += "    '*:word:_files' \\\n";
  return text + "    && return 0\n}\n\n";
}

}  // namespace

std::string zsh_completions(const CommandTree& tree) {
  std::string text =
      "#compdef lockstep\n# zsh completions of lockstep, made by `lockstep completions zsh`.\n\n"
      "_lockstep_codes() {\n  local -a codes=(${(f)\"$(lockstep explain 2>/dev/null)\"})\n"
      "  _describe -t codes code codes\n}\n\n"
      "_lockstep_ops() {\n  local -a ops=(${${(f)\"$(lockstep ops 2>/dev/null | sed 1d)\"}%% *})\n"
      "  _describe -t ops op ops\n}\n\n";
  for (const CommandText& command : tree.commands) text += zsh_function(command);
  text += "_lockstep() {\n  local curcontext=$curcontext state line ret=1\n  local -a commands=(\n";
  for (const CommandText& command : tree.commands)
    text += "    '" + command.name + ":" + zsh_quoted(command.summary, "") + "'\n";
  text += "  )\n  _arguments -C -S \\\n";
  for (const OptionText& option : tree.whole.options) text += zsh_specification(option);
  return text +
         "    '1:command:->command' \\\n    '*::word:->words' && ret=0\n  case $state in\n"
         "    command) _describe -t commands command commands && ret=0 ;;\n"
         "    words)\n      curcontext=${curcontext%:*:*}:lockstep-$words[1]:\n"
         "      if (( $+functions[_lockstep_$words[1]] )); then _lockstep_$words[1] && ret=0; fi\n      ;;\n"
         "  esac\n  return ret\n}\n\n"
         "if [[ $funcstack[1] == _lockstep ]]; then _lockstep \"$@\"; else compdef _lockstep lockstep; fi\n";
}

}  // namespace lockstep::cli
