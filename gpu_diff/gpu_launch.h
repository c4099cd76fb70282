// A launch of the interpreter's, made on the GPU: its storages are copied there between guards, the kernel is emitted,
// compiled and launched, and its results are copied back. Invariant: the GPU sees the storages' present bytes, at the
// same offsets. Not here: judging the results (judge.h). Errors: those of the emitter, NVRTC and the driver; LS3028 for
// kernels that follow addresses of the CPU. Units: bytes, seconds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend_cuda/device/gpu.h"
#include "backend_cuda/emit/emit_module.h"
#include "gpu_diff/storage_snapshot.h"
#include "interpreter/launch/launch.h"

namespace lockstep::gpu_diff {

struct GpuOptions {
  backend_cuda::Target target{0};  // capability 0: the device's own
  int repeats = 0;                 // further launches, timed
  bool uses_cache = true;          // compiled code may come from the disk
  bool uses_maps = true;           // the copy engine may bring tiles, where the device has one
};

/// Ready to be launched.
struct GpuCode {
  backend_cuda::EmittedKernel kernel;
  backend_cuda::Target target;
  std::string cubin;
  std::string text_key;
};

struct GpuOutcome {
  backend_cuda::GpuReport report;
  std::string text_key;
  /// The kernel's writes before or after a storage (within the 4 KiB next to it).
  std::vector<StrayBytes> overruns;
};

/// Emits, compiles, launches on the GPU; the request's storages then hold the GPU's bytes. nullopt: diagnosed.
std::optional<GpuOutcome> run_on_gpu(const interpreter::LaunchRequest& request, const GpuOptions& options,
                                     DiagnosticSink& sink);

/// 16 hex digits: of the text, the architecture and whether it contracts.
std::string text_key(const backend_cuda::EmittedKernel& kernel, const backend_cuda::Target& target);

// The two halves of it.
std::optional<GpuCode> compile_for_gpu(const ir::Op& function, const GpuOptions& options, DiagnosticSink& sink,
                                       const backend_cuda::ProbeRequest* probes = nullptr);
/// `extra`: memory of the caller, passed by one more argument after the others; null: none.
std::optional<GpuOutcome> launch_code(const GpuCode& code, const interpreter::LaunchRequest& request, int repeats,
                                      std::string* extra, DiagnosticSink& sink);

}  // namespace lockstep::gpu_diff
