// WindowSummaries: summary texts of memory, kept as long as that memory holds the same bytes: a person looks at large
// arguments at every step, and few steps change them. Not here: the texts themselves (show.h). Thread: one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "debugger/expression/value.h"

namespace lockstep::debugger {

class WindowSummaries {
 public:
  /// `bytes`: the present bytes of the window. `make`: makes their text.
  std::string text_of(const MemoryWindow& window, std::string bytes,
                      const std::function<std::string(const std::string& bytes)>& make) {
    constexpr std::size_t kMostBytes = std::size_t{64} << 20;
    Entry& entry = entries_[{window.base, window.shape, window.strides, window.kind, window.age}];
    if (!entry.text.empty() && entry.bytes == bytes) return entry.text;
    std::string text = make(bytes);
    kept_ += bytes.size() - entry.bytes.size();
    entry = {std::move(bytes), text};
    if (kept_ > kMostBytes) {
      entries_.clear();
      kept_ = 0;
    }
    return text;
  }

 private:
  using Key = std::tuple<std::uint64_t, std::vector<std::int64_t>, std::vector<std::int64_t>, ScalarKind, Age>;
  struct Entry {
    std::string bytes, text;
  };
  std::map<Key, Entry> entries_;
  std::size_t kept_ = 0;
};

}  // namespace lockstep::debugger
