// Worklist: what is still to be looked at, each item once, however often it is added. Invariant: next() hands out what
// was added last, nearest() what was added first; one list keeps to one of the two. Not here: what follows from an item
// (value_slice.h for values, dataflow.h for states of them).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockstep::ir {

struct WorklistHash {
  template <typename Item>
  std::size_t operator()(const Item& item) const {
    return std::hash<Item>()(item);
  }
  template <typename First, typename Second>
  std::size_t operator()(const std::pair<First, Second>& item) const {
    return (*this)(item.first) * 31 + (*this)(item.second);
  }
};

template <typename Item>
class Worklist {
 public:
  Worklist() = default;
  explicit Worklist(const Item& first) { add(first); }
  Worklist(Worklist&&) = default;
  Worklist& operator=(Worklist&&) = default;

  void add(const Item& item) {
    Known& known = *known_.try_emplace(item, false).first;
    if (!known.second) open_.push_back(&known);
  }
  /// nullopt: everything that was added has been handed out.
  std::optional<Item> next() {
    while (open_.size() > first_) {
      Known& known = *open_.back();
      open_.pop_back();
      if (take(known)) return known.first;
    }
    return std::nullopt;
  }
  std::optional<Item> nearest() {
    while (open_.size() > first_) {
      Known& known = *open_[first_++];
      if (take(known)) return known.first;
    }
    return std::nullopt;
  }
  /// It was added, whether handed out or not.
  bool contains(const Item& item) const { return known_.contains(item); }
  /// How many different ones were added.
  std::size_t size() const { return known_.size(); }

 private:
  using Known = std::pair<const Item, bool>;  // true: was handed out

  static bool take(Known& known) { return !std::exchange(known.second, true); }

  std::unordered_map<Item, bool, WorklistHash> known_;
  std::vector<Known*> open_;
  std::size_t first_ = 0;  // of `open_`: before it nearest() has been
};

}  // namespace lockstep::ir
