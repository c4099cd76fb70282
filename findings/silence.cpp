#include "findings/silence.h"

#include <algorithm>
#include <map>

#include "findings/codes.h"
#include "findings/places.h"
#include "support/ascii.h"
#include "support/sha256.h"

namespace lockstep {

namespace {

constexpr std::size_t kDigits = 16;  // of a fingerprint

bool is_fingerprint(std::string_view word) {
  return word.size() == kDigits && word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// The line's text without a comment, so that a comment changes no fingerprint.
std::string source_line(const Location& location) {
  const Location place = location.innermost_file();
  if (place.is_unknown()) return "";
  const SourceFilePtr file = source_of(place->text);
  if (file == nullptr) return "";
  const std::string_view line = file->line_text(place->line);
  return std::string(trimmed(line.substr(0, line.find('#'))));
}

bool names(const std::vector<std::string>& codes, FindingCode code) {
  return std::find(codes.begin(), codes.end(), spelling(code)) != codes.end();
}

bool is_ignored(const Finding& finding) {
  for (const Location& place : file_places(finding.location)) {
    const SourceFilePtr file = source_of(place->text);
    if (file == nullptr || place->line == 0) continue;
    if (names(ignored_codes(file->line_text(place->line)), finding.code)) return true;
    if (place->line == 1) continue;
    const std::string_view above = trimmed(file->line_text(place->line - 1));
    const bool stands_alone = above.starts_with("#") || above.starts_with("//");
    if (stands_alone && names(ignored_codes(above), finding.code)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> ignored_codes(std::string_view line) {
  constexpr std::string_view kWord = "lockstep: ignore[";
  std::vector<std::string> codes;
  const auto comment = std::min(line.find('#'), line.find("//"));
  if (comment == std::string_view::npos) return codes;
  const auto at = line.find(kWord, comment);
  if (at == std::string_view::npos) return codes;
  std::string_view list = line.substr(at + kWord.size());
  const auto end = list.find(']');
  if (end == std::string_view::npos) return codes;
  list = list.substr(0, end);
  while (!list.empty()) {
    const auto comma = list.find(',');
    codes.emplace_back(trimmed(list.substr(0, comma)));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
  return codes;
}

Expected<Baseline, Status> parse_baseline(std::string_view text, const std::string& path) {
  Baseline made;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const auto end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty() || line.starts_with('#')) continue;
    const std::string_view word = line.substr(0, line.find(' '));
    if (!is_fingerprint(word)) {
      return Unexpected{Status{"LS1921", path + ", line " + std::to_string(number) + ", is not a line of a baseline",
                               "`lockstep run ... --report baseline=FILE` writes one"}};
    }
    made.emplace(word);
  }
  return made;
}

std::vector<ReportedFinding> judge_findings(const Report& report, const std::string& kernel, const Baseline& baseline) {
  const SourceCache sources;
  std::vector<ReportedFinding> made;
  std::map<std::string, int> seen;
  for (const Finding& finding : report.findings()) {
    const std::string identity = std::string(spelling(finding.code)) + "\n" + kernel + "\n" + finding.op + "\n" + finding.argument + "\n" +
                                 source_line(finding.location);
    const std::string numbered = identity + "\n" + std::to_string(seen[identity]++);
    ReportedFinding one{finding, sha256_text(numbered).substr(0, kDigits), Silence::none};
    if (is_ignored(finding)) {
      one.silence = Silence::comment;
    } else if (baseline.contains(one.fingerprint)) {
      one.silence = Silence::baseline;
    }
    made.push_back(std::move(one));
  }
  return made;
}

Report counting(const std::vector<ReportedFinding>& findings) {
  Report report;
  for (const ReportedFinding& one : findings) {
    if (one.silence == Silence::none) report.add(one.finding);
  }
  report.sort();
  return report;
}

}  // namespace lockstep
