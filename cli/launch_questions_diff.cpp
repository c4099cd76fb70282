#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "cli/interrupt.h"
#include "cli/launch_questions.h"
#include "compare/tolerance.h"
#include "differential/report.h"
#include "host/save.h"
#include "memory_model/touched.h"

namespace lockstep::cli {

using debugger::DiffReport;
using debugger::DiffRequest;
using debugger::Problem;
using debugger::TensorDifference;

namespace {

std::string title_of(const host::Manifest& manifest) {
  if (manifest.recorded_by == "gpu") return "what a GPU left";
  return manifest.recorded_by == "lockstep" ? "what Lockstep left when it was recorded" : "what was recorded";
}

std::uint64_t bits_at(const char* bytes, std::size_t element, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes + element * size, size);
  return bits;
}

double distance_of(ScalarKind kind, std::uint64_t a, std::uint64_t b) {
  const compare::Interval x = compare::read_element(kind, a), y = compare::read_element(kind, b);
  if (x.is_nan() || y.is_nan()) return compare::kInfinite;
  const double apart = std::fabs(x.low - y.low);
  return std::isnan(apart) ? 0 : apart;
}

/// The view's elements before the launch, C order. nullopt: not known.
std::optional<std::string> bytes_before(const memory_model::View& view, const DiffRequest& request) {
  std::string storage(view.extent.bytes(), '\0');
  if (!request.read_before(view.extent.begin, storage.size(), storage.data())) return std::nullopt;
  memory_model::View moved = view;
  const auto here = reinterpret_cast<std::uint64_t>(storage.data());  // NOLINT
  moved.base = here + (view.base - view.extent.begin);
  moved.extent = {here, here + storage.size()};
  const auto array = host::gather(moved, false, 0);
  if (!array) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(array->data.data()), array->data.size());
}

/// The same contents before the launch, and the same numbers.
bool has_same_arguments(const host::Manifest& a, const host::Manifest& b) {
  if (a.arguments.size() != b.arguments.size() || a.grid != b.grid) return false;
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    const host::ManifestArgument &one = a.arguments[i], &other = b.arguments[i];
    if (one.kind != other.kind || one.bits != other.bits || one.offset != other.offset || one.shape != other.shape ||
        one.strides != other.strides)
      return false;
    if (one.kind != host::ManifestArgument::Kind::scalar &&
        a.storages[one.storage].before.sha256 != b.storages[other.storage].before.sha256)
      return false;
  }
  return a.ttir.sha256 == b.ttir.sha256;
}

}  // namespace

Expected<LaunchQuestions::References, Problem> LaunchQuestions::own_references() const {
  References found;
  for (const Expectation& expectation : session_.expectations()) {
    const auto& data = expectation.reference.data;
    const auto place =
        static_cast<std::size_t>(session_.find_tensor(expectation.request.name) - session_.tensors().data());
    found.tensors.push_back({place, "what --expect has",
                             std::string(reinterpret_cast<const char*>(data.data()), data.size()), false,
                             &expectation});
  }
  const host::Capsule* capsule = session_.capsule();
  if (capsule == nullptr || !capsule->manifest().has_outputs) return found;
  auto outputs = host::recorded_outputs(*capsule, session_.tensors(), session_.memory());
  if (!outputs) return Unexpected{problem_of(outputs.error())};
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    const bool is_known =
        std::any_of(found.tensors.begin(), found.tensors.end(), [&](const Reference& one) { return one.tensor == i; });
    if (!is_known) found.tensors.push_back({i, title_of(capsule->manifest()), std::move((*outputs)[i]), true, nullptr});
  }
  found.are_recorded = true;
  return found;
}

Expected<LaunchQuestions::References, Problem> LaunchQuestions::references_of(const std::string& path) const {
  const auto capsule = host::Capsule::read(path, memory_model::available_memory());
  if (!capsule) return Unexpected{problem_of(capsule.error())};
  const host::Manifest& manifest = capsule->manifest();
  if (manifest.kernel != session_.kernel_name())
    return Unexpected{Problem{path + " is a launch of " + manifest.kernel + ", not of " + session_.kernel_name(), ""}};
  if (!manifest.has_outputs) return Unexpected{Problem{path + " has no outputs", "record with outputs=True"}};
  DiagnosticSink sink;
  memory_model::AddressSpace memory;
  const auto tensors = host::make_capsule_tensors(*capsule, memory, sink);
  if (!tensors) return Unexpected{problem_of(sink)};
  auto outputs = host::recorded_outputs(*capsule, *tensors, memory);
  if (!outputs) return Unexpected{problem_of(outputs.error())};
  References found;
  for (std::size_t i = 0; i < tensors->size(); ++i) {
    const host::Tensor* ours = session_.find_tensor((*tensors)[i].name);
    const memory_model::View& view = memory.view((*tensors)[i].view);
    if (ours == nullptr) continue;
    const memory_model::View& here = session_.memory().view(ours->view);
    if (here.element != view.element || here.shape != view.shape)
      return Unexpected{Problem{"'" + ours->name + "' has another shape or type in " + path, ""}};
    found.tensors.push_back({static_cast<std::size_t>(ours - session_.tensors().data()),
                             "what " + std::filesystem::path(path).filename().string() + " holds",
                             std::move((*outputs)[i]), false, nullptr});
  }
  if (found.tensors.empty()) return Unexpected{Problem{path + " has no tensor of this launch's names", ""}};
  const host::Capsule* own = session_.capsule();
  found.are_recorded = own != nullptr && has_same_arguments(own->manifest(), manifest);
  if (own != nullptr && !found.are_recorded)
    found.remark = path + " is a launch with other arguments or another kernel text";
  return found;
}

Expected<differential::Judgement, Problem> LaunchQuestions::judge(const References& references) const {
  auto made = copy();
  if (!made) return Unexpected{made.error()};
  std::vector<std::optional<std::string>> actual(session_.tensors().size());
  for (const Reference& one : references.tensors) {
    if (one.expectation == nullptr) actual[one.tensor] = one.bytes;
  }
  interpreter::LaunchRequest request = (*made)->request();
  const InterruptGuard interrupt;
  request.stop = interrupt.flag();
  auto judged = differential::judge_some(request, actual, (*made)->sink);
  if (!judged) return Unexpected{problem_of((*made)->sink)};
  if (judged->enclosure.report.outcome != interpreter::Outcome::completed)
    return Unexpected{Problem{"the launch that tells what is legal was stopped before its end", ""}};
  return std::move(*judged);
}

Expected<const differential::Judgement*, Problem> LaunchQuestions::judged() {
  if (judgement_) return &*judgement_;
  const auto references = own_references();
  if (!references) return Unexpected{references.error()};
  auto made = judge(*references);
  if (!made) return Unexpected{made.error()};
  judgement_ = std::move(*made);
  return &*judgement_;
}

Expected<TensorDifference, Problem> LaunchQuestions::compare_now(const Reference& reference,
                                                                 const DiffRequest& request) const {
  const memory_model::View& view = view_of(reference.tensor);
  const auto now = host::gather(view, false, 0);
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
  for (std::size_t i = 0; i < made.elements; ++i) {
    const std::uint64_t a = bits_at(bytes, i, size), b = bits_at(reference.bytes.data(), i, size);
    const std::int64_t ulp = a == b ? 0 : compare::ulp_distance(view.element, a, b);
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
  if (reference.expectation == nullptr || !request.has_ended) return made;
  const compare::Tolerance tolerance = tolerance_of(session_.options(), view.element);
  const compare::Comparison judged = compare::compare(view.element, bytes, reference.bytes.data(), made.elements,
                                                      tolerance, session_.tensors()[reference.tensor].is_unsigned);
  made.is_refuted = !judged.is_equal;
  made.verdict = judged.is_equal
                     ? "all within the tolerance (" + tolerance.to_string() + ")"
                     : std::to_string(judged.outside) + " beyond the tolerance (" + tolerance.to_string() + ")";
  return made;
}

/// What the judgement says of the tensor's recorded elements. False: the kernel does not write it.
bool LaunchQuestions::add_verdict(const differential::Judgement& judgement, std::size_t tensor, TensorDifference& to) {
  for (const differential::TensorJudgement& judged : judgement.tensors) {
    if (judged.place != tensor) continue;
    to.verdict = "recorded " + differential::verdict_text(judged.verdict, judgement.enclosure.tensors[tensor]);
    to.verdict.pop_back();
    to.is_refuted = !judged.verdict.is_inside();
    return judged.is_written;
  }
  return true;
}

Expected<DiffReport, Problem> LaunchQuestions::diff(const DiffRequest& request) {
  if (!request.name.empty() && session_.find_tensor(request.name) == nullptr) {
    std::string names;
    for (const host::Tensor& one : session_.tensors()) names += (names.empty() ? "" : ", ") + one.name;
    return Unexpected{
        Problem{"no tensor of the launch is called '" + request.name + "'", names + ", or a FILE.capsule"}};
  }
  const auto references = request.file.empty() ? own_references() : references_of(request.file);
  if (!references) return Unexpected{references.error()};
  if (references->tensors.empty())
    return Unexpected{Problem{"there is no reference: debug a capsule with outputs, or give --expect NAME=@FILE",
                              "diff FILE.capsule compares with another recorded launch"}};
  std::optional<differential::Judgement> of_file;
  const differential::Judgement* judgement = nullptr;
  if (references->are_recorded) {
    auto own = request.file.empty() ? judged() : Expected<const differential::Judgement*, Problem>(nullptr);
    auto other = request.file.empty() ? Expected<differential::Judgement, Problem>(differential::Judgement{})
                                      : judge(*references);
    if (!own || !other) return Unexpected{own ? other.error() : own.error()};
    of_file = std::move(*other);
    judgement = *own != nullptr ? *own : &*of_file;
  }
  DiffReport report;
  report.remark = references->remark;
  for (const Reference& reference : references->tensors) {
    if (!request.name.empty() && view_of(reference.tensor).name != request.name) continue;
    auto one = compare_now(reference, request);
    if (!one) return Unexpected{one.error()};
    const bool is_written = judgement == nullptr || add_verdict(*judgement, reference.tensor, *one);
    const bool is_news = is_written || one->different != 0 || one->is_refuted || !request.name.empty();
    if (is_news) report.tensors.push_back(std::move(*one));
  }
  if (report.tensors.empty() && !request.name.empty())
    return Unexpected{Problem{"there is no reference for '" + request.name + "'", ""}};
  return report;
}

}  // namespace lockstep::cli
