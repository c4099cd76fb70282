#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "debugger/launch_queries/remade_launch.h"
#include "driver/files/capsule.h"
#include "driver/files/save.h"
#include "enclosure/tolerance.h"
#include "memory_model/touched.h"

namespace lockstep::debugger {

namespace {

std::uint64_t bits_at(const char* bytes, std::size_t element, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes + element * size, size);
  return bits;
}

double distance_of(ScalarKind kind, std::uint64_t a, std::uint64_t b) {
  const enclosure::Interval x = enclosure::read_element(kind, a), y = enclosure::read_element(kind, b);
  if (x.is_nan() || y.is_nan()) return enclosure::kInfinite;
  const double apart = std::fabs(x.low - y.low);
  return std::isnan(apart) ? 0 : apart;
}

/// The view's elements before the launch, C order. nullopt: unknown.
std::optional<std::string> bytes_before(const memory_model::View& view, const DiffRequest& request) {
  std::string storage(view.extent.bytes(), '\0');
  if (!request.read_before(view.extent.begin, storage.size(), storage.data())) return std::nullopt;
  memory_model::View moved = view;
  const auto here = reinterpret_cast<std::uint64_t>(storage.data());  // NOLINT
  moved.base = here + (view.base - view.extent.begin);
  moved.extent = {here, here + storage.size()};
  const auto array = driver::gather(moved, false, 0);
  if (!array) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(array->data.data()), array->data.size());
}

}  // namespace

Expected<RemadeLaunch::References, Problem> RemadeLaunch::references_of(const std::string& path) const {
  const auto capsule = driver::Capsule::read(path, memory_model::available_memory());
  if (!capsule) return Unexpected{problem_of(capsule.error())};
  const driver::Manifest& manifest = capsule->manifest();
  if (manifest.kernel != launch_.kernel_name)
    return Unexpected{Problem{path + " is a launch of " + manifest.kernel + ", not of " + launch_.kernel_name, ""}};
  if (!manifest.has_outputs) return Unexpected{Problem{path + " has no outputs", "record with outputs=True"}};
  DiagnosticSink sink;
  memory_model::AddressSpace memory;
  const auto tensors = driver::make_capsule_tensors(*capsule, memory, sink);
  if (!tensors) return Unexpected{problem_of(sink)};
  auto outputs = driver::recorded_outputs(*capsule, *tensors, memory);
  if (!outputs) return Unexpected{problem_of(outputs.error())};
  References found;
  for (std::size_t i = 0; i < tensors->size(); ++i) {
    const driver::Tensor* ours = find_tensor((*tensors)[i].name);
    const memory_model::View& view = memory.view((*tensors)[i].view);
    if (ours == nullptr) continue;
    const memory_model::View& here = launch_.request.memory->view(ours->view);
    if (here.element != view.element || here.shape != view.shape)
      return Unexpected{Problem{"'" + ours->name + "' has another shape or type in " + path, ""}};
    found.tensors.push_back({static_cast<std::size_t>(ours - launch_.tensors.data()),
                             "what " + std::filesystem::path(path).filename().string() + " holds",
                             std::move((*outputs)[i])});
  }
  if (found.tensors.empty()) return Unexpected{Problem{path + " has no tensor with a name of this launch", ""}};
  const std::optional<bool> is_alike = is_like(manifest);
  found.are_recorded = is_alike.value_or(false);
  if (!is_alike.value_or(true)) found.remark = path + " is a launch with other arguments or another kernel text";
  return found;
}

Expected<TensorDifference, Problem> RemadeLaunch::compare_now(const Reference& reference,
                                                                 const DiffRequest& request) const {
  const memory_model::View& view = view_of(reference.tensor);
  const auto now = driver::gather(view, false, 0);
  if (!now) return Unexpected{problem_of(now.error())};
  const auto before = request.has_ended ? std::nullopt : bytes_before(view, request);
  const auto size = static_cast<std::size_t>(size_bytes(view.element));
  const auto* bytes = reinterpret_cast<const char*>(now->data.data());
  TensorDifference made;
  made.name = view.name;
  made.reference = reference.title;
  made.kind = view.element;
  made.shape = view.shape;
  made.elements = now->data.size() / size;
  made.reference_bytes = reference.bytes;
  for (std::size_t i = 0; i < made.elements; ++i) {
    const std::uint64_t a = bits_at(bytes, i, size), b = bits_at(reference.bytes.data(), i, size);
    const std::int64_t ulp = a == b ? 0 : enclosure::ulp_distance(view.element, a, b);
    if (ulp == 0) continue;
    if (before && bits_at(before->data(), i, size) == a) {
      ++made.pending;
      continue;
    }
    const double absolute = distance_of(view.element, a, b);
    ++made.different;
    made.largest_absolute = std::max(made.largest_absolute, absolute);
    made.largest_ulp = std::max(made.largest_ulp, ulp);
    if (made.first.size() < TensorDifference::kShownElements)
      made.first.push_back({static_cast<std::int64_t>(i), a, b, absolute, ulp});
  }
  if (!reference.tolerance || !request.has_ended) return made;
  const enclosure::Comparison judged =
      enclosure::compare(view.element, bytes, reference.bytes.data(), made.elements, *reference.tolerance,
                       launch_.tensors[reference.tensor].is_unsigned);
  const std::string tolerance = "the tolerance (" + reference.tolerance->to_string() + ")";
  made.is_refuted = !judged.is_equal;
  made.verdict = judged.is_equal ? "all within " + tolerance : std::to_string(judged.outside) + " beyond " + tolerance;
  return made;
}

Expected<DiffReport, Problem> RemadeLaunch::diff(const DiffRequest& request) {
  if (!request.name.empty() && find_tensor(request.name) == nullptr) {
    std::string names;
    for (const driver::Tensor& one : launch_.tensors) names += (names.empty() ? "" : ", ") + one.name;
    return Unexpected{
        Problem{"no tensor of the launch is called '" + request.name + "'", names + ", or a FILE.capsule"}};
  }
  const bool are_own = request.file.empty();
  const auto known = are_own ? references() : references_of(request.file);
  if (!known) return Unexpected{known.error()};
  if (known->tensors.empty())
    return Unexpected{
        Problem{"there is no reference: " + launch_.advice, "diff FILE.capsule compares with another recorded launch"}};
  std::shared_ptr<const Verdicts> judged;
  if (known->are_recorded) {
    auto made = verdicts(*known, are_own);
    if (!made) return Unexpected{made.error()};
    judged = std::move(*made);
  }
  DiffReport report;
  report.remark = known->remark;
  for (const Reference& reference : known->tensors) {
    if (!request.name.empty() && view_of(reference.tensor).name != request.name) continue;
    auto one = compare_now(reference, request);
    if (!one) return Unexpected{one.error()};
    const bool is_written = judged == nullptr || judged->tell(reference.tensor, *one);
    const bool is_news = is_written || one->different != 0 || one->is_refuted || !request.name.empty();
    if (is_news) report.tensors.push_back(std::move(*one));
  }
  if (report.tensors.empty() && !request.name.empty())
    return Unexpected{Problem{"there is no reference for '" + request.name + "'", ""}};
  return report;
}

}  // namespace lockstep::debugger
