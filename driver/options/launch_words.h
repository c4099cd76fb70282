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

/// An option that may be repeated and takes exactly one value each time, so that what follows it stays an argument.
void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help,
                  const std::string& type_name, const std::string& heading = "Options");
/// The rows of a group. `said`: for the {} of their help.
void add_group(CLI::App& app, LaunchSpec& spec, OptionGroup group, std::string_view said = "");
/// One row, by its flag.
void add_launch_option(CLI::App& app, LaunchSpec& spec, std::string_view flag);
/// Kernel, arguments, and what says which launch it is.
void add_launch(CLI::App& app, LaunchSpec& spec, const std::string& arguments_help = "NAME=VALUE for each parameter");
/// LaunchSpec::given notes what the command line says of what a capsule says, too.
void note_given(CLI::App& app, LaunchSpec& spec);
/// A capsule brings its grid, and what the command line does not say of its compilation. After the launch's and the
/// compilation's options.
void let_capsules_decide(CLI::App& app, LaunchSpec& spec);
/// What `lockstep run` takes.
void add_run(CLI::App& app, LaunchSpec& spec);
/// What says which launch is debugged, and under what.
void add_debugged(CLI::App& app, LaunchSpec& spec);

/// A launch from the words that `lockstep run` takes. Prints nothing; the error is what is wrong.
Expected<LaunchSpec, std::string> parse_run_words(const std::vector<std::string>& words);
/// A launch to debug from the words that `lockstep debug` takes for it; as parse_run_words.
Expected<LaunchSpec, std::string> parse_debug_words(const std::vector<std::string>& words);

}  // namespace lockstep::driver
