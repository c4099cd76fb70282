// Attachment: a prepared launch that waits for one editor, which attaches by TCP, looks, and leaves: then the launch
// runs to its end. Invariant: the launch has its effect unless the person ended it. Not here: making the launch,
// announcing where it waits.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "debugger/dap/transport/stream.h"
#include "debugger/session/session.h"

namespace lockstep::debugger::dap {

class Attachment {
 public:
  using Line = std::function<void(const std::string&)>;
  /// `otherwise`: where the launch's lines go besides the editor, each with its newline. Called from another thread
  /// than serve().
  explicit Attachment(Line otherwise) : otherwise_(std::move(otherwise)) {}
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;

  /// For Session::Setup: request.print and output. Must not outlive this.
  Line print() {
    return [this](const std::string& line) { write(line, to_print_); };
  }
  Line log() {
    return [this](const std::string& line) { write(line, to_log_); };
  }

  enum class End : std::uint8_t {
    ran_on,      // the editor left, and the launch has come to its end
    terminated,  // the person ended the launch where it stood
    stopped,     // `stop` became true, or the listening socket broke; the launch stands somewhere
  };
  /// Waits for an editor and serves it. A client that leaves before it attaches does not count. `stop`: checked now and
  /// then; may be null. Exceptions are defects of Lockstep.
  End serve(Listener& listener, Session& session, const std::atomic<bool>* stop);

 private:
  class Attached;
  void write(const std::string& line, const Line& to_editor);
  void connect(Line print, Line log);

  Line otherwise_;
  std::mutex mutex_;
  Line to_print_, to_log_;  // empty: no editor is there
  bool is_attached_ = false, is_terminated_ = false;
};

}  // namespace lockstep::debugger::dap
