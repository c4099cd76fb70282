// What is wrong with a command line, in our words instead of CLI11's.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace lockstep::driver {

struct UsageProblem {
  std::string message, hint;  // the hint may be empty
};

/// Of the command and the error that reading it ended with: an option given twice, without its value, with one that it cannot have, beside
/// one that excludes it.
UsageProblem usage_problem(const CLI::App& command, const CLI::ParseError& error);

}  // namespace lockstep::driver
