// A change of a kernel in its source: which bytes another text replaces, and a diff of the affected lines. It works on
// Python's text alone, by brackets, strings and names: a change that is ambiguous there has no diff. Invariant: nothing
// here decides which changes are tried; no diff is better than a wrong one. Private to repair*.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/location.h"
#include "support/source_file.h"

namespace lockstep::sanitizer {

/// `text` replaces bytes [begin, end) of a source.
struct TextChange {
  std::size_t begin = 0, end = 0;
  std::string text;
};

/// Half-open.
struct TextSpan {
  std::size_t begin = 0, end = 0;
  std::string_view of(std::string_view source) const { return source.substr(begin, end - begin); }
};

/// A call in the text: "tl.load(x + i, mask=m)".
struct CallText {
  struct Argument {
    std::string_view keyword;  // "": by its position
    TextSpan value;
  };
  TextSpan callee;
  std::vector<Argument> arguments;
  std::size_t close = 0;  // of its ')'

  /// By keyword, else by position; null: the call does not have it.
  const Argument* find(std::string_view keyword, std::size_t position) const;
};
/// The call that starts at `at`; nullopt: none does.
std::optional<CallText> call_at(std::string_view source, std::size_t at);
// Triton places an op where the last part of its expression begins: a sum at its right operand, a call at its last
// argument without a keyword.
/// The innermost call with `at` in it (or at its beginning) to a function of one of these names ("load", "atomic_*").
std::optional<CallText> call_around(std::string_view source, std::size_t at,
                                    const std::vector<std::string_view>& names);
/// The whole expression with the part `at`, as far as it goes between brackets, commas, '=' and the line's ends.
TextSpan expression_around(std::string_view source, std::size_t at);
/// The uses of a name, not of one of its attributes, in the statement of `at`: after its '=', if it has one.
std::vector<TextSpan> names_in_statement(std::string_view source, std::size_t at, std::string_view name);
/// The variable that the expression's value is assigned to ("mask = i < n"); "": none.
std::string_view assigned_name(std::string_view source, TextSpan expression);
/// `text` needs brackets in place of `span`: a neighbouring operator binds as strongly.
bool needs_brackets(std::string_view source, TextSpan span);

/// The place of the user's line in its file; nullopt: the file is unreadable, or has no such line.
struct SourcePlace {
  SourceFilePtr file;
  std::size_t at = 0;
  std::string_view source() const { return file->text(); }
};
std::optional<SourcePlace> source_place(Location location);
/// "- old\n+ new" for the lines that the change affects, without their common indentation; "": it changes nothing.
std::string diff_text(std::string_view source, const TextChange& change);

}  // namespace lockstep::sanitizer
