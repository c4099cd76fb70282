#include "findings/origins.h"

#include <utility>

namespace lockstep {

bool is_about_memory(const Finding& finding) {
  return !finding.argument.empty() && row_of(finding.code).subject == FindingSubject::memory;
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
