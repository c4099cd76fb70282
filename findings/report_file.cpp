#include "findings/report_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <limits>
#include <utility>

#include "findings/places.h"
#include "support/diagnostics/snippet.h"

namespace lockstep {

namespace {

std::uint32_t code_points(std::string_view text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), begins));
}

/// A 0-based byte column of a line as a 1-based column in code points. Columns of hostile texts may be any number.
std::uint32_t column_in(std::string_view line, std::uint32_t byte) {
  constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max() - 1;
  return 1 + (byte <= line.size() ? code_points(line.substr(0, byte)) : std::min(byte, kLast));
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

/// The end of the name, or the call, that begins at byte `at` of the line; `at`: there is none.
std::size_t end_in(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && is_of_name(line[end])) ++end;
  if (end == at || end == line.size() || line[end] != '(') return end;
  int depth = 0;
  for (std::size_t i = end; i < line.size(); ++i) {
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return end;  // the call goes on in the next line
}

}  // namespace

ReportPlace place_of(const Location& location) {
  const Location place = location.innermost_file();
  ReportPlace made;
  if (place.is_unknown() || place->line == 0) return made;
  const SourceFilePtr file = source_of(place->text);
  const std::string_view line = file != nullptr ? file->line_text(place->line) : std::string_view();
  made.file = place->text;
  made.line = place->line;
  made.column = column_in(line, place->column);
  const bool has_end = place->end_line == place->line && place->end_column > place->column;
  const std::size_t end = has_end ? place->end_column : place->column < line.size() ? end_in(line, place->column) : 0;
  if (end > place->column)
    made.end_column = std::max(column_in(line, static_cast<std::uint32_t>(end)), made.column);
  return made;
}

namespace {

/// "42 lanes in 3 programs"; "": once.
std::string count_text(const Finding& finding) {
  const std::string programs =
      finding.programs > 1 ? " in " + std::to_string(finding.programs) + " programs" : std::string();
  if (finding.count <= 1 && programs.empty()) return "";
  const char* unit = finding.count == 1 ? " time" : finding.lane.empty() ? " times" : " lanes";
  return "; " + std::to_string(finding.count) + unit + programs;
}

}  // namespace

std::string where_of(const Finding& finding) {
  const auto joined = [](const auto& numbers) {
    std::string text;
    for (const auto one : numbers) text += (text.empty() ? "" : ",") + std::to_string(one);
    return text;
  };
  const std::string& name = finding.op_name.empty() ? finding.op : finding.op_name;
  const std::string op = name.empty() ? "" : ", " + name;
  if (finding.programs == 0) return "the launch as a whole" + op;
  std::string text = "program (" + joined(finding.program) + ")";
  if (!finding.lane.empty()) {
    const std::string lane = joined(finding.lane);
    text += ", lane " + (finding.lane.size() == 1 ? lane : "(" + lane + ")");
  }
  if (!finding.loops.empty()) text += ", " + iterations_text(finding.loops);
  return text + op + count_text(finding);
}

bool is_failure(const ReportFacts& facts, const ReportedFinding& one) {
  return one.silence == Silence::none && facts.fails_on && one.finding.tier <= *facts.fails_on;
}

RenderReport report_format(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, RenderReport>, 5> kFormats{{{"json", render_json},
                                                                               {"sarif", render_sarif},
                                                                               {"junit", render_junit},
                                                                               {"github", render_github},
                                                                               {"baseline", render_baseline}}};
  for (const auto& [known, render] : kFormats) {
    if (known == name) return render;
  }
  return nullptr;
}

std::string render_baseline(const ReportFacts& facts, const std::vector<ReportedFinding>& findings) {
  const SourceCache sources;
  std::vector<std::string> lines;
  for (const ReportedFinding& one : findings) {
    if (one.silence == Silence::comment) continue;
    const ReportPlace place = place_of(one.finding.location);
    std::string line =
        one.fingerprint + " " + std::string(spelling(one.finding.code)) + " " + facts.kernel + " " + place.file + ": " + one.finding.message;
    std::replace(line.begin(), line.end(), '\n', ' ');
    lines.push_back(printable(line));
  }
  std::sort(lines.begin(), lines.end());
  std::string text = "# Findings of lockstep that --baseline silences: fingerprint, code, kernel, where and what.\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace lockstep
