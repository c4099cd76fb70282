// A first launch for a kernel without arguments: values that fit its text (frontend/kernel_reading.h). Invariant: a
// guess; its user runs it first, or prints that it was not run.
#pragma once

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

/// "pointer", "number", "constexpr".
std::string_view kind_word(frontend::ReadParameter::Kind kind);

struct GuessWays {
  bool is_flat = false;         // tensors are long rows instead of the shapes that the text speaks of
  std::string element = "f32";  // of tensors of fractions
};

/// `given`: arguments that stay as they are, by name.
LaunchGuess guess_launch(const frontend::KernelReading& reading, const std::map<std::string, std::string>& given,
                         const GuessWays& ways);

}  // namespace lockstep::driver
