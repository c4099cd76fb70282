// RunQuestions where no GPU can be asked: in a browser (cli/run_questions_gpu.cpp elsewhere).
#include "cli/run_questions.h"

namespace lockstep::cli {

std::optional<RunQuestions::Probes> RunQuestions::probes() const { return std::nullopt; }

Expected<bool, debugger::Problem> RunQuestions::ask_gpu(std::size_t, std::int64_t, const enclosure::Interval&,
                                                        const interpreter::LaunchRequest&, debugger::Culprit&) const {
  return false;
}

}  // namespace lockstep::cli
