#include "debugger/queries/followed_access.h"

#include <cstring>

#include "ir/op.h"

namespace lockstep::debugger {

bool is_among(const std::vector<bool>& storages, const Engine& engine, const interpreter::AccessLanes& lanes) {
  if (lanes.provenance() < 0) return true;
  const memory_model::AddressSpace& memory = engine.memory();
  const auto& view = memory.view(memory_model::ViewId{lanes.provenance()});
  const auto storage = static_cast<std::size_t>(memory.storage(view.storage).id.index);
  return storage < storages.size() && storages[storage];
}

std::uint64_t ExpectedBits::operator()(std::int64_t lane) {
  if (!expected_) expected_ = read(engine_, engine_.kernel().slot_of(*point_.op->operand(1), point_.activation));
  std::uint64_t bits = 0;
  const auto width = static_cast<std::size_t>(size_bytes(expected_->kind));
  const auto at = expected_->count() == 1 ? 0 : static_cast<std::size_t>(lane);
  std::memcpy(&bits, expected_->bytes.data() + at * width, width);
  return bits;
}

}  // namespace lockstep::debugger
