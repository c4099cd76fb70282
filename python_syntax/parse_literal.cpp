#include "python_syntax/parse_literal.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "python_syntax/lexer.h"
#include "python_syntax/lexer_state.h"
#include "support/floats/read_float.h"
#include "support/utf8.h"

namespace lockstep::python_syntax {
namespace {

std::string without_underscores(std::string_view text) {
  std::string digits(text);
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  return digits;
}

/// Decimal digits of a number given in radix 2, 8 or 16, by repeated multiplication in base 10^9, 27 bits or so at a
/// time.
std::string to_decimal(std::string_view digits, int radix) {
  constexpr std::uint64_t kBase = 1'000'000'000;
  const std::size_t chunk = radix == 16 ? 7 : radix == 8 ? 9 : 28;
  std::vector<std::uint64_t> limbs{0};
  for (std::size_t i = 0; i < digits.size(); i += chunk) {
    std::string_view part = digits.substr(i, chunk);
    std::uint64_t carry = 0, scale = 1;
    std::from_chars(part.data(), part.data() + part.size(), carry, radix);
    for (std::size_t k = 0; k < part.size(); ++k) scale *= static_cast<std::uint64_t>(radix);
    for (std::uint64_t& limb : limbs) {
      carry += limb * scale;
      limb = carry % kBase;
      carry /= kBase;
    }
    if (carry > 0) limbs.push_back(carry);
  }
  std::string text = std::to_string(limbs.back());
  for (std::size_t i = limbs.size() - 1; i-- > 0;) {
    std::string part = std::to_string(limbs[i]);
    text += std::string(9 - part.size(), '0') + part;
  }
  return text;
}

bool decode_integer(std::string_view text, SourceRange range, ast::Constant& constant, ProblemList& problems) {
  int radix = 10;
  if (text.size() > 1 && text[0] == '0') {
    char mark = static_cast<char>(text[1] | 0x20);
    radix = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    if (radix != 10) text.remove_prefix(2);
  }
  std::string digits = without_underscores(text);
  constant.type = ast::ConstantKind::integer;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), constant.integer, radix);
  if (error == std::errc()) return true;
  if (digits.size() > kMaxIntegerDigits) {
    problems.report("LS1290", "an integer literal may have at most " + std::to_string(kMaxIntegerDigits) + " digits",
                    range);
    return false;
  }
  constant.type = ast::ConstantKind::big_integer;
  constant.integer = 0;
  constant.text = radix == 10 ? digits : to_decimal(digits, radix);
  return true;
}

/// What a float literal outside the range of double means: infinity or zero. The text is
/// digits[.digits][e[sign]digits].
double out_of_range_value(std::string_view digits) {
  std::size_t exponent_mark = digits.find_first_of("eE");
  bool negative = exponent_mark != std::string_view::npos && digits.substr(exponent_mark + 1).starts_with('-');
  std::string_view mantissa = digits.substr(0, exponent_mark);
  std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::size_t first = mantissa.find_first_not_of("0.");
  if (first == std::string_view::npos) return 0.0;
  if (exponent_mark != std::string_view::npos) {
    // With an exponent near the range's end the mantissa decides; a huge exponent decides alone.
    long long exponent = 0;
    std::string_view text = digits.substr(exponent_mark + 1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (error != std::errc()) return negative ? 0.0 : std::numeric_limits<double>::infinity();
    long long scale = static_cast<long long>(point) - static_cast<long long>(first) + (negative ? -exponent : exponent);
    return scale > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  }
  return first < point ? std::numeric_limits<double>::infinity() : 0.0;
}

double decode_float_text(std::string_view text) {
  std::string digits = without_underscores(text);
  double value = 0;
  auto [end, error] = read_float(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() ? value : out_of_range_value(digits);
}

}  // namespace

bool decode_number(std::string_view text, SourceRange range, ast::Constant& constant, ProblemList& problems) {
  bool has_radix =
      text.size() > 1 && text[0] == '0' && std::string_view("xXoObB").find(text[1]) != std::string_view::npos;
  bool is_imaginary = !has_radix && (text.back() | 0x20) == 'j';
  bool is_float = !has_radix && text.find_first_of(".eE") != std::string_view::npos;
  if (!is_imaginary && !is_float) return decode_integer(text, range, constant, problems);
  if (is_imaginary) text.remove_suffix(1);
  constant.type = is_imaginary ? ast::ConstantKind::imaginary : ast::ConstantKind::floating;
  constant.floating = decode_float_text(text);
  return true;
}

// ---- Strings ----

StringForm string_form(std::string_view text) {
  StringForm form;
  for (; form.prefix_length < text.size(); ++form.prefix_length) {
    char c = static_cast<char>(text[form.prefix_length] | 0x20);
    if (c == 'r')
      form.is_raw = true;
    else if (c == 'b')
      form.is_bytes = true;
    else if (c == 'u')
      form.is_unicode_prefixed = true;
    else if (c == 'f')
      form.is_format = true;
    else
      break;
  }
  std::string_view quoted = text.substr(form.prefix_length);
  bool is_triple = quoted.size() >= 3 && quoted[1] == quoted[0] && quoted[2] == quoted[0];
  form.quote_length = is_triple ? 3 : 1;
  return form;
}

void append_with_newlines(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 >= text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
}

namespace {

void append_utf8(std::uint32_t c, std::string& out) {
  auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      put(0xE0 | c >> 12);
    } else {
      put(0xF0 | c >> 18);
      put(0x80 | (c >> 12 & 0x3F));
    }
    put(0x80 | (c >> 6 & 0x3F));
  }
  put(0x80 | (c & 0x3F));
}

/// One string body being decoded.
class StringDecoder {
 public:
  StringDecoder(std::string_view body, std::uint32_t offset, StringForm form, bool collapse_braces, std::string& out,
                ProblemList& problems)
      : body_(body), offset_(offset), form_(form), collapse_braces_(collapse_braces), out_(out), problems_(problems) {}

  bool run() {
    while (position_ < body_.size()) {
      char c = body_[position_];
      if (c == '\\' && !form_.is_raw) {
        if (!decode_escape()) return false;
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        if (!copy_character()) return false;
      } else {
        copy_ascii(c);
      }
    }
    return true;
  }

 private:
  char peek(std::size_t ahead) const { return position_ + ahead < body_.size() ? body_[position_ + ahead] : '\0'; }

  bool fail(DiagnosticCode code, std::string message, std::size_t length, std::string hint = {}) {
    auto begin = offset_ + static_cast<std::uint32_t>(position_);
    problems_.report(code, std::move(message), {begin, begin + static_cast<std::uint32_t>(length)},
                     std::move(hint));
    return false;
  }

  void copy_ascii(char c) {
    if (c == '\r') {
      out_ += '\n';
      position_ += peek(1) == '\n' ? 2u : 1u;
      return;
    }
    out_ += c;
    position_ += collapse_braces_ && (c == '{' || c == '}') && peek(1) == c ? 2u : 1u;
  }

  bool copy_character() {
    if (form_.is_bytes) {
      return fail("LS1204", "a bytes literal can only hold ASCII characters", 1, "write the byte as \\xNN");
    }
    Utf8Character character = decode_utf8(body_, position_);
    if (!character.is_valid)
      return fail("LS1205", "a byte of this string is not valid UTF-8", 1, "save the file as UTF-8");
    out_ += body_.substr(position_, character.bytes);
    position_ += character.bytes;
    return true;
  }

  void put(std::uint32_t value) {
    if (form_.is_bytes) {
      out_ += static_cast<char>(value & 0xFF);
    } else {
      append_utf8(value, out_);
    }
  }

  bool decode_escape() {
    char c = peek(1);
    constexpr std::string_view kSimple = "\\'\"abfnrtv", kValues = "\\'\"\a\b\f\n\r\t\v";
    if (std::size_t i = kSimple.find(c); i != std::string_view::npos && position_ + 1 < body_.size()) {
      out_ += kValues[i];
      position_ += 2;
      return true;
    }
    if (c == '\n' || c == '\r') {
      position_ += c == '\r' && peek(2) == '\n' ? 3u : 2u;
      return true;
    }
    if (c >= '0' && c <= '7') return decode_octal();
    if (c == 'x') return decode_hex(2);
    if (!form_.is_bytes && c == 'u') return decode_hex(4);
    if (!form_.is_bytes && c == 'U') return decode_hex(8);
    if (!form_.is_bytes && c == 'N') return keep_named();
    out_ += '\\';  // not an escape: both characters stay
    ++position_;
    return true;
  }

  bool decode_octal() {
    std::uint32_t value = 0;
    ++position_;
    for (int i = 0; i < 3 && peek(0) >= '0' && peek(0) <= '7'; ++i, ++position_) {
      value = value * 8 + static_cast<std::uint32_t>(peek(0) - '0');
    }
    put(value);
    return true;
  }

  bool decode_hex(std::size_t digits) {
    std::uint32_t value = 0;
    const char* first = body_.data() + position_ + 2;
    std::size_t available = std::min(digits, body_.size() - position_ - 2);
    auto [end, error] = std::from_chars(first, first + available, value, 16);
    if (error != std::errc() || end != first + digits) {
      return fail("LS1204", "this escape needs " + std::to_string(digits) + " hexadecimal digits", 2);
    }
    if (value > 0x10FFFF) return fail("LS1204", "this escape is beyond U+10FFFF", digits + 2);
    put(value);
    position_ += digits + 2;
    return true;
  }

  /// \N{name} needs the Unicode character database: it stays as it is written, with a warning.
  bool keep_named() {
    std::size_t close = body_.find('}', position_);
    if (peek(2) != '{' || close == std::string_view::npos) {
      return fail("LS1204", "\\N needs a character name in braces", 2, "write \\N{DEGREE SIGN}, or \\u00B0");
    }
    std::size_t length = close + 1 - position_;
    auto begin = offset_ + static_cast<std::uint32_t>(position_);
    problems_.report("LS1204", "character names are not supported yet: the escape is kept as text",
                     {begin, begin + static_cast<std::uint32_t>(length)}, "write the character as \\uNNNN",
                     Severity::warning);
    out_ += body_.substr(position_, length);
    position_ += length;
    return true;
  }

  std::string_view body_;
  std::uint32_t offset_;
  StringForm form_;
  bool collapse_braces_;
  std::string& out_;
  ProblemList& problems_;
  std::size_t position_ = 0;
};

}  // namespace

bool decode_string_body(std::string_view body, std::uint32_t offset, StringForm form, bool collapse_braces,
                        std::string& out, ProblemList& problems) {
  out.reserve(out.size() + body.size());
  return StringDecoder(body, offset, form, collapse_braces, out, problems).run();
}

}  // namespace lockstep::python_syntax
