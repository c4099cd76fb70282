// A GPU through the driver: loads a cubin, copies buffers there and back, launches, measures. Opened when first used;
// one primary context, kept. Not thread-safe: one launch at a time. Errors: those of driver.h, LS3023 the driver
// refuses a step (out of memory, a faulting kernel: the context is lost then, and every later call fails).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backend_cuda/device/driver.h"
#include "backend_cuda/device/tensor_map.h"
#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::backend_cuda {

/// Host memory whose copy the kernel sees; the kernel's results are copied back.
struct GpuBuffer {
  void* data = nullptr;
  std::uint64_t bytes = 0;
};

/// A parameter: a scalar's bytes, or an address in a buffer. A tensor descriptor is an address followed by `rest`: its
/// shape, its strides (elements) and 1 if it pads with NaN (prelude: descriptor).
struct GpuArgument {
  static constexpr std::size_t kNoBuffer = SIZE_MAX;
  std::size_t buffer = kNoBuffer;
  std::uint64_t value = 0;  // the scalar, zero-extended; or the offset in the buffer, in bytes
  std::vector<std::uint64_t> rest{};
};

/// A tensor map, made of the numbers of this launch: one more parameter behind the others.
struct GpuMap {
  std::size_t buffer = 0;
  std::uint64_t offset = 0;  // in the buffer, in bytes
  ScalarKind kind = ScalarKind::f16;
  MapNumbers numbers;
};

struct GpuLaunch {
  std::string kernel;  // extern "C" name
  std::string cubin;
  std::array<std::int64_t, 3> grid{1, 1, 1};
  int threads = 128;
  // No more blocks than multiprocessors, which share the grid's programs (emit_module.h). Then the grid's extents are the
  // last three arguments.
  bool is_persistent = false;
  std::int64_t shared_bytes = 0;
  std::vector<GpuBuffer> buffers;
  std::vector<GpuArgument> arguments;
  std::vector<GpuMap> maps;
  int repeats = 0;  // further launches that are measured (buffers are not restored between them)
};

struct GpuReport {
  DeviceFacts device;
  double best_seconds = 0, median_seconds = 0;  // of the repeats, by events; 0 without
  int registers = 0, local_bytes = 0;           // per thread; local_bytes: spilled registers and arrays
};

/// Launches and waits. Buffers hold the kernel's results after the first launch, even if repeats follow.
Expected<GpuReport, Status> launch_on_gpu(const GpuLaunch& launch);
/// Whether launches may have maps: the device and its driver take them.
bool gpu_takes_maps();
/// The device that runs launches.
Expected<DeviceFacts, Status> gpu_in_use();

}  // namespace lockstep::backend_cuda
