#include "debugger/dap/line_proof.h"

#include <string>

namespace lockstep::debugger::dap {

namespace {

std::string text_of(const Json& row, const char* key) {
  const Json* found = row.find(key);
  return found != nullptr && found->text() != nullptr ? *found->text() : std::string();
}

}  // namespace

std::string line_proof(const Json& proof, const std::string& file, std::int64_t line) {
  std::string parts;
  const Json* lines = proof.find("lines");
  if (lines == nullptr || lines->array() == nullptr) return parts;
  for (const Json& row : *lines->array()) {
    const Json* number = row.find("line");
    const bool is_here = number != nullptr && number->integer() != nullptr && *number->integer() == line;
    if (!is_here || text_of(row, "file") != file) continue;
    const std::string text = text_of(row, "text");
    parts += (parts.empty() ? "" : "; ") + text_of(row, "property") + " " + text_of(row, "state") + (text.empty() ? "" : " " + text);
  }
  if (parts.empty()) return parts;
  return "lockstep prove, " + text_of(proof, "kernel") + " " + text_of(proof, "answer") + ": " + parts;
}

}  // namespace lockstep::debugger::dap
