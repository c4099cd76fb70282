// The rows of driver/options/launch_options.cpp as JSON: tests/cli/test_launch_options.py writes the package's options
// and the editors' schema from it.
#include <cstdio>
#include <map>

#include "cli/commands/command.h"
#include "gpu_diff/report.h"
#include "support/json.h"

namespace lockstep::cli {
namespace {

const char* group_name(driver::OptionGroup group) {
  switch (group) {
    case driver::OptionGroup::launch: return "launch";
    case driver::OptionGroup::tolerance: return "tolerance";
    case driver::OptionGroup::judging: return "judging";
    case driver::OptionGroup::time: return "time";
    case driver::OptionGroup::checkers: return "checkers";
    case driver::OptionGroup::baseline: return "baseline";
    case driver::OptionGroup::schedules: return "schedules";
    case driver::OptionGroup::programs: return "programs";
    case driver::OptionGroup::limits: return "limits";
    case driver::OptionGroup::measures: return "measures";
    case driver::OptionGroup::rounding: return "rounding";
    case driver::OptionGroup::compilation: return "compilation";
    case driver::OptionGroup::bounds: return "bounds";
    case driver::OptionGroup::recorded_bounds: return "recorded_bounds";
    case driver::OptionGroup::process: return "process";
  }
  return "";
}

const char* role_name(driver::CampaignRole role) {
  switch (role) {
    case driver::CampaignRole::none: return "";
    case driver::CampaignRole::option: return "option";
    case driver::CampaignRole::axis: return "axis";
    case driver::CampaignRole::campaign: return "campaign";
  }
  return "";
}

std::string json_texts(const std::vector<std::string>& texts) {
  return gpu_diff::json_list(texts, [](const std::string& one) { return json_quoted(one); });
}

std::string row_json(const driver::LaunchOption& option) {
  const driver::PythonOption& python = option.python;
  const auto text = [](bool value) { return value ? "true" : "false"; };
  std::string json = "{\"name\": " + json_quoted(option.python_name());
  json += ", \"group\": " + json_quoted(group_name(option.group));
  json += ", \"flag\": " + json_quoted(option.flags.empty() ? "" : option.flag());
  json += ", \"value\": " + json_quoted(option.value);
  json += ", \"choices\": " + json_texts(option.choice_list()) + ", \"help\": " + json_quoted(option.help);
  json += std::string(", \"is_switch\": ") + text(option.is_switch()) + ", \"is_number\": " + text(option.is_number());
  if (option.limit == driver::OptionLimit::range)
    json += ", \"least\": " + std::to_string(option.least) + ", \"most\": " + std::to_string(option.most);
  json += ", \"python\": {\"type\": " + json_quoted(python.type) + ", \"initial\": " + json_quoted(python.initial) +
          ", \"variable\": " + json_quoted(python.variable) + ", \"help\": " + json_quoted(python.help) +
          ", \"is_flag\": " + text(python.is_flag) + ", \"value\": " + json_quoted(python.value) + "}";
  return json + ", \"dap\": " + json_texts(option.dap_keys()) +
         ", \"campaign\": " + json_quoted(role_name(option.campaign)) +
         ", \"campaign_key\": " + json_quoted(option.campaign_key) + "}";
}

ExitCode run_launch_options(const NoOptions&) {
  std::string text;
  for (const driver::LaunchOption& option : driver::launch_options())
    text += (text.empty() ? "[" : ",\n ") + row_json(option);
  std::puts((text + "]").c_str());
  return ExitCode::clean;
}

}  // namespace

extern const CommandRow kLaunchOptionsCommand{
    .name = "launch-options",
    .summary = "print the rows of launch options",
    .make = make_command<NoOptions, declare_nothing, run_launch_options>,
    .is_hidden = true,
};

}  // namespace lockstep::cli
