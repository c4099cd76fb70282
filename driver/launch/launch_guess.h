// A first launch for a kernel without arguments: values that fit its text (frontend/kernel_reading.h). Invariant: a
// guess; its user runs it first, or prints that it was not run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/kernel_reading.h"

namespace lockstep::driver {

struct LaunchGuess {
  std::string grid;
  std::vector<std::string> arguments;  // NAME=VALUE, in the order of the parameters
  std::vector<std::string> unknown;    // parameters for which nothing can be said, such as descriptors
};

/// What is known already, and kept.
struct GivenArguments {
  std::vector<std::string> texts;                           // NAME=VALUE; a misspelt name is taken for the one it is like
  std::map<std::string, std::vector<std::int64_t>> shapes;  // of tensors, by name: numbers and grid are made to fit
  std::string grid;                                         // empty: none
};

/// "pointer", "number", "constexpr".
std::string_view kind_word(frontend::ReadParameter::Kind kind);

struct GuessWays {
  bool is_flat = false;         // tensors are long rows instead of the shapes that the text speaks of
  std::string element = "f32";  // of tensors of fractions
};

LaunchGuess guess_launch(const frontend::KernelReading& reading, const GivenArguments& given, const GuessWays& ways);
/// "add stride=100 (a number)"; empty: nothing can be said of the parameter.
std::string hint_for(const frontend::KernelReading& reading, const LaunchGuess& guess, const std::string& parameter);

}  // namespace lockstep::driver
