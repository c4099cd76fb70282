// Channel: what goes to the client: responses and events, numbered in the order in which they leave. From any thread.
// Request: a message of the client, checked for what every request needs.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "debugger/dap/transport/stream.h"
#include "support/json.h"

namespace lockstep::debugger::dap {

struct Request {
  std::int64_t seq = 0;
  std::string command;
  Json arguments;  // an object, or null
};

/// A message that is not a request: its readable part (seq 0: unknown), and why.
struct Rejected {
  Request request;
  std::string problem;
};
Expected<Request, Rejected> parse_request(std::string_view message);

class Channel {
 public:
  explicit Channel(Stream& stream) : stream_(stream) {}

  /// `body`: an object, or null for none.
  void respond(const Request& request, Json body);
  /// `kind`: the short text of protocols ("cancelled", "notStopped"); else the shown text. `message` is for people.
  void fail(const Request& request, const std::string& message, const std::string& kind = "");
  void reject(const Rejected& rejected);
  void event(const std::string& name, Json body = Json());
  /// Nobody reads any more.
  bool is_broken();

 private:
  void send(Json message);

  Stream& stream_;
  std::mutex mutex_;
  std::int64_t next_seq_ = 1;
  bool is_broken_ = false;
};

}  // namespace lockstep::debugger::dap
