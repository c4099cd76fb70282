#include "debugger/dap/findings.h"

namespace lockstep::debugger::dap {

Json finding_json(const Finding& finding) {
  Json json = Json::record({{"code", std::string(spelling(finding.code))},
                            {"tier", finding.tier == Tier::error     ? "error"
                                     : finding.tier == Tier::warning ? "warning"
                                                                     : "info"},
                            {"message", finding.message},
                            {"text", render_text(finding)},
                            {"program", json_numbers(finding.program)},
                            {"lane", json_numbers(finding.lane)},
                            {"count", finding.count}});
  if (const std::string place = finding.location.file_text(); !place.empty()) json.set("place", place);
  if (!finding.argument.empty()) {
    json.set("argument", finding.argument);
    json.set("element", finding.element);
  }
  return json;
}

Json findings_json(const Report& report) {
  Json::Array list;
  for (const Finding& finding : report.findings()) list.push_back(finding_json(finding));
  return list;
}

}  // namespace lockstep::debugger::dap
