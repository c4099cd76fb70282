// Server: the page for browsers, and the debugger behind it: HTTP for the page's files, a WebSocket that speaks DAP for
// each page that is open, each with a launch of its own. Invariants: without the token of the address nothing about the
// launch is told and nothing is launched; a page of another origin, or one that reached this port by another name than
// its own (DNS rebinding), is refused; connections are bounded in number, size and time.
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

/// What else a server may do.
struct Favours {
  bool may_be_framed = false;  // pages of this machine, a notebook's, may show it in a frame
  /// A lesson that was solved, by its id as it came; false: there is no such lesson. Empty: nobody keeps them. Called
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
  /// What the server is asked for beside the debugger, for each page that is open, from several threads.
  struct Launch {
    /// A JSON object, what a page launches when it is opened: `launch`, the arguments of DAP's request
    /// (docs/editors.md), `title`, and where there is one `source`, the text that can be edited.
    std::function<std::string()> session;
    /// The launch recorded as one page (debugger/trace). Error: why there is none.
    std::function<Expected<std::string, std::string>()> recorded;
  };
  /// Until `stop`; looked at ten times a second. Ends all conversations. Defects of Lockstep are thrown on.
  void run(const Launch& launch, const dap::Offer& offer, const std::atomic<bool>& stop, const Favours& favours = {});

 private:
  class Listening;
  explicit Server(std::unique_ptr<Listening> listening);
  std::unique_ptr<Listening> listening_;
};

}  // namespace lockstep::debugger::serve
