// ask_the_past: how every question runs the past again: in a scoped replay of the engine, which ends where it began,
// even if pause() came and there is no answer.
#pragma once

#include <utility>

#include "debugger/engine/engine.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

/// The answer of `ask`, which may stay at its position. Problem: pause() came.
template <typename Ask>
auto ask_the_past(Engine& engine, const Ask& ask)
    -> Expected<decltype(ask(std::declval<Engine::ScopedReplay&>())), Problem> {
  Engine::ScopedReplay away(engine);
  try {
    return ask(away);
  } catch (const Engine::Paused&) {
    return Unexpected{stopped()};
  }
}

}  // namespace lockstep::debugger
