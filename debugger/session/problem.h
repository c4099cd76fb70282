// Problem: why a text of a person's cannot be carried out, and what to write instead. One line each.
#pragma once

#include <string>

namespace lockstep::debugger {

struct Problem {
  std::string message;
  std::string hint;  // may be empty
  std::string text() const { return hint.empty() ? message : message + " (" + hint + ")"; }
};

/// Of a question that a person did not want to wait for.
inline Problem stopped() { return {"stopped: nothing has changed", ""}; }

}  // namespace lockstep::debugger
