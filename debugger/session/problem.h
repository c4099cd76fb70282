// Problem: why a person's text cannot be carried out, and what to write instead. One line each.
#pragma once

#include <string>

namespace lockstep::debugger {

struct Problem {
  std::string message;
  std::string hint;  // may be empty
  std::string text() const { return hint.empty() ? message : message + " (" + hint + ")"; }
};

/// For a question that a person interrupted.
inline Problem stopped() { return {"stopped: nothing has changed", ""}; }

}  // namespace lockstep::debugger
