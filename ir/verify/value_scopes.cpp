#include "ir/verify/value_scopes.h"

#include <algorithm>

namespace lockstep::ir {
namespace {

std::string key_of(std::string_view name, std::uint32_t number) {
  return std::string(name) + "#" + std::to_string(number);
}

Value* member(const ValueScopes::Entry& entry, std::uint32_t number) {
  return number < entry.values.size() ? entry.values[number] : nullptr;
}

}  // namespace

void ValueScopes::push(bool isolated) {
  scopes_.push_back({isolated || scopes_.empty(), {}});
  if (scopes_.back().isolated) isolated_.emplace_back();
}

std::vector<const ValueScopes::Unresolved*> ValueScopes::pop() {
  std::vector<const Unresolved*> result;
  Isolated& current = isolated_.back();
  const Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  for (const std::string_view name : scope.names) {
    const auto found = current.visible.find(name);
    if (found == current.visible.end()) continue;
    current.closed[name] = std::move(found->second);
    current.visible.erase(found);
  }
  if (!scope.isolated) return result;
  std::vector<std::size_t> left;
  for (const auto& [key, index] : current.waiting) left.push_back(index);
  std::sort(left.begin(), left.end());
  for (const std::size_t index : left) {
    Unresolved& use = *unresolved_[index];
    if (use.is_silent) continue;
    const auto closed = current.closed.find(use.name);
    Value* value = closed == current.closed.end() ? nullptr : member(closed->second, use.number);
    if (value != nullptr && value->type() == use.placeholder->type()) {
      use.placeholder->replace_all_uses_with(value);
    } else {
      result.push_back(&use);
    }
  }
  isolated_.pop_back();
  return result;
}

const ValueScopes::Entry* ValueScopes::find(std::string_view name) const {
  if (isolated_.empty()) return nullptr;
  const auto found = isolated_.back().visible.find(name);
  return found == isolated_.back().visible.end() ? nullptr : &found->second;
}

void ValueScopes::define(std::string_view name, Entry entry) {
  isolated_.back().visible[name] = std::move(entry);
  scopes_.back().names.push_back(name);
}

Value* ValueScopes::placeholder(std::string_view name, std::uint32_t number, Type type, SourceRange range,
                                bool is_silent) {
  const auto [place, is_new] = isolated_.back().waiting.try_emplace(key_of(name, number), unresolved_.size());
  if (is_new) {
    auto use = std::make_unique<Unresolved>();
    use->name = name;
    use->number = number;
    use->range = range;
    use->is_silent = is_silent;
    use->placeholder = std::make_unique<Value>();
    use->placeholder->set_type(type);
    unresolved_.push_back(std::move(use));
  }
  return unresolved_[place->second]->placeholder.get();
}

const ValueScopes::Unresolved* ValueScopes::waiting(std::string_view name, std::uint32_t number) const {
  if (isolated_.empty()) return nullptr;
  const auto found = isolated_.back().waiting.find(key_of(name, number));
  return found == isolated_.back().waiting.end() ? nullptr : unresolved_[found->second].get();
}

void ValueScopes::settle(std::string_view name, std::uint32_t number, Value* value) {
  auto& waiting_uses = isolated_.back().waiting;
  const auto found = waiting_uses.find(key_of(name, number));
  if (found == waiting_uses.end()) return;
  unresolved_[found->second]->placeholder->replace_all_uses_with(value);
  waiting_uses.erase(found);
}

std::vector<std::string_view> ValueScopes::visible_names() const {
  std::vector<std::string_view> names;
  if (isolated_.empty()) return names;
  for (const auto& [name, entry] : isolated_.back().visible) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lockstep::ir
