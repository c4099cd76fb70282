#include "interpreter/tile/buffer_pool.h"

#include <algorithm>
#include <bit>

namespace lockstep::interpreter {

namespace {
constexpr std::uint64_t kHeaderBytes = 64;
constexpr std::align_val_t kAlignment{64};
}  // namespace

void set_row_major(const TileType& type, std::array<std::int64_t, kMaxStridedRank>& strides) {
  std::int64_t next = 1;
  for (int d = std::min(type.rank(), kMaxStridedRank) - 1; d >= 0; --d) {
    strides[static_cast<std::size_t>(d)] = next;
    next *= type.shape[static_cast<std::size_t>(d)];
  }
}

Buffer* BufferPool::acquire(std::int64_t bytes) {
  const auto wanted = std::max<std::uint64_t>(static_cast<std::uint64_t>(bytes), 64);
  const auto size_class = static_cast<std::uint32_t>(std::bit_width(wanted - 1));
  if (!free_[size_class].empty()) {
    Buffer* buffer = free_[size_class].back();
    free_[size_class].pop_back();
    buffer->references = 1;
    return buffer;
  }
  const std::uint64_t total = (std::uint64_t{1} << size_class) + kHeaderBytes;
  if (!budget_.take(total)) throw MemoryLimitReached();
  auto* buffer = new (::operator new(total, kAlignment)) Buffer;
  buffer->references = 1;
  buffer->size_class = size_class;
  all_.push_back(buffer);
  bytes_ += total;
  return buffer;
}

BufferPool::~BufferPool() {
  for (Buffer* buffer : all_) ::operator delete(buffer, kAlignment);
  budget_.give_back(bytes_);
}

}  // namespace lockstep::interpreter
