// A launch's findings as JSON (docs/checking.md, "Reports") and as SARIF 2.1.0, the OASIS format that code hosts and
// editors read. One line a finding, so that two reports can be compared by eye.
#include <algorithm>
#include <cctype>
#include <cstdio>

#include "findings/codes.h"
#include "findings/places.h"
#include "findings/report_file.h"
#include "support/json.h"

namespace lockstep {

namespace {

template <typename Numbers>
std::string numbers_json(const Numbers& numbers) {
  std::string text;
  for (const auto one : numbers) text += (text.empty() ? "" : ", ") + std::to_string(one);
  return "[" + text + "]";
}

std::string_view silence_text(Silence silence) {
  switch (silence) {
    case Silence::none: return "null";
    case Silence::comment: return "\"comment\"";
    case Silence::baseline: return "\"baseline\"";
  }
  return "null";
}

std::string place_json(const Location& location) {
  const ReportPlace place = place_of(location);
  if (place.line == 0) return "\"file\": null, \"line\": null, \"column\": null";
  return "\"file\": " + json_quoted(place.file) + ", \"line\": " + std::to_string(place.line) +
         ", \"column\": " + std::to_string(place.column);
}

std::string notes_json(const Finding& finding) {
  std::string text;
  for (const FindingNote& note : finding.notes) {
    text += (text.empty() ? "" : ", ") + ("{\"message\": " + json_quoted(note.message)) + ", " +
            place_json(note.location) + "}";
  }
  return "[" + text + "]";
}

std::string loops_json(const Finding& finding) {
  std::string text;
  for (const LoopTurn& turn : finding.loops) {
    text += (text.empty() ? "{\"variable\": " : ", {\"variable\": ") + json_quoted(turn.variable) +
            ", \"value\": " + std::to_string(turn.value) + ", \"iteration\": " + std::to_string(turn.number) +
            ", \"iterations\": " + std::to_string(turn.count) + "}";
  }
  return "[" + text + "]";
}

/// The facts that both formats share.
std::string facts_json(const Finding& finding) {
  return "\"op\": " + json_quoted(finding.op) +
         ", \"op_name\": " + json_quoted(finding.op_name.empty() ? finding.op : finding.op_name) + ", \"program\": " + numbers_json(finding.program) +
         ", \"lane\": " + numbers_json(finding.lane) + ", \"loops\": " + loops_json(finding) +
         ", \"argument\": " + json_quoted(finding.argument) +
         ", \"element\": " + std::to_string(finding.element) + ", \"count\": " + std::to_string(finding.count) +
         ", \"programs\": " + std::to_string(finding.programs);
}

std::string finding_json(const ReportedFinding& one) {
  const Finding& finding = one.finding;
  return "{\"code\": " + json_quoted(spelling(finding.code)) + ", \"tier\": " + json_quoted(spelling(finding.tier)) +
         ", \"title\": " + json_quoted(row_of(finding.code).title) + ", \"message\": " + json_quoted(finding.message) + ", " +
         place_json(finding.location) + ", " + facts_json(finding) + ", \"notes\": " + notes_json(finding) +
         ", \"hint\": " + json_quoted(finding.hint) + ", \"fingerprint\": " + json_quoted(one.fingerprint) +
         ", \"silenced\": " + std::string(silence_text(one.silence)) + "}";
}

// ---- SARIF ----

std::string_view level_of(Tier tier) {
  return tier == Tier::error ? "error" : tier == Tier::warning ? "warning" : "note";
}

std::string physical_location(const Location& location) {
  const ReportPlace place = place_of(location);
  if (place.line == 0) return "";
  return "\"physicalLocation\": {\"artifactLocation\": {\"uri\": " + json_quoted(uri_of(place.file)) +
         "}, \"region\": {\"startLine\": " + std::to_string(place.line) +
         ", \"startColumn\": " + std::to_string(place.column) +
         (place.end_column != 0 ? ", \"endColumn\": " + std::to_string(place.end_column) : "") + "}}";
}

std::string locations_sarif(const ReportFacts& facts, const Finding& finding) {
  const std::string place = physical_location(finding.location);
  return "[{" + place + (place.empty() ? "" : ", ") + "\"logicalLocations\": [{\"name\": " + json_quoted(facts.kernel) +
         ", \"kind\": \"function\"}]}]";
}

std::string related_sarif(const Finding& finding) {
  std::string text;
  for (const FindingNote& note : finding.notes) {
    const std::string place = physical_location(note.location);
    text += (text.empty() ? "" : ", ") + ("{" + place) + (place.empty() ? "" : ", ") +
            "\"message\": {\"text\": " + json_quoted(note.message) + "}}";
  }
  return "[" + text + "]";
}

std::string suppressions_sarif(Silence silence) {
  if (silence == Silence::none) return "[]";
  return silence == Silence::comment ? "[{\"kind\": \"inSource\"}]" : "[{\"kind\": \"external\"}]";
}

std::vector<FindingCode> codes_in(const std::vector<ReportedFinding>& findings) {
  std::vector<FindingCode> codes;
  for (const ReportedFinding& one : findings) codes.push_back(one.finding.code);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

/// The first paragraph of a code's page, in one line.
std::string description_in(std::string_view page) {
  std::size_t begin = std::min(page.find('\n'), page.size());
  while (begin < page.size() && page[begin] == '\n') ++begin;
  std::string text(page.substr(begin, std::min(page.find("\n\n", begin), page.size()) - begin));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string rules_sarif(const ReportFacts& facts, const std::vector<FindingCode>& codes) {
  std::string text;
  for (const FindingCode code : codes) {
    const FindingRow& row = row_of(code);
    const std::string spelling_of_row(row.spelling);
    const std::string_view page = facts.page_of != nullptr ? facts.page_of(row.spelling) : std::string_view();
    text += (text.empty() ? "\n        " : ",\n        ") + ("{\"id\": " + json_quoted(row.spelling)) +
            ", \"shortDescription\": {\"text\": " + json_quoted(row.title) + "}";
    if (!page.empty()) text += ", \"fullDescription\": {\"text\": " + json_quoted(description_in(page)) + "}";
    text += ", \"help\": {\"text\": " + json_quoted(page.empty() ? "lockstep explain " + spelling_of_row : std::string(page)) +
            (page.empty() ? "" : ", \"markdown\": " + json_quoted(page)) + "}";
    if (!facts.documents.empty())
      text += ", \"helpUri\": " + json_quoted(facts.documents + "errors/" + spelling_of_row + "/");
    text += ", \"defaultConfiguration\": {\"level\": " + json_quoted(level_of(row.tier)) + "}}";
  }
  return text;
}

/// A line of the source, and its replacement.
struct LineFix {
  Location where;
  std::uint32_t line = 0;
  std::string text;
};

/// A note with a change as a diff of whole lines ("- old", "+ new", as many of each) fixes the finding, if exactly one
/// place near the finding has the old lines.
std::vector<LineFix> fix_in(const Finding& finding, const FindingNote& note) {
  std::vector<std::string> before, after;
  for (std::size_t begin = 0; begin < note.message.size();) {
    const std::size_t end = std::min(note.message.find('\n', begin), note.message.size());
    std::string line = note.message.substr(begin, end - begin);
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("- ")) before.push_back(line.substr(2));
    if (line.starts_with("+ ")) after.push_back(line.substr(2));
    begin = end + 1;
  }
  const Location place = finding.location.innermost_file();
  if (before.empty() || before.size() != after.size() || place.is_unknown()) return {};
  const SourceFilePtr file = source_of(place->text);
  if (file == nullptr) return {};
  constexpr std::uint32_t kFarthest = 40;  // lines from the finding to what mends it
  std::vector<LineFix> fixes;
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::vector<std::uint32_t> found;
    const std::uint32_t first = place->line > kFarthest ? place->line - kFarthest : 1;
    for (std::uint32_t line = first; line <= std::min(place->line + kFarthest, file->line_count()); ++line) {
      const std::string_view text = file->line_text(line);
      const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
      if (text.substr(indent) == before[i].substr(std::min(before[i].find_first_not_of(' '), before[i].size())))
        found.push_back(line);
    }
    if (found.size() != 1) return {};
    const std::string_view text = file->line_text(found.front());
    const std::string indent(text.substr(0, std::min(text.find_first_not_of(" \t"), text.size())));
    fixes.push_back({place, found.front(), indent + after[i].substr(std::min(after[i].find_first_not_of(' '), after[i].size()))});
  }
  return fixes;
}

std::string fixes_sarif(const Finding& finding) {
  std::string text;
  for (const FindingNote& note : finding.notes) {
    const std::vector<LineFix> lines = fix_in(finding, note);
    if (lines.empty()) continue;
    std::string replacements;
    for (const LineFix& one : lines) {
      replacements += (replacements.empty() ? "" : ", ") +
                      ("{\"deletedRegion\": {\"startLine\": " + std::to_string(one.line) + ", \"startColumn\": 1, \"endLine\": ") +
                      std::to_string(one.line + 1) + ", \"endColumn\": 1}, \"insertedContent\": {\"text\": " +
                      json_quoted(one.text + "\n") + "}}";
    }
    text += (text.empty() ? "" : ", ") + ("{\"description\": {\"text\": " + json_quoted(note.message)) +
            "}, \"artifactChanges\": [{\"artifactLocation\": {\"uri\": " + json_quoted(uri_of(place_of(lines.front().where).file)) +
            "}, \"replacements\": [" + replacements + "]}]}";
  }
  return text.empty() ? "" : ", \"fixes\": [" + text + "]";
}

std::string result_sarif(const ReportFacts& facts, const ReportedFinding& one, std::size_t rule) {
  const Finding& finding = one.finding;
  const std::string hint = finding.hint.empty() ? "" : "\nhint: " + finding.hint;
  return "{\"ruleId\": " + json_quoted(spelling(finding.code)) + ", \"ruleIndex\": " + std::to_string(rule) +
         ", \"level\": " + json_quoted(level_of(finding.tier)) +
         ", \"message\": {\"text\": " + json_quoted(finding.message + "\n" + where_of(finding) + hint) +
         "}, \"locations\": " + locations_sarif(facts, finding) + ", \"relatedLocations\": " + related_sarif(finding) +
         ", \"partialFingerprints\": {\"lockstep/v1\": " + json_quoted(one.fingerprint) +
         "}" + fixes_sarif(finding) + ", \"suppressions\": " + suppressions_sarif(one.silence) + ", \"properties\": {" + facts_json(finding) + "}}";
}

}  // namespace

std::string render_json(const ReportFacts& facts, const std::vector<ReportedFinding>& findings) {
  const SourceCache sources;
  std::string text =
      "{\"schema\": 1, \"version\": " + json_quoted(facts.version) + ", \"kernel\": " + json_quoted(facts.kernel) +
      ", \"source\": " + json_quoted(facts.source) + ",\n \"target\": " + json_quoted(facts.target) +
      ", \"triton\": " + json_quoted(facts.triton) + ", \"memory_model\": " + json_quoted(facts.memory_model) +
      ", \"checkers\": " + json_quoted(facts.checkers) + ",\n \"outcome\": " + json_quoted(facts.outcome) +
      ", \"programs_run\": " + std::to_string(facts.programs_run) +
      ", \"programs_total\": " + std::to_string(facts.programs_total) +
      ", \"schedules\": " + std::to_string(facts.schedules) + ", \"bytes_read\": " + std::to_string(facts.bytes_read) +
      ", \"bytes_written\": " + std::to_string(facts.bytes_written) +
      ",\n \"covered\": " + covered_json(facts.covered) +
      (facts.code ? ",\n \"code\": " + code_coverage_json(*facts.code) : std::string());
  for (const auto& [key, answer] : facts.answers) text += ",\n \"" + key + "\": " + answer;
  text += ",\n \"findings\": [";
  bool is_first = true;
  for (const ReportedFinding& one : findings) {
    text += (is_first ? "\n  " : ",\n  ") + finding_json(one);
    is_first = false;
  }
  return text + "]}\n";
}

std::string render_sarif(const ReportFacts& facts, const std::vector<ReportedFinding>& findings) {
  const SourceCache sources;
  const std::vector<FindingCode> codes = codes_in(findings);
  std::string text =
      "{\"version\": \"2.1.0\", \"$schema\": \"" + std::string(kSarifSchema) + "\",\n"
      "  \"runs\": [{\n    \"tool\": {\"driver\": {\"name\": \"Lockstep\", \"version\": " +
      json_quoted(facts.version) +
      (facts.documents.empty() ? "" : ", \"informationUri\": " + json_quoted(facts.documents)) + ", \"rules\": [" +
      rules_sarif(facts, codes) +
      "]}},\n    \"columnKind\": \"unicodeCodePoints\",\n    \"invocations\": "
      "[{\"executionSuccessful\": " +
      (facts.outcome == "completed" ? "true" : "false") + ", \"properties\": {\"kernel\": " + json_quoted(facts.kernel) +
      ", \"outcome\": " + json_quoted(facts.outcome) + ", \"target\": " + json_quoted(facts.target) +
      ", \"memory_model\": " + json_quoted(facts.memory_model) + ", \"triton\": " + json_quoted(facts.triton) +
      ", \"checkers\": " + json_quoted(facts.checkers) + ", \"programs_run\": " + std::to_string(facts.programs_run) +
      ", \"programs_total\": " + std::to_string(facts.programs_total) +
      ", \"covered\": " + covered_json(facts.covered) + "}}],\n    \"results\": [";
  bool is_first = true;
  for (const ReportedFinding& one : findings) {
    const auto rule = std::lower_bound(codes.begin(), codes.end(), one.finding.code) - codes.begin();
    text += (is_first ? "\n      " : ",\n      ") + result_sarif(facts, one, static_cast<std::size_t>(rule));
    is_first = false;
  }
  return text + "]\n  }]\n}\n";
}

std::string uri_of(const std::string& path) {
  std::string text = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos;
    char escape[4];
    std::snprintf(escape, sizeof escape, "%%%02X", static_cast<unsigned>(byte));
    text += is_plain && byte < 0x80 ? std::string(1, c) : escape;
  }
  return text;
}

}  // namespace lockstep
