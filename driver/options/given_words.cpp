#include "driver/options/given_words.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <type_traits>

#include "driver/options/launch_options.h"
#include "driver/options/launch_words.h"

namespace lockstep::driver {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

template <typename Field>
void add_changed(const std::string& flag, const Field& field, const Field& initial, Options& options) {
  if constexpr (std::is_same_v<Field, std::vector<std::string>>) {
    for (const std::string& one : field) options.emplace_back(flag, one);
  } else if constexpr (std::is_same_v<Field, bool>) {
    if (field) options.emplace_back(flag, "");
  } else if constexpr (requires { *field; }) {
    if (field) options.emplace_back(flag, fmt::format("{}", *field));
  } else {
    if (field != initial) options.emplace_back(flag, fmt::format("{}", field));
  }
}

/// What the row's option is in `spec`, where that is not the default.
void add_row_of(const LaunchOption& option, LaunchSpec& spec, LaunchSpec& plain, Options& options) {
  const std::string flag(option.flag());
  visit_field(option, spec, [&](auto& field) {
    using Field = std::remove_cv_t<std::remove_reference_t<decltype(field)>>;
    if constexpr (std::is_same_v<Field, ChoiceField>) {
      const std::size_t chosen = field.get(spec);
      if (chosen != field.get(plain)) options.emplace_back(flag, option.choice_list()[chosen]);
    } else {
      visit_field(option, plain, [&](auto& initial) {
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(initial)>, Field>)
          add_changed(flag, field, initial, options);
      });
    }
  });
}

}  // namespace

GivenWords given_words(const CLI::App& command) {
  GivenWords words;
  for (const CLI::Option* one : command.get_options()) {
    if (one->count() == 0) continue;
    const std::string name = one->get_positional() ? one->get_name() : "--" + one->get_lnames().front();
    if (name == "kernel") words.target = one->results().front();
    else if (name == "--grid") words.grid = one->results().front();
    else if (one->get_positional()) words.arguments = one->results();
    else if (one->get_items_expected_max() == 0) words.options.emplace_back(name, "");
    else for (const std::string& value : one->results()) words.options.emplace_back(name, value);
  }
  return words;
}

GivenWords given_words(const LaunchSpec& spec) {
  GivenWords words{spec.target, spec.grid, spec.arguments, {}};
  LaunchSpec here = spec, plain;
  const std::pair<const char*, const std::vector<std::string>*> repeated[] = {
      {"--save", &spec.save}, {"--print", &spec.print}, {"--expect", &spec.expect}, {"--report", &spec.reports}};
  for (const auto& [flag, values] : repeated) {
    for (const std::string& value : *values) words.options.emplace_back(flag, value);
  }
  for (const LaunchOption& option : launch_options()) {
    const bool is_said = option.flags.empty() || option.flag() == "--grid" || option.group == OptionGroup::recorded_bounds;
    if (!is_said) add_row_of(option, here, plain, words.options);
  }
  return words;
}

GivenWords given_debug_words(const std::vector<std::string>& words) {
  LaunchSpec spec;
  CLI::App app;
  app.set_help_flag();
  add_debugged(app, spec);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError&) {
    // What is wrong has been said; what could be read is there.
  }
  return given_words(app);
}

LaunchSpec launch_of(const GivenWords& words) {
  std::vector<std::string> all{words.target, "--grid=" + words.grid};
  for (const auto& [flag, value] : words.options) {
    if (find_launch_option(flag) == nullptr && flag != "--expect") continue;
    all.push_back(value.empty() ? flag : flag + "=" + value);
  }
  all.insert(all.end(), words.arguments.begin(), words.arguments.end());
  auto spec = parse_run_words(all);
  if (!spec) return {};
  spec->profile = spec->cover = false;
  spec->trace.clear();
  return std::move(*spec);
}

}  // namespace lockstep::driver
