#include "cli/option_list.h"

#include <CLI/CLI.hpp>

#include "driver/options/launch_words.h"

namespace lockstep::cli {

void OptionList::limit(CLI::Option& option, const std::string& shown, const OptionRules& rules) {
  option.required(rules.is_required);
  for (const std::string& one : rules.needs) option.needs(app_.get_option(one));
  if (!rules.choices.empty()) option.check(CLI::IsMember(rules.choices));
  if (rules.least != rules.most) option.check(CLI::Range(rules.least, rules.most));
  option.type_name(shown);
  if (rules.shows_default) option.capture_default_str();
  for (const std::string& one : rules.excludes) option.excludes(app_.get_option(one));
}

void OptionList::flag(const std::string& name, bool& value, const std::string& help, const OptionRules& rules) {
  CLI::Option& option = *app_.add_flag(name, value, help);
  for (const std::string& one : rules.needs) option.needs(app_.get_option(one));
  for (const std::string& one : rules.excludes) option.excludes(app_.get_option(one));
}

void OptionList::text(const std::string& name, std::string& value, const std::string& shown, const std::string& help,
                      const OptionRules& rules) {
  limit(*app_.add_option(name, value, help), shown, rules);
}

void OptionList::number(const std::string& name, int& value, const std::string& shown, const std::string& help,
                        const OptionRules& rules) {
  limit(*app_.add_option(name, value, help), shown, rules);
}

void OptionList::texts(const std::string& name, std::vector<std::string>& values, const std::string& shown,
                       const std::string& help) {
  driver::add_repeated(app_, name, values, help, shown);
}

void OptionList::word(const std::string& name, std::string& value, const std::string& help, const OptionRules& rules) {
  limit(*app_.add_option(name, value, help), "", rules);
}

void OptionList::words(const std::string& name, std::vector<std::string>& values, const std::string& help,
                       const OptionRules& rules) {
  limit(*app_.add_option(name, values, help), "", rules);
}

void OptionList::launch(driver::LaunchSpec& spec, const std::string& arguments_help) {
  driver::add_launch(app_, spec, arguments_help);
}

void OptionList::group(driver::LaunchSpec& spec, driver::OptionGroup group, std::string_view said) {
  driver::add_group(app_, spec, group, said);
}

void OptionList::launch_option(driver::LaunchSpec& spec, std::string_view flag) {
  driver::add_launch_option(app_, spec, flag);
}

void OptionList::run(driver::LaunchSpec& spec) { driver::add_run(app_, spec); }

void OptionList::debugged(driver::LaunchSpec& spec) { driver::add_debugged(app_, spec); }

void OptionList::let_capsules_decide(driver::LaunchSpec& spec) { driver::let_capsules_decide(app_, spec); }

void OptionList::note_given(driver::LaunchSpec& spec) { driver::note_given(app_, spec); }

}  // namespace lockstep::cli
