#include "debugger/serve/web_socket.h"

#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "debugger/serve/web_socket_beast.h"

namespace lockstep::debugger::serve {

namespace beast = boost::beast;
namespace asio = boost::asio;

namespace {

constexpr std::size_t kMostOutgoing = std::size_t{32} << 20;

}  // namespace

BeastSocket::BeastSocket(std::shared_ptr<asio::io_context> io, asio::ip::tcp::socket socket)
    : io_(std::move(io)), work_(io_->get_executor()), socket_(std::move(socket)) {}

BeastSocket::~BeastSocket() {
  beast::error_code ignored;
  beast::get_lowest_layer(socket_).socket().close(ignored);
  work_.reset();
  io_->poll();  // what was begun ends before what it refers to is gone
}

bool BeastSocket::accept(const beast::http::request<beast::http::string_body>& request) {
  beast::get_lowest_layer(socket_).expires_never();  // the WebSocket has times of its own
  socket_.set_option(beast::websocket::stream_base::timeout::suggested(beast::role_type::server));
  socket_.read_message_max(dap::kMaxMessageBytes);
  socket_.text(true);
  bool is_done = false, is_accepted = false;
  socket_.async_accept(request, [&](beast::error_code error) {
    is_done = true;
    is_accepted = !error;
  });
  while (!is_done) io_->run_one();
  if (is_accepted) read_next();
  return is_accepted;
}

dap::Stream::Read BeastSocket::read(std::string& bytes, int milliseconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (!received_.empty()) {
        bytes += std::exchange(received_, {});
        return dap::Stream::Read::bytes;
      }
      if (is_over_) return dap::Stream::Read::end;
    }
    if (io_->run_one_until(until) == 0) return dap::Stream::Read::nothing;
  }
}

/// A thread that waits for room helps to make it: the reading thread may itself wait for the launch's.
bool BeastSocket::write(std::string_view bytes) {
  std::unique_lock lock(mutex_);
  while (!is_over_ && outgoing_bytes_ > kMostOutgoing) {
    lock.unlock();
    io_->run_one_for(std::chrono::milliseconds(10));
    lock.lock();
  }
  if (is_over_) return false;
  frames_.feed(bytes);
  for (auto message = frames_.next(); message && *message; message = frames_.next()) {
    outgoing_bytes_ += (*message)->size();
    outgoing_.push_back(std::move(**message));
  }
  if (!std::exchange(is_writing_, true)) asio::post(socket_.get_executor(), [this] { write_next(); });
  return true;
}

void BeastSocket::read_next() {
  socket_.async_read(incoming_, [this](beast::error_code error, std::size_t) {
    if (error) return end();
    const std::lock_guard lock(mutex_);
    received_ += dap::framed(beast::buffers_to_string(incoming_.data()));
    incoming_.consume(incoming_.size());
    read_next();
  });
}

void BeastSocket::write_next() {
  const std::lock_guard lock(mutex_);
  if (outgoing_.empty() || is_over_) {
    is_writing_ = false;
    return;
  }
  socket_.async_write(asio::buffer(outgoing_.front()), [this](beast::error_code error, std::size_t) {
    if (error) return end();
    {
      const std::lock_guard inner(mutex_);
      outgoing_bytes_ -= outgoing_.front().size();
      outgoing_.pop_front();
    }
    write_next();
  });
}

void BeastSocket::end() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
}

WebSocketStream::WebSocketStream(std::unique_ptr<BeastSocket> socket) : socket_(std::move(socket)) {}
WebSocketStream::~WebSocketStream() = default;
dap::Stream::Read WebSocketStream::read(std::string& bytes, int milliseconds) {
  return socket_->read(bytes, milliseconds);
}
bool WebSocketStream::write(std::string_view bytes) { return socket_->write(bytes); }

}  // namespace lockstep::debugger::serve
