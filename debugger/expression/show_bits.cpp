// Bits of numbers and histograms.
#include <algorithm>
#include <cmath>

#include "debugger/expression/reduce.h"
#include "debugger/expression/show.h"

namespace lockstep::debugger {
namespace {

struct Fields {
  int exponent, mantissa;
};
Fields fields_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::f8E4M3FN:
    case ScalarKind::f8E4M3FNUZ: return {4, 3};
    case ScalarKind::f8E5M2:
    case ScalarKind::f8E5M2FNUZ: return {5, 2};
    case ScalarKind::f16: return {5, 10};
    case ScalarKind::bf16: return {8, 7};
    case ScalarKind::f32: return {8, 23};
    default: return {11, 52};
  }
}

std::string binary(std::uint64_t bits, int width) {
  std::string text;
  for (int i = width; i-- > 0;) text += (bits >> i & 1) != 0 ? '1' : '0';
  return text;
}

std::string float_bits(ScalarKind kind, std::uint64_t bits, bool as_tf32) {
  const Fields fields = fields_of(kind);
  std::string mantissa = binary(bits, fields.mantissa);
  if (as_tf32 && kind == ScalarKind::f32) mantissa.insert(10, " ");
  return binary(bits >> (fields.exponent + fields.mantissa), 1) + " " +
         binary(bits >> fields.mantissa, fields.exponent) + " " + mantissa;
}

std::string integer_bits(std::uint64_t bits, int width) {
  std::string text = binary(bits, width);
  for (std::size_t i = text.size(); i > 4;) text.insert(i -= 4, " ");
  return text;
}

/// Bins [edges[i], edges[i + 1]); the last includes its end.
struct Bins {
  std::vector<std::string> labels;
  std::vector<std::int64_t> counts;
};

std::string edge_text(double value, const Scope& scope) {
  // Four digits: neighbours of 64 bins still differ.
  if (value == 0) return "0.";
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::fabs(value))));
  const double rounded = std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
  return element_text(Tensor::of(rounded), 0, scope);
}

/// One bin for each integer.
Bins bins_of_integers(const Tensor& value, std::int64_t least, std::int64_t greatest) {
  Bins bins;
  bins.counts.resize(static_cast<std::size_t>(greatest - least + 1), 0);
  for (const std::int64_t element : value.integers) ++bins.counts[static_cast<std::size_t>(element - least)];
  for (std::size_t i = 0; i < bins.counts.size(); ++i)
    bins.labels.push_back(std::to_string(least + static_cast<std::int64_t>(i)));
  return bins;
}

Bins bins_of_floats(const Tensor& value, const Statistics& all, int count, const Scope& scope) {
  Bins bins;
  // Halves: the span of two huge numbers overflows a double.
  const double half_span = all.greatest / 2 - all.least / 2;
  if (half_span == 0) count = 1;
  bins.counts.resize(static_cast<std::size_t>(count), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(value.count()); ++i) {
    const double element = value.as_double(i);
    if (!std::isfinite(element)) continue;
    const double place = half_span == 0 ? 0 : (element / 2 - all.least / 2) / half_span * count;
    ++bins.counts[static_cast<std::size_t>(std::clamp(static_cast<int>(place), 0, count - 1))];
  }
  for (int i = 0; i < count; ++i) {
    const double begin = all.least + 2 * (half_span * i / count), end = all.least + 2 * (half_span * (i + 1) / count);
    const bool is_last = i + 1 == count;
    bins.labels.push_back("[" + edge_text(begin, scope) + ", " + edge_text(is_last ? all.greatest : end, scope) +
                          (is_last ? "]" : ")"));
  }
  return bins;
}

std::string bar_text(std::int64_t count, std::int64_t most, const HistogramOptions& options) {
  const double length = static_cast<double>(count) / static_cast<double>(most) * options.width;
  const int whole = static_cast<int>(length);
  std::string bar;
  for (int i = 0; i < whole; ++i) bar += options.is_ascii ? "#" : "█";
  if (options.is_ascii) return bar.empty() && count > 0 ? "." : bar;
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>((length - whole) * 8);
  return bar + (bar.empty() && eighths == 0 && count > 0 ? kEighths[1] : kEighths[eighths]);
}

std::string render(const Bins& bins, const HistogramOptions& options) {
  std::size_t label_width = 0, count_width = 0;
  std::int64_t most = 1;
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    label_width = std::max(label_width, bins.labels[i].size());
    count_width = std::max(count_width, std::to_string(bins.counts[i]).size());
    most = std::max(most, bins.counts[i]);
  }
  std::string text;
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    const std::string bar = bar_text(bins.counts[i], most, options);
    text += (i == 0 ? "" : "\n") + padded(bins.labels[i], label_width) + "  " +
            padded(std::to_string(bins.counts[i]), count_width) + (bar.empty() ? "" : "  " + bar);
  }
  return text;
}

}  // namespace

Expected<std::string, std::string> show_bits(const Value& value, const Scope& scope, const BitsOptions& options) {
  const auto read = tensor_of(value, scope);
  if (!read) return Unexpected{read.error()};
  const std::int64_t shown = std::min(read->count(), std::max<std::int64_t>(options.elements, 1));
  std::string text;
  for (std::int64_t i = 0; i < shown; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::uint64_t bits = read->bits_of(at);
    const std::string index = read->is_scalar() ? "" : index_text(index_of(i, read->shape)) + "  ";
    const std::string fields =
        read->is_floating() ? float_bits(read->kind, bits, options.as_tf32) : integer_bits(bits, bit_width(read->kind));
    text += (i == 0 ? "" : "\n") + index + fields + "  " + element_text(*read, at, scope);
  }
  if (shown < read->count()) text += "\n... " + std::to_string(read->count() - shown) + " more";
  return text;
}

Expected<std::string, std::string> show_histogram(const Value& value, const Scope& scope,
                                                  const HistogramOptions& options) {
  const auto read = tensor_of(value, scope);
  if (!read) return Unexpected{read.error()};
  if (read->elements == ElementClass::pointer)
    return Unexpected{std::string("pointers are not numbers: use .offset")};
  const int count = std::clamp(options.bins, 1, 64);
  const Statistics all = statistics_of(*read);
  std::string text;
  if (all.finite() > 0) {
    // As integers: two different ones can be one double.
    const auto [least, greatest] = std::minmax_element(read->integers.begin(), read->integers.end());
    const bool is_whole =
        !read->is_floating() &&
        static_cast<std::uint64_t>(*greatest) - static_cast<std::uint64_t>(*least) < static_cast<std::uint64_t>(count);
    text = render(is_whole ? bins_of_integers(*read, *least, *greatest) : bins_of_floats(*read, all, count, scope),
                  options);
  }
  const std::string line_break = text.empty() ? "" : "\n";
  if (all.count == 0) return std::string("no elements");
  if (all.nans + all.infinities > 0)
    text += line_break + "nan " + std::to_string(all.nans) + "  inf " + std::to_string(all.infinities);
  return text;
}

}  // namespace lockstep::debugger
