#include "interpreter/ptx/lexer.h"
#include "support/ascii.h"
#include "support/floats/read_float.h"

#include <bit>
#include <charconv>
#include <utility>

namespace lockstep::interpreter::ptx {

namespace {

bool is_word_part(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (true) {
      skip();
      Token token;
      token.offset = at_;
      if (at_ >= text_.size()) {
        tokens.push_back(std::move(token));
        return tokens;
      }
      read(token);
      tokens.push_back(std::move(token));
    }
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip() {
    while (at_ < text_.size()) {
      if (is_space(text_[at_])) {
        ++at_;
      } else if (peek() == '/' && peek(1) == '/') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (peek() == '/' && peek(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  void read(Token& token) {
    const char c = peek();
    if (c == '$') return read_dollar(token);
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return read_number(token);
    if (is_letter(c) || c == '_' || c == '%' || c == '.') return read_word(token);
    token.kind = std::string_view("{}()[],;:@!|+-~<>").find(c) != std::string_view::npos ? Token::Kind::punctuation
                                                                                         : Token::Kind::unknown;
    token.text = std::string(1, c);
    ++at_;
  }

  void read_word(Token& token) {
    const std::size_t begin = at_;
    if (!is_word_part(peek())) ++at_;
    while (is_word_part(peek()) || peek() == '$' || (peek() == '.' && is_word_part(peek(1))) || scope_follows()) {
      if (peek() == '$' && peek(1) == '$') {  // LLVM's spelling of one dollar sign
        token.text += text_.substr(begin + skipped_, at_ + 1 - begin - skipped_);
        skipped_ = at_ + 2 - begin;
        at_ += 2;
      } else if (peek() == '$') {
        break;
      } else {
        at_ += scope_follows() ? std::size_t{2} : std::size_t{1};
      }
    }
    token.kind = Token::Kind::word;
    token.text += text_.substr(begin + skipped_, at_ - begin - skipped_);
    skipped_ = 0;
  }
  bool scope_follows() const { return peek() == ':' && peek(1) == ':' && is_word_part(peek(2)); }

  void read_dollar(Token& token) {
    token.kind = Token::Kind::unknown;
    if (peek(1) == '$') {
      at_ += 2;
      read_word_after_dollar(token);
      return;
    }
    const bool braced = peek(1) == '{';
    std::size_t digit = at_ + (braced ? 2 : 1);
    const std::size_t begin = digit;
    while (digit < text_.size() && is_digit(text_[digit])) ++digit;
    unsigned value = 0;
    const auto parsed = std::from_chars(text_.data() + begin, text_.data() + digit, value);
    const bool closes = !braced || (digit < text_.size() && text_[digit] == '}');
    if (digit == begin || parsed.ec != std::errc{} || !closes) {
      token.text = "$";
      ++at_;
      return;
    }
    at_ = digit + (braced ? 1 : 0);
    token.kind = Token::Kind::operand;
    token.value = value;
    token.text = "$" + std::to_string(value);
  }

  void read_word_after_dollar(Token& token) {
    token.text = "$";
    while (is_word_part(peek())) token.text += text_[at_++];
    token.kind = Token::Kind::word;
  }

  /// 0f and 0d: the bits of a float in hexadecimal.
  bool read_float_bits(Token& token) {
    const char mark = peek(1);
    const bool is_single = mark == 'f' || mark == 'F';
    if (peek() != '0' || (!is_single && mark != 'd' && mark != 'D')) return false;
    const char* begin = text_.data() + at_ + 2;
    const std::size_t digits = is_single ? 8 : 16;
    if (at_ + 2 + digits > text_.size()) return false;
    const auto parsed = std::from_chars(begin, begin + digits, token.value, 16);
    if (parsed.ptr != begin + digits) return false;
    token.kind = Token::Kind::floating;
    token.is_single = is_single;
    at_ += 2 + digits;
    return true;
  }

  void read_number(Token& token) {
    const std::size_t begin = at_;
    if (read_float_bits(token)) {
      token.text = std::string(text_.substr(begin, at_ - begin));
      return;
    }
    int base = 10;
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) base = 16;
    if (peek() == '0' && (peek(1) == 'b' || peek(1) == 'B')) base = 2;
    if (base != 10) at_ += 2;
    const std::size_t digits = at_;
    while (is_word_part(peek()) || (base == 10 && is_decimal_part())) ++at_;
    std::string_view body = text_.substr(digits, at_ - digits);
    token.text = std::string(text_.substr(begin, at_ - begin));
    token.kind = Token::Kind::unknown;
    if (base == 10 && body.find_first_of(".eE") != std::string_view::npos) return read_decimal(token, body);
    if (!body.empty() && body.back() == 'U') {
      token.is_unsigned = true;
      body.remove_suffix(1);
    }
    if (base == 10 && body.size() > 1 && body.front() == '0') base = 8;
    const auto parsed = std::from_chars(body.data(), body.data() + body.size(), token.value, base);
    if (!body.empty() && parsed.ec == std::errc{} && parsed.ptr == body.data() + body.size())
      token.kind = Token::Kind::integer;
  }
  bool is_decimal_part() const {
    if (peek() == '.') return true;
    const char before = at_ > 0 ? text_[at_ - 1] : '\0';
    return (peek() == '+' || peek() == '-') && (before == 'e' || before == 'E');
  }

  void read_decimal(Token& token, std::string_view body) {
    double value = 0;
    const auto parsed = read_float(body.data(), body.data() + body.size(), value);
    if (parsed.ptr != body.data() + body.size() || parsed.ec != std::errc{}) return;
    token.kind = Token::Kind::floating;
    token.value = std::bit_cast<std::uint64_t>(value);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t skipped_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

}  // namespace lockstep::interpreter::ptx
