#include "debugger/session/memory_changes.h"

#include "debugger/expression/evaluate.h"

namespace lockstep::debugger {

Expected<MemoryChanges, std::string> changes_of(MemoryWindow window, const Scope& scope) {
  window.age = Age::before;
  const auto before = tensor_of(window, scope);
  if (!before) return Unexpected{before.error()};
  window.age = Age::now;
  const auto now = tensor_of(window, scope);
  if (!now) return Unexpected{now.error()};
  MemoryChanges changes{{}, *before, *now};
  for (std::int64_t i = 0; i < changes.now.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (changes.before.bits_of(at) != changes.now.bits_of(at)) changes.elements.push_back(i);
  }
  return changes;
}

}  // namespace lockstep::debugger
