// The options of launches as CLI11 declares them, in groups that commands put together. Prints nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/launch/launch_spec.h"
#include "support/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace lockstep::driver {

/// An option that may be repeated and takes exactly one value each time, so that what follows it stays an argument.
void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help,
                  const std::string& type_name);
/// What CLI11 says of a text that is no number of seconds; "": it is one.
std::string timeout_problem(const std::string& text);

/// What says which launch it is.
void add_launch(CLI::App& app, LaunchSpec& run);
/// `of`: what is compared.
void add_tolerance(CLI::App& app, LaunchSpec& run, const std::string& of);
void add_checkers(CLI::App& app, LaunchSpec& run);
/// The order in which programs run that may see each other.
void add_schedules(CLI::App& app, LaunchSpec& run);
void add_limits(CLI::App& app, LaunchSpec& run);
/// And what the kernel is compiled with.
void add_rounding(CLI::App& app, LaunchSpec& run);
void add_compilation(CLI::App& app, std::string& target_gpu, int& num_warps, int& num_stages,
                     std::optional<std::size_t>& config, std::vector<std::string>& globals,
                     std::vector<std::string>& search_path);
/// A capsule brings its grid, and what the command line does not say of its compilation. After the launch's and the
/// compilation's options.
void let_capsules_decide(CLI::App& app, LaunchSpec& run);
/// What says which launch is debugged, and under what.
void add_debugged(CLI::App& app, LaunchSpec& run);

/// A launch to debug from the words that `lockstep debug` takes for it. Prints nothing; the error is what is wrong.
Expected<LaunchSpec, std::string> parse_debug_words(const std::vector<std::string>& words);

}  // namespace lockstep::driver
