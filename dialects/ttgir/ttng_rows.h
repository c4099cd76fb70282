// What the rows of dialect ttng share.
#pragma once

#include "dialects/ttgir/ttg_rows.h"

namespace lockstep::dialects {

inline constexpr std::string_view kNvidiaOps = "Triton 3.9 TritonNvidiaGPUOps.td; 3.6 to 3.9, parsed and printed";

consteval OpDef nvidia_row(Opcode opcode, std::string_view why_not, OpDef def) {
  def.source = kNvidiaOps;
  return gpu_row(opcode, why_not, def);
}

}  // namespace lockstep::dialects
