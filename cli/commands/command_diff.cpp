// `lockstep diff`: makes one launch twice from the same bytes, on the GPU by the CUDA backend and on the CPU by the
// interpreter. Compares the GPU's result (or a file of it, --against) with the enclosure of the launch, or within a
// tolerance if one is given.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/commands/bits_agreement.h"
#include "cli/commands/command.h"
#include "cli/interrupt.h"
#include "cli/listings/summary.h"
#include "cli/put.h"
#include "driver/files/save.h"
#include "driver/launch/prepared_launch.h"
#include "driver/words/quantities.h"
#include "enclosure/tolerance.h"
#include "gpu_diff/bisect.h"
#include "gpu_diff/gpu_launch.h"
#include "gpu_diff/report.h"
#include "ir/module.h"
#include "sanitizer/core/checked_kernel.h"
#include "support/check.h"
#include "support/diagnostics/report_status.h"
#include "support/json.h"

namespace lockstep::cli {
namespace {

using driver::OptionGroup;

struct DiffOptions {
  driver::LaunchSpec run;   // --against is its `expect`
  int repeats = 0;  // further launches on the GPU, timed
  bool as_json = false, spreads_sums = false;
  bool bisects = false;    // which op made what lies outside
  std::string gpu_kernel;  // FILE.ttir[::NAME] that the GPU runs instead; empty: the same kernel
  bool stands_in = false;  // the interpreter plays the GPU
};

using gpu_diff::StorageSnapshot;
using gpu_diff::StrayBytes;

std::string time_text(const backend_cuda::GpuReport& report) {
  std::string text = report.device.name + ": " + std::to_string(report.registers) + " registers a thread";
  if (report.local_bytes != 0) text += ", " + std::to_string(report.local_bytes) + " bytes of local memory";
  if (report.best_seconds > 0) {
    text += ", " + driver::format_seconds(report.best_seconds) + " (median " +
            driver::format_seconds(report.median_seconds) + ")";
  }
  return text + "\n";
}

std::string gpu_json(const backend_cuda::GpuReport& report) {
  return "{\"device\": " + json_quoted(report.device.name) +
         ", \"registers\": " + std::to_string(report.registers) +
         ", \"local_bytes\": " + std::to_string(report.local_bytes) +
         ", \"best_seconds\": " + gpu_diff::json_number(report.best_seconds) +
         ", \"median_seconds\": " + gpu_diff::json_number(report.median_seconds) + "}";
}

/// What the kernel that stands in did wrong, and the codes of what the launch's own does.
std::string played_json(const Report& played, const Report& own) {
  const auto finding = [](const Finding& one) {
    const Location place = one.location.is_unknown() ? one.location : one.location.innermost_file();
    return "{\"code\": " + json_quoted(std::string(spelling(one.code))) + ", \"tier\": " +
           json_quoted(std::string(spelling(one.tier))) + ", \"message\": " + json_quoted(one.message) +
           ", \"op\": " + json_quoted(one.op) + ", \"line\": " + std::to_string(place.is_unknown() ? 0 : place->line) + "}";
  };
  const auto code = [](const Finding& one) { return json_quoted(std::string(spelling(one.code))); };
  return "{\"findings\": " + gpu_diff::json_list(played.findings(), finding) +
         ", \"own\": " + gpu_diff::json_list(own.findings(), code) + "}";
}

/// Passes of Triton give descriptors a layout of shared memory, which is no part of the launch. The types are of two
/// contexts.
bool is_same_parameter(ir::Type ours, ir::Type other) {
  if (ours.to_string() == other.to_string()) return true;
  if (!ours.is_descriptor() || !other.is_descriptor()) return false;
  return ours.signedness() == other.signedness() && ours.pointee().shape() == other.pointee().shape() &&
         ours.pointee().element().to_string() == other.pointee().element().to_string();
}

/// The GPU's results, by tensor argument; missing ones are not judged.
struct Actual {
  std::vector<std::optional<std::string>> tensors;
  std::optional<gpu_diff::GpuOutcome> outcome;  // of a launch made here
  std::vector<StrayBytes> strays;                   // what the GPU's kernel changed beyond storages
  std::optional<Report> played, own;  // findings of the kernel that stands in, and of the launch's own beside it
};

class Diff {
 public:
  Diff(const DiffOptions& options, driver::PreparedLaunch& session, DiagnosticSink& sink)
      : options_(options), session_(session), sink_(sink), request_(session.request()), before_(session.memory()) {
    request_.stop = interrupt_.flag();
  }

  ExitCode run() {
    if (!get_actual()) return report(sink_);
    if (actual_.outcome && !options_.as_json) put(time_text(actual_.outcome->report));
    return has_tolerance() ? compare_all() : judge_all();
  }

 private:
  bool has_tolerance() const { return options_.run.rtol || options_.run.atol || options_.run.ulp; }

  bool get_actual() { return get_recorded() && get_gpu(); }

  /// The results of a capsule's launch.
  bool get_recorded() {
    if (session_.capsule() == nullptr || !session_.capsule()->manifest().has_outputs) return true;
    auto outputs = driver::recorded_outputs(*session_.capsule(), session_.tensors(), session_.memory());
    if (!outputs) return report_status(sink_, outputs.error()), false;
    recorded_ = std::move(*outputs);
    return true;
  }

  bool get_gpu() {
    if (!session_.expectations().empty()) {
      read_recorded();
      return true;
    }
    if (!make_results()) return false;
    for (std::string& bytes : gpu_diff::tensor_bytes(request_)) actual_.tensors.emplace_back(std::move(bytes));
    if (actual_.outcome) actual_.strays = actual_.outcome->overruns;
    from_gpu_.emplace(session_.memory());
    before_.restore();
    return true;
  }

  gpu_diff::GpuOptions gpu_options() const {
    gpu_diff::GpuOptions gpu;
    const driver::LaunchSpec& run = session_.options();
    gpu.target = {0, run.num_warps, run.num_stages, run.fp_fusion == "on"};
    gpu.repeats = options_.repeats;
    return gpu;
  }

  /// Another kernel for the GPU, if one is given.
  bool read_gpu_kernel() {
    if (options_.gpu_kernel.empty()) return true;
    const auto target = driver::parse_target(options_.gpu_kernel);
    if (!target) return report_status(sink_, target.error()), false;
    if (target->kind != driver::KernelTarget::Kind::ttir) {
      report_status(
          sink_, {"LS2201", "--gpu-kernel " + options_.gpu_kernel + " is no .ttir file", "`lockstep emit` writes one"});
      return false;
    }
    gpu_module_ = driver::load_ttir(target->path, sink_);
    if (!gpu_module_) return false;
    changed_ = driver::choose_function(*target, *gpu_module_, sink_);
    return changed_ != nullptr && has_same_parameters();
  }

  bool has_same_parameters() {
    const auto& ours = request_.function->region().front().arguments();
    const auto& others = changed_->region().front().arguments();
    bool is_same = ours.size() == others.size();
    for (std::size_t i = 0; is_same && i < ours.size(); ++i)
      is_same = is_same_parameter(ours[i]->type(), others[i]->type());
    if (!is_same) {
      report_status(sink_, {"LS3029", "the kernel of --gpu-kernel and the launch's kernel have different parameters",
                            "change ops, not parameters"});
    }
    return is_same;
  }

  /// Afterwards, the storages hold the results.
  bool make_results() {
    if (!read_gpu_kernel()) return false;
    if (options_.stands_in) {
      interpreter::LaunchRequest played = request_;
      if (changed_ != nullptr) {
        played.module = &*gpu_module_;
        played.function = changed_;
      }
      return play(played);
    }
    const auto code =
        gpu_diff::compile_for_gpu(changed_ != nullptr ? *changed_ : *request_.function, gpu_options(), sink_);
    if (!code) return false;
    actual_.outcome = gpu_diff::launch_code(*code, request_, options_.repeats, nullptr, sink_);
    return actual_.outcome.has_value();
  }

  /// Checks the kernel that stands in, and the launch's own before it: what both have is no fault of the former.
  bool play(const interpreter::LaunchRequest& played) {
    if (changed_ == nullptr) return interpreter::launch(played, sink_).has_value();
    const auto checks = driver::checks_of(session_.options(), "default", sink_);
    if (!checks) return false;
    auto own = sanitizer::launch_checked(request_, *checks, sink_);
    if (!own) return false;
    before_.restore();
    auto other = sanitizer::launch_checked(played, *checks, sink_);
    if (!other) return false;
    actual_.own = std::move(own->findings);
    actual_.played = std::move(other->findings);
    return true;
  }

  void read_recorded() {
    for (const interpreter::Argument& argument : request_.arguments) {
      if (argument.kind == interpreter::Argument::Kind::scalar) continue;
      auto& one = actual_.tensors.emplace_back();
      for (const auto& [file, array] : session_.expectations()) {
        if (file.name != session_.memory().view(argument.view).name) continue;
        one = std::string(reinterpret_cast<const char*>(array.data.data()), array.data.size());
      }
    }
  }

  /// After the interpreter's launch: the GPU may change the same bytes outside of tensors.
  void add_strays() {
    if (!from_gpu_) return;
    for (StrayBytes& one : gpu_diff::stray_bytes(session_.memory(), *from_gpu_))
      actual_.strays.push_back(std::move(one));
  }

  void put_findings(const Report& findings) const {
    for (const Finding& finding : findings.findings()) put(render_text(finding, use_color(STDOUT_FILENO)));
    if (!findings.findings().empty()) put("the kernel has findings: they may cause the differences\n");
  }

  ExitCode judge_all() {
    const auto judged = gpu_diff::judge_some(request_, actual_.tensors, sink_, {false, options_.spreads_sums});
    if (const ExitCode code = report(sink_); !judged) return code;
    add_strays();
    const interpreter::LaunchReport& launch = judged->enclosure.report;
    const std::vector<enclosure::Verdict> recorded = judge_recorded(judged->enclosure);
    // Lockstep's own CUDA code, which ran here, has other bits than Triton's.
    if (!actual_.outcome && !options_.stands_in)
      bits_ = agreement_with_bits(options_.run, *judged, recorded_.empty() ? actual_.tensors : recorded_results(), request_.stop);
    std::optional<gpu_diff::BisectReport> found;
    const bool is_asked = options_.bisects && !judged->is_inside();
    if (!options_.as_json) put_text(*judged, recorded);
    if (is_asked) found = bisect(*judged);
    if (options_.as_json) put_json(*judged, recorded, found);
    if (const ExitCode code = report(sink_); is_asked && !found) return code;
    if (found && !options_.as_json) put(gpu_diff::bisect_text(*found));
    const ExitCode code = code_of(launch.outcome, launch.findings);
    if (code != ExitCode::clean) return code;
    const bool is_recorded_inside =
        std::all_of(recorded.begin(), recorded.end(), [](const enclosure::Verdict& one) { return one.is_inside(); });
    return judged->is_inside() && is_recorded_inside && actual_.strays.empty() ? ExitCode::clean : ExitCode::findings;
  }

  void put_text(const gpu_diff::Judgement& judged, const std::vector<enclosure::Verdict>& recorded) const {
    put_findings(judged.enclosure.report.findings);
    put(gpu_diff::judgement_text(judged));
    for (const StrayBytes& one : actual_.strays) put(one.text() + "\n");
    put_recorded(judged.enclosure, recorded);
    put(bits_text(bits_));
    if (!judged.is_inside() && !options_.bisects) put("--bisect names the op that made it\n");
  }

  std::vector<std::optional<std::string>> recorded_results() const { return {recorded_.begin(), recorded_.end()}; }

  /// Judges a capsule's outputs by the same enclosure, one verdict for each tensor; none without recorded outputs.
  std::vector<enclosure::Verdict> judge_recorded(const enclosure::Enclosure& enclosure) const {
    std::vector<enclosure::Verdict> verdicts;
    for (std::size_t i = 0; i < recorded_.size(); ++i)
      verdicts.push_back(enclosure::check(enclosure.tensors[i], recorded_[i].data()));
    return verdicts;
  }

  static void put_recorded(const enclosure::Enclosure& enclosure, const std::vector<enclosure::Verdict>& recorded) {
    for (std::size_t i = 0; i < recorded.size(); ++i) {
      const enclosure::TensorEnclosure& tensor = enclosure.tensors[i];
      if (tensor.is_written || !recorded[i].is_inside())
        put("recorded " + gpu_diff::verdict_text(recorded[i], tensor));
    }
  }

  /// Bisects the first element outside, in the first tensor that has one.
  std::optional<gpu_diff::BisectReport> bisect(const gpu_diff::Judgement& judged) {
    before_.restore();
    const auto wrong = gpu_diff::first_wrong(judged);
    LOCKSTEP_CHECK(wrong.has_value(), "what is bisected lies outside");
    gpu_diff::BisectOptions options;
    options.enclosure.spreads_sums = options_.spreads_sums;
    options.changed = changed_;
    const gpu_diff::GpuOptions gpu = gpu_options();
    backend_cuda::Target target = gpu.target;
    target.capability = session_.profile().capability();
    const auto run = options_.stands_in ? gpu_diff::probe_in_interpreter(target) : gpu_diff::probe_on_gpu(gpu);
    return gpu_diff::bisect(request_, *wrong, run, options, sink_);
  }

  void put_json(const gpu_diff::Judgement& judged, const std::vector<enclosure::Verdict>& recorded,
                const std::optional<gpu_diff::BisectReport>& found) const {
    const std::string text = gpu_diff::judgement_json(judged);
    put(text.substr(0, text.size() - 1) + ", \"strays\": " +
        gpu_diff::json_list(actual_.strays,
                                [](const StrayBytes& one) { return json_quoted(one.text()); }) +
        recorded_json(judged.enclosure, recorded) + ", \"bits\": " + bits_json(bits_) +
        (actual_.outcome ? ", \"gpu\": " + gpu_json(actual_.outcome->report) : "") +
        (actual_.played ? ", \"stand_in\": " + played_json(*actual_.played, *actual_.own) : "") +
        (found ? ", \"bisect\": " + gpu_diff::bisect_json(*found) : "") + "}\n");
  }

  static std::string recorded_json(const enclosure::Enclosure& enclosure,
                                   const std::vector<enclosure::Verdict>& recorded) {
    if (recorded.empty()) return "";
    std::size_t next = 0;
    return ", \"recorded\": " + gpu_diff::json_list(recorded, [&](const enclosure::Verdict& one) {
             return gpu_diff::verdict_json(one, enclosure.tensors[next++]);
           });
  }

  ExitCode compare_all() {
    const auto run = interpreter::launch(request_, sink_);
    if (const ExitCode code = report(sink_); !run) return code;
    add_strays();
    put_findings(run->findings);
    bool is_equal = actual_.strays.empty();
    std::size_t place = 0;
    for (const interpreter::Argument& argument : request_.arguments) {
      if (argument.kind == interpreter::Argument::Kind::scalar) continue;
      const auto& actual = actual_.tensors[place++];
      if (actual) is_equal &= compare_tensor(session_.memory().view(argument.view), *actual);
    }
    for (const StrayBytes& one : actual_.strays) put(one.text() + "\n");
    const ExitCode code = code_of(run->outcome, run->findings);
    if (code != ExitCode::clean) return code;
    return is_equal ? ExitCode::clean : ExitCode::findings;
  }

  /// False if they differ.
  bool compare_tensor(const memory_model::View& view, const std::string& actual) const {
    const driver::Tensor* tensor = session_.find_tensor(view.name);
    const bool is_unsigned = tensor != nullptr && tensor->is_unsigned;
    const auto cpu = driver::gather(view, is_unsigned, 0);
    LOCKSTEP_CHECK(cpu.has_value(), "a tensor without a limit is gathered");
    const enclosure::Tolerance tolerance = driver::tolerance_of(options_.run, view.element);
    const enclosure::Comparison comparison =
        enclosure::compare(view.element, actual.data(), cpu->data.data(),
                         static_cast<std::uint64_t>(view.element_count()), tolerance, is_unsigned);
    put(enclosure::report_text(view.name, comparison, view.element, is_unsigned, view.shape, tolerance));
    return comparison.is_equal;
  }

  const DiffOptions& options_;
  driver::PreparedLaunch& session_;
  DiagnosticSink& sink_;
  const InterruptGuard interrupt_;
  interpreter::LaunchRequest request_;
  StorageSnapshot before_;
  std::optional<StorageSnapshot> from_gpu_;
  std::optional<ir::Module> gpu_module_;
  const ir::Op* changed_ = nullptr;  // what the GPU runs instead
  Actual actual_;
  std::optional<BitsAgreement> bits_;
  std::vector<std::string> recorded_;  // by tensor argument; empty: no capsule, or one without outputs
};

/// The backend's blocks have 1, 2, 4 ... 32 warps.
std::optional<Status> warps_problem(int warps) {
  if (warps > 0 && warps <= 32 && (warps & (warps - 1)) == 0) return std::nullopt;
  return Status{"LS2212",
                "--num-warps " + std::to_string(warps) + ": a block on the GPU has 1, 2, 4, 8, 16 or 32 warps",
                "leave it out for 4"};
}

ExitCode run_diff(const DiffOptions& options) {
  DiagnosticSink sink;
  driver::PreparedLaunch session(options.run, sink);
  if (const auto problem = warps_problem(options.run.num_warps)) return report(*problem);
  if (!prepare(session)) return report(sink);
  if (const auto problem = warps_problem(session.options().num_warps)) return report(*problem);
  return Diff(options, session, sink).run();
}

void declare_diff(OptionList& options, DiffOptions& diff) {
  driver::LaunchSpec& run = diff.run;
  options.launch(run);
  options.texts("--against", run.expect, "NAME=@FILE",
                "use a recorded result (.npy, or .npz:key) instead of a GPU");
  options.flag("--spread-sums", diff.spreads_sums, kSpreadSums);
  options.text("--gpu-kernel", diff.gpu_kernel, "FILE.ttir[::NAME]",
               "run this changed kernel on the GPU instead");
  options.flag("--stand-in", diff.stands_in, "use the interpreter as the GPU, to compare two kernels without one");
  options.group(run, OptionGroup::tolerance, "a comparison with the interpreter's results, not the legal bounds");
  const OptionRules of_verdicts{.excludes = {"--rtol", "--atol", "--ulp"}};
  options.flag("--json", diff.as_json, "the same for programs", of_verdicts);
  options.flag("--bisect", diff.bisects,
               "if an element is out of bounds, run its program again and name the op that caused it", of_verdicts);
  options.number("--repeats", diff.repeats, "N", "time this many further launches on the GPU", {.least = 0, .most = 100000});
  for (const OptionGroup group : {OptionGroup::limits, OptionGroup::rounding, OptionGroup::compilation})
    options.group(run, group);
  options.let_capsules_decide(run);
}

constexpr const char* kDiffFooter = R"(
Example:
  lockstep diff examples/softmax.py::softmax --grid rows x=randn:f32[8,100] out=empty:f32[8,100] \
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128)";

}  // namespace

extern const CommandRow kDiffCommand{
    .name = "diff",
    .summary = "run a kernel on the GPU and check that every result is legal",
    .make = make_command<DiffOptions, declare_diff, run_diff>,
    .footer = kDiffFooter,
};

}  // namespace lockstep::cli
