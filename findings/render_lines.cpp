// A launch's findings for CI: JUnit's XML (a case for the launch, one for each finding) and GitHub's workflow commands.
#include <algorithm>
#include <map>
#include <string>

#include "findings/codes.h"
#include "findings/places.h"
#include "findings/report_file.h"
#include "support/diagnostics/snippet.h"

namespace lockstep {

namespace {

/// For attributes and text.
std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      case '\t': out += "&#9;"; break;
      default: out += c;
    }
  }
  for (const std::string_view no_character : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {  // U+FFFE, U+FFFF: not in XML 1.0
    for (auto at = out.find(no_character); at != std::string::npos; at = out.find(no_character, at))
      out.replace(at, no_character.size(), "\xEF\xBF\xBD");
  }
  return out;
}

/// "LS101 x", "LS101 x (2)": without lines, so that a case keeps its history when they move.
std::string case_name(const Finding& finding, std::map<std::string, int>& seen) {
  const std::string name = std::string(spelling(finding.code)) + (finding.argument.empty() ? "" : " " + finding.argument);
  const int number = ++seen[name];
  return number == 1 ? name : name + " (" + std::to_string(number) + ")";
}

std::string junit_case(const ReportFacts& facts, const ReportedFinding& one, const std::string& name) {
  const Finding& finding = one.finding;
  const ReportPlace place = place_of(finding.location);
  std::string text = "    <testcase classname=\"" + xml_text(facts.kernel) + "\" name=\"" + xml_text(name) + "\"";
  if (place.line != 0) text += " file=\"" + xml_text(place.file) + "\" line=\"" + std::to_string(place.line) + "\"";
  text += ">\n";
  const std::string body = xml_text(render_text(finding));
  if (one.silence != Silence::none) {
    text += "      <skipped message=\"" + xml_text(finding.message) + "\"/>\n";
  } else if (is_failure(facts, one)) {
    text += "      <failure type=\"" + xml_text(spelling(finding.code)) + "\" message=\"" + xml_text(finding.message) + "\">" +
            body + "</failure>\n";
  } else {
    text += "      <system-out>" + body + "</system-out>\n";
  }
  return text + "    </testcase>\n";
}

/// Values of a workflow command's properties; `is_message`: the text after the colons.
std::string command_text(std::string_view text, bool is_message) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '%': out += "%25"; break;
      case '\n': out += "%0A"; break;
      case ':': out += is_message ? ":" : "%3A"; break;
      case ',': out += is_message ? "," : "%2C"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

std::string render_junit(const ReportFacts& facts, const std::vector<ReportedFinding>& findings) {
  const SourceCache sources;
  const bool is_complete = facts.outcome == "completed";
  std::size_t failures = 0, skipped = 0;
  for (const ReportedFinding& one : findings) {
    failures += is_failure(facts, one) ? 1U : 0U;
    skipped += one.silence != Silence::none ? 1U : 0U;
  }
  const std::string counts = " tests=\"" + std::to_string(findings.size() + 1) + "\" failures=\"" +
                             std::to_string(failures) + "\" errors=\"" + (is_complete ? "0" : "1") + "\" skipped=\"" +
                             std::to_string(skipped) + "\"";
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lockstep\"" + counts +
                     ">\n  <testsuite name=\"" + xml_text(facts.source + "::" + facts.kernel) + "\"" + counts +
                     ">\n    <testcase classname=\"" + xml_text(facts.kernel) + "\" name=\"launch\">\n";
  if (!is_complete) text += "      <error type=\"launch\" message=\"" + xml_text(facts.outcome) + "\"/>\n";
  text += "      <system-out>" + std::to_string(facts.programs_run) + " of " + std::to_string(facts.programs_total) +
          " programs</system-out>\n";
  text += "    </testcase>\n";
  std::map<std::string, int> seen;
  for (const ReportedFinding& one : findings) text += junit_case(facts, one, case_name(one.finding, seen));
  return text + "  </testsuite>\n</testsuites>\n";
}

std::string render_github(const ReportFacts& facts, const std::vector<ReportedFinding>& findings) {
  const SourceCache sources;
  std::string text;
  for (const ReportedFinding& one : findings) {
    if (one.silence != Silence::none) continue;
    const Finding& finding = one.finding;
    const ReportPlace place = place_of(finding.location);
    const FindingRow& row = row_of(finding.code);
    const std::string title = std::string(row.spelling) + " " + std::string(row.title);
    text += finding.tier == Tier::info ? "::notice " : "::" + std::string(spelling(finding.tier)) + " ";
    if (place.line != 0) {
      text += "file=" + command_text(place.file, false) + ",line=" + std::to_string(place.line) +
              ",col=" + std::to_string(place.column) +
              (place.end_column != 0 ? ",endColumn=" + std::to_string(place.end_column) : "") + ",";
    }
    const std::string hint = finding.hint.empty() ? "" : "\nhint: " + finding.hint;
    text += "title=" + command_text(title, false) +
            "::" + command_text(facts.kernel + ": " + finding.message + "\n" + where_of(finding) + hint, true) + "\n";
  }
  return text;
}

}  // namespace lockstep
