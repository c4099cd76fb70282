#include "debugger/dap/transport/stream.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

namespace lockstep::debugger::dap {

namespace {

/// From now on, a write to a client that is gone is an error and not a signal.
void ignore_broken_pipes() {
  static const bool kDone = [] { return std::signal(SIGPIPE, SIG_IGN) != SIG_ERR; }();
  (void)kDone;
}

/// True: there is something to read (or an end); false: nothing within that time.
bool wait_for(int descriptor, int milliseconds) {
  pollfd waited{descriptor, POLLIN, 0};
  return ::poll(&waited, 1, milliseconds) > 0;
}

std::string peer_text(const sockaddr_storage& address, socklen_t size) {
  char host[NI_MAXHOST] = {}, port[NI_MAXSERV] = {};
  ::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
  const std::string text(host);
  return (text.find(':') != std::string::npos ? "[" + text + "]" : text) + ":" + port;
}

/// -1: errno says why.
int listening_socket(const addrinfo& at) {
  const int socket = ::socket(at.ai_family, at.ai_socktype, at.ai_protocol);
  if (socket < 0) return -1;
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket, at.ai_addr, at.ai_addrlen) == 0 && ::listen(socket, 1) == 0) return socket;
  const int why = errno;
  ::close(socket);
  errno = why;
  return -1;
}

}  // namespace

DescriptorStream::~DescriptorStream() {
  ::close(in_);
  if (out_ != in_) ::close(out_);
}

Stream::Read DescriptorStream::read(std::string& bytes, int milliseconds) {
  if (!wait_for(in_, milliseconds)) return Read::nothing;
  char buffer[1 << 16];
  const ssize_t got = ::read(in_, buffer, sizeof buffer);
  if (got < 0) return errno == EINTR || errno == EAGAIN ? Read::nothing : Read::end;
  if (got == 0) return Read::end;
  bytes.append(buffer, static_cast<std::size_t>(got));
  return Read::bytes;
}

bool DescriptorStream::write(std::string_view bytes) {
  ignore_broken_pipes();
  while (!bytes.empty()) {
    const ssize_t put = ::write(out_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

Expected<std::unique_ptr<Listener>, Status> Listener::open(const std::string& host, std::uint16_t port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string name = host.empty() ? "127.0.0.1" : host;
  const std::string where = name + ":" + std::to_string(port);
  const int failure = ::getaddrinfo(name.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (failure != 0) {
    return Unexpected{Status{"LS3011", "cannot listen on " + where + ": " + ::gai_strerror(failure), ""}};
  }
  const int socket = listening_socket(*found);
  const int why = errno;
  ::freeaddrinfo(found);
  if (socket < 0) {
    return Unexpected{
        Status{"LS3011", "cannot listen on " + where + ": " + std::strerror(why), "use port 0 for any free port"}};
  }
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return std::unique_ptr<Listener>(new Listener(socket, peer_text(address, size)));
}

Listener::~Listener() { ::close(socket_); }

std::unique_ptr<Stream> Listener::accept(const std::atomic<bool>* stop) {
  while (stop == nullptr || !*stop) {
    if (!wait_for(socket_, 100)) continue;
    const int client = ::accept(socket_, nullptr, nullptr);
    if (client >= 0) return std::make_unique<DescriptorStream>(client, client);
    if (errno != EINTR && errno != ECONNABORTED && errno != EAGAIN) return nullptr;
  }
  return nullptr;
}

std::optional<HostPort> parse_host_port(std::string_view text) {
  HostPort parsed;
  const std::size_t colon = text.rfind(':');
  std::string_view host = colon == std::string_view::npos ? std::string_view{} : text.substr(0, colon);
  const std::string_view port = colon == std::string_view::npos ? text : text.substr(colon + 1);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (colon != std::string_view::npos && host.empty()) return std::nullopt;
  parsed.host = std::string(host);
  const auto read = std::from_chars(port.data(), port.data() + port.size(), parsed.port);
  if (port.empty() || read.ec != std::errc{} || read.ptr != port.data() + port.size()) return std::nullopt;
  return parsed;
}

}  // namespace lockstep::debugger::dap
