// OptionList: declares a command's own options, besides those of launches, to CLI11 without naming it. The help shows
// these texts. Not here: options of launches (driver/options).
#pragma once

#include <string>
#include <vector>

#include "driver/launch/launch_spec.h"
#include "driver/options/launch_options.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lockstep::cli {

/// Of --spread-sums.
inline constexpr const char* kSpreadSums =
    "bound only the orders of sums whose tiles spread evenly over 32 threads or more";

/// The limits of an option; the flags that it names are declared before it.
struct OptionRules {
  std::vector<std::string> choices{}, excludes{}, needs{};
  bool is_required = false, shows_default = false;
  int least = 0, most = 0;  // of a number; both 0: any
};

class OptionList {
 public:
  explicit OptionList(CLI::App& app) : app_(app) {}

  void flag(const std::string& name, bool& value, const std::string& help, const OptionRules& rules = {});
  /// `shown`: the value's placeholder in the help.
  void text(const std::string& name, std::string& value, const std::string& shown, const std::string& help,
            const OptionRules& rules = {});
  void number(const std::string& name, int& value, const std::string& shown, const std::string& help,
              const OptionRules& rules = {});
  /// May be given again.
  void texts(const std::string& name, std::vector<std::string>& values, const std::string& shown,
             const std::string& help);
  /// Words without a flag, in their order.
  void word(const std::string& name, std::string& value, const std::string& help, const OptionRules& rules = {});
  void words(const std::string& name, std::vector<std::string>& values, const std::string& help,
             const OptionRules& rules = {});

  /// Options of launches: kernel, arguments and the group `launch`; a group; one row.
  void launch(driver::LaunchSpec& spec, const std::string& arguments_help = "NAME=VALUE for each parameter");
  void group(driver::LaunchSpec& spec, driver::OptionGroup group, std::string_view said = "");
  void launch_option(driver::LaunchSpec& spec, std::string_view flag);
  /// The options of `lockstep run` and `lockstep debug`.
  void run(driver::LaunchSpec& spec);
  void debugged(driver::LaunchSpec& spec);
  /// Last: lets a capsule decide options that the user did not give.
  void let_capsules_decide(driver::LaunchSpec& spec);
  void note_given(driver::LaunchSpec& spec);

 private:
  void limit(CLI::Option& option, const std::string& shown, const OptionRules& rules);

  CLI::App& app_;
};

}  // namespace lockstep::cli
