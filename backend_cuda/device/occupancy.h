// Occupancy: how many blocks run on a multiprocessor at a time, by their registers and shared memory. The compiler minds
// neither the other nor the next step: a few registers more than fit can halve the blocks. Source of the numbers: CUDA
// programming guide, table of compute capabilities (8.0 to 10.0: 65,536 registers, 255 a thread, given out by 8).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::backend_cuda {

/// What ptxas says of a kernel under `-v`.
struct KernelCost {
  int registers = 0;  // of a thread
  int spilled = 0;    // bytes of a thread that are stored to memory
};
/// nullopt: the log does not say.
std::optional<KernelCost> read_cost(std::string_view log);

/// The number of blocks with one more than fits, where a thread has to give up a fifth of its registers for it, at most,
/// and shared memory has room; else 0. `shared_of_processor`: bytes.
int blocks_with_one_more(int registers, int threads, std::int64_t shared_bytes, std::int64_t shared_of_processor);

}  // namespace lockstep::backend_cuda
