// Framing: DAP's messages as they stand in a stream, "Content-Length: N\r\n\r\n" and N bytes. Invariant: no more than
// one message of kMaxMessageBytes is ever held. After a wrong header the next message cannot be found, so it reads
// nothing more. Not here: the content of a message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/result.h"

namespace lockstep::debugger::dap {

constexpr std::size_t kMaxMessageBytes = std::size_t{16} << 20, kMaxHeaderBytes = 4096;

class FrameReader {
 public:
  void feed(std::string_view bytes) { buffer_ += bytes; }
  /// The next message; nullopt: it has not arrived yet. Error: the framing is lost, for good.
  Expected<std::optional<std::string>, std::string> next();
  /// Bytes of an incomplete message are waiting.
  bool is_within() const { return !buffer_.empty() || length_.has_value(); }

 private:
  Expected<std::optional<std::size_t>, std::string> read_header();

  std::string buffer_;
  std::optional<std::size_t> length_;  // of the message whose header was read
  std::string problem_;
};

std::string framed(std::string_view message);

}  // namespace lockstep::debugger::dap
