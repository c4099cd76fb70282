#include "debugger/terminal/count_text.h"

#include <cstdio>

namespace lockstep::debugger {

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string rough(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace lockstep::debugger
