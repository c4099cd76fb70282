// MadeAgain where no GPU can be asked: in a browser (debugger/launch/made_again_gpu.cpp elsewhere).
#include "debugger/launch/made_again.h"

namespace lockstep::debugger {

std::optional<MadeAgain::Probes> MadeAgain::probes() const { return std::nullopt; }

Expected<bool, Problem> MadeAgain::ask_gpu(std::size_t, std::int64_t, const enclosure::Interval&,
                                                        const interpreter::LaunchRequest&, Culprit&) const {
  return false;
}

}  // namespace lockstep::debugger
