// The server's two threads: what the reader answers at once, while the other one answers.
#include "debugger/dap/transport/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace lockstep::debugger::dap {
namespace {

using namespace std::chrono_literals;

/// Asks `threads`, and `pause` as soon as the answer leaves: before the thread that sends it can do anything more.
class PauseBehindAnAnswer : public Stream {
 public:
  Read read(std::string& bytes, int) override {
    switch (step_++) {
      case 0: bytes += framed(R"({"seq": 1, "type": "request", "command": "threads"})"); return Read::bytes;
      case 1:
        while (!is_answered_) std::this_thread::sleep_for(1ms);
        bytes += framed(R"({"seq": 2, "type": "request", "command": "pause"})");
        return Read::bytes;
      default: return Read::end;
    }
  }

  bool write(std::string_view bytes) override {
    sent_ += bytes;
    if (is_answered_.exchange(true)) return true;
    std::this_thread::sleep_for(50ms);
    return true;
  }

  const std::string& sent() const { return sent_; }

 private:
  static std::string framed(const std::string& message) {
    return "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + message;
  }

  int step_ = 0;
  std::atomic<bool> is_answered_{false};
  std::string sent_;
};

TEST(DapServer, APauseBehindAnAnswerDoesNotWaitForWhatWasAnswered) {
  PauseBehindAnAnswer stream;
  const Offer offer;
  EXPECT_EQ(serve(stream, offer), Goodbye::said);
  EXPECT_NE(stream.sent().find("'initialize' comes first"), std::string::npos);
  EXPECT_NE(stream.sent().find("nothing is running that could be paused"), std::string::npos) << stream.sent();
}

}  // namespace
}  // namespace lockstep::debugger::dap
