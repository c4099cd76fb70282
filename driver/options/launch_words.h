// The options of launches on a command line: rows of launch_options.h, declared to CLI11. Prints nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/options/launch_options.h"
#include "support/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace lockstep::driver {

/// An option that may be repeated and takes exactly one value each time, so that the next word stays an argument.
void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help,
                  const std::string& type_name, const std::string& heading = "Options");
/// The rows of a group. `said`: replaces {} in their help.
void add_group(CLI::App& app, LaunchSpec& spec, OptionGroup group, std::string_view said = "");
/// One row, by its flag.
void add_launch_option(CLI::App& app, LaunchSpec& spec, std::string_view flag);
/// Kernel, arguments, and the options of the launch itself.
void add_launch(CLI::App& app, LaunchSpec& spec, const std::string& arguments_help = "NAME=VALUE for each parameter");
/// Notes in LaunchSpec::given what the command line sets although a capsule has it, too.
void note_given(CLI::App& app, LaunchSpec& spec);
/// A capsule brings its grid, and the compilation options that the command line does not set. After the launch's and
/// the compilation's options.
void let_capsules_decide(CLI::App& app, LaunchSpec& spec);
/// What `lockstep run` takes.
void add_run(CLI::App& app, LaunchSpec& spec);
/// The options of a debugged launch.
void add_debugged(CLI::App& app, LaunchSpec& spec);

/// A launch from the words of `lockstep run`. Prints nothing; the error is the problem's text.
Expected<LaunchSpec, std::string> parse_run_words(const std::vector<std::string>& words);
/// A launch to debug from the words of `lockstep debug`; otherwise as parse_run_words.
Expected<LaunchSpec, std::string> parse_debug_words(const std::vector<std::string>& words);

}  // namespace lockstep::driver
