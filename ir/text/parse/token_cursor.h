// The tokens of a text one by one, and errors at them. Errors do not stop it. Every bool function: false means that a
// diagnostic was reported. Guard: nesting (kMaxNesting).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ir/text/lexer.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::ir {

inline constexpr std::uint32_t kMaxNesting = 200;
inline constexpr std::size_t kMaxRank = 32;  // tl.sort makes tiles of one axis per bit
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 31;
inline constexpr std::size_t kMaxValuesPerOp = 4096;

/// For messages; long texts are cut.
std::string in_quotes(std::string_view text);

class TokenCursor {
 public:
  TokenCursor(SourceFilePtr file, DiagnosticSink& sink);
  TokenCursor(const TokenCursor&) = delete;
  TokenCursor& operator=(const TokenCursor&) = delete;

  const Token& peek() const { return token_; }
  Token take();
  bool at(char c) const { return token_.is(c); }
  bool consume(char c);
  bool consume_word(std::string_view word);
  bool consume_arrow();
  bool expect(char c);
  bool expect_word(std::string_view word);
  bool expect_arrow();
  bool parse_uint32(std::uint32_t& value);
  bool skip_balanced();  // from an opening bracket to its end, verbatim
  /// Where the bracket that is open here ends; 0: diagnosed.
  std::uint32_t balanced_end();
  /// Text from `begin` to the last token taken.
  SourceRange range_from(std::uint32_t begin) const { return {begin, last_end_}; }
  std::string_view text() const { return file_->text(); }

  bool error(SourceRange range, DiagnosticCode code, std::string message, std::string hint = "");
  bool error_here(std::string_view expected);
  bool error_with_note(SourceRange range, DiagnosticCode code, std::string message, std::string note,
                       SourceRange noted);
  bool unsupported(SourceRange range, DiagnosticCode code, std::string message, std::string hint = "");

 protected:
  ~TokenCursor() = default;

  /// Counts nesting; `ok()` is false (and reported) past the limit.
  class Nesting {
   public:
    explicit Nesting(TokenCursor& cursor);
    ~Nesting() { --cursor_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool ok() const { return ok_; }

   private:
    TokenCursor& cursor_;
    bool ok_;
  };

  void advance();
  void move_to(std::uint32_t offset);

  SourceFilePtr file_;
  DiagnosticSink& sink_;
  Lexer lexer_;
  Token token_;
  std::uint32_t last_end_ = 0;
  std::uint32_t depth_ = 0, deepest_ = 0;
  std::uint64_t weight_ = 0;  // nodes of types, attributes and locations, aliases expanded
  bool failed_ = false;
};

}  // namespace lockstep::ir
