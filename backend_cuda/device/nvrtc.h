// NVRTC, NVIDIA's run-time compiler, opened at its first use: LOCKSTEP_NVRTC (a path) first, then the loader's own
// search, the toolkit's usual folder, and the PyPI packages' folders. Its absence is a Status. Errors: LS3025 not
// found, LS3026 it lacks a function or does not answer, LS3027 it refuses a text of Lockstep's (a defect; the message
// has the log).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::backend_cuda {

struct NvrtcFacts {
  std::string path;
  int major = 0, minor = 0;
  std::uint64_t bytes = 0;  // of the library's file: patches of one version differ in it
};

/// The candidates, in the order of trial.
std::vector<std::string> nvrtc_candidates();
Expected<NvrtcFacts, Status> query_nvrtc();

struct CompileRequest {
  std::string text;          // CUDA C++
  std::string name;          // for messages
  std::string architecture;  // "sm_90a"
  bool contracts = true;     // a * b + c may be rounded once
  bool wants_ptx = false;    // PTX text instead of a cubin
  bool uses_cache = true;    // what was compiled before may come from the disk (cache.h)
  int threads = 0;           // of a block; 0: registers are not traded for blocks (occupancy.h)
  std::int64_t shared_bytes = 0;  // of a block
  std::int64_t shared_of_processor = 0;
};
/// The cubin (or the PTX text) of one translation unit, from the cache if possible. Thread-safe.
Expected<std::string, Status> compile_cuda(const CompileRequest& request);

}  // namespace lockstep::backend_cuda
