// Answers about the launch as a whole, from Session::Setup::whole. Problem also without one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "debugger/session/session.h"

namespace lockstep::debugger {

/// Compares memory as it is now with a reference. `words`: empty (everything), a tensor's name, or a .capsule file.
Expected<DiffReport, Problem> compare_outputs(Session& session, std::string_view words);
/// Programs that have not ended: their writes are pending.
std::uint64_t unfinished_programs(const Session& session);
/// The op in which an element ("out[17,3]"; a tensor, or nothing: the farthest from the reference) was made wrong; goes
/// to after it, if there is one. Problem also on an edited timeline.
Expected<Culprit, Problem> find_culprit(Session& session, std::string_view words);
Expected<Report, Problem> lint_launch(Session& session);
Expected<LaunchCost, Problem> launch_cost(Session& session, std::string_view gpu);
/// LaunchQueries::prove.
Expected<Json, Problem> launch_proof(Session& session, const std::vector<std::string>& words);
/// Compares the outputs of the checked run with the given references.
std::vector<ComparedOutput> compared_outputs(Session& session);

}  // namespace lockstep::debugger
