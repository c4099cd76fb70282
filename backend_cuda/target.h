// Target: the device that the code is for: compute capability, warps of a block, and the compilation choices that
// change text. Part of the cache's key. Units: warps of 32 threads.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::backend_cuda {

struct Target {
  int capability = 90;    // 80: sm_80
  int warps = 4;          // per block; a power of two up to 32
  int stages = 3;         // of software pipelines: tiles in flight + 1; 1: no pipelining
  bool contracts = true;  // a * b + c may be rounded once
  bool has_maps = false;  // the launch passes tensor maps (device/tensor_map.h) behind the parameters
  int long_axis = -1;  // of the grid: along it programs run longer, and start from the last (layout/program_order.h); -1: none
  bool is_persistent = false;  // a block takes one program after another (layout/persistent.h)

  int threads() const { return 32 * warps; }
  /// Bytes of shared memory that a block may opt in to. Source: CUDA programming guide, table of compute capabilities.
  std::int64_t shared_limit() const {
    return capability == 80 ? 166912 : capability >= 90 && capability < 120 ? 232448 : 101376;
  }
  /// Bytes of shared memory of a multiprocessor; each block takes 1 KiB besides its own. Source: as above.
  std::int64_t shared_of_processor() const {
    return capability == 80 ? 167936 : capability >= 90 && capability < 120 ? 233472 : 102400;
  }
  /// "sm_90a": the architecture in NVRTC's form. Features of a single architecture (wgmma) need the "a".
  std::string architecture() const { return "sm_" + std::to_string(capability) + (capability >= 90 ? "a" : ""); }
};

}  // namespace lockstep::backend_cuda
