// The verdict as text.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "enclosure/tolerance.h"
#include "support/floats/write_float.h"

namespace lockstep::enclosure {
namespace {

int significant_digits(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::f64: return 17;
    case ScalarKind::f32: return 9;
    case ScalarKind::f16: return 5;
    default: return 4;
  }
}

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "nan";
  char buffer[48];
  return {buffer, write_float(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits)};
}

std::string value_text(ScalarKind kind, bool is_unsigned, double value, std::uint64_t bits) {
  if (is_float(kind)) return number_text(value, significant_digits(kind));
  if (kind == ScalarKind::i1 && bits <= 1) return bits != 0 ? "True" : "False";
  if (is_unsigned || kind == ScalarKind::i1 || kind == ScalarKind::pointer) return std::to_string(bits);
  const int unused = 64 - bit_width(kind);
  return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::string index_text(std::int64_t element, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    const std::int64_t extent = std::max<std::int64_t>(shape[d], 1);
    index[d] = element % extent;
    element /= extent;
  }
  std::string text = "[";
  for (std::size_t d = 0; d < index.size(); ++d) text.append(d == 0 ? "" : ",").append(std::to_string(index[d]));
  return text + "]";
}

std::string ulp_text(std::int64_t ulp) {
  return ulp == std::numeric_limits<std::int64_t>::max() ? "" : ", " + std::to_string(ulp) + " ULP";
}

std::string elements(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " element" : " elements"); }

}  // namespace

std::string report_text(const std::string& name, const Comparison& comparison, ScalarKind kind, bool is_unsigned,
                        const std::vector<std::int64_t>& shape, const Tolerance& tolerance) {
  const std::string bound = "(" + tolerance.to_string() + ")";
  if (comparison.is_equal) {
    std::string text =
        name + ": " + elements(comparison.compared) + (comparison.compared == 1 ? " agrees " : " agree ") + bound;
    if (comparison.max_ulp == 0) return text + (tolerance.is_exact() ? "" : ", every one exactly") + "\n";
    text += ", largest difference " + number_text(comparison.max_absolute, 3);
    return text + (is_float(kind) ? ulp_text(comparison.max_ulp) : "") + "\n";
  }
  const auto line = [&](std::string_view what, const Difference& d) {
    const std::string actual = value_text(kind, is_unsigned, d.actual, d.actual_bits);
    const std::string expected = value_text(kind, is_unsigned, d.expected, d.expected_bits);
    const std::string by = std::isfinite(d.absolute) ? " (off by " + number_text(d.absolute, 6) +
                                                           (is_float(kind) ? ulp_text(d.ulp) : "") + ")"
                                                     : "";
    return "  " + std::string(what) + ": " + name + index_text(d.element, shape) + " is " + actual + ", expected " +
           expected + by + "\n";
  };
  std::string text = name + ": " + std::to_string(comparison.outside) + " of " + elements(comparison.compared) +
                     (comparison.outside == 1 ? " differs " : " differ ") + bound + "\n";
  const Difference first = comparison.first.value_or(Difference{}), worst = comparison.worst.value_or(first);
  text += line("first", first);
  if (worst.element != first.element) text += line("worst", worst);
  return text;
}

}  // namespace lockstep::enclosure
