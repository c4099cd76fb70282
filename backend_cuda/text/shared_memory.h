// SharedMemory: the shared memory of a kernel while it is written: scratch through which threads exchange elements, and
// buffers that stay while a loop runs. Invariant: two exchanges never overlap, by barriers that are written only where
// scratch may still be read. Units: bytes.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "backend_cuda/text/cuda_writer.h"

namespace lockstep::backend_cuda {

class SharedMemory {
 public:
  /// `threads` != 0: only so many of the block's exchange, and copies fill buffers meanwhile.
  explicit SharedMemory(CudaWriter& writer, int threads = 0) : writer_(writer), threads_(threads) {}

  // Threads exchange: exchange(), writes, exchanged(), reads.
  /// Makes `bytes` of scratch available to write; returns its name, a char pointer, 16-byte aligned.
  std::string exchange(std::int64_t bytes);
  /// Now threads may read what others wrote.
  void exchanged();
  /// The same where each warp reads only what it wrote. `parts` names which bytes are whose; only lanes wait for each
  /// other from one such exchange to the next.
  std::string exchange_in_warps(std::int64_t bytes, const std::string& parts);
  void exchanged_in_warps(const std::string& parts);
  /// Whether all exchanges of the kernel were such, with the same parts: then no other barrier is needed for them.
  bool stays_in_warps() const { return !has_block_exchanges_ && parts_.size() == 1; }
  void barrier();
  /// Scratch may be in use when control arrives here from another place.
  void forget_barriers() { scratch_is_read_ = true, reading_.clear(); }

  /// Shared memory that stays while a loop runs, aligned to 1024 bytes; its offset after `ls_buffers`. It may be
  /// written after a barrier().
  std::int64_t reserve_buffers(std::int64_t bytes);
  void release_buffers(std::int64_t offset) { buffer_bytes_ = offset; }
  std::int64_t reserved_bytes() const { return buffer_bytes_; }
  /// Where `ls_buffers` begins: after the scratch of exchanges that happen while there are buffers.
  std::int64_t first_buffer() const { return (scratch_beside_buffers_ + 1023) / 1024 * 1024; }
  bool has_buffers() const { return most_buffer_bytes_ > 0; }
  /// What `limit` bytes leave beside the buffers.
  std::int64_t room(std::int64_t limit) const { return limit - most_buffer_bytes_; }
  /// Of the whole kernel.
  std::int64_t bytes() const;

 private:
  CudaWriter& writer_;
  int threads_;
  std::int64_t buffer_bytes_ = 0, most_buffer_bytes_ = 0;
  std::int64_t scratch_bytes_ = 0, scratch_beside_buffers_ = 0;
  void reserve_scratch(std::int64_t bytes);

  bool scratch_is_read_ = false;
  std::string reading_;  // the parts of the exchange that was the last since a barrier; empty: of the whole block
  std::set<std::string> parts_;
  bool has_block_exchanges_ = false;
};

}  // namespace lockstep::backend_cuda
