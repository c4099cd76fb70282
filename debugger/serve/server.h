// Server: the page for browsers, and the debugger behind it: HTTP for the page's files, a DAP WebSocket for each open
// page, with a launch of its own. Invariants: without the token of the address the server neither reports on the launch
// nor launches; it refuses a page of another origin, or one that reached this port under a foreign name (DNS
// rebinding); it bounds the number, size and time of connections.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "debugger/dap/transport/launcher.h"
#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::debugger::serve {

/// Other abilities of a server.
struct Favours {
  bool may_be_framed = false;  // pages of this machine, a notebook's, may show it in a frame
  /// Marks a lesson as solved, by its id; false: there is no such lesson. Empty: solved lessons are not kept. Called
  /// from several threads.
  std::function<bool(std::string_view)> note_solved{};
};

class Server {
 public:
  /// An empty host: the loopback address. Port 0: any that is free. Error: LS3011.
  static Expected<std::unique_ptr<Server>, Status> open(const std::string& host, std::uint16_t port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// "http://127.0.0.1:4711/?token=...".
  const std::string& address() const;
  /// Services beside the debugger, for each open page, from several threads.
  struct Launch {
    /// A JSON object for a page that opens: `launch`, the arguments of DAP's request (docs/editors.md), `title`, and
    /// `source`, if there is a text to edit.
    std::function<std::string()> session;
    /// The launch recorded as one page (debugger/trace). Error: why there is none.
    std::function<Expected<std::string, std::string>()> recorded;
  };
  /// Runs until `stop`, which it checks ten times a second. Ends all conversations. Rethrows defects of Lockstep.
  void run(const Launch& launch, const dap::Offer& offer, const std::atomic<bool>& stop, const Favours& favours = {});

 private:
  class Listening;
  explicit Server(std::unique_ptr<Listening> listening);
  std::unique_ptr<Listening> listening_;
};

}  // namespace lockstep::debugger::serve
