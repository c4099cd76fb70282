#include "driver/words/print_tensor.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "driver/words/dtype_name.h"
#include "support/float_formats.h"
#include "support/floats/read_float.h"
#include "support/floats/write_float.h"

namespace lockstep::driver {
namespace {

using memory_model::View;

constexpr std::int64_t kSummaryThreshold = 1000;
constexpr std::int64_t kEdge = 3;
constexpr std::size_t kLineWidth = 100;

std::string float_to_text(ScalarKind kind, std::uint64_t bits) {
  const double value = decode_float(kind, bits);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return std::signbit(value) ? "-0." : "0.";
  char buffer[64];
  std::string text;
  int digits = 1;
  for (; digits <= 8; ++digits) {
    char* const end = write_float(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, digits - 1);
    text.assign(buffer, end);
    double read = 0;
    read_float(buffer, end, read);
    if (encode_float(kind, read) == bits) break;
  }
  const double magnitude = std::fabs(value);
  if (magnitude >= 1e-4 && magnitude < 1e16) {
    const int exponent = std::stoi(text.substr(text.find('e') + 1));
    const int decimals = std::max(0, std::min(digits, 8) - 1 - exponent);
    text.assign(buffer, write_float(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals));
  }
  const bool looks_integer = text.find_first_of(".e") == std::string::npos;
  return looks_integer ? text + "." : text;
}

std::uint64_t read_bits(const View& view, std::int64_t slot) {
  const auto size = static_cast<std::int64_t>(size_bytes(view.element));
  const auto* data = reinterpret_cast<const std::byte*>(view.base) + slot * size;  // NOLINT(performance-no-int-to-ptr)
  std::uint64_t bits = 0;
  std::memcpy(&bits, data, static_cast<std::size_t>(size));
  return bits;
}

class Printer {
 public:
  Printer(const View& view, bool is_unsigned)
      : view_(view), is_unsigned_(is_unsigned), is_summary_(view.element_count() > kSummaryThreshold) {}

  std::string print() {
    measure(0, 0);
    text_.clear();
    write(0, 0);
    return text_ + "\n";
  }

 private:
  bool is_cut(std::size_t d) const { return is_summary_ && view_.shape[d] > 2 * kEdge; }
  std::string element(std::int64_t slot) const {
    return element_to_text(view_.element, is_unsigned_, read_bits(view_, slot));
  }

  template <typename Visit>
  void each(std::size_t d, const Visit& visit) const {
    for (std::int64_t i = 0; i < view_.shape[d]; ++i) {
      if (is_cut(d) && i == kEdge) i = view_.shape[d] - kEdge;
      visit(i);
    }
  }

  void measure(std::size_t d, std::int64_t slot) {
    if (d == view_.shape.size()) {
      width_ = std::max(width_, element(slot).size());
      return;
    }
    each(d, [&](std::int64_t i) { measure(d + 1, slot + i * view_.strides[d]); });
  }

  void append_word(const std::string& word, std::size_t indent) {
    if (column_ + 1 + word.size() > kLineWidth)
      new_line(indent);
    else if (column_ > indent && text_.back() != '[')
      put(" ");
    put(word);
  }
  void put(const std::string& text) {
    text_ += text;
    column_ += text.size();
  }
  void new_line(std::size_t indent) {
    text_ += "\n" + std::string(indent, ' ');
    column_ = indent;
  }

  void write(std::size_t d, std::int64_t slot) {
    if (d == view_.shape.size()) {
      const std::string word = element(slot);
      return append_word(std::string(width_ - word.size(), ' ') + word, d);
    }
    put("[");
    const bool is_row = d + 1 == view_.shape.size();
    each(d, [&](std::int64_t i) {
      if (!is_row && i > 0) new_line(d + 1);
      if (is_cut(d) && i == view_.shape[d] - kEdge) {
        is_row ? append_word("...", d + 1) : put("...");
        if (!is_row) new_line(d + 1);
      }
      write(d + 1, slot + i * view_.strides[d]);
    });
    put("]");
  }

  const View& view_;
  bool is_unsigned_;
  bool is_summary_;
  std::size_t width_ = 0, column_ = 0;
  std::string text_;
};

}  // namespace

std::string element_to_text(ScalarKind kind, bool is_unsigned, std::uint64_t bits) {
  if (is_float(kind)) return float_to_text(kind, bits);
  if (kind == ScalarKind::i1) return bits != 0 ? "True" : "False";
  if (is_unsigned || kind == ScalarKind::pointer) return std::to_string(bits);
  const int unused = 64 - bit_width(kind);
  return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::string print_tensor(const View& view, bool is_unsigned) {
  std::string shape;
  for (std::size_t d = 0; d < view.shape.size(); ++d) shape += (d == 0 ? "" : ",") + std::to_string(view.shape[d]);
  const std::string type =
      is_unsigned && is_integer(view.element) ? short_name(view.element, true) : std::string(spelling(view.element));
  const std::string head = view.name + ": " + type + "[" + shape + "]\n";
  if (view.footprint.is_empty()) return head + "[]\n";
  return head + Printer(view, is_unsigned).print();
}

}  // namespace lockstep::driver
