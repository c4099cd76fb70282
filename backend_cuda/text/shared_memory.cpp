#include "backend_cuda/text/shared_memory.h"

#include <algorithm>

namespace lockstep::backend_cuda {

void SharedMemory::reserve_scratch(std::int64_t bytes) {
  scratch_bytes_ = std::max(scratch_bytes_, bytes);
  if (buffer_bytes_ > 0 || threads_ != 0) scratch_beside_buffers_ = std::max(scratch_beside_buffers_, bytes);
}

std::string SharedMemory::exchange(std::int64_t bytes) {
  reserve_scratch(bytes);
  has_block_exchanges_ = true;
  if (scratch_is_read_) barrier();
  return "ls_scratch";
}

void SharedMemory::exchanged() {
  barrier();
  scratch_is_read_ = true;
}

std::string SharedMemory::exchange_in_warps(std::int64_t bytes, const std::string& parts) {
  reserve_scratch(bytes);
  parts_.insert(parts);
  if (scratch_is_read_ && reading_ == parts) {
    writer_.line("__syncwarp();");
  } else if (scratch_is_read_) {
    barrier();
  }
  return "ls_scratch";
}

void SharedMemory::exchanged_in_warps(const std::string& parts) {
  writer_.line("__syncwarp();");
  scratch_is_read_ = true;
  reading_ = parts;
}

void SharedMemory::barrier() {
  writer_.line(threads_ == 0 ? "__syncthreads();" : "sync_warps<" + std::to_string(threads_) + ">();");
  scratch_is_read_ = false;
  reading_.clear();
}

std::int64_t SharedMemory::reserve_buffers(std::int64_t bytes) {
  const std::int64_t offset = buffer_bytes_;
  buffer_bytes_ += (bytes + 1023) / 1024 * 1024;
  most_buffer_bytes_ = std::max(most_buffer_bytes_, buffer_bytes_);
  return offset;
}

std::int64_t SharedMemory::bytes() const {
  const std::int64_t scratch = (scratch_bytes_ + 15) / 16 * 16;
  return most_buffer_bytes_ == 0 ? scratch : std::max(scratch, first_buffer() + most_buffer_bytes_);
}

}  // namespace lockstep::backend_cuda
