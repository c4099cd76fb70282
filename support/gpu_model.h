// GpuModel: the GPUs that --as accepts by name, and what limits a kernel's speed on them. Numbers are those of NVIDIA's
// data sheets (A100 80GB SXM, H100 SXM5, H200 SXM; dense rates) and of the CUDA programming guide's table of compute
// capabilities. Not here: what a GPU computes (target_profile.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {

struct GpuModel {
  std::string_view name;                                    // "h200"
  int capability = 90;                                      // sm_90
  int multiprocessors = 132;                                // each runs one program at least
  double bytes_per_second = 0;                              // of its memory
  double f32 = 0;                                           // flop/s, without tensor cores
  double tensor_tf32 = 0, tensor_f16 = 0, tensor_8bit = 0;  // flop/s
  int shared_bytes = 0;                                     // of a program, at most
  int registers = 255;                                      // of a thread, at most
};

/// By name ("h200", any case). Null: no such model.
const GpuModel* gpu_model(std::string_view name);
/// Programs that fit at once, by their threads alone (registers and shared memory may allow fewer).
std::uint64_t resident_programs(const GpuModel& model, int num_warps);
/// The model of a capability, for limits that all its GPUs share: sm_80 or sm_90.
const GpuModel& gpu_model_of(int capability);

}  // namespace lockstep
