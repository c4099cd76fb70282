#include "python/native/debug/debug_console.h"

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <tuple>
#include <utility>

namespace lockstep::python {

namespace py = pybind11;

namespace {

py::object text_of_bytes(std::string_view text) {
  auto made = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  if (!made) throw py::error_already_set();
  return made;
}

std::atomic<bool>& interrupted() {
  static std::atomic<bool> flag{false};
  return flag;
}

}  // namespace

DebugConsole::DebugConsole(const py::object& console)
    : console_(console),
      has_color_(console.attr("has_color").cast<bool>()),
      width_(console.attr("width").cast<std::size_t>()) {
  sigaction(SIGINT, nullptr, &outside_);
}

/// With the lock. The first failure counts.
void DebugConsole::fail(py::error_already_set& error) {
  error.restore();
  if (has_failed_.exchange(true)) {
    PyErr_Clear();
    return;
  }
  PyErr_Fetch(&type_, &value_, &trace_);
  if (when_failed_) when_failed_();
}

void DebugConsole::raise_pending() {
  if (!has_failed_) return;
  PyErr_Restore(std::exchange(type_, nullptr), std::exchange(value_, nullptr), std::exchange(trace_, nullptr));
  throw py::error_already_set();
}

void DebugConsole::call(const char* method, std::string_view text) {
  if (has_failed_) return;
  const py::gil_scoped_acquire locked;
  try {
    console_.attr(method)(text_of_bytes(text));
  } catch (py::error_already_set& error) {
    fail(error);
  }
}

std::vector<debugger::OuterFrame> DebugConsole::outer_frames(const debugger::Place& here) {
  if (has_failed_) return {};
  const py::gil_scoped_acquire locked;
  std::vector<debugger::OuterFrame> frames;
  try {
    const py::object found = console_.attr("outer_frames")(here.is_known() ? *here.file : std::string(), here.line);
    for (const py::handle frame : found) {
      auto [name, file, line] = frame.cast<std::tuple<std::string, std::string, std::uint32_t>>();
      frames.push_back({std::move(name), std::move(file), line});
    }
  } catch (py::error_already_set& error) {
    fail(error);
  }
  return frames;
}

std::optional<std::string> DebugConsole::read(const std::string& prompt) {
  if (has_failed_) return std::nullopt;
  struct sigaction inside = {};
  sigaction(SIGINT, &outside_, &inside);
  std::optional<std::string> line;
  {
    const py::gil_scoped_acquire locked;
    try {
      const py::object given = console_.attr("read")(prompt);
      if (!given.is_none()) line = given.cast<std::string>();
    } catch (py::error_already_set& error) {
      fail(error);
    }
  }
  sigaction(SIGINT, &inside, nullptr);
  return line;
}

/// Lines that Python reads, from begin() to end() of its console.
class DebugConsole::Input : public debugger::LineInput {
 public:
  Input(DebugConsole& console, Complete complete) : console_(console), complete_(std::move(complete)) {
    const py::gil_scoped_acquire locked;
    act([this] { console_.console_.attr("begin")(py::cpp_function(complete_)); });
  }
  ~Input() override {
    const py::gil_scoped_acquire locked;
    act([this] { console_.console_.attr("end")(); });
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  std::optional<std::string> read(const std::string& prompt) override { return console_.read(prompt); }
  bool is_interactive() const override { return true; }

 private:
  template <typename Body>
  void act(Body body) {
    try {
      body();
    } catch (py::error_already_set& error) {
      console_.fail(error);
    }
  }
  DebugConsole& console_;
  Complete complete_;
};

std::unique_ptr<debugger::LineInput> DebugConsole::input(debugger::LineInput::Complete complete) {
  return std::make_unique<Input>(*this, std::move(complete));
}

StopOnInterrupt::StopOnInterrupt() {
  interrupted() = false;
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted() = true; };
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_);
}

StopOnInterrupt::~StopOnInterrupt() { sigaction(SIGINT, &before_, nullptr); }

const std::atomic<bool>* StopOnInterrupt::flag() const { return &interrupted(); }

}  // namespace lockstep::python
