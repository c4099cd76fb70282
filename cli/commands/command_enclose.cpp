// `lockstep enclose`: prepares as `run` does, launches with bounds next to the values, then prints the bounds and
// whether a given result is within them.
#include <cstdio>
#include <string>

#include "cli/commands/command.h"
#include "cli/interrupt.h"
#include "cli/listings/first_launch.h"
#include "cli/listings/summary.h"
#include "cli/put.h"
#include "driver/launch/prepared_launch.h"
#include "enclosure/enclosure.h"
#include "gpu_diff/report.h"

namespace lockstep::cli {
namespace {

using driver::OptionGroup;

struct EncloseOptions {
  driver::LaunchSpec run;  // --against is its `expect`
  bool as_json = false;
  bool checks_itself = false, spreads_sums = false;
};

using enclosure::Enclosure;
using enclosure::TensorEnclosure;

struct Judged {
  std::string name;
  enclosure::Verdict verdict;
};

const TensorEnclosure* find(const Enclosure& enclosure, const std::string& name) {
  for (const TensorEnclosure& one : enclosure.tensors) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

std::vector<Judged> judge(const driver::PreparedLaunch& session, const Enclosure& enclosure) {
  std::vector<Judged> all;
  for (const auto& [request, reference] : session.expectations()) {
    if (const TensorEnclosure* tensor = find(enclosure, request.name))
      all.push_back({request.name, enclosure::check(*tensor, reference.data.data())});
  }
  return all;
}

void print_text(const Enclosure& enclosure, const std::vector<Judged>& judged) {
  for (const TensorEnclosure& tensor : enclosure.tensors) {
    if (tensor.is_written) put(gpu_diff::tensor_text(tensor));
  }
  for (const enclosure::UnboundedCause& cause : enclosure.causes) put(gpu_diff::cause_text(cause));
  for (const Judged& one : judged) put(gpu_diff::verdict_text(one.verdict, *find(enclosure, one.name)));
}

void print_json(const Enclosure& enclosure, const std::vector<Judged>& judged) {
  std::vector<TensorEnclosure> written;
  for (const TensorEnclosure& tensor : enclosure.tensors) {
    if (tensor.is_written) written.push_back(tensor);
  }
  using gpu_diff::json_list;
  put("{\"tensors\": " + json_list(written, gpu_diff::tensor_json) +
      ", \"causes\": " + json_list(enclosure.causes, gpu_diff::cause_json) + ", \"verdicts\": " +
      json_list(judged,
                [&](const Judged& one) {
                  return gpu_diff::verdict_json(one.verdict, *find(enclosure, one.name));
                }) +
      ", \"seconds\": " + gpu_diff::json_number(enclosure.report.seconds) + "}\n");
}

ExitCode enclosure_code(const Enclosure& enclosure, const std::vector<Judged>& judged) {
  const ExitCode code = cli::code_of(enclosure.report.outcome, enclosure.report.findings);
  if (code != ExitCode::clean) return code;
  for (const Judged& one : judged) {
    if (!one.verdict.is_inside()) return ExitCode::findings;
  }
  return ExitCode::clean;
}

OwnOptions enclose_only(const EncloseOptions& options) {
  OwnOptions own;
  if (options.as_json) own.emplace_back("--json", "");
  if (options.spreads_sums) own.emplace_back("--spread-sums", "");
  if (options.checks_itself) own.emplace_back("--check", "");
  return own;
}

ExitCode run_enclose(const EncloseOptions& options) {
  DiagnosticSink sink;
  driver::PreparedLaunch session(options.run, sink);
  if (!prepare(session)) {
    const ExitCode code = report(sink);
    show_whole_command("enclose", options.run, sink, enclose_only(options));
    return session.is_over_memory_limit() ? ExitCode::stopped : code;
  }
  interpreter::LaunchRequest request = session.request();
  const InterruptGuard interrupt;
  request.stop = interrupt.flag();
  const auto enclosure = enclosure::enclose(request, sink, {options.checks_itself, options.spreads_sums});
  const ExitCode code = report(sink);
  if (!enclosure) return code;
  for (const Finding& finding : enclosure->report.findings.findings()) put(render_text(finding, false));
  const std::vector<Judged> judged = judge(session, *enclosure);
  if (options.as_json) {
    print_json(*enclosure, judged);
  } else {
    print_text(*enclosure, judged);
  }
  for (const std::string& text : enclosure->misfit_texts) std::fputs(("misfit: " + text + "\n").c_str(), stderr);
  LOCKSTEP_CHECK(enclosure->misfits == 0, "a value of the interpreter lies outside of its own bounds");
  return enclosure_code(*enclosure, judged);
}

void declare_enclose(OptionList& options, EncloseOptions& enclose) {
  driver::LaunchSpec& run = enclose.run;
  options.launch(run, "NAME=VALUE for each parameter, as for `lockstep run`");
  options.texts("--against", run.expect, "NAME=@FILE", "check a GPU's result (.npy, or .npz:key) against the bounds");
  options.launch_option(run, "--max-memory");
  options.flag("--json", enclose.as_json, "the same for programs");
  options.flag("--spread-sums", enclose.spreads_sums, kSpreadSums);
  options.flag("--check", enclose.checks_itself, "also check every value of the interpreter against its bounds");
  options.group(run, OptionGroup::compilation);
  options.let_capsules_decide(run);
}

constexpr const char* kEncloseFooter = R"(
Prints for each tensor that the kernel writes how many elements are certain and how wide the bounds of the others are,
in units in the last place, and what is unbounded with the ops that caused it. Rules and limits: docs/differential.md.
Exit codes: as for `lockstep run`; 1 if an element of --against lies outside.
Example:
  lockstep enclose examples/softmax.py::softmax --grid rows x=randn:f32[8,100] out=empty:f32[8,100] \
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128 --against out=@gpu.npy)";

}  // namespace

extern const CommandRow kEncloseCommand{
    .name = "enclose",
    .summary = "bound every result that a GPU may legally give",
    .make = make_command<EncloseOptions, declare_enclose, run_enclose>,
    .footer = kEncloseFooter,
};

}  // namespace lockstep::cli
