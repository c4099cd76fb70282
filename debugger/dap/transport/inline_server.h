// InlineServer: one client's conversation on a single thread, for hosts that have no second one (WebAssembly). Each
// message is answered when it is given; a long run is made in slices, between which the host can give messages: pause
// stops it there, and requests that need no stopped launch are answered. Not here: server.h's two threads.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "debugger/dap/transport/launcher.h"

namespace lockstep::debugger::dap {

class InlineServer {
 public:
  static constexpr std::chrono::milliseconds kSlice{50};

  /// `send`: a message for the client, JSON without a frame. `offer` must outlive this.
  InlineServer(std::function<void(std::string_view)> send, const Offer& offer,
               std::chrono::milliseconds slice = kSlice);
  ~InlineServer();
  InlineServer(const InlineServer&) = delete;
  InlineServer& operator=(const InlineServer&) = delete;

  /// One message of the client. Afterwards, a run that it started may be unfinished.
  void receive(std::string_view message);
  /// A run is unfinished: go_on() continues it.
  bool is_under_way() const;
  void go_on();
  /// The client said goodbye: nothing more is answered.
  bool has_ended() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep::debugger::dap
