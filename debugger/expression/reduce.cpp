#include "debugger/expression/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::debugger {
namespace {

/// Elements begin, begin + step, ... of a tensor.
struct Lane {
  const Tensor& from;
  std::size_t begin, step, count;
  std::size_t at(std::size_t k) const { return begin + k * step; }
};

std::int64_t count_nonzero(const Lane& lane) {
  std::int64_t count = 0;
  for (std::size_t k = 0; k < lane.count; ++k) count += lane.from.as_double(lane.at(k)) != 0 ? 1 : 0;
  return count;
}

double sum_of(const Lane& lane) {
  double sum = 0;
  for (std::size_t k = 0; k < lane.count; ++k) sum += lane.from.as_double(lane.at(k));
  return sum;
}
std::optional<std::int64_t> integer_sum(const Lane& lane) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < lane.count; ++k) {
    if (__builtin_add_overflow(sum, lane.from.integers[lane.at(k)], &sum)) return std::nullopt;
  }
  return sum;
}
double deviation_of(const Lane& lane) {
  const double mean = sum_of(lane) / static_cast<double>(lane.count);
  double sum = 0;
  for (std::size_t k = 0; k < lane.count; ++k) {
    const double difference = lane.from.as_double(lane.at(k)) - mean;
    sum += difference * difference;
  }
  return std::sqrt(sum / static_cast<double>(lane.count));
}
/// Position within the lane of the first NaN, else of the first extreme.
std::size_t extreme_of(const Lane& lane, bool greatest) {
  std::size_t best = 0;
  for (std::size_t k = 0; k < lane.count; ++k) {
    const int order = compare_numbers(lane.from, lane.at(k), lane.from, lane.at(best));
    if (order == 2) return std::isnan(lane.from.as_double(lane.at(best))) ? best : k;
    if (order == (greatest ? 1 : -1)) best = k;
  }
  return best;
}

ElementClass class_of_result(std::string_view name, const Tensor& a) {
  if (name == "any" || name == "all") return ElementClass::boolean;
  if (name == "mean" || name == "std") return ElementClass::floating;
  if (name == "min" || name == "max") return a.elements;
  if (name == "sum" && a.is_floating()) return ElementClass::floating;
  return ElementClass::integer;
}
ScalarKind kind_of_result(std::string_view name, ElementClass elements, const Tensor& a) {
  if (name == "min" || name == "max") return a.kind;
  return elements == ElementClass::boolean    ? ScalarKind::i1
         : elements == ElementClass::floating ? ScalarKind::f64
                                              : ScalarKind::i64;
}

/// Appends one element. An error, or empty.
std::string fold(std::string_view name, const Lane& lane, Tensor& out) {
  const auto count = static_cast<std::int64_t>(lane.count);
  if (name == "any") return out.integers.push_back(count_nonzero(lane) > 0 ? 1 : 0), "";
  if (name == "all") return out.integers.push_back(count_nonzero(lane) == count ? 1 : 0), "";
  if (name == "count") return out.integers.push_back(count_nonzero(lane)), "";
  if (name == "sum" && lane.from.is_floating()) return out.floats.push_back(sum_of(lane)), "";
  if (name == "sum") {
    const auto sum = integer_sum(lane);
    if (!sum) return "the sum does not fit into 64 bits";
    return out.integers.push_back(*sum), "";
  }
  if (lane.count == 0) return std::string(name) + "() of no elements";
  if (name == "mean") return out.floats.push_back(sum_of(lane) / static_cast<double>(count)), "";
  if (name == "std") return out.floats.push_back(deviation_of(lane)), "";
  const std::size_t best = extreme_of(lane, name == "max" || name == "argmax");
  if (name.starts_with("arg")) return out.integers.push_back(static_cast<std::int64_t>(best)), "";
  if (out.is_floating()) return out.floats.push_back(lane.from.floats[lane.at(best)]), "";
  return out.integers.push_back(lane.from.integers[lane.at(best)]), "";
}

struct Layout {
  std::int64_t outer = 1, extent = 1, inner = 1;
  std::vector<std::int64_t> shape;  // of the result
};
Expected<Layout, std::string> layout_of(const Tensor& a, std::optional<std::int64_t> axis) {
  Layout layout;
  if (!axis) {
    layout.extent = a.count();
    return layout;
  }
  const auto rank = static_cast<std::int64_t>(a.shape.size());
  if (*axis < -rank || *axis >= rank)
    return Unexpected{"there is no axis " + std::to_string(*axis) + " of shape " + index_text(a.shape)};
  const auto at = static_cast<std::size_t>(*axis < 0 ? *axis + rank : *axis);
  for (std::size_t d = 0; d < a.shape.size(); ++d) {
    if (d == at) continue;
    (d < at ? layout.outer : layout.inner) *= a.shape[d];
    layout.shape.push_back(a.shape[d]);
  }
  layout.extent = a.shape[at];
  return layout;
}

}  // namespace

const std::vector<std::string_view>& reductions() {
  static const std::vector<std::string_view> names = {"any",  "all", "sum",    "min",    "max",
                                                      "mean", "std", "argmin", "argmax", "count"};
  return names;
}
bool is_reduction(std::string_view name) {
  return std::find(reductions().begin(), reductions().end(), name) != reductions().end();
}

Computed reduce(std::string_view name, const Tensor& a, std::optional<std::int64_t> axis) {
  if (a.elements == ElementClass::pointer && name != "min" && name != "max")
    return Unexpected{std::string("pointers are not numbers: use .address")};
  const auto layout = layout_of(a, axis);
  if (!layout) return Unexpected{layout.error()};
  const ElementClass elements = class_of_result(name, a);
  Tensor out = Tensor::like(elements, kind_of_result(name, elements, a), layout->shape);
  out.provenance = a.provenance;
  out.is_hex = a.is_hex && (name == "min" || name == "max");
  for (std::int64_t o = 0; o < layout->outer; ++o) {
    for (std::int64_t i = 0; i < layout->inner; ++i) {
      const Lane lane{a, static_cast<std::size_t>(o * layout->extent * layout->inner + i),
                      static_cast<std::size_t>(layout->inner), static_cast<std::size_t>(layout->extent)};
      std::string error = fold(name, lane, out);
      if (!error.empty()) return Unexpected{std::move(error)};
    }
  }
  return out;
}

Statistics statistics_of(const Tensor& a) {
  Statistics all;
  all.count = a.count();
  double sum = 0;
  bool has_any = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(all.count); ++i) {
    const double value = a.as_double(i);
    all.zeros += value == 0 ? 1 : 0;
    if (std::isnan(value)) {
      ++all.nans;
    } else if (std::isinf(value)) {
      ++all.infinities;
    } else {
      all.least = has_any ? std::min(all.least, value) : value;
      all.greatest = has_any ? std::max(all.greatest, value) : value;
      has_any = true;
      sum += value;
    }
  }
  if (has_any) all.mean = sum / static_cast<double>(all.finite());
  return all;
}

}  // namespace lockstep::debugger
