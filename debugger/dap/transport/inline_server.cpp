#include "debugger/dap/transport/inline_server.h"

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

/// Takes the frames off again.
class Unframed : public Stream {
 public:
  explicit Unframed(std::function<void(std::string_view)> send) : send_(std::move(send)) {}
  Read read(std::string&, int) override { return Read::end; }
  bool write(std::string_view bytes) override {
    frames_.feed(bytes);
    for (auto message = frames_.next(); message && *message; message = frames_.next()) send_(**message);
    return true;
  }

 private:
  std::function<void(std::string_view)> send_;
  FrameReader frames_;
};

}  // namespace

class InlineServer::Impl {
 public:
  Impl(std::function<void(std::string_view)> send, const Offer& offer, std::chrono::milliseconds slice)
      : stream_(std::move(send)),
        channel_(stream_),
        progress_(channel_),
        conversation_(channel_, offer, control_, progress_, queue_) {
    control_.make_slices(slice);
  }

  void receive(std::string_view message) {
    if (message.size() > kMaxMessageBytes) return channel_.reject({{}, "the message is too large"});
    auto request = parse_request(message);
    if (!request) return channel_.reject(request.error());
    if (request->command == "cancel") return cancel(*request);
    if (request->command == "pause") return pause(*request);
    if (leaves_run(*request)) conversation_.leave_run();
    control_.expect();
    conversation_.handle(*request);
  }

  void go_on() {
    progress_.tick();
    conversation_.go_on();
  }

  const Conversation& conversation() const { return conversation_; }

 private:
  void pause(const Request& request) {
    if (!conversation_.is_under_way()) return channel_.fail(request, "nothing is running that could be paused");
    channel_.respond(request, Json());
    conversation_.stop_run();
  }

  /// Everything before it is answered, so only a run can be meant.
  void cancel(const Request& request) {
    Arguments in(request.arguments);
    in.integer_or("requestId", INT64_MIN, INT64_MAX, 0);
    const std::string progress = in.text_or("progressId", "");
    if (!in.is_good()) return channel_.fail(request, in.problem());
    channel_.respond(request, Json());
    if (conversation_.is_under_way() && progress_.is_current(progress)) conversation_.stop_run();
  }

  Unframed stream_;
  Channel channel_;
  Progress progress_;
  Control control_;
  Queue queue_;
  Conversation conversation_;
};

InlineServer::InlineServer(std::function<void(std::string_view)> send, const Offer& offer,
                           std::chrono::milliseconds slice)
    : impl_(std::make_unique<Impl>(std::move(send), offer, slice)) {}
InlineServer::~InlineServer() = default;
void InlineServer::receive(std::string_view message) {
  if (!has_ended()) impl_->receive(message);
}
bool InlineServer::is_under_way() const { return impl_->conversation().is_under_way(); }
void InlineServer::go_on() { impl_->go_on(); }
bool InlineServer::has_ended() const { return impl_->conversation().has_ended(); }

}  // namespace lockstep::debugger::dap
