// Answers: the debugger's answers to a page's requests, without a client: they are recorded as `lockstep serve` would
// have given them.
#pragma once

#include <memory>
#include <string>

#include "debugger/dap/dispatch.h"

namespace lockstep::debugger::trace {

class Answers {
 public:
  /// The session must outlive it.
  explicit Answers(Session& session);
  ~Answers();
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;

  /// The answer's body; the error is the page's text. Precondition: there is such a request.
  Expected<Json, std::string> ask(std::string_view command, const Json& arguments = Json::record());
  /// The launch has moved.
  void forget();
  dap::State& state() { return state_; }

 private:
  class NoClient;
  std::unique_ptr<NoClient> client_;
  dap::Channel channel_;
  dap::Progress progress_;
  dap::Control control_;
  dap::Queue queue_;
  dap::Offer offer_;
  dap::State state_;
};

}  // namespace lockstep::debugger::trace
