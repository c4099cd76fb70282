#include "driver/words/cursor.h"

#include <algorithm>
#include <vector>

#include "support/ascii.h"

namespace lockstep::driver {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substitute, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

Cursor::Cursor(std::string_view text, std::string label, DiagnosticSink& sink, const GridNames* names)
    : file_(std::make_shared<const SourceFile>(std::move(label), std::string(text))), sink_(sink), names_(names) {}

void Cursor::skip_spaces() {
  while (is_space(peek())) ++position_;
}

bool Cursor::take(std::string_view expected) {
  skip_spaces();
  if (!rest().starts_with(expected)) return false;
  position_ += expected.size();
  return true;
}

std::string_view Cursor::take_word(bool with_dots) {
  skip_spaces();
  const std::size_t begin = position_;
  if (!starts_word(peek())) return {};
  while (starts_word(peek()) || is_digit(peek()) || (with_dots && peek() == '.')) ++position_;
  return slice(begin);
}

bool Cursor::expect(std::string_view expected, const std::string& hint) {
  if (take(expected)) return true;
  const std::size_t begin = position_;
  fail(begin, "LS2006", "expected '" + std::string(expected) + "' " + (at_end() ? "at the end" : "here"), hint);
  return false;
}

void Cursor::fail(std::size_t begin, DiagnosticCode code, std::string message, std::string hint) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  const auto first = static_cast<std::uint32_t>(begin);
  diagnostic.span = {file_, {first, std::max(first + 1, static_cast<std::uint32_t>(position_))}};
  sink_.report(std::move(diagnostic));
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, std::min<std::size_t>(word.size(), 12) / 2) + 1;
  if (word.size() > 64) return best;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace lockstep::driver
