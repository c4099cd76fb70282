// WebSocketStream: a browser's WebSocket as a stream of DAP's messages: each of its text messages is one, without DAP's
// usual header. Invariants: one strand does all work with the socket; the send queue is bounded: a page that reads
// slowly makes the launch wait.
#pragma once

#include <memory>

#include "debugger/dap/transport/stream.h"

namespace lockstep::debugger::serve {

class BeastSocket;  // Boost.Beast's, after the handshake (web_socket_beast.h)

class WebSocketStream : public dap::Stream {
 public:
  explicit WebSocketStream(std::unique_ptr<BeastSocket> socket);
  ~WebSocketStream() override;

  Read read(std::string& bytes, int milliseconds) override;
  bool write(std::string_view bytes) override;

 private:
  std::unique_ptr<BeastSocket> socket_;
};

}  // namespace lockstep::debugger::serve
