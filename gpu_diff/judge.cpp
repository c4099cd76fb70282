#include "gpu_diff/judge.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "driver/files/save.h"
#include "enclosure/tolerance.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "support/check.h"
#include "support/diagnostics/report_status.h"

namespace lockstep::gpu_diff {
namespace {

using interpreter::Argument;

std::uint64_t bits_at(const char* bytes, std::size_t element, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes + element * size, size);
  return bits;
}

/// Bounds of large integers are moved outward: a certain one must be the exact number.
void check_large_integers(const enclosure::TensorEnclosure& tensor, const char* actual, const char* expected,
                          enclosure::Verdict& verdict) {
  if (tensor.kind != ScalarKind::i64) return;
  for (std::size_t i = 0; i < tensor.elements.size(); ++i) {
    const std::uint64_t a = bits_at(actual, i, 8), b = bits_at(expected, i, 8);
    const enclosure::Interval& bounds = tensor.elements[i];
    const enclosure::Interval certain = enclosure::read_element(tensor.kind, b);
    if (a == b || certain.is_point() || bounds.low != certain.low || bounds.high != certain.high) continue;
    if (static_cast<double>(static_cast<std::int64_t>(a)) < bounds.low) continue;  // outside already
    if (static_cast<double>(static_cast<std::int64_t>(a)) > bounds.high) continue;
    ++verdict.outside;
    const enclosure::Outside found{static_cast<std::int64_t>(i), static_cast<double>(static_cast<std::int64_t>(a)),
                                 bounds, static_cast<double>(enclosure::ulp_distance(tensor.kind, a, b))};
    if (!verdict.first || found.element < verdict.first->element) verdict.first = found;
    if (!verdict.worst || found.ulp > verdict.worst->ulp) verdict.worst = found;
  }
}

bool makes_integers_of_addresses(const ir::Region& region) {
  for (const auto& block : region.blocks()) {
    for (const auto& op : block->ops()) {
      if (ir::makes_number_of_pointer(*op) || ir::is_call(*op)) return true;
      for (const auto& inner : op->regions()) {
        if (makes_integers_of_addresses(*inner)) return true;
      }
    }
  }
  return false;
}

/// Elements that hold an address in a storage of the launch become unbounded.
std::uint64_t release_addresses(const interpreter::LaunchRequest& request, const std::string& expected,
                                enclosure::TensorEnclosure& tensor) {
  std::uint64_t count = 0;
  if (tensor.kind != ScalarKind::i64 || !makes_integers_of_addresses(request.function->region())) return count;
  for (std::size_t i = 0; i < tensor.elements.size(); ++i) {
    const std::uint64_t bits = bits_at(expected.data(), i, 8);
    const auto& table = request.memory->lookup_table();
    const bool is_address = std::any_of(table.begin(), table.end(), [&](const memory_model::LookupEntry& entry) {
      return entry.extent.begin <= bits && bits <= entry.extent.end;
    });
    if (!is_address) continue;
    tensor.elements[i] = enclosure::unbounded_interval(0);
    ++count;
  }
  return count;
}

TensorJudgement judge_tensor(const enclosure::TensorEnclosure& tensor, const std::string& actual,
                             const std::string& expected) {
  TensorJudgement made;
  made.name = tensor.name;
  made.is_written = tensor.is_written;
  made.verdict = check_bits(tensor, actual.data(), expected.data());
  made.widths = enclosure::widths(tensor);
  made.ulp = ulp_statistics(tensor.kind, actual, expected);
  made.positions = position_statistics(tensor, actual.data());
  return made;
}

std::vector<const memory_model::View*> views_of(const interpreter::LaunchRequest& request) {
  std::vector<const memory_model::View*> views;
  for (const Argument& argument : request.arguments) {
    if (argument.kind != Argument::Kind::scalar) views.push_back(&request.memory->view(argument.view));
  }
  return views;
}

bool sizes_fit(const interpreter::LaunchRequest& request, const std::vector<std::optional<std::string>>& actual,
               DiagnosticSink& sink) {
  const auto views = views_of(request);
  if (views.size() != actual.size()) {
    report_status(sink, {"LS2112",
                         std::to_string(actual.size()) + " tensors are to be judged, the launch has " +
                             std::to_string(views.size()),
                         "give one for each tensor argument, in order"});
    return false;
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto bytes = static_cast<std::uint64_t>(views[i]->element_count() * size_bytes(views[i]->element));
    if (!actual[i] || bytes == actual[i]->size()) continue;
    report_status(sink, {"LS2112",
                         "the result for '" + views[i]->name + "' has " + std::to_string(actual[i]->size()) +
                             " bytes, the tensor has " + std::to_string(bytes),
                         "type and shape must be those of the launch"});
    return false;
  }
  return true;
}

/// Median, 99 % and maximum of numbers; without numbers they stay 0.
template <class Statistics>
void set_quantiles(std::vector<double> numbers, Statistics& made) {
  if (numbers.empty()) return;
  std::sort(numbers.begin(), numbers.end());
  made.median = numbers[numbers.size() / 2];
  made.p99 = numbers[std::min(numbers.size() - 1, numbers.size() * 99 / 100)];
  made.most = numbers.back();
}

}  // namespace

bool Judgement::is_inside() const {
  return std::all_of(tensors.begin(), tensors.end(),
                     [](const TensorJudgement& one) { return one.verdict.is_inside(); });
}

enclosure::Verdict check_bits(const enclosure::TensorEnclosure& tensor, const char* actual, const char* expected) {
  enclosure::Verdict verdict = enclosure::check(tensor, actual);
  check_large_integers(tensor, actual, expected, verdict);
  return verdict;
}

std::vector<std::string> tensor_bytes(const interpreter::LaunchRequest& request) {
  std::vector<std::string> all;
  for (const memory_model::View* view : views_of(request)) {
    const auto array = driver::gather(*view, false, 0);
    LOCKSTEP_CHECK(array.has_value(), "a tensor without a limit is gathered");
    all.emplace_back(reinterpret_cast<const char*>(array->data.data()), array->data.size());
  }
  return all;
}

UlpStatistics ulp_statistics(ScalarKind kind, const std::string& actual, const std::string& expected) {
  const auto size = static_cast<std::size_t>(size_bytes(kind));
  UlpStatistics made;
  made.elements = actual.size() / size;
  std::vector<double> distances;
  distances.reserve(made.elements);
  for (std::size_t i = 0; i < made.elements; ++i) {
    const std::uint64_t a = bits_at(actual.data(), i, size), b = bits_at(expected.data(), i, size);
    made.equal_bits += a == b ? 1u : 0u;
    const std::int64_t apart = enclosure::ulp_distance(kind, a, b);
    distances.push_back(apart == std::numeric_limits<std::int64_t>::max() ? enclosure::kInfinite
                                                                          : static_cast<double>(apart));
  }
  set_quantiles(std::move(distances), made);
  return made;
}

PositionStatistics position_statistics(const enclosure::TensorEnclosure& tensor, const char* actual) {
  const auto count = static_cast<std::int64_t>(tensor.elements.size());
  const enclosure::BoundsRef values = enclosure::read_elements(tensor.kind, actual, count);
  PositionStatistics made;
  std::vector<double> positions;
  for (std::int64_t i = 0; i < count; ++i) {
    const enclosure::Interval& bounds = tensor.elements[static_cast<std::size_t>(i)];
    if (!bounds.is_finite() || bounds.is_point() || bounds.is_nan()) continue;
    const double value = values->at(i).is_nan() ? enclosure::kInfinite : values->at(i).low;
    const double middle = bounds.low / 2 + bounds.high / 2, half = bounds.high / 2 - bounds.low / 2;
    double position = half > 0 ? std::abs(value - middle) / half : 0;
    if (bounds.contains(value)) position = std::min(position, 1.0);  // the middle is rounded
    positions.push_back(position);
    const double part = std::min(position, 1.0) * PositionStatistics::kParts;
    ++made.histogram[std::min(static_cast<std::size_t>(part), PositionStatistics::kParts - 1)];
  }
  made.elements = positions.size();
  set_quantiles(std::move(positions), made);
  return made;
}

std::optional<Judgement> judge_some(const interpreter::LaunchRequest& request,
                                    const std::vector<std::optional<std::string>>& actual, DiagnosticSink& sink,
                                    const enclosure::EnclosureOptions& options) {
  if (!sizes_fit(request, actual, sink)) return std::nullopt;
  auto enclosure = enclosure::enclose(request, sink, options);
  if (!enclosure) return std::nullopt;
  const std::vector<std::string> expected = tensor_bytes(request);
  Judgement made;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!actual[i]) continue;
    const std::uint64_t addresses = release_addresses(request, expected[i], enclosure->tensors[i]);
    made.tensors.push_back(judge_tensor(enclosure->tensors[i], *actual[i], expected[i]));
    made.tensors.back().place = i;
    made.tensors.back().addresses = addresses;
  }
  made.enclosure = std::move(*enclosure);
  return made;
}

std::optional<Judgement> judge(const interpreter::LaunchRequest& request, const std::vector<std::string>& actual,
                               DiagnosticSink& sink, const enclosure::EnclosureOptions& options) {
  return judge_some(request, {actual.begin(), actual.end()}, sink, options);
}

}  // namespace lockstep::gpu_diff
