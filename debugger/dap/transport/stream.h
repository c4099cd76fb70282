// Stream: bytes from and to a client; DescriptorStream: over two descriptors (standard input and output) or a socket;
// Listener: accepts clients by TCP. Invariants: a lost client is an end and not a signal; without a host, only programs
// on this machine can connect. Not here: what the bytes mean.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::debugger::dap {

class Stream {
 public:
  Stream() = default;
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  enum class Read : std::uint8_t { bytes, nothing, end };
  /// Appends the bytes that have come; nothing: none within that time. From one thread.
  virtual Read read(std::string& bytes, int milliseconds) = 0;
  /// Writes all of it. False: nobody reads it any more. From any thread, one at a time.
  virtual bool write(std::string_view bytes) = 0;
};

class DescriptorStream : public Stream {
 public:
  /// Takes both descriptors, which may be the same, and closes them.
  DescriptorStream(int in, int out) : in_(in), out_(out) {}
  ~DescriptorStream() override;

  Read read(std::string& bytes, int milliseconds) override;
  bool write(std::string_view bytes) override;

 private:
  int in_, out_;
};

class Listener {
 public:
  /// Port 0: any that is free. An empty host: the loopback address. Error: LS3011.
  static Expected<std::unique_ptr<Listener>, Status> open(const std::string& host, std::uint16_t port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// "127.0.0.1:4711".
  const std::string& address() const { return address_; }
  /// Waits for a client, until `stop` (null: forever). Null: stopped, or the listening socket broke.
  std::unique_ptr<Stream> accept(const std::atomic<bool>* stop);

 private:
  Listener(int socket, std::string address) : socket_(socket), address_(std::move(address)) {}
  int socket_;
  std::string address_;
};

/// "PORT", "HOST:PORT" or "[::1]:PORT"; nullopt: neither.
struct HostPort {
  std::string host;
  std::uint16_t port = 0;
};
std::optional<HostPort> parse_host_port(std::string_view text);

}  // namespace lockstep::debugger::dap
