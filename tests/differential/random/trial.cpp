#include "trial.h"

#include <algorithm>

#include "gpu_diff/bisect.h"
#include "gpu_diff/gpu_launch.h"
#include "gpu_diff/judge.h"
#include "gpu_diff/report.h"

namespace lockstep::differential_tests {
namespace {

using gpu_diff::Judgement;

constexpr std::size_t kReason = 110;  // letters

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Of a diagnosis: its message, so that equal reasons are equal texts wherever they stand.
std::string reason_of(const DiagnosticSink& sink) {
  if (sink.diagnostics().empty()) return "no reason given";
  const Diagnostic& first = sink.diagnostics().front();
  return std::string(first.code.spelling()) + " " + first_line(first.message).substr(0, kReason);
}

Result failed(Outcome outcome, const DiagnosticSink& sink) {
  Result result;
  result.outcome = outcome;
  result.reason = reason_of(sink);
  result.details = render_text(sink);
  return result;
}

Result skipped(std::string reason) {
  Result result;
  result.reason = std::move(reason);
  return result;
}

bool has_op(const std::string& text, const std::string& spelling) {
  return !spelling.empty() && text.find(spelling) != std::string::npos;
}

Outcome outcome_of(const DiagnosticSink& sink) {
  const std::string_view code = sink.diagnostics().empty() ? "" : sink.diagnostics().front().code.spelling();
  return code == "LS3027" ? Outcome::not_compiled : code == "LS3023" ? Outcome::faulted : Outcome::not_emitted;
}

/// Why there is nothing to compare; "" if there is. The sample's storages then hold the interpreter's results.
std::string why_not(const Recipe& recipe, const Sample& sample) {
  return recipe.may_race ? "may race" : run_plainly(sample).substr(0, kReason);
}

void add_statistics(const Judgement& judgement, Result& result) {
  for (const auto& tensor : judgement.tensors) {
    result.is_written.push_back(tensor.is_written);
    if (!tensor.is_written) continue;
    result.elements += tensor.verdict.elements;
    result.certain += tensor.widths.points;
    result.unbounded += tensor.verdict.unbounded;
    result.median_ulp = std::max(result.median_ulp, tensor.ulp.median);
    result.most_ulp = std::max(result.most_ulp, tensor.ulp.most);
  }
}

/// Fills what the judgement says.
void conclude(const Judgement& judgement, Result& result) {
  add_statistics(judgement, result);
  if (judgement.enclosure.misfits != 0) {
    result.outcome = Outcome::defect;
    result.reason = "the interpreter's value is outside of its own bounds";
    result.details = judgement.enclosure.misfit_texts.empty() ? "" : judgement.enclosure.misfit_texts.front();
  } else if (!judgement.is_inside()) {
    result.outcome = Outcome::outside;
    result.reason = "outside of the enclosure";
    for (const auto& tensor : judgement.tensors) {
      if (!tensor.verdict.is_inside())
        result.details += gpu_diff::verdict_text(tensor.verdict, judgement.enclosure.tensors[tensor.place]);
    }
    if (result.details.empty()) result.details = judgement_text(judgement);
  }
}

/// `fresh`: the storages hold what they held before the launch.
void bisect(const Sample& fresh, const Judgement& judgement, const Recipe& recipe, const TrialOptions& options,
            Result& result) {
  const auto wrong = gpu_diff::first_wrong(judgement);
  if (!wrong) return;
  DiagnosticSink sink;
  const auto run = options.mode == Mode::gpu ? gpu_diff::probe_on_gpu({.target = recipe.target})
                                             : gpu_diff::probe_in_interpreter(recipe.target);
  const auto report = gpu_diff::bisect(fresh.request, *wrong, run, {}, sink);
  result.details += report ? gpu_diff::bisect_text(*report) : "not bisected: " + reason_of(sink) + "\n";
  // Nothing more can run in this process.
  if (!report && outcome_of(sink) == Outcome::faulted) result.outcome = Outcome::faulted;
}

void judge_outputs(const Sample& fresh, const Recipe& recipe, const TrialOptions& options, Result& result) {
  DiagnosticSink sink;
  const gpu_diff::StorageSnapshot before(*fresh.memory);
  const auto judgement =
      gpu_diff::judge(fresh.request, result.outputs, sink, {.checks_itself = options.mode == Mode::check});
  if (judgement) {
    conclude(*judgement, result);
    before.restore();
    if (options.bisects && result.outcome == Outcome::outside) bisect(fresh, *judgement, recipe, options, result);
    return;
  }
  result.outcome = Outcome::defect;
  result.reason = "not judged: " + reason_of(sink);
}

/// A bit of the first element that the launch changed.
void plant(const Sample& fresh, Result& result) {
  const auto before = gpu_diff::tensor_bytes(fresh.request);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto [was, is] = std::mismatch(before[i].begin(), before[i].end(), result.outputs[i].begin());
    if (was == before[i].end()) continue;
    result.outputs[i][static_cast<std::size_t>(is - result.outputs[i].begin())] ^= 0x40;
    return;
  }
}

Result emit_and_compile(const Recipe& recipe, const std::string& text, const Sample& sample,
                        const TrialOptions& options) {
  DiagnosticSink sink;
  const auto code = gpu_diff::compile_for_gpu(sample.function(), {.target = recipe.target}, sink);
  if (!code) return failed(outcome_of(sink), sink);
  Result result;
  result.outcome = Outcome::fine;
  result.text_key = code->text_key;
  if (has_op(text, options.planted)) result.outcome = Outcome::not_compiled, result.reason = "planted";
  return result;
}

/// A launch made for another target may have other answers, or instructions that the device lacks.
std::string other_target(const Recipe& recipe) {
  const auto device = backend_cuda::gpu_in_use();
  if (!device) return "";  // launching says why
  const int capability = 10 * device->major + device->minor;
  return recipe.target.capability == capability ? "" : "made for sm_" + std::to_string(recipe.target.capability);
}

Result launch(const Recipe& recipe, const std::string& text, const TrialOptions& options) {
  if (std::string other = other_target(recipe); !other.empty()) return skipped(std::move(other));
  const auto sample = make_sample(recipe, text), fresh = make_sample(recipe, text);
  DiagnosticSink sink;
  const auto code = gpu_diff::compile_for_gpu(sample->function(), {.target = recipe.target}, sink);
  if (!code) return failed(outcome_of(sink), sink);
  const auto outcome = gpu_diff::launch_code(*code, sample->request, 0, nullptr, sink);
  if (!outcome) return failed(outcome_of(sink), sink);
  Result result;
  result.outcome = Outcome::fine;
  result.text_key = code->text_key;
  result.gpu = outcome->report.device.name;
  result.outputs = gpu_diff::tensor_bytes(sample->request);
  judge_outputs(*fresh, recipe, options, result);
  if (!outcome->overruns.empty()) {
    if (result.outcome != Outcome::faulted) result.outcome = Outcome::outside;
    result.reason = "bytes beyond a tensor were written";
    result.details += outcome->overruns.front().text() + "\n";
  }
  return result;
}

}  // namespace

const char* name_of(Outcome outcome) {
  constexpr const char* kNames[] = {"inside", "skipped", "not emitted", "not compiled", "outside", "faulted", "defect"};
  return kNames[static_cast<std::size_t>(outcome)];
}

Result try_kernel(const Recipe& recipe, const std::string& text, const TrialOptions& options) {
  const auto sample = make_sample(recipe, text);
  if (!sample) {
    Result result;
    result.outcome = Outcome::defect;
    result.reason = "what was sampled does not verify or gets no arguments";
    return result;
  }
  if (std::string why = why_not(recipe, *sample); !why.empty()) return skipped(std::move(why));
  if (options.mode == Mode::emit) return emit_and_compile(recipe, text, *sample, options);
  if (options.mode == Mode::gpu) return launch(recipe, text, options);
  Result result;
  result.outcome = Outcome::fine;
  result.outputs = gpu_diff::tensor_bytes(sample->request);
  const auto fresh = make_sample(recipe, text);
  if (has_op(text, options.planted)) plant(*fresh, result);
  judge_outputs(*fresh, recipe, options, result);
  return result;
}

Result judge_recorded(const RecordedKernel& kernel) {
  Result result;
  result.outcome = Outcome::defect;
  const auto sample = make_sample(kernel.recipe, kernel.recipe.text);
  if (!sample) return result.reason = "the recorded kernel does not verify", result;
  DiagnosticSink sink;
  if (const auto emitted = backend_cuda::emit_kernel(sample->function(), kernel.recipe.target, sink))
    result.text_key = gpu_diff::text_key(*emitted, kernel.recipe.target);
  std::vector<std::optional<std::string>> outputs(gpu_diff::tensor_bytes(sample->request).size());
  for (const RecordedTensor& tensor : kernel.written) {
    if (tensor.place >= outputs.size()) return result.reason = "a recorded tensor is no argument", result;
    outputs[tensor.place] = tensor.bytes;
  }
  const auto judgement = gpu_diff::judge_some(sample->request, outputs, sink);
  if (!judgement) return result.reason = reason_of(sink), result;
  if (const auto& findings = judgement->enclosure.report.findings.findings(); !findings.empty())
    return result.outcome = Outcome::skipped, result.reason = spelling(findings.front().code), result;
  result.outcome = Outcome::fine;
  conclude(*judgement, result);
  return result;
}

}  // namespace lockstep::differential_tests
