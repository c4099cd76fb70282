#include "findings/code_coverage.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "findings/places.h"
#include "support/ascii.h"
#include "support/diagnostics/snippet.h"
#include "support/json.h"

namespace lockstep {

namespace {

using Sides = std::map<CodePlace, CodeSides>;

struct Share {
  std::size_t seen = 0, all = 0;
};

Share share_of(const std::map<CodePlace, bool>& lines) {
  const auto ran = std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.second; });
  return {static_cast<std::size_t>(ran), lines.size()};
}

Share share_of(const Sides& sides) {
  Share share{0, 2 * sides.size()};
  for (const auto& [place, one] : sides) share.seen += std::size_t{one.first} + std::size_t{one.second};
  return share;
}

/// "3 of 4 branch outcomes"; "no branches" where there are none.
std::string share_text(const Share& share, const char* what, const char* things) {
  if (share.all == 0) return std::string("no ") + things;
  return std::to_string(share.seen) + " of " + std::to_string(share.all) + " " + what;
}

/// An unexercised thing at a place, in the order of the source.
struct Missing {
  CodePlace place;
  std::uint32_t last = 0;  // of a run of lines
  std::string what;
};

/// Lines in a row are one entry: lines without ops do not separate them, lines that ran do.
void add_lines(const CodeCoverage& coverage, std::vector<Missing>& missing) {
  Missing* open = nullptr;
  for (const auto& [place, ran] : coverage.lines) {
    const bool goes_on = open != nullptr && !ran && open->place.file == place.file;
    if (goes_on) open->last = place.line;
    if (!ran && !goes_on) missing.push_back({place, place.line, "never run"});
    open = ran ? nullptr : &missing.back();
  }
}

/// Leaves out the parts of a line that never ran.
void add_missing_sides(const CodeCoverage& coverage, const Sides& sides, std::vector<Missing>& missing) {
  for (const auto& [place, one] : sides) {
    const auto line = coverage.lines.find({place.file, place.line, 0});
    const bool is_said = line != coverage.lines.end() && !line->second;
    if (const std::string what = missing_side(one); !what.empty() && !is_said)
      missing.push_back({place, place.line, one.kind + ": " + what});
  }
}

std::string place_text(const Missing& one) {
  std::string text = one.place.file + ":" + std::to_string(one.place.line);
  if (one.last != one.place.line) text += "-" + std::to_string(one.last);
  return text;
}

std::string source_text(const CodePlace& place) {
  const SourceFilePtr file = source_of(place.file);
  return file == nullptr ? std::string() : printable(trimmed(file->line_text(place.line)));
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string table_of(const std::vector<Missing>& missing) {
  std::size_t place_width = 0, what_width = 0;
  for (const Missing& one : missing) {
    place_width = std::max(place_width, place_text(one).size());
    what_width = std::max(what_width, one.what.size());
  }
  std::string text;
  for (const Missing& one : missing) {
    const std::string source = source_text(one.place);
    std::string line = "  " + padded(printable(place_text(one)), place_width) + "  " + padded(one.what, what_width);
    if (!source.empty()) line += "  | " + source;
    text += std::string(line.substr(0, line.find_last_not_of(' ') + 1)) + "\n";
  }
  return text;
}

std::string list_json(const std::map<CodePlace, bool>& lines, const std::string& file, bool ran) {
  std::string text;
  for (const auto& [place, did] : lines) {
    if (place.file == file && did == ran) text += (text.empty() ? "" : ", ") + std::to_string(place.line);
  }
  return "[" + text + "]";
}

std::string sides_json(const Sides& sides, const std::string& file, const char* first, const char* second) {
  const auto word = [](bool value) { return value ? "true" : "false"; };
  std::string text;
  for (const auto& [place, one] : sides) {
    if (place.file != file) continue;
    text += (text.empty() ? "" : ", ") + ("{\"line\": " + std::to_string(place.line)) +
            ", \"column\": " + std::to_string(place.column) + ", \"kind\": " + json_quoted(one.kind) + ", \"" + first +
            "\": " + word(one.first) + ", \"" + second + "\": " + word(one.second) + "}";
  }
  return "[" + text + "]";
}

}  // namespace

bool operator<(const CodePlace& a, const CodePlace& b) {
  return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
}

void add_sides(Sides& sides, const CodePlace& place, const CodeSides& seen) {
  CodeSides& known = sides[place];
  known.kind = seen.kind;
  known.first = known.first || seen.first;
  known.second = known.second || seen.second;
}

std::string missing_side(const CodeSides& sides) {
  if (sides.first && sides.second) return "";
  const bool is_if = sides.kind == "if", is_loop = sides.kind == "for" || sides.kind == "while";
  if (!sides.first && !sides.second) return "never reached";
  if (is_if) return sides.first ? "never false" : "never true";
  if (is_loop) return sides.first ? "never without an iteration" : "never with an iteration";
  return sides.first ? "mask never off" : "mask never on";
}

std::string code_coverage_text(const CodeCoverage& coverage) {
  const SourceCache sources;
  std::string text = "coverage: " + share_text(share_of(coverage.lines), "lines", "lines") + ", " +
                     share_text(share_of(coverage.branches), "branch outcomes", "branches") + ", " +
                     share_text(share_of(coverage.masks), "mask outcomes", "masks") + "\n";
  std::vector<Missing> missing;
  add_lines(coverage, missing);
  add_missing_sides(coverage, coverage.branches, missing);
  add_missing_sides(coverage, coverage.masks, missing);
  std::stable_sort(missing.begin(), missing.end(), [](const Missing& a, const Missing& b) {
    return std::tie(a.place.file, a.place.line) < std::tie(b.place.file, b.place.line);
  });
  return text + table_of(missing);
}

std::string code_coverage_json(const CodeCoverage& coverage) {
  std::set<std::string> files;
  for (const auto& [place, ran] : coverage.lines) files.insert(place.file);
  for (const Sides* sides : {&coverage.branches, &coverage.masks}) {
    for (const auto& [place, one] : *sides) files.insert(place.file);
  }
  std::string text;
  for (const std::string& file : files) {
    text += (text.empty() ? "" : ",\n   ") + ("{\"file\": " + json_quoted(file)) +
            ", \"run\": " + list_json(coverage.lines, file, true) +
            ", \"missed\": " + list_json(coverage.lines, file, false) +
            ", \"branches\": " + sides_json(coverage.branches, file, "taken", "not_taken") +
            ", \"masks\": " + sides_json(coverage.masks, file, "on", "off") + "}";
  }
  return "[" + text + "]";
}

}  // namespace lockstep
