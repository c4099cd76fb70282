// Answers about the launch as a whole, of Session::Setup::whole. Problem also where there is none.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "debugger/session/session.h"

namespace lockstep::debugger {

/// Memory as it is now against a reference. `words`: empty (everything), a tensor's name, or a .capsule file.
Expected<DiffReport, Problem> compare_outputs(Session& session, std::string_view words);
/// Programs that have not ended: what they will write is pending.
std::uint64_t unfinished_programs(const Session& session);
/// The op in which an element ("out[17,3]"; a tensor, or nothing: the farthest from the reference) was made wrong;
/// stands behind it then, where there is one. Problem also on a timeline that was changed.
Expected<Culprit, Problem> find_culprit(Session& session, std::string_view words);
Expected<Report, Problem> lint_launch(Session& session);
Expected<LaunchCost, Problem> launch_cost(Session& session, std::string_view gpu);
/// What the checked run made, beside the references that were given.
std::vector<ComparedOutput> compared_outputs(Session& session);

}  // namespace lockstep::debugger
