#include "sanitizer/core/needs_cache.h"

#include "memory_model/view.h"

namespace lockstep::sanitizer {

namespace {

void add_view(const memory_model::AddressSpace& memory, memory_model::ViewId id, LaunchKey& key) {
  constexpr std::uint64_t kAlignments = 256;
  const memory_model::View& view = memory.view(id);
  const memory_model::Storage& storage = memory.storage(view.storage);
  key.push_back(static_cast<std::uint64_t>(storage.id.index));
  key.push_back(storage.extent.bytes());
  key.push_back(view.base - storage.extent.begin);
  key.push_back(view.base % kAlignments);
  key.push_back(static_cast<std::uint64_t>(view.element) * 2 + (view.is_initialised ? 1 : 0));
  for (const auto* list : {&view.shape, &view.strides}) {
    key.push_back(list->size());
    for (const std::int64_t one : *list) key.push_back(static_cast<std::uint64_t>(one));
  }
}

}  // namespace

LaunchKey key_of(const interpreter::RunRequest& request, const CheckOptions& options) {
  LaunchKey key;
  key.reserve(8 + request.arguments.size() * 10);
  for (const std::int64_t extent : request.grid) key.push_back(static_cast<std::uint64_t>(extent));
  key.push_back(options.checkers * std::uint64_t{2} + (options.warns_only ? 1 : 0));
  key.push_back(options.when_cheap);
  key.push_back(static_cast<std::uint64_t>(options.memory_model) * 100 +
                static_cast<std::uint64_t>(options.triton_minor));
  key.push_back(static_cast<std::uint64_t>(options.num_stages));
  key.push_back(request.resident);
  key.push_back(request.schedule * 2 + static_cast<std::uint64_t>(request.reach));
  for (const interpreter::Argument& argument : request.arguments) {
    const bool is_scalar = argument.kind == interpreter::Argument::Kind::scalar;
    key.push_back(static_cast<std::uint64_t>(argument.kind));
    if (is_scalar) {
      key.push_back(argument.bits);
    } else {
      add_view(*request.memory, argument.view, key);
    }
  }
  return key;
}

std::optional<NeedsCache::AllNeeds> NeedsCache::find(const LaunchKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(key);
  return found != known_.end() ? std::optional(found->second) : std::nullopt;
}

void NeedsCache::keep(const LaunchKey& key, const AllNeeds& needs) {
  const std::lock_guard lock(mutex_);
  if (known_.size() >= kMostKeys) known_.clear();
  known_[key] = needs;
}

void NeedsCache::settle(const LaunchKey& key, std::uint32_t checkers) {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(key);
  if (found == known_.end()) return;
  for (std::size_t i = 0; i < found->second.size(); ++i) {
    if ((checkers >> i & 1) == 0 || found->second[i].reads_memory) continue;
    found->second[i] = {};
    found->second[i].is_settled = true;
  }
}

}  // namespace lockstep::sanitizer
