#include "driver/options/usage_problem.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

namespace lockstep::driver {
namespace {

/// Where the type's name ends and what its check says of itself begins: "on|off:{on,off}", "N:INT in [1 - 64]".
std::size_t end_of_type(const std::string& type) {
  if (const std::size_t choices = type.find(":{"); choices != std::string::npos) return choices;
  const std::size_t range = type.find(" in [");
  return range == std::string::npos ? type.size() : type.rfind(':', range);
}

/// What the help shows of a value: "X,Y,Z".
std::string shown_value(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, end_of_type(type));
}

std::string choices_text(const std::string& listed) {
  const std::vector<std::string> all = CLI::detail::split(listed.substr(1, listed.size() - 2), ',');
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i];
  return text;
}

/// What the option takes, by its own check: "it is on or off", "it is a number from 1 to 64"; empty: the check does not
/// say.
std::string taken_text(const CLI::Option& option) {
  const std::string type = option.get_type_name(), check = type.substr(std::min(end_of_type(type) + 1, type.size()));
  if (check.starts_with("{")) return "it is " + choices_text(check);
  const std::size_t open = check.find('['), dash = check.find(" - ");
  if (open == std::string::npos || dash == std::string::npos) return "";
  return "it is a number from " + check.substr(open + 1, dash - open - 1) + " to " +
         check.substr(dash + 3, check.size() - dash - 4);
}

/// The option of the command, or of those around it, that the sentence of CLI11 is about.
const CLI::Option* option_of(const CLI::App& command, const std::string& sentence) {
  const std::size_t begin = std::min(sentence.find("--"), sentence.size());
  const std::string name = sentence.substr(begin, sentence.find_first_of(": ", begin) - begin);
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
    if (const CLI::Option* found = app->get_option_no_throw(name)) return found;
  }
  return nullptr;
}

const CLI::Option* given_again(const CLI::App& command) {
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* one : app->get_options()) {
      if (!one->get_positional() && one->get_expected_max() == 1 && one->count() > 1) return one;
    }
  }
  return nullptr;
}

UsageProblem twice(const CLI::Option& option) {
  const std::vector<std::string> values = option.results();
  std::string all;
  for (std::size_t i = 0; i < values.size(); ++i) all += (i == 0 ? "" : i + 1 == values.size() ? " and " : ", ") + values[i];
  const std::string often = values.size() == 2 ? "twice" : std::to_string(values.size()) + " times";
  return {option.get_name() + " is given " + often + ": " + all, "give it once"};
}

}  // namespace

UsageProblem usage_problem(const CLI::App& command, const CLI::ParseError& error) {
  const std::string sentence = error.what();
  const std::string help = command.get_name().empty() || command.get_parent() == nullptr ? "" : command.get_name() + " ";
  const std::string usage = "`lockstep " + help + "--help` lists the options";
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return {sentence, ""};
  if (const CLI::Option* again = given_again(command)) return twice(*again);
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr || dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
    const std::size_t first = sentence.find(' '), second = sentence.rfind(' ');
    const std::string one = sentence.substr(0, first), other = sentence.substr(second + 1);
    const bool excludes = dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr;
    if (excludes) return {one + " and " + other + " cannot be given together", "leave out one of them"};
    return {one + " is given without " + other, "add " + other + ", or leave out " + one};
  }
  const CLI::Option* option = option_of(command, sentence);
  if (option == nullptr) return {sentence, usage};
  const std::string name = option->get_name(), written = "write " + name + " " + shown_value(*option);
  if (option->results().empty()) return {name + " is given without a value", written};
  const bool is_own_text = dynamic_cast<const CLI::ConversionError*>(&error) == nullptr;
  const std::string taken = taken_text(*option);
  if (taken.empty() && is_own_text) return {sentence, written};
  return {name + " cannot be '" + option->results().back() + "'", taken.empty() ? written : taken};
}

}  // namespace lockstep::driver
