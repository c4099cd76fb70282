#include "debugger/dap/transport/server.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "debugger/dap/arguments.h"
#include "debugger/dap/control.h"
#include "debugger/dap/dispatch.h"
#include "debugger/dap/progress.h"
#include "debugger/dap/transport/channel.h"
#include "debugger/dap/transport/conversation.h"
#include "debugger/dap/transport/framing.h"
#include "debugger/dap/transport/queue.h"

namespace lockstep::debugger::dap {

namespace {

constexpr int kTickMilliseconds = 50;

class Server {
 public:
  Server(Stream& stream, const Offer& offer, const std::atomic<bool>* stop)
      : stream_(stream), channel_(stream), progress_(channel_), offer_(offer), stop_(stop) {}

  Goodbye serve() {
    std::thread worker([this] { work(); });
    const Goodbye goodbye = read();
    queue_.close();
    while (!has_ended_) {
      control_.interrupt(Interruption::leave);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    worker.join();
    if (failure_) std::rethrow_exception(failure_);
    return goodbye;
  }

 private:
  /// The thread that owns the launch. A defect of Lockstep ends the conversation, and the starting thread throws it
  /// again.
  void work() {
    try {
      Conversation conversation(channel_, offer_, control_, progress_, queue_);
      while (!conversation.has_ended()) {
        const auto request = queue_.pop();
        if (!request) break;
        conversation.handle(*request);
      }
    } catch (...) {
      failure_ = std::current_exception();
      channel_.event("terminated");
    }
    has_ended_ = true;
  }

  Goodbye read() {
    FrameReader frames;
    std::string bytes;
    while (!has_ended_ && !channel_.is_broken() && !(stop_ != nullptr && *stop_)) {
      bytes.clear();
      const Stream::Read what = stream_.read(bytes, kTickMilliseconds);
      control_.tick();
      if (progress_.tick()) control_.interrupt(Interruption::poke);
      if (what == Stream::Read::end)
        return frames.is_within() ? lost("the stream ends within a message") : Goodbye::said;
      frames.feed(bytes);
      if (const auto problem = take(frames)) return lost(*problem);
    }
    return Goodbye::said;
  }

  /// The reason why the rest is unreadable, if there is one.
  std::optional<std::string> take(FrameReader& frames) {
    for (;;) {
      const auto message = frames.next();
      if (!message) return message.error();
      if (!*message) return std::nullopt;
      accept(**message);
      if (has_ended_) return std::nullopt;
    }
  }

  Goodbye lost(const std::string& problem) {
    channel_.event("output", Json::record({{"category", "important"}, {"output", "lockstep: " + problem + "\n"}}));
    return Goodbye::lost_framing;
  }

  void accept(const std::string& message) {
    auto request = parse_request(message);
    if (!request) return channel_.reject(request.error());
    if (request->command == "cancel") return cancel(*request);
    if (request->command == "pause") return pause(*request);
    const bool leaves = leaves_run(*request);
    control_.expect();
    queue_.push(std::move(*request));
    control_.interrupt(leaves ? Interruption::leave : Interruption::poke);
  }

  void pause(const Request& request) {
    if (control_.interrupt(Interruption::pause)) {
      channel_.respond(request, Json());
    } else {
      channel_.fail(request, "nothing is running that could be paused");
    }
  }

  /// Withdraws waiting requests; stops the one in work; pauses a run (which has a progress). Leaves answered ones
  /// alone.
  void cancel(const Request& request) {
    Arguments in(request.arguments);
    const bool has_request = in.has("requestId"), has_progress = in.has("progressId");
    const std::int64_t seq = in.integer_or("requestId", INT64_MIN, INT64_MAX, 0);
    const std::string progress = in.text_or("progressId", "");
    if (!in.is_good()) return channel_.fail(request, in.problem());
    if (has_request) {
      if (const auto withdrawn = queue_.withdraw(seq)) {
        channel_.fail(*withdrawn, "cancelled", "cancelled");
        control_.settle();
      } else {
        control_.cancel(seq);
      }
    }
    if (has_progress && progress_.is_current(progress)) control_.interrupt(Interruption::pause);
    channel_.respond(request, Json());
  }

  Stream& stream_;
  Channel channel_;
  Progress progress_;
  const Offer& offer_;
  const std::atomic<bool>* stop_;
  Control control_;
  Queue queue_;
  std::atomic<bool> has_ended_{false};
  std::exception_ptr failure_;
};

}  // namespace

Goodbye serve(Stream& stream, const Offer& offer, const std::atomic<bool>* stop) {
  return Server(stream, offer, stop).serve();
}

}  // namespace lockstep::debugger::dap
