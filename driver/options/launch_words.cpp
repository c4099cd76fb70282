#include "driver/options/launch_words.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <climits>
#include <type_traits>

#include "driver/options/usage_problem.h"
#include "support/check.h"

namespace lockstep::driver {
namespace {

// CLI11's own check lets NaN pass.
std::string tolerance_problem(const std::string& text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && value >= 0 ? "" : "'" + text + "' is not a number from 0 on";
}

std::string timeout_problem(const std::string& text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && value > 0 && value < 1e9
             ? ""
             : "'" + text + "' is not a number of seconds";
}

void limit(CLI::Option& declared, const LaunchOption& option) {
  switch (option.limit) {
    case OptionLimit::none: break;
    case OptionLimit::range:
      if (option.most > INT_MAX) declared.check(CLI::Range(option.least, option.most));
      else declared.check(CLI::Range(static_cast<int>(option.least), static_cast<int>(option.most)));
      break;
    case OptionLimit::seconds: declared.check(timeout_problem); break;
    case OptionLimit::tolerance: declared.check(tolerance_problem); break;
    case OptionLimit::not_negative: declared.check(CLI::NonNegativeNumber); break;
  }
  if (!option.choices.empty()) declared.check(CLI::IsMember(option.choice_list()));
}

std::string help_of(const LaunchOption& option, std::string_view said) {
  std::string help(option.help);
  const std::size_t gap = help.find("{}");
  return gap == std::string::npos ? help : help.replace(gap, 2, said);
}

CLI::Option* declare_choice(CLI::App& app, LaunchSpec& spec, const LaunchOption& option, const std::string& help) {
  const auto take = [&spec, &option](const std::string& text) {
    const std::vector<std::string> all = option.choice_list();
    const auto& field = std::get<ChoiceField>(option.field);
    field.set(spec, static_cast<std::size_t>(std::find(all.begin(), all.end(), text) - all.begin()));
  };
  return app.add_option_function<std::string>(std::string(option.flags), take, help);
}

/// The option without its limits.
CLI::Option* declare(CLI::App& app, LaunchSpec& spec, const LaunchOption& option, const std::string& help) {
  CLI::Option* declared = nullptr;
  const std::string flags(option.flags);
  visit_field(option, spec, [&](auto& field) {
    using Field = std::remove_cv_t<std::remove_reference_t<decltype(field)>>;
    if constexpr (std::is_same_v<Field, ChoiceField>) declared = declare_choice(app, spec, option, help);
    else if constexpr (std::is_same_v<Field, bool>) declared = app.add_flag(flags, field, help);
    else declared = app.add_option(flags, field, help);
    if constexpr (std::is_same_v<Field, std::vector<std::string>>) declared->allow_extra_args(false);
  });
  return declared;
}

void show_default(CLI::Option& declared, const LaunchSpec& spec, const LaunchOption& option) {
  if (!option.shows_default) return;
  const auto* choice = std::get_if<ChoiceField>(&option.field);
  if (choice != nullptr) declared.default_str(option.choice_list()[choice->get(spec)]);
  else declared.capture_default_str();
}

/// The heading of the group in the help.
std::string heading_of(OptionGroup group) {
  switch (group) {
    case OptionGroup::launch:
    case OptionGroup::programs:
    case OptionGroup::rounding:
    case OptionGroup::compilation:
    case OptionGroup::bounds:
    case OptionGroup::recorded_bounds: return "Launch";
    case OptionGroup::checkers:
    case OptionGroup::baseline:
    case OptionGroup::schedules: return "Checks";
    case OptionGroup::tolerance:
    case OptionGroup::judging: return "Results";
    case OptionGroup::time:
    case OptionGroup::limits: return "Limits";
    case OptionGroup::measures: return "Reports";
    case OptionGroup::process: break;
  }
  return "Options";
}

void add_row(CLI::App& app, LaunchSpec& spec, const LaunchOption& option, std::string_view said) {
  CLI::Option& declared = *declare(app, spec, option, help_of(option, said));
  declared.group(heading_of(option.group));
  limit(declared, option);
  if (!option.is_switch()) declared.type_name(std::string(option.value.empty() ? option.choices : option.value));
  show_default(declared, spec, option);
  declared.required(option.is_required);
  for (const std::string& other : CLI::detail::split(std::string(option.excludes), ' ')) {
    if (CLI::Option* found = app.get_option_no_throw(other)) declared.excludes(found);
  }
}

Expected<LaunchSpec, std::string> parse_words(const std::vector<std::string>& words,
                                              void (*declare_all)(CLI::App& app, LaunchSpec& spec)) {
  LaunchSpec spec;
  CLI::App app;
  app.set_help_flag();
  declare_all(app, spec);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> unknown = app.remaining();
    if (!unknown.empty()) return Unexpected{"unexpected argument '" + unknown.front() + "'"};
    const UsageProblem problem = usage_problem(app, error);
    return Unexpected{problem.message + (problem.hint.empty() ? "" : "\nhint: " + problem.hint)};
  }
  return spec;
}

}  // namespace

void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help,
                  const std::string& type_name, const std::string& heading) {
  app.add_option(name, values, help)->allow_extra_args(false)->type_name(type_name)->group(heading);
}

void add_group(CLI::App& app, LaunchSpec& spec, OptionGroup group, std::string_view said) {
  for (const LaunchOption& option : launch_options()) {
    if (option.group == group) add_row(app, spec, option, said);
  }
}

void add_launch_option(CLI::App& app, LaunchSpec& spec, std::string_view flag) {
  const LaunchOption* option = find_launch_option(flag);
  LOCKSTEP_CHECK(option != nullptr, "there is no option " + std::string(flag) + " of launches");
  add_row(app, spec, *option, "");
}

void add_launch(CLI::App& app, LaunchSpec& spec, const std::string& arguments_help) {
  app.add_option("kernel", spec.target, "FILE.py[::KERNEL], FILE.ttir[::NAME] or FILE.capsule")
      ->required()
      ->type_name("");
  app.add_option("arguments", spec.arguments, arguments_help)->type_name("");
  add_group(app, spec, OptionGroup::launch);
}

void note_given(CLI::App& app, LaunchSpec& spec) {
  for (const LaunchOption& option : launch_options()) {
    CLI::Option* declared = option.is_recorded ? app.get_option_no_throw(std::string(option.flag())) : nullptr;
    if (declared == nullptr) continue;
    declared->each([&spec, &option](const std::string&) { spec.given.emplace(option.flag()); });
  }
}

void let_capsules_decide(CLI::App& app, LaunchSpec& spec) {
  CLI::Option* grid = app.get_option_no_throw("--grid");
  app.get_option("kernel")->each([grid](const std::string& target) {
    if (grid != nullptr && target.ends_with(".capsule")) grid->required(false);
  });
  note_given(app, spec);
  add_group(app, spec, OptionGroup::bounds);
}

void add_run(CLI::App& app, LaunchSpec& spec) {
  using Group = OptionGroup;
  add_launch(app, spec);
  add_repeated(app, "--save", spec.save, "write a tensor afterwards", "NAME=@FILE.npy", "Results");
  add_repeated(app, "--print", spec.print, "print a tensor afterwards", "NAME", "Results");
  add_repeated(app, "--expect", spec.expect,
               "compare a tensor with a reference (.npy, or .npz:key; NAME=recorded: what a capsule has)",
               "NAME=@FILE", "Results");
  add_group(app, spec, Group::tolerance, "--expect");
  for (const Group group : {Group::judging, Group::time, Group::checkers}) add_group(app, spec, group);
  add_repeated(app, "--report", spec.reports,
               "write findings as json, sarif, junit, github or baseline; without FILE to standard output",
               "FORMAT[=FILE]", "Reports");
  for (const Group group : {Group::baseline, Group::schedules, Group::programs, Group::limits, Group::measures, Group::rounding,
                            Group::compilation})
    add_group(app, spec, group);
  let_capsules_decide(app, spec);
}

void add_debugged(CLI::App& app, LaunchSpec& spec) {
  add_launch(app, spec);
  add_repeated(app, "--expect", spec.expect, "what a tensor is compared with, and what ref(\"NAME\") is (.npy, or .npz:key)",
               "NAME=@FILE", "Results");
  add_group(app, spec, OptionGroup::tolerance, "--expect");
  for (const OptionGroup group : {OptionGroup::checkers, OptionGroup::schedules, OptionGroup::limits,
                                  OptionGroup::rounding, OptionGroup::compilation})
    add_group(app, spec, group);
  let_capsules_decide(app, spec);
}

Expected<LaunchSpec, std::string> parse_run_words(const std::vector<std::string>& words) {
  return parse_words(words, add_run);
}

Expected<LaunchSpec, std::string> parse_debug_words(const std::vector<std::string>& words) {
  return parse_words(words, add_debugged);
}

}  // namespace lockstep::driver
