// Findings as text for people, in the form of diagnostics: editors read the first line of each.
#include <algorithm>

#include "findings/finding.h"
#include "findings/places.h"
#include "findings/report_file.h"
#include "support/diagnostics/snippet.h"

namespace lockstep {

namespace {

Style style_of(Tier tier) {
  switch (tier) {
    case Tier::error: return Style::error;
    case Tier::warning: return Style::warning;
    case Tier::info: return Style::note;
  }
  return Style::error;
}

/// A file's name may hold anything, but makes no lines of its own.
std::string place_text(const Location& location) {
  std::string text = location.file_text();
  if (text.empty()) return "";
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, '\x7f');
  return printable(text) + ":";
}

/// The source line with a caret, if the file is readable and has that line.
std::string source_text(const Location& location, bool color) {
  const Location place = location.innermost_file();
  if (place.is_unknown() || place->line == 0) return "";
  const SourceFilePtr file = source_of(place->text);
  if (file == nullptr || place->line > file->line_count()) return "";
  const bool is_range = place->end_line == place->line && place->end_column > place->column;
  return render_snippet(file->line_text(place->line), place->line, place->display_column(),
                        is_range ? place->end_column - place->column : 1, color);
}

constexpr int kMaxChain = 16;

/// File positions of a location, innermost first: the callee's before the caller's. Bounded, because locations come
/// from files.
void collect_chain(const Location& location, int depth, std::vector<Location>& chain) {
  if (location.is_unknown() || depth > 64 || chain.size() > kMaxChain) return;
  if (location->kind == LocationNode::Kind::file) {
    chain.push_back(location);
  } else if (location->kind == LocationNode::Kind::call_site) {
    for (const Location& part : location->children) collect_chain(part, depth + 1, chain);
  } else if (!location->children.empty()) {
    collect_chain(location->children[0], depth + 1, chain);
  }
}

std::string call_text(const Location& location, bool color) {
  std::vector<Location> chain;
  collect_chain(location, 0, chain);
  std::string text;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    text += styled(Style::bold, place_text(chain[i]), color) + " " + styled(Style::note, "note:", color) +
            " called from here\n" + source_text(chain[i], color);
  }
  return text;
}

}  // namespace

std::string render_text(const Finding& finding, bool color) {
  const SourceCache sources;
  const std::string place = place_text(finding.location);
  std::string text = place.empty() ? "" : styled(Style::bold, place, color) + " ";
  text += styled(style_of(finding.tier), std::string(spelling(finding.tier)) + ":", color) + " " +
          printable(finding.message) + " [" + std::string(spelling(finding.code)) + "]\n";
  text += source_text(finding.location, color);
  text += "  " + where_of(finding) + "\n";
  text += call_text(finding.location, color);
  for (const FindingNote& note : finding.notes) {
    const std::string at = place_text(note.location);
    text += (at.empty() ? "" : styled(Style::bold, at, color) + " ") + styled(Style::note, "note:", color) + " " +
            printable(note.message) + "\n" + source_text(note.location, color);
  }
  if (!finding.hint.empty()) text += styled(Style::hint, "hint:", color) + " " + printable(finding.hint) + "\n";
  return text;
}

}  // namespace lockstep
