#include "findings/origins.h"

#include <utility>

namespace lockstep {

bool is_about_memory(const Finding& finding) {
  const std::string& code = finding.code;
  if (finding.argument.empty() || code.size() != 5) return false;
  if (code == "LS120") return false;
  return code.starts_with("LS10") || code.starts_with("LS11") || (code >= "LS201" && code <= "LS204");
}

void note_origins(Report& report, const std::function<std::string(const Finding& finding)>& origin) {
  Report told;
  for (Finding finding : report.findings()) {
    std::string text = is_about_memory(finding) ? origin(finding) : "";
    if (!text.empty()) finding.notes.push_back({std::move(text), {}});
    told.add(std::move(finding));
  }
  told.sort();
  report = std::move(told);
}

}  // namespace lockstep
