#include "debugger/dap/line_proof.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace lockstep::debugger::dap {

namespace {

constexpr std::array<std::string_view, 4> kWorstFirst{"fails", "not decided", "needs", "proved"};

std::string text_of(const Json& row, const char* key) {
  const Json* found = row.find(key);
  return found != nullptr && found->text() != nullptr ? *found->text() : std::string();
}

std::size_t order_of(const Json& row) {
  return static_cast<std::size_t>(std::find(kWorstFirst.begin(), kWorstFirst.end(), text_of(row, "state")) - kWorstFirst.begin());
}

std::vector<const Json*> rows_of(const Json& proof, const std::string& file, std::int64_t line) {
  std::vector<const Json*> rows;
  const Json* lines = proof.find("lines");
  if (lines == nullptr || lines->array() == nullptr) return rows;
  for (const Json& row : *lines->array()) {
    const Json* number = row.find("line");
    const bool is_here = number != nullptr && number->integer() != nullptr && *number->integer() == line;
    if (is_here && text_of(row, "file") == file) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Json* a, const Json* b) { return order_of(*a) < order_of(*b); });
  return rows;
}

}  // namespace

std::string line_proof(const Json& proof, const std::string& file, std::int64_t line) {
  const std::vector<const Json*> rows = rows_of(proof, file, line);
  std::string parts;
  for (const Json* row : rows) {
    const std::string property = text_of(*row, "property"), state = text_of(*row, "state"), text = text_of(*row, "text");
    // Proved under a condition: the condition says so.
    const bool is_said = state == "proved" && text.empty() && std::any_of(rows.begin(), rows.end(), [&](const Json* other) {
      return other != row && text_of(*other, "property") == property;
    });
    if (is_said) continue;
    parts += (parts.empty() ? "" : "; ") + property + " " + state + (text.empty() ? "" : " " + text);
  }
  if (parts.empty()) return parts;
  return "lockstep prove, " + text_of(proof, "kernel") + " " + text_of(proof, "answer") + ": " + parts;
}

}  // namespace lockstep::debugger::dap
