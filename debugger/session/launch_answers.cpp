#include "debugger/session/launch_answers.h"

#include "debugger/queries/past.h"
#include "debugger/session/overview.h"

namespace lockstep::debugger {

namespace {

const Problem kNobodyAnswers{"this session cannot run the launch again", "`lockstep debug` can"};

/// An element, or a whole tensor; a part of one is an error.
Expected<BisectRequest, Problem> bisect_request(const Target& target, const memory_model::AddressSpace& memory) {
  if (!target.is_memory)
    return Unexpected{Problem{"'" + target.text + "' is a variable: bisect takes an element of a result",
                              "bisect out[17,3]; `origin` follows NaN in variables"}};
  BisectRequest request;
  request.view = target.window.view;
  const memory_model::View& view = memory.view({target.window.view});
  if (target.window.shape.empty() || (target.window.count() == 1 && view.element_count() != 1)) {
    request.offset = static_cast<std::int64_t>(target.window.base - view.base);
  } else if (target.window.base != view.base || target.window.shape != view.shape) {
    return Unexpected{Problem{"'" + target.text + "' is a part of a tensor", "bisect takes one element, or all of it"}};
  }
  return request;
}

/// The answer of LaunchQueries, unless pause() came meanwhile.
template <typename Ask>
auto until_stopped(Session& session, const Ask& ask) -> decltype(ask()) {
  session.engine().forget_pause();
  auto answer = ask();
  if (session.engine().is_pausing()) return Unexpected{stopped()};
  return answer;
}

}  // namespace

std::uint64_t unfinished_programs(const Session& session) {
  const ProgramCounts counts = count_programs(session);
  return counts.not_started + counts.live;
}

Expected<DiffReport, Problem> compare_outputs(Session& session, std::string_view words) {
  if (session.setup().whole == nullptr) return Unexpected{kNobodyAnswers};
  DiffRequest request;
  (words.ends_with(".capsule") ? request.file : request.name) = std::string(words);
  request.has_ended = unfinished_programs(session) == 0;
  request.read_before = [&session](std::uint64_t address, std::size_t bytes, char* out) {
    return session.engine().read_before(address, bytes, out);
  };
  return until_stopped(session, [&] { return session.setup().whole->diff(request); });
}

Expected<Culprit, Problem> find_culprit(Session& session, std::string_view words) {
  if (session.setup().whole == nullptr) return Unexpected{kNobodyAnswers};
  if (session.engine().timelines().current() != 0)
    return Unexpected{Problem{"this timeline has changes: bisect runs the launch without them",
                              "`timeline 0` goes back to it"}};
  BisectRequest request;
  if (!words.empty()) {
    const auto expression = parse_expression(words);
    if (!expression) return Unexpected{Problem{expression.error().message, ""}};
    const auto target = resolve_target(*expression, session.scope());
    if (!target) return Unexpected{Problem{target.error().message, ""}};
    auto made = bisect_request(*target, session.engine().memory());
    if (!made) return Unexpected{made.error()};
    request = *made;
  }
  auto culprit = until_stopped(session, [&] { return session.setup().whole->bisect(request); });
  if (!culprit || culprit->op == nullptr) return culprit;
  const auto is_there = ask_the_past(session.engine(), [&](Engine::ScopedReplay& away) {
    const bool is_behind = session.engine().go_behind(culprit->program, *culprit->op, culprit->execution);
    away.stay();
    return is_behind;
  });
  if (!is_there) return Unexpected{is_there.error()};
  if (!*is_there) culprit->op = nullptr;
  session.look_again();
  return culprit;
}

Expected<Report, Problem> lint_launch(Session& session) {
  if (session.setup().whole == nullptr) return Unexpected{kNobodyAnswers};
  return until_stopped(session, [&] { return session.setup().whole->lint(); });
}

Expected<LaunchCost, Problem> launch_cost(Session& session, std::string_view gpu) {
  if (session.setup().whole == nullptr) return Unexpected{kNobodyAnswers};
  return until_stopped(session, [&] { return session.setup().whole->cost(gpu); });
}

Expected<Json, Problem> launch_proof(Session& session, const std::vector<std::string>& words) {
  if (session.setup().whole == nullptr) return Unexpected{kNobodyAnswers};
  return until_stopped(session, [&] { return session.setup().whole->prove(words); });
}

std::vector<ComparedOutput> compared_outputs(Session& session) {
  if (session.caught().checked() == nullptr || session.setup().whole == nullptr) return {};
  return session.setup().whole->compared_outputs();
}

}  // namespace lockstep::debugger
