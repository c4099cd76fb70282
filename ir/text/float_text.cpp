#include "ir/text/float_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "support/float_formats.h"
#include "support/floats/read_float.h"

namespace lockstep::ir {
namespace {

/// A natural number of any size, least significant limb first: just enough for exact decimal expansion.
class BigNumber {
 public:
  explicit BigNumber(std::uint64_t value) {
    for (; value != 0; value >>= 32) limbs_.push_back(static_cast<std::uint32_t>(value));
  }
  bool is_zero() const { return limbs_.empty(); }
  int active_bits() const {
    return limbs_.empty() ? 0 : static_cast<int>(limbs_.size()) * 32 - __builtin_clz(limbs_.back());
  }
  void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  }
  /// Divides by ten and returns the remainder.
  unsigned divide_by_ten() {
    std::uint64_t rest = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      rest = (rest << 32) | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    return static_cast<unsigned>(rest);
  }

 private:
  std::vector<std::uint32_t> limbs_;
};

/// value = digits (least significant first, no zeros at that end) * 10^exponent.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

/// Bits of precision of a format, with the hidden one.
int precision_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::f64: return 53;
    case ScalarKind::f32: return 24;
    case ScalarKind::f16: return 11;
    case ScalarKind::bf16: return 8;
    case ScalarKind::f8E4M3FN:
    case ScalarKind::f8E4M3FNUZ: return 4;
    default: return 3;
  }
}

Decimal exact_decimal(double magnitude, int wanted_digits) {
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);
  auto significand = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  const int zeros = __builtin_ctzll(significand);
  significand >>= zeros;
  exponent += zeros;
  BigNumber number(significand);
  Decimal result;
  for (int i = 0; i < exponent; ++i) number.multiply(2);
  for (int i = exponent; i < 0; ++i) number.multiply(5);
  result.exponent = std::min(exponent, 0);
  // LLVM's estimate of the number of digits cuts off those far below the wanted ones first.
  const int bits_needed = (wanted_digits * 196 + 58) / 59;
  const int removable = number.active_bits() <= bits_needed ? 0 : (number.active_bits() - bits_needed) * 59 / 196;
  for (int i = 0; i < removable; ++i) number.divide_by_ten();
  result.exponent += removable;
  while (!number.is_zero()) {
    const unsigned digit = number.divide_by_ten();
    if (result.digits.empty() && digit == 0)
      ++result.exponent;
    else
      result.digits += static_cast<char>('0' + digit);
  }
  return result;
}

/// Rounds half up to at most `count` digits.
void round_digits(Decimal& decimal, std::size_t count) {
  std::string& digits = decimal.digits;
  if (digits.size() <= count) return;
  std::size_t first = digits.size() - count;
  if (digits[first - 1] < '5') {
    while (first < digits.size() && digits[first] == '0') ++first;
  } else {
    while (first < digits.size() && digits[first] == '9') ++first;
    if (first < digits.size()) ++digits[first];
  }
  decimal.exponent += static_cast<int>(first);
  if (first == digits.size())
    digits = "1";
  else
    digits.erase(0, first);
}

std::string reversed(std::string text) {
  std::reverse(text.begin(), text.end());
  return text;
}

std::string scientific(const Decimal& decimal, std::size_t padding, char letter) {
  const std::string digits = reversed(decimal.digits);
  std::string out = digits.substr(0, 1) + "." + digits.substr(1);
  if (padding == 0 && digits.size() == 1) out += "0";
  if (padding != 0 && padding > digits.size() - 1) out.append(padding - digits.size() + 1, '0');
  const int exponent = decimal.exponent + static_cast<int>(digits.size()) - 1;
  out += letter;
  out += exponent < 0 ? '-' : '+';
  const std::string power = std::to_string(std::abs(exponent));
  if (padding != 0 && power.size() < 2) out += '0';
  return out + power;
}

/// Positional text if few zeros are needed, else scientific.
std::string natural(const Decimal& decimal, int precision) {
  constexpr int kMaxPadding = 3;
  const std::string digits = reversed(decimal.digits);
  const int count = static_cast<int>(digits.size());
  const int leading = decimal.exponent + count - 1;
  if (decimal.exponent >= 0) {
    if (decimal.exponent > kMaxPadding || count + decimal.exponent > precision) return scientific(decimal, 0, 'E');
    return digits + std::string(static_cast<std::size_t>(decimal.exponent), '0');
  }
  if (leading < 0 && -leading > kMaxPadding) return scientific(decimal, 0, 'E');
  const int whole = decimal.exponent + count;
  if (whole > 0)
    return digits.substr(0, static_cast<std::size_t>(whole)) + "." + digits.substr(static_cast<std::size_t>(whole));
  return "0." + std::string(static_cast<std::size_t>(-whole), '0') + digits;
}

std::string hexadecimal(ScalarKind kind, std::uint64_t bits) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (; bits != 0; bits >>= 4) out += kDigits[bits & 15];
  (void)kind;
  return "0x" + (out.empty() ? "0" : reversed(out));
}

}  // namespace

std::string print_float(ScalarKind kind, std::uint64_t bits) {
  const double value = decode_float(kind, bits);
  if (!std::isfinite(value)) return hexadecimal(kind, bits);
  const std::string sign = std::signbit(value) ? "-" : "";
  if (value == 0) return sign + "0.000000e+00";
  Decimal six = exact_decimal(std::fabs(value), 6);
  round_digits(six, 6);
  std::string text = sign + scientific(six, 6, 'e');
  if (parse_float(kind, text) == bits) return text;
  const int precision = 2 + precision_of(kind) * 59 / 196;
  Decimal full = exact_decimal(std::fabs(value), precision);
  round_digits(full, static_cast<std::size_t>(precision));
  text = sign + natural(full, precision);
  if (text.find('.') != std::string::npos && parse_float(kind, text) == bits) return text;
  return hexadecimal(kind, bits);
}

std::optional<std::uint64_t> parse_float(ScalarKind kind, std::string_view text) {
  const char* end = text.data() + text.size();
  if (kind == ScalarKind::f32) {
    float value = 0;
    const auto [stop, problem] = read_float(text.data(), end, value);
    if (problem == std::errc() && stop == end) return encode_float(kind, static_cast<double>(value));
  }
  double value = 0;
  const auto [stop, problem] = read_float(text.data(), end, value);
  if (stop != end) return std::nullopt;
  if (problem == std::errc::result_out_of_range) {
    // Too small is zero; too large is not a number of any format.
    const std::size_t mark = text.find_first_of("eE");
    if (mark == std::string_view::npos || mark + 1 >= text.size() || text[mark + 1] != '-') return std::nullopt;
    value = text[0] == '-' ? -0.0 : 0.0;
  } else if (problem != std::errc()) {
    return std::nullopt;
  }
  return encode_float(kind, value);
}

}  // namespace lockstep::ir
