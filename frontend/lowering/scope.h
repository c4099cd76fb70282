// Local names of a function in the order they were first bound, as Python's dict keeps them: loop-carried variables and
// merged values are listed in that order, so it decides the operand order of scf.for. Copying a scope copies the
// bindings only.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

class Scope {
 public:
  using Entry = std::pair<std::string, Value>;

  /// Binds `name`; a name that is already bound keeps its place.
  void set(std::string_view name, Value value) {
    if (Value* held = find_mutable(name)) {
      *held = std::move(value);
    } else {
      entries_.emplace_back(name, std::move(value));
    }
  }
  const Value* find(std::string_view name) const {
    for (const Entry& entry : entries_) {
      if (entry.first == name) return &entry.second;
    }
    return nullptr;
  }
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  void clear() { entries_.clear(); }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  Value* find_mutable(std::string_view name) {
    for (Entry& entry : entries_) {
      if (entry.first == name) return &entry.second;
    }
    return nullptr;
  }
  std::vector<Entry> entries_;
};

}  // namespace lockstep::frontend
