#include "debugger/serve/server.h"

#include <algorithm>
#include <boost/asio/strand.hpp>
#include <exception>
#include <list>
#include <thread>

#include "debugger/dap/transport/server.h"
#include "debugger/dap/transport/stream.h"
#include "debugger/serve/admission.h"
#include "debugger/serve/page_files.h"
#include "debugger/serve/web_socket.h"
#include "debugger/serve/web_socket_beast.h"

namespace lockstep::debugger::serve {

namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

namespace {

constexpr std::size_t kMostConnections = 32;
constexpr std::uint32_t kMostHeaderBytes = 8192;
constexpr std::chrono::seconds kPatience{20};  // for a request to come, an answer to be taken

std::string_view type_of(std::string_view path) {
  if (path.ends_with(".html")) return "text/html; charset=utf-8";
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  return "application/json; charset=utf-8";
}

std::string_view text_of(beast::string_view text) { return {text.data(), text.size()}; }

/// The origins that may show the page in a frame.
constexpr const char* kNobody = "'none'";
constexpr const char* kThisMachine = "http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*";

Response answer(const Request& request, http::status status, std::string_view type, std::string_view text,
                const char* frames = kNobody) {
  Response response(status, request.version());
  const std::string host(text_of(request[http::field::host]));
  response.set(http::field::server, "lockstep");
  response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
  response.set(http::field::cache_control, "no-store");
  response.set(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws://" + host +
          "; base-uri 'none'; form-action 'none'; frame-ancestors " + frames);
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.set("Cross-Origin-Resource-Policy", frames == kNobody ? "same-origin" : "cross-origin");
  response.keep_alive(false);
  if (request.method() != http::verb::head) response.body() = std::string(text);
  response.prepare_payload();
  return response;
}

Response refuse(const Request& request, http::status status, std::string_view why) {
  return answer(request, status, "text/plain; charset=utf-8", std::string(why) + "\n");
}

/// What all connections share.
struct ServerContext {
  Names names;
  std::string token;
  const Server::Launch& launch;
  const dap::Offer& offer;
  const std::atomic<bool>& stop;
  const Favours& favours;
};

/// One request, and the conversation that may begin with it.
class Connection {
 public:
  Connection(const ServerContext& context, std::shared_ptr<asio::io_context> io, Tcp::socket socket)
      : context_(context), io_(std::move(io)), stream_(std::move(socket)) {}

  void serve() {
    if (!read()) return;
    if (is_web_socket()) return converse();
    write(respond());
    beast::error_code ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
  }

 private:
  /// Runs what has begun, until the end is requested.
  void run() {
    io_->restart();
    while (!io_->stopped() && !context_.stop) io_->run_for(std::chrono::milliseconds(100));
    if (context_.stop) stream_.cancel();
    io_->run();
  }

  bool read() {
    http::request_parser<http::string_body> parser;
    parser.header_limit(kMostHeaderBytes);
    parser.body_limit(0);
    stream_.expires_after(kPatience);
    bool is_good = false;
    beast::flat_buffer buffer;
    http::async_read(stream_, buffer, parser, [&](beast::error_code error, std::size_t) { is_good = !error; });
    run();
    if (is_good) request_ = parser.release();
    return is_good;
  }

  void write(const Response& response) {
    stream_.expires_after(kPatience);
    http::async_write(stream_, response, [](beast::error_code, std::size_t) {});
    run();
  }

  std::string_view target() const { return text_of(request_.target()); }
  std::string_view host() const { return text_of(request_[http::field::host]); }
  bool has_token() const { return is_same_token(token_of(target()), context_.token); }
  bool is_web_socket() const {
    return beast::websocket::is_upgrade(request_) && path_of(target()) == "/dap" && context_.names.has_host(host()) &&
           Names::is_own_origin(text_of(request_[http::field::origin]), host()) && has_token();
  }

  /// POST /solved?token=...&id=03_masks, from this page only.
  Response note_solved() const {
    if (!Names::is_own_origin(text_of(request_[http::field::origin]), host()) || !has_token())
      return refuse(request_, http::status::forbidden, "the token is missing or wrong");
    const bool is_noted = context_.favours.note_solved && context_.favours.note_solved(value_in(target(), "id"));
    return refuse(request_, is_noted ? http::status::ok : http::status::not_found, is_noted ? "noted" : "no such lesson");
  }

  Response respond() const {
    const char* frames = context_.favours.may_be_framed ? kThisMachine : kNobody;
    if (!context_.names.has_host(host()))
      return refuse(request_, http::status::forbidden, "this server has another name");
    if (request_.method() == http::verb::post && path_of(target()) == "/solved") return note_solved();
    if (request_.method() != http::verb::get && request_.method() != http::verb::head)
      return refuse(request_, http::status::method_not_allowed, "only GET and HEAD are answered, and POST of /solved");
    const std::string_view path = path_of(target());
    if (path == "/session.json" || path == "/recorded.html" || path == "/dap") {
      if (!has_token()) return refuse(request_, http::status::forbidden, "the token is missing or wrong");
      if (path == "/dap") return refuse(request_, http::status::upgrade_required, "a WebSocket is wanted");
      if (path == "/recorded.html") return recorded();
      return answer(request_, http::status::ok, type_of(path), context_.launch.session());
    }
    const std::string_view wanted = path == "/" ? "index.html" : path.substr(path.starts_with('/') ? 1 : 0);
    for (const auto files : {page_files(), learn_files()}) {
      for (const PageFile& file : files) {
        if (file.path == wanted) return answer(request_, http::status::ok, type_of(file.path), file.text, frames);
      }
    }
    return refuse(request_, http::status::not_found, "there is no such file");
  }

  Response recorded() const {
    const auto page = context_.launch.recorded();
    if (!page) return refuse(request_, http::status::unprocessable_entity, page.error());
    return answer(request_, http::status::ok, type_of("recorded.html"), *page);
  }

  void converse() {
    auto socket = std::make_unique<BeastSocket>(io_, stream_.release_socket());
    io_->restart();
    if (!socket->accept(request_)) return;
    WebSocketStream stream(std::move(socket));
    dap::serve(stream, context_.offer, &context_.stop);
  }

  const ServerContext& context_;
  std::shared_ptr<asio::io_context> io_;
  beast::tcp_stream stream_;
  Request request_;
};

}  // namespace

class Server::Listening {
 public:
  Listening() : acceptor(io) {}

  asio::io_context io;
  Tcp::acceptor acceptor;
  std::string host, token, address;
};

Server::Server(std::unique_ptr<Listening> listening) : listening_(std::move(listening)) {}
Server::~Server() = default;
const std::string& Server::address() const { return listening_->address; }

Expected<std::unique_ptr<Server>, Status> Server::open(const std::string& host, std::uint16_t port) {
  auto made = std::make_unique<Listening>();
  const std::string name = host.empty() ? "127.0.0.1" : host;
  beast::error_code error;
  const auto found = Tcp::resolver(made->io).resolve(name, std::to_string(port), Tcp::resolver::numeric_service, error);
  if (!error) made->acceptor.open(found.begin()->endpoint().protocol(), error);
  if (!error) made->acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) made->acceptor.bind(found.begin()->endpoint(), error);
  if (!error) made->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    return Unexpected{Status{"LS3011", "cannot listen on " + name + ":" + std::to_string(port) + ": " + error.message(),
                             "port 0 takes any that is free"}};
  }
  made->host = host;
  made->token = make_token();
  const std::string shown = name == "0.0.0.0" || name == "::" ? "127.0.0.1" : name;
  made->address = "http://" + (shown.find(':') != std::string::npos ? "[" + shown + "]" : shown) + ":" +
                  std::to_string(made->acceptor.local_endpoint().port()) + "/?token=" + made->token;
  return std::unique_ptr<Server>(new Server(std::move(made)));
}

void Server::run(const Launch& launch, const dap::Offer& offer, const std::atomic<bool>& stop, const Favours& favours) {
  const ServerContext context{Names(listening_->host, listening_->acceptor.local_endpoint().port()), listening_->token, launch,
                    offer, stop, favours};
  struct Guest {
    std::atomic<bool> has_gone{false};
    std::exception_ptr failure;
    std::thread thread;
  };
  std::list<Guest> guests;
  std::exception_ptr failure;
  const auto see_off = [&](bool all) {
    std::erase_if(guests, [&](Guest& guest) {
      if (!all && !guest.has_gone) return false;
      guest.thread.join();
      if (guest.failure) failure = guest.failure;
      return true;
    });
  };
  while (!stop && !failure) {
    see_off(false);
    auto io = std::make_shared<asio::io_context>(1);
    Tcp::socket socket(asio::make_strand(*io));
    bool has_come = false;
    listening_->acceptor.async_accept(socket, [&has_come](beast::error_code error) { has_come = !error; });
    listening_->io.restart();
    while (!listening_->io.stopped() && !stop) listening_->io.run_for(std::chrono::milliseconds(100));
    if (stop) listening_->acceptor.cancel();
    listening_->io.run();
    if (!has_come || guests.size() >= kMostConnections) continue;  // the socket is closed
    Guest& guest = guests.emplace_back();
    guest.thread = std::thread([&context, &guest, io, taken = std::move(socket)]() mutable {
      try {
        Connection(context, io, std::move(taken)).serve();
      } catch (...) {
        guest.failure = std::current_exception();
      }
      guest.has_gone = true;
    });
  }
  see_off(true);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lockstep::debugger::serve
