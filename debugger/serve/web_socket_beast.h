// The part of web_socket.h that needs Boost.Beast: for web_socket.cpp and server.cpp only.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <mutex>

#include "debugger/dap/transport/framing.h"
#include "debugger/dap/transport/stream.h"

namespace lockstep::debugger::serve {

class BeastSocket {
 public:
  /// Takes the socket, whose executor is a strand of `io`, after the HTTP request was read. Nothing else runs `io`.
  BeastSocket(std::shared_ptr<boost::asio::io_context> io, boost::asio::ip::tcp::socket socket);
  ~BeastSocket();

  /// Answers the request for a WebSocket. False: it was another request.
  bool accept(const boost::beast::http::request<boost::beast::http::string_body>& request);
  dap::Stream::Read read(std::string& bytes, int milliseconds);
  bool write(std::string_view bytes);

 private:
  void read_next();
  void write_next();
  void end();

  std::shared_ptr<boost::asio::io_context> io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  boost::beast::flat_buffer incoming_;
  std::string received_;     // framed; under the mutex, too
  dap::FrameReader frames_;  // of what is written
  std::mutex mutex_;         // of what follows
  std::deque<std::string> outgoing_;
  std::size_t outgoing_bytes_ = 0;
  bool is_writing_ = false, is_over_ = false;
};

}  // namespace lockstep::debugger::serve
