// Cursor: reads one hostile text from left to right and reports errors with a caret under it. Shared by the argument
// and grid parsers. Invariant: position() <= text().size(); no read passes the end. Holds the text in a SourceFile so
// that a diagnostic can outlive the parser. Not here: any grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "support/diagnostics/diagnostic.h"

namespace lockstep::driver {

struct GridNames;

class Cursor {
 public:
  /// `label`: the file name in diagnostics, "<argument>". `names`: the names for expressions in the text; null: none.
  /// Outlives the cursor.
  Cursor(std::string_view text, std::string label, DiagnosticSink& sink, const GridNames* names = nullptr);

  std::string_view text() const { return file_->text(); }
  std::size_t position() const { return position_; }
  void move_to(std::size_t position) { position_ = position < text().size() ? position : text().size(); }
  bool at_end() const { return position_ >= text().size(); }
  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text().size() ? text()[position_ + ahead] : '\0';
  }
  std::string_view rest() const { return text().substr(position_); }
  std::string_view slice(std::size_t begin) const { return text().substr(begin, position_ - begin); }

  void skip_spaces();
  /// Skips spaces, then takes `expected` if it is next.
  bool take(std::string_view expected);
  /// [A-Za-z_][A-Za-z0-9_]*, dots too if `with_dots`; empty if none is next. Skips spaces first.
  std::string_view take_word(bool with_dots = false);
  /// Like take(), but reports LS2006 if it is not there.
  bool expect(std::string_view expected, const std::string& hint = "");

  /// Reports an error under [begin, position()), at least one column.
  void fail(std::size_t begin, DiagnosticCode code, std::string message, std::string hint = "");
  DiagnosticSink& sink() { return sink_; }
  const GridNames* names() const { return names_; }

 private:
  std::shared_ptr<const SourceFile> file_;
  DiagnosticSink& sink_;
  const GridNames* names_ = nullptr;
  std::size_t position_ = 0;
};

/// The candidate nearest to `word` by edit distance, or "" if none is close.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace lockstep::driver
