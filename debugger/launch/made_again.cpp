#include "debugger/launch/made_again.h"

#include <algorithm>
#include <chrono>

#include "debugger/expression/value.h"
#include "driver/files/capsule.h"
#include "driver/launch/outputs.h"
#include "driver/proving/launch_proof.h"
#include "gpu_diff/report.h"
#include "support/gpu_model.h"

namespace lockstep::debugger {


namespace {

std::string title_of(const driver::Manifest& manifest) {
  if (manifest.recorded_by == "gpu") return "what a GPU left";
  return manifest.recorded_by == "lockstep" ? "what Lockstep left when it recorded the launch" : "what was recorded";
}

/// The same contents before the launch, and the same numbers.
bool has_same_arguments(const driver::Manifest& a, const driver::Manifest& b) {
  if (a.arguments.size() != b.arguments.size() || a.grid != b.grid) return false;
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    const driver::ManifestArgument &one = a.arguments[i], &other = b.arguments[i];
    if (one.kind != other.kind || one.bits != other.bits || one.offset != other.offset || one.shape != other.shape ||
        one.strides != other.strides)
      return false;
    if (one.kind != driver::ManifestArgument::Kind::scalar &&
        a.storages[one.storage].before.sha256 != b.storages[other.storage].before.sha256)
      return false;
  }
  return a.ttir.sha256 == b.ttir.sha256;
}

}  // namespace

class MadeAgain::Judged : public Verdicts {
 public:
  explicit Judged(gpu_diff::Judgement judgement) : judgement_(std::move(judgement)) {}

  bool tell(std::size_t tensor, TensorDifference& to) const override {
    const gpu_diff::TensorJudgement* judged = find(tensor);
    if (judged == nullptr) return true;
    to.verdict = "recorded " + gpu_diff::verdict_text(judged->verdict, legal(tensor));
    to.verdict.pop_back();
    to.is_refuted = !judged->verdict.is_inside();
    return judged->is_written;
  }
  std::optional<std::int64_t> worst_outside(std::size_t tensor) const override {
    const gpu_diff::TensorJudgement* judged = find(tensor);
    if (judged == nullptr || !judged->verdict.worst) return std::nullopt;
    return judged->verdict.worst->element;
  }
  const enclosure::TensorEnclosure& legal(std::size_t tensor) const override {
    return judgement_.enclosure.tensors[tensor];
  }

 private:
  const gpu_diff::TensorJudgement* find(std::size_t tensor) const {
    const auto found = std::find_if(judgement_.tensors.begin(), judgement_.tensors.end(),
                                    [&](const gpu_diff::TensorJudgement& one) { return one.place == tensor; });
    return found == judgement_.tensors.end() ? nullptr : &*found;
  }
  const gpu_diff::Judgement judgement_;
};

MadeAgain::MadeAgain(driver::PreparedLaunch& session)
    : RemadeLaunch({session.request(), session.kernel_name(), session.tensors(), session.options().target_gpu,
                       "debug a capsule with outputs, or give --expect NAME=@FILE"}),
      session_(session) {}

MadeAgain::Done MadeAgain::once_more(const Act& act) {
  driver::LaunchSpec options = session_.options();
  options.save.clear();
  options.expect.clear();
  DiagnosticSink sink;
  driver::PreparedLaunch copy(options, sink);
  if (!prepare(copy)) return Unexpected{problem_of(sink)};
  if (is_stopped()) return Unexpected{stopped()};
  copy.follow(launch().request.schedule);
  interpreter::LaunchRequest request = copy.request();
  request.module = launch().request.module;  // so that ops in the answers are the session's
  request.function = launch().request.function;
  request.print = [](const std::string&) {};
  request.stop = stop_;
  return act(request);
}

Expected<MadeAgain::References, Problem> MadeAgain::references() const {
  References found;
  for (const driver::Expectation& expectation : session_.expectations()) {
    const auto& data = expectation.reference.data;
    const driver::Tensor* tensor = session_.find_tensor(expectation.request.name);
    found.tensors.push_back({static_cast<std::size_t>(tensor - session_.tensors().data()), "what --expect has",
                             std::string(reinterpret_cast<const char*>(data.data()), data.size()), false,
                             driver::tolerance_of(session_.options(), session_.memory().view(tensor->view).element)});
  }
  const driver::Capsule* capsule = session_.capsule();
  if (capsule == nullptr || !capsule->manifest().has_outputs) return found;
  auto outputs = driver::recorded_outputs(*capsule, session_.tensors(), session_.memory());
  if (!outputs) return Unexpected{problem_of(outputs.error())};
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    const bool is_known =
        std::any_of(found.tensors.begin(), found.tensors.end(), [&](const Reference& one) { return one.tensor == i; });
    if (!is_known) found.tensors.push_back({i, title_of(capsule->manifest()), std::move((*outputs)[i]), true});
  }
  found.are_recorded = true;
  return found;
}

std::optional<bool> MadeAgain::is_like(const driver::Manifest& other) const {
  const driver::Capsule* own = session_.capsule();
  if (own == nullptr) return std::nullopt;
  return has_same_arguments(own->manifest(), other);
}

Expected<std::shared_ptr<const MadeAgain::Verdicts>, Problem> MadeAgain::verdicts(
    const References& references, bool are_own) {
  if (are_own && own_verdicts_ != nullptr) return own_verdicts_;
  std::vector<std::optional<std::string>> actual(session_.tensors().size());
  for (const Reference& one : references.tensors) {
    if (!one.tolerance) actual[one.tensor] = one.bytes;
  }
  std::shared_ptr<const Verdicts> made;
  const Done done = once_more([&](const interpreter::LaunchRequest& request) -> Done {
    DiagnosticSink sink;
    interpreter::LaunchRequest in_grid_order = request;
    in_grid_order.schedule = 0;  // what was recorded came about in an order of its own
    auto judged = gpu_diff::judge_some(in_grid_order, actual, sink);
    if (!judged) return Unexpected{problem_of(sink)};
    if (judged->enclosure.report.outcome != interpreter::Outcome::completed)
      return Unexpected{Problem{"the launch that computes the legal bounds was stopped before its end", ""}};
    made = std::make_shared<Judged>(std::move(*judged));
    return {};
  });
  if (!done) return Unexpected{done.error()};
  if (are_own) own_verdicts_ = made;
  return made;
}

Expected<sanitizer::CheckOptions, Problem> MadeAgain::lint_options() const {
  driver::LaunchSpec spec = session_.options();
  spec.checks = sanitizer::in_grid_order(sanitizer::with_own_outcome(spec.checks));
  DiagnosticSink sink;
  const auto checks = driver::checks_of(spec, "lints", sink);
  if (!checks) return Unexpected{problem_of(sink)};
  return *checks;
}

Expected<Json, Problem> MadeAgain::prove(const std::vector<std::string>& words) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kMostProofSeconds);
  DiagnosticSink sink;
  auto answer = driver::prove_launch(session_, {words, launch().request.grid, [&] { return is_stopped() || std::chrono::steady_clock::now() > end; }}, sink);
  if (answer) return std::move(*answer);
  if (sink.has_errors()) return Unexpected{problem_of(sink)};
  if (is_stopped()) return Unexpected{stopped()};
  return Unexpected{Problem{"no proof within " + std::to_string(kMostProofSeconds) + " s", "`lockstep prove` takes as long as it needs"}};
}

}  // namespace lockstep::debugger
