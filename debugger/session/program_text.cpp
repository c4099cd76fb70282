#include "debugger/session/program_text.h"

namespace lockstep::debugger {

std::string program_text(const ProgramId& id) {
  return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) + ")";
}

Problem problem_with(std::string_view what, std::string_view text, const ExpressionError& error) {
  return {std::string(what) + " '" + std::string(text) + "': " + error.message, ""};
}

}  // namespace lockstep::debugger
