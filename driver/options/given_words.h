// GivenWords: what a command line says of a launch, whole or not, as words that can be written again. Invariant: words
// of a launch that can be made make the same launch. Not here: what is missing (driver/launch/launch_guess.h), and what
// a shell makes of a word (cli/listings/first_launch.cpp).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driver/launch/launch_spec.h"

namespace CLI {
class App;
}  // namespace CLI

namespace lockstep::driver {

struct GivenWords {
  std::string target, grid;
  std::vector<std::string> arguments;                         // NAME=VALUE
  std::vector<std::pair<std::string, std::string>> options;  // {"--as", "sm_80"}; a switch has no value
};

/// Of a command that CLI11 read as far as it could.
GivenWords given_words(const CLI::App& command);
/// Of a launch: where an option has its default, it is not among them.
GivenWords given_words(const LaunchSpec& spec);
/// Of the words that `lockstep debug` takes for a launch, as far as they can be read.
GivenWords given_debug_words(const std::vector<std::string>& words);

/// The launch of these words as `lockstep run` makes it, without what it would write. Options that are not of launches
/// do not count. Nothing is said of what is wrong: spec.target is empty then.
LaunchSpec launch_of(const GivenWords& words);

}  // namespace lockstep::driver
