// A prepared launch's kernel, proved for all sizes: the contract is the launch's, or words that a person wrote. For pages and
// editors; `lockstep prove` is cli/commands/command_prove.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/launch/prepared_launch.h"
#include "support/diagnostics/diagnostic.h"
#include "support/json.h"
#include "support/result.h"

namespace lockstep::driver {

struct LaunchProofRequest {
  std::vector<std::string> words;  // as words_of has them: "x=f32[n]", "--grid cdiv(n, 64)"; empty: like the launch
  std::array<std::int64_t, 3> grid{1, 1, 1};  // of the launch
  std::function<bool()> is_stopped;  // asked often
};

/// Every property that the contract can be asked for. The answer is report_json's, and `words`: the contract as it can be
/// given again. nullopt: diagnosed (LS2206), or stopped without a diagnostic.
std::optional<Json> prove_launch(const PreparedLaunch& launch, const LaunchProofRequest& request, DiagnosticSink& sink);

}  // namespace lockstep::driver
