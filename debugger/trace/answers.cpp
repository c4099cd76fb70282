#include "debugger/trace/answers.h"

#include "support/check.h"

namespace lockstep::debugger::trace {

/// A client that neither listens nor asks.
class Answers::NoClient : public dap::Stream {
 public:
  Read read(std::string&, int) override { return Read::end; }
  bool write(std::string_view) override { return true; }
};

namespace {

class Borrowed : public dap::Launched {
 public:
  explicit Borrowed(Session& session) : session_(session) {}
  Session& session() override { return session_; }

 private:
  Session& session_;
};

}  // namespace

Answers::Answers(Session& session)
    : client_(std::make_unique<NoClient>()),
      channel_(*client_),
      progress_(channel_),
      state_(channel_, offer_, control_, progress_, queue_) {
  state_.launched = std::make_unique<Borrowed>(session);
  state_.is_initialized = true;
}

Answers::~Answers() = default;

Expected<Json, std::string> Answers::ask(std::string_view command, const Json& arguments) {
  const dap::Handler* handler = dap::find_handler(command);
  LOCKSTEP_CHECK(handler != nullptr, std::string(command));
  dap::Arguments in(arguments);
  dap::Answer answer = handler->answer(state_, in);
  if (!answer.problem.empty()) return Unexpected{std::move(answer.problem)};
  return std::move(answer.body);
}

void Answers::forget() { state_.references.clear(); }

}  // namespace lockstep::debugger::trace
