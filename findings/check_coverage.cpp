#include "findings/check_coverage.h"

#include <cstdio>

#include "support/json.h"

namespace lockstep {

namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string share_text(const CoveredAccesses& accesses) {
  if (accesses.off == 0) return "none";
  char digits[32];
  const double share = 100.0 * static_cast<double>(accesses.off) / static_cast<double>(accesses.bytes);
  std::snprintf(digits, sizeof digits, share < 0.1 ? "below 0.1%%" : "%.3g%%", share);
  return digits;
}

std::string accesses_text(const char* name, const std::optional<CoveredAccesses>& accesses) {
  if (accesses && accesses->bytes == 0) return "";
  return std::string(name) + " " + (accesses ? share_text(*accesses) : "not counted");
}

std::string output_text(const CoveredOutput& output) {
  if (output.never == 0) return output.name + " written whole";
  return std::to_string(output.never) + " of " + std::to_string(output.elements) + " elements of " + output.name +
         " never written";
}

std::string line_of(const std::string& name, const std::vector<std::string>& parts) {
  const std::string text = joined(parts);
  return text.empty() ? "" : "  " + name + ": " + text + "\n";
}

std::string names_json(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + json_quoted(name);
  return "[" + text + "]";
}

std::string accesses_json(const std::optional<CoveredAccesses>& accesses) {
  if (!accesses) return "null";
  return "{\"bytes\": " + std::to_string(accesses->bytes) + ", \"off\": " + std::to_string(accesses->off) + "}";
}

}  // namespace

std::string covered_text(const CheckCoverage& covered) {
  std::vector<std::string> off, outputs;
  for (const std::string& text : {accesses_text("loads", covered.loads), accesses_text("stores", covered.stores)}) {
    if (!text.empty()) off.push_back(text);
  }
  for (const CoveredOutput& output : covered.outputs) outputs.push_back(output_text(output));
  std::vector<std::string> looked;
  const auto add = [&](const char* where, const std::vector<std::string>& names) {
    if (!names.empty()) looked.push_back(std::string(where) + " (" + joined(names) + ")");
  };
  add("at each op", covered.by_steps);
  add("in memory afterwards", covered.by_ranges);
  add("before the run", covered.by_text);
  if (!covered.left_out.empty()) looked.push_back("left out (" + joined(covered.left_out) + ")");
  return line_of("checked", looked) + line_of("masked lanes", off) + line_of("outputs", outputs);
}

std::string covered_json(const CheckCoverage& covered) {
  std::string outputs;
  for (const CoveredOutput& one : covered.outputs) {
    outputs += (outputs.empty() ? "" : ", ") + ("{\"name\": " + json_quoted(one.name)) +
               ", \"elements\": " + std::to_string(one.elements) + ", \"never_written\": " + std::to_string(one.never) +
               "}";
  }
  return "{\"steps\": " + names_json(covered.by_steps) + ", \"ranges\": " + names_json(covered.by_ranges) +
         ", \"text\": " + names_json(covered.by_text) +
         ", \"left_out\": " + names_json(covered.left_out) + ", \"earlier\": " + names_json(covered.earlier) +
         ",\n  \"loads\": " + accesses_json(covered.loads) +
         ", \"stores\": " + accesses_json(covered.stores) + ", \"outputs\": [" + outputs + "]}";
}

}  // namespace lockstep
