// `lockstep diff`: one launch made twice from the same bytes, on the GPU by the CUDA backend and on the CPU by the
// interpreter, and every tensor of both compared.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "backend_cuda/emit_module.h"
#include "backend_cuda/gpu.h"
#include "backend_cuda/nvrtc.h"
#include "cli/commands.h"
#include "cli/quantities.h"
#include "cli/run_session.h"
#include "compare/tolerance.h"
#include "host/save.h"
#include "ir/module.h"

namespace lockstep::cli {
namespace {

using backend_cuda::GpuArgument;
using backend_cuda::GpuLaunch;
using interpreter::Argument;

void put(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

bool prepare(RunSession& session) {
  return session.read_target() && session.read_arguments() && session.read_kernel() && session.make_tensors() &&
         session.bind() && session.evaluate_grid() && session.check_outputs() && session.compile();
}

/// The bytes of every storage of a launch, taken out and put back.
class Snapshot {
 public:
  explicit Snapshot(const memory_model::AddressSpace& memory) : memory_(memory) {
    for (const memory_model::LookupEntry& entry : memory.lookup_table()) {
      copies_.emplace_back(reinterpret_cast<const char*>(entry.extent.begin), entry.extent.bytes());
    }
  }
  void exchange() {
    std::size_t i = 0;
    for (const memory_model::LookupEntry& entry : memory_.lookup_table()) {
      auto* bytes = reinterpret_cast<char*>(entry.extent.begin);
      std::swap_ranges(copies_[i].begin(), copies_[i].end(), bytes);
      ++i;
    }
  }

 private:
  const memory_model::AddressSpace& memory_;
  std::vector<std::string> copies_;
};

/// What a descriptor has behind its address (prelude: descriptor).
std::vector<std::uint64_t> descriptor_words(const memory_model::View& view, bool pads_nan) {
  std::vector<std::uint64_t> words;
  for (const auto* part : {&view.shape, &view.strides}) {
    for (const std::int64_t number : *part) words.push_back(static_cast<std::uint64_t>(number));
  }
  words.push_back(pads_nan ? 1 : 0);
  return words;
}

void add_argument(const Argument& argument, const memory_model::AddressSpace& memory, GpuLaunch& launch) {
  if (argument.kind == Argument::Kind::scalar) {
    launch.arguments.push_back({GpuArgument::kNoBuffer, argument.bits});
    return;
  }
  const memory_model::View& view = memory.view(argument.view);
  GpuArgument passed{GpuArgument::kNoBuffer, 0};  // a tensor without elements
  const auto& table = memory.lookup_table();
  for (std::size_t i = 0; i < table.size() && passed.buffer == GpuArgument::kNoBuffer; ++i) {
    if (view.base < table[i].extent.begin || view.base > table[i].extent.end) continue;
    passed = {i, view.base - table[i].extent.begin};
  }
  if (argument.kind == Argument::Kind::descriptor) passed.rest = descriptor_words(view, argument.pads_nan);
  launch.arguments.push_back(std::move(passed));
}

std::optional<GpuLaunch> make_launch(const DiffOptions& options, const interpreter::LaunchRequest& request,
                                     const memory_model::AddressSpace& memory, DiagnosticSink& sink) {
  const auto device = backend_cuda::gpu_in_use();
  if (!device) return report_status(sink, device.error()), std::nullopt;
  const backend_cuda::Target target{10 * device->major + device->minor, options.run.num_warps, options.run.num_stages,
                                    options.run.fp_fusion == "on"};
  const auto kernel = backend_cuda::emit_kernel(*request.function, target, sink);
  if (!kernel) return std::nullopt;
  const auto cubin =
      backend_cuda::compile_cuda({kernel->text, kernel->name, target.architecture(), target.contracts, false});
  if (!cubin) return report_status(sink, cubin.error()), std::nullopt;
  GpuLaunch launch;
  launch.kernel = kernel->name;
  launch.cubin = *cubin;
  launch.grid = request.grid;
  launch.threads = kernel->threads;
  launch.shared_bytes = kernel->shared_bytes;
  launch.repeats = options.repeats;
  for (const memory_model::LookupEntry& entry : memory.lookup_table()) {
    launch.buffers.push_back({reinterpret_cast<void*>(entry.extent.begin), entry.extent.bytes()});
  }
  for (const Argument& argument : request.arguments) add_argument(argument, memory, launch);
  return launch;
}

std::string time_text(const backend_cuda::GpuReport& report) {
  std::string text = report.device.name + ": " + std::to_string(report.registers) + " registers a thread";
  if (report.local_bytes != 0) text += ", " + std::to_string(report.local_bytes) + " bytes of local memory";
  if (report.best_seconds > 0) {
    text += ", " + format_seconds(report.best_seconds) + " (median " + format_seconds(report.median_seconds) + ")";
  }
  return text + "\n";
}

compare::Tolerance tolerance_of(const RunOptions& options, ScalarKind kind) {
  if (!options.rtol && !options.atol && !options.ulp) return compare::Tolerance::default_for(kind);
  return {options.rtol, options.atol, options.ulp};
}

/// Both sides of one tensor; false if they differ.
bool compare_tensor(const DiffOptions& options, const host::Tensor& tensor, const host::Array& gpu,
                    const host::Array& cpu) {
  const compare::Tolerance tolerance = tolerance_of(options.run, gpu.element);
  const std::uint64_t count = gpu.data.size() / static_cast<std::size_t>(size_bytes(gpu.element));
  const compare::Comparison comparison =
      compare::compare(gpu.element, gpu.data.data(), cpu.data.data(), count, tolerance, tensor.is_unsigned);
  put(compare::report_text(tensor.name, comparison, gpu.element, tensor.is_unsigned, gpu.shape, tolerance));
  return comparison.is_equal;
}

Expected<std::vector<host::Array>, Status> gather_all(const RunSession& session) {
  std::vector<host::Array> arrays;
  for (const host::Tensor& tensor : session.tensors()) {
    auto array = host::gather(session.memory().view(tensor.view), tensor.is_unsigned, 0);
    if (!array) return Unexpected{array.error()};
    arrays.push_back(std::move(*array));
  }
  return arrays;
}

}  // namespace

ExitCode run_command(const DiffOptions& options) {
  DiagnosticSink sink;
  RunSession session(options.run, sink);
  if (!prepare(session)) return report(sink);
  interpreter::LaunchRequest request = session.request();
  const auto launch = make_launch(options, request, session.memory(), sink);
  if (!launch) return report(sink);
  Snapshot other(session.memory());
  const auto gpu = backend_cuda::launch_on_gpu(*launch);
  if (!gpu) return report(gpu.error());
  put(time_text(*gpu));
  const auto from_gpu = gather_all(session);
  if (!from_gpu) return report(from_gpu.error());
  other.exchange();
  const auto run = interpreter::launch(request, sink);
  if (const ExitCode code = report(sink); !run) return code;
  for (const Finding& finding : run->findings.findings()) put(render_text(finding, use_color(STDOUT_FILENO)));
  const auto from_cpu = gather_all(session);
  if (!from_cpu) return report(from_cpu.error());
  bool is_equal = run->findings.findings().empty();
  for (std::size_t i = 0; i < from_cpu->size(); ++i) {
    is_equal &= compare_tensor(options, session.tensors()[i], (*from_gpu)[i], (*from_cpu)[i]);
  }
  return is_equal ? ExitCode::clean : ExitCode::findings;
}

}  // namespace lockstep::cli
