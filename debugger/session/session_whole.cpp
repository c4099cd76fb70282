#include "debugger/questions/past.h"
#include "debugger/session/overview.h"
#include "debugger/session/session.h"

namespace lockstep::debugger {

namespace {

const Problem kNobodyAnswers{"nothing here can make the launch once more", "`lockstep debug` can"};

/// An element, or a whole tensor; a part of one is neither.
Expected<BisectRequest, Problem> bisect_request(const Target& target, const memory_model::AddressSpace& memory) {
  if (!target.is_memory)
    return Unexpected{Problem{"'" + target.text + "' is a variable: bisect takes an element of a result",
                              "bisect out[17,3]; `born` follows NaN in variables"}};
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

}  // namespace

/// What WholeLaunch answers, unless pause() came meanwhile.
template <typename Ask>
auto Session::until_stopped(const Ask& ask) -> decltype(ask()) {
  engine_->forget_pause();
  auto answer = ask();
  if (engine_->is_pausing()) return Unexpected{stopped()};
  return answer;
}

std::uint64_t Session::unfinished() const {
  const ProgramCounts counts = count_programs(*this);
  return counts.not_started + counts.live;
}

Expected<DiffReport, Problem> Session::diff(std::string_view words) {
  if (setup_.whole == nullptr) return Unexpected{kNobodyAnswers};
  DiffRequest request;
  (words.ends_with(".capsule") ? request.file : request.name) = std::string(words);
  request.has_ended = unfinished() == 0;
  request.read_before = [this](std::uint64_t address, std::size_t bytes, char* out) {
    return engine_->read_before(address, bytes, out);
  };
  return until_stopped([&] { return setup_.whole->diff(request); });
}

Expected<Culprit, Problem> Session::bisect(std::string_view words) {
  if (setup_.whole == nullptr) return Unexpected{kNobodyAnswers};
  if (engine_->timelines().current() != 0)
    return Unexpected{Problem{"something was changed in this timeline: bisect makes the launch as it was given",
                              "`timeline 0` goes back to it"}};
  BisectRequest request;
  if (!words.empty()) {
    const auto expression = parse_expression(words);
    if (!expression) return Unexpected{Problem{expression.error().message, ""}};
    const auto target = resolve_target(*expression, *scope_);
    if (!target) return Unexpected{Problem{target.error().message, ""}};
    auto made = bisect_request(*target, engine_->memory());
    if (!made) return Unexpected{made.error()};
    request = *made;
  }
  auto culprit = until_stopped([&] { return setup_.whole->bisect(request); });
  if (!culprit || culprit->op == nullptr) return culprit;
  const auto is_there = ask_the_past(*engine_, [&](Engine::Excursion& away) {
    const bool is_behind = engine_->go_behind(culprit->program, *culprit->op, culprit->execution);
    away.stay();
    return is_behind;
  });
  if (!is_there) return Unexpected{is_there.error()};
  if (!*is_there) culprit->op = nullptr;
  begin_move();
  arrive({}, true);
  if (engine_->point() == nullptr) halt_.stop.reason = Stop::Reason::ended;
  return culprit;
}

Expected<Report, Problem> Session::lint() {
  if (setup_.whole == nullptr) return Unexpected{kNobodyAnswers};
  return until_stopped([&] { return setup_.whole->lint(); });
}

Expected<LaunchCost, Problem> Session::cost(std::string_view gpu) {
  if (setup_.whole == nullptr) return Unexpected{kNobodyAnswers};
  return until_stopped([&] { return setup_.whole->cost(gpu); });
}

}  // namespace lockstep::debugger
