// CudaWriter: CUDA C++ as it is written: lines at their depth, fresh names, device functions and declarations that go
// before the text. Not here: what the text means.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep::backend_cuda {

class CudaWriter {
 public:
  /// The text that `write` writes, taken out of the whole. nullopt: it failed.
  std::optional<std::string> capture(const std::function<bool()>& write);
  void append(const std::string& text) { text_ += text; }
  /// Text for the next place where threads would only wait for the tensor core.
  void defer(std::string text) { deferred_ = std::move(text); }
  void write_deferred() { text_ += std::exchange(deferred_, ""); }
  void line(const std::string& text);
  void open(const std::string& head);       // "for (...)": writes "{" too
  void close(std::string_view after = "");  // "}" and what follows it
  /// If the last line is `line`, it becomes `other`.
  bool replace_line(const std::string& line, const std::string& other);
  /// A comment with a place in the source; nothing for an empty place or that of the last comment.
  void note_place(const std::string& place);
  /// A fresh name that starts with `stem`.
  std::string fresh(std::string_view stem);
  /// A line before all others.
  void declare_at_top(const std::string& declaration) { declarations_ += "  " + declaration + "\n"; }
  /// Writes a device function before the kernel, once for each name.
  void declare_function(const std::string& name, const std::string& text) { functions_.try_emplace(name, text); }
  /// The same for a declaration.
  void declare_function(const std::string& declaration) { declare_function(declaration, declaration + "\n"); }
  /// Device functions that the text uses, by name.
  const std::map<std::string, std::string>& functions() const { return functions_; }
  std::string text() const { return declarations_ + text_; }

 private:
  std::string indented(const std::string& line) const;

  std::map<std::string, std::string> functions_;
  std::map<std::string, int> names_;
  std::string text_, declarations_;  // declarations_: at the top, in functions of several blocks
  std::string last_place_, deferred_;
  int depth_ = 1;
};

}  // namespace lockstep::backend_cuda
