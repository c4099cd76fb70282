#include "debugger/terminal/commands/families.h"

#include "debugger/session/overview.h"

namespace lockstep::debugger {

namespace {

bool has_letters(const Command& command, std::string_view name) {
  std::string_view letters = command.letters;
  while (!letters.empty()) {
    if (take_word(letters) == name) return true;
  }
  return false;
}

}  // namespace

const std::vector<Command>& all_commands() {
  static const std::vector<Command> commands = [] {
    std::vector<Command> all;
    for (const CommandRows& rows :
         {going_commands(), stop_commands(), program_commands(), value_commands(), info_commands(), examine_commands(),
          access_commands(), origin_commands(), order_commands(), map_commands(), compare_commands(), cost_commands(),
          source_commands(), editing_commands(), conversation_commands()})
      all.insert(all.end(), rows.begin(), rows.end());
    return all;
  }();
  return commands;
}

Expected<const Command*, Problem> find_command(std::string_view name) {
  std::vector<const Command*> found;
  for (const Command& command : all_commands()) {
    if (command.name == name || has_letters(command, name)) return &command;
    if (command.name.starts_with(name)) found.push_back(&command);
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    std::vector<std::string> names;
    for (const Command& command : all_commands()) names.emplace_back(command.name);
    const std::string near = nearest_name(name, names);
    return Unexpected{Problem{"there is no command '" + std::string(name) + "'",
                              near.empty() ? "`help` lists them" : "did you mean '" + near + "'?"}};
  }
  std::string all;
  for (const Command* one : found) all += (all.empty() ? "" : ", ") + std::string(one->name);
  return Unexpected{Problem{"'" + std::string(name) + "' is ambiguous", all}};
}

}  // namespace lockstep::debugger
