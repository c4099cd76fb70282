// What the rows of TTGIR's own dialects (ttg, nvws, gluon) share: where their facts come from, and what is said of those
// that the engines do not execute.
#pragma once

#include "dialects/rows.h"

namespace lockstep::dialects {

inline constexpr std::string_view kGpuOps = "Triton 3.9 TritonGPUOps.td; 3.6 to 3.9, parsed and printed";
inline constexpr std::string_view kEmittedFromTtir = "CUDA text is made of TTIR; this op is what Triton's own passes make";

inline constexpr std::string_view kNoSharedMemory = "Lockstep reads, prints and verifies it, but has no shared memory yet";
inline constexpr std::string_view kNoBarriers = "Lockstep reads, prints and verifies it, but has no barriers between warps yet";
inline constexpr std::string_view kNoCopies = "Lockstep reads, prints and verifies it, but has no asynchronous copies yet";
inline constexpr std::string_view kNoTensorMemory = "Lockstep reads, prints and verifies it, but has no tensor memory yet";
inline constexpr std::string_view kNoClusters = "Lockstep reads, prints and verifies it, but has no clusters yet";
inline constexpr std::string_view kNoWarpGroups =
    "Lockstep reads, prints and verifies it, but does not run the warp groups of a program side by side yet";
inline constexpr std::string_view kBetweenPasses = "it exists only between passes of Triton's; run the module that they end with";
inline constexpr std::string_view kNotWritten = "Lockstep reads, prints and verifies it, but does not compute it yet";

/// A row that is read, printed and verified, and refused by name when it is to be executed.
consteval OpDef gpu_row(Opcode opcode, std::string_view why_not, OpDef def) {
  if (def.source.empty()) def.source = kGpuOps;
  if (def.evaluate == nullptr) def.evaluate_reason = why_not;
  def.emit_reason = kEmittedFromTtir;
  def.acts_in_block = def.effects != Effects::pure;
  if (def.effects == Effects::pure && def.evaluate == nullptr) def.is_same_everywhere = false;
  return row(opcode, def);
}

}  // namespace lockstep::dialects
