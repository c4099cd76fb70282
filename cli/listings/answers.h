// What `lockstep run` answers from runs of its own, before the launch: --real and --depends. Invariant: memory is
// afterwards as before.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/launch/prepared_launch.h"

namespace lockstep::cli {

struct Answers {
  std::string text;                                        // for people
  std::vector<std::pair<std::string, std::string>> parts;  // ReportFacts::answers
};

/// nullopt: diagnosed. Errors: LS2203 --depends is not NAME[INDEX], or the index is outside; LS2204 no such tensor.
std::optional<Answers> answer_beside(const driver::LaunchSpec& options, driver::PreparedLaunch& session,
                                     DiagnosticSink& sink);

}  // namespace lockstep::cli
