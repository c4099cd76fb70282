// Log messages: texts with expressions in braces.
#include <optional>

#include "debugger/expression/parser.h"

namespace lockstep::debugger {
namespace {

class MessageParser {
 public:
  explicit MessageParser(std::string_view text) : text_(text) {}

  Expected<std::vector<MessagePart>, ExpressionError> parse() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool is_doubled = at_ + 1 < text_.size() && text_[at_ + 1] == c;
      if ((c == '{' || c == '}') && !is_doubled) {
        if (!take_expression()) return Unexpected{*error_};
        continue;
      }
      plain_ += c;
      at_ += c == '{' || c == '}' ? 2 : 1;
    }
    flush();
    return std::move(parts_);
  }

 private:
  void flush() {
    if (!plain_.empty()) parts_.push_back({plain_, {}});
    plain_.clear();
  }
  bool fail(std::string message, std::size_t begin, std::size_t end) {
    error_ = ExpressionError{std::move(message), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    return false;
  }
  bool take_expression() {
    if (text_[at_] == '}') return fail("a closing brace without an opening one (write }} for a brace)", at_, at_ + 1);
    const std::size_t end = closing_brace();
    if (end == std::string_view::npos) return fail("the brace is not closed (write {{ for a brace)", at_, at_ + 1);
    auto expression = parse_expression(text_.substr(at_ + 1, end - at_ - 1));
    if (!expression) {
      const ExpressionError& inner = expression.error();
      return fail(inner.message, at_ + 1 + inner.begin, at_ + 1 + inner.end);
    }
    flush();
    parts_.push_back({"", {std::move(*expression)}});
    at_ = end + 1;
    return true;
  }
  std::size_t closing_brace() const {
    char quote = '\0';
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      const char c = text_[i];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '}') {
        return i;
      }
    }
    return std::string_view::npos;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string plain_;
  std::vector<MessagePart> parts_;
  std::optional<ExpressionError> error_;
};

}  // namespace

Expected<std::vector<MessagePart>, ExpressionError> parse_message(std::string_view text) {
  if (text.size() > kMaxExpressionBytes)
    return Unexpected{
        ExpressionError{"a message has at most 16384 bytes", 0, static_cast<std::uint32_t>(kMaxExpressionBytes)}};
  return MessageParser(text).parse();
}

}  // namespace lockstep::debugger
