#include "debugger/dap/transport/attachment.h"

#include <chrono>
#include <future>

#include "debugger/dap/transport/server.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::chrono::milliseconds kTick{20};

/// False: it was stopped before its end.
bool run_on(Session& session, const std::atomic<bool>* stop) {
  auto run = std::async(std::launch::async, [&session] { return session.run_to_end(); });
  while (run.wait_for(kTick) != std::future_status::ready) {
    if (stop != nullptr && *stop) session.engine().pause();
  }
  return run.get();
}

}  // namespace

/// The conversation's view of it.
class Attachment::Attached : public Launched {
 public:
  Attached(Attachment& attachment, Session& session) : attachment_(attachment), session_(session) {}
  ~Attached() override { attachment_.connect({}, {}); }
  Session& session() override { return session_; }
  void terminate() override { attachment_.is_terminated_ = true; }

 private:
  Attachment& attachment_;
  Session& session_;
};

void Attachment::write(const std::string& line, const Line& to_editor) {
  const std::lock_guard lock(mutex_);
  if (to_editor) to_editor(line);
  if (otherwise_) otherwise_(line);
}

void Attachment::connect(Line print, Line log) {
  const std::lock_guard lock(mutex_);
  to_print_ = std::move(print);
  to_log_ = std::move(log);
}

Attachment::End Attachment::serve(Listener& listener, Session& session, const std::atomic<bool>* stop) {
  Offer offer;
  offer.attach = [this, &session](const LaunchWish& wish) -> Expected<std::unique_ptr<Launched>, std::string> {
    connect(wish.print, wish.log);
    is_attached_ = true;
    return std::unique_ptr<Launched>(std::make_unique<Attached>(*this, session));
  };
  while (!is_attached_) {
    const auto client = listener.accept(stop);
    if (client == nullptr) return End::stopped;
    dap::serve(*client, offer, stop);
  }
  if (is_terminated_) return End::terminated;
  if (stop != nullptr && *stop) return End::stopped;
  return run_on(session, stop) ? End::ran_on : End::stopped;
}

}  // namespace lockstep::debugger::dap
