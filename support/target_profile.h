// TargetProfile: how the GPU named by --as computes numbers: which 8-bit floats convert and how, what a tf32 dot does
// with its operands, how a dot may accumulate. Invariant: every fact says whether it was measured on an H200 (sm_90) or
// only read from documents or from the PTX that Triton 3.6 emits for that target. Not here: timing, layouts, memory;
// nor what NVIDIA's tensor cores make of an addition order (docs/semantics.md, S-71). Source: PTX ISA 8.7; PTX of
// Triton 3.6.0 for sm_80, sm_89, sm_90, sm_100; the H200's answers recorded in tests/ops.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics/status.h"
#include "support/result.h"
#include "support/scalar.h"

namespace lockstep {

/// How a wider float becomes f8E5M2 or f8E4M3FN.
enum class Float8Narrowing : std::uint8_t {
  direct,       // sm_90 on: one rounding, saturating
  through_f16,  // sm_89: f32 and bf16 are first cut to f16 (toward zero), then rounded, saturating
  in_software,  // before: f8E5M2 only, ties away from zero, no saturation (S-76)
};

struct ProfileFact {
  std::string_view topic;
  std::string_view text;
  bool is_measured = false;  // on an H200
};

class TargetProfile {
 public:
  /// sm_90.
  TargetProfile() = default;
  /// "sm_90", "sm_90a", "sm_100f", "90". Any capability from 50 to 199 follows the nearest rule below it. LS2210: no
  /// such target.
  static Expected<TargetProfile, Status> parse(std::string_view text);

  int capability() const { return capability_; }
  std::string name() const { return "sm_" + std::to_string(capability_); }
  /// Whether numbers of this profile were compared with a GPU of it.
  bool is_measured() const { return capability_ == 90; }

  /// True for f8E4M3FN before sm_89: Triton compiles no conversion or product of it there. The FNUZ formats belong to
  /// no NVIDIA GPU; text that names them is computed by their definition on every profile.
  bool refuses(ScalarKind kind) const { return kind == ScalarKind::f8E4M3FN && capability_ < 89; }
  Float8Narrowing float8_narrowing() const;
  std::vector<ProfileFact> facts() const;

 private:
  int capability_ = 90;
};

}  // namespace lockstep
