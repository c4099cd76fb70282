#include "debugger/expression/show.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "debugger/expression/reduce.h"
#include "support/float_formats.h"
#include "support/floats/read_float.h"
#include "support/floats/write_float.h"

namespace lockstep::debugger {
namespace {

std::string hex_text(std::uint64_t bits, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(static_cast<std::size_t>(digits), '0');
  for (std::size_t i = text.size(); i-- > 0; bits >>= 4) text[i] = kDigits[bits & 15];
  return "0x" + text;
}

/// The fewest digits that identify this number in its format.
int digits_needed(ScalarKind kind, double value) {
  const std::uint64_t bits = encode_float(kind, value);
  std::array<char, 64> buffer{};
  for (int digits = 1; digits < 17; ++digits) {
    char* const end =
        write_float(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, digits - 1);
    double read = 0;
    read_float(buffer.data(), end, read);
    if (encode_float(kind, read) == bits) return digits;
  }
  return 17;
}

std::string finite_text(double value, int digits) {
  std::array<char, 64> buffer{};
  const auto write = [&](std::chars_format format, int decimals) {
    return std::string(buffer.data(),
                       write_float(buffer.data(), buffer.data() + buffer.size(), value, format, decimals));
  };
  std::string text = write(std::chars_format::scientific, digits - 1);
  const double magnitude = std::fabs(value);
  if (magnitude < 1e-4 || magnitude >= 1e16) return text;
  const int exponent = std::stoi(text.substr(text.find('e') + 1));
  text = write(std::chars_format::fixed, std::max(0, digits - 1 - exponent));
  return text.find('.') == std::string::npos ? text + "." : text;
}

std::string float_text(ScalarKind kind, double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return std::signbit(value) ? "-0." : "0.";
  // f8: 1.25 in full, though 1.2 would do.
  return finite_text(value, digits_needed(is_float8(kind) ? ScalarKind::f32 : kind, value));
}

/// For statistics: four digits say enough.
std::string rough_text(double value) {
  if (value == 0 || !std::isfinite(value)) return float_text(ScalarKind::f64, value);
  std::array<char, 64> buffer{};
  char* const end = write_float(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, 3);
  double rounded = value;
  read_float(buffer.data(), end, rounded);
  return float_text(ScalarKind::f64, rounded);
}

std::string counts_of_odd(const Statistics& all) {
  return " nan " + std::to_string(all.nans) + " inf " + std::to_string(all.infinities);
}

std::string pointers_summary(const Tensor& value, const Scope& scope) {
  const std::size_t last = value.integers.size() - 1;
  return " " + element_text(value, 0, scope) + " .. " + element_text(value, last, scope);
}

std::string tile_summary(const Tensor& value, const Scope& scope) {
  if (value.count() == 0) return " no elements";
  if (value.elements == ElementClass::pointer) return pointers_summary(value, scope);
  if (value.elements == ElementClass::boolean) {
    const auto on = std::count(value.integers.begin(), value.integers.end(), 1);
    return " true " + std::to_string(on) + " of " + std::to_string(value.count());
  }
  const Statistics all = statistics_of(value);
  if (value.elements == ElementClass::integer) {
    const auto [least, greatest] = std::minmax_element(value.integers.begin(), value.integers.end());
    return " min " + std::to_string(*least) + " max " + std::to_string(*greatest) + " mean " + rough_text(all.mean);
  }
  if (all.finite() == 0) return counts_of_odd(all);
  return " min " + rough_text(all.least) + " max " + rough_text(all.greatest) + " mean " + rough_text(all.mean) +
         counts_of_odd(all);
}

/// For elements that are not pointers, where only the bytes count.
std::string window_summary(const MemoryWindow& window, const Scope& scope) {
  auto bytes = bytes_of(window, scope);
  if (!bytes) return type_text(window) + " (" + bytes.error() + ")";
  return type_text(window) +
         scope.summaries()->text_of(window, std::move(*bytes), [&](const std::string& held) {
           return tile_summary(decode_tensor(window.kind, window.shape, held), scope);
         });
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

/// The text of a value without elements: a text, None.
std::optional<std::string> plain_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  if (std::holds_alternative<Nothing>(value)) return "None";
  return std::nullopt;
}

/// The first elements, at most `count`, of a value with dimensions.
Expected<Tensor, std::string> first_elements(const Value& value, std::int64_t count, const Scope& scope) {
  Value part = value;
  while (element_count(shape_of(part)) > count) {
    const auto shape = shape_of(part);
    Subscript subscript;
    std::vector<Subscript> subscripts = {subscript};
    if (shape.size() == 1) {
      subscripts[0].kind = Subscript::Kind::slice;
      subscripts[0].stop = count;
    }
    auto smaller = part_of(part, subscripts);
    if (!smaller) return Unexpected{smaller.error()};
    part = std::move(*smaller);
  }
  return tensor_of(part, scope);
}

}  // namespace

std::string type_text(const Value& value) {
  if (std::holds_alternative<Nothing>(value)) return "None";
  if (std::holds_alternative<std::string>(value)) return "text";
  const auto* window = std::get_if<MemoryWindow>(&value);
  const ScalarKind kind = window != nullptr ? window->kind : std::get<Tensor>(value).kind;
  const auto shape = shape_of(value);
  return std::string(spelling(kind)) + (shape.empty() ? "" : index_text(shape));
}

std::string pointer_text(std::uint64_t address, std::int32_t provenance, const Scope& scope) {
  const PointerPlace place = scope.place_of(address, provenance);
  std::array<char, 32> buffer{};
  if (place.argument.empty()) {
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), address, 16).ptr;
    return "0x" + std::string(buffer.data(), end);
  }
  const bool is_below = place.offset < 0;
  const auto distance = static_cast<std::uint64_t>(place.offset);
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), is_below ? 0 - distance : distance, 16).ptr;
  const std::string bytes = (is_below ? "-0x" : "+0x") + std::string(buffer.data(), end);
  const std::string element = place.index.empty() ? "" : index_text(place.index);
  return place.argument + element + " " + bytes + (place.is_inside ? "" : " (outside)");
}

std::string element_text(const Tensor& value, std::size_t i, const Scope& scope) {
  switch (value.elements) {
    case ElementClass::boolean: return value.integers[i] != 0 ? "True" : "False";
    case ElementClass::floating: return float_text(value.kind, value.floats[i]);
    case ElementClass::pointer:
      return pointer_text(static_cast<std::uint64_t>(value.integers[i]), value.provenance, scope);
    case ElementClass::integer: break;
  }
  if (!value.is_hex) return std::to_string(value.integers[i]);
  return hex_text(value.bits_of(i), 2 * size_bytes(value.kind));
}

std::string show_summary(const Value& value, const Scope& scope) {
  if (const auto plain = plain_text(value)) return *plain;
  if (element_count(shape_of(value)) > kMaxElements) return type_text(value) + " in memory";
  const auto* window = std::get_if<MemoryWindow>(&value);
  if (window != nullptr && !window->shape.empty() && window->kind != ScalarKind::pointer && scope.summaries() != nullptr)
    return window_summary(*window, scope);
  const auto read = tensor_of(value, scope);
  if (!read) return type_text(value) + " (" + read.error() + ")";
  if (read->is_scalar()) return element_text(*read, 0, scope);
  return type_text(value) + tile_summary(*read, scope);
}

std::string show_line(const Value& value, const Scope& scope, std::size_t width) {
  if (const auto plain = plain_text(value)) return *plain;
  const std::int64_t count = element_count(shape_of(value));
  const auto read = first_elements(value, std::min<std::int64_t>(count, static_cast<std::int64_t>(width)), scope);
  if (!read) return type_text(value) + " (" + read.error() + ")";
  if (shape_of(value).empty()) return element_text(*read, 0, scope);
  std::string line = type_text(value) + " [";
  for (std::size_t i = 0; i < static_cast<std::size_t>(read->count()); ++i) {
    const std::string next = (i == 0 ? "" : " ") + element_text(*read, i, scope);
    if (i > 0 && line.size() + next.size() + 5 > width) return line + " ...]";
    line += next;
  }
  return line + (read->count() < count ? " ...]" : "]");
}

}  // namespace lockstep::debugger
