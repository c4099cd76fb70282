#include "backend_cuda/device/occupancy.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace lockstep::backend_cuda {
namespace {

constexpr std::int64_t kRegisters = 65536, kUnit = 8;

/// The number before `words`.
std::optional<int> number_before(std::string_view text, std::string_view words) {
  const std::size_t end = text.find(words);
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t space = text.substr(0, end).find_last_not_of("0123456789");
  const std::size_t first = space == std::string_view::npos ? 0 : space + 1;
  int value = 0;
  const auto read = std::from_chars(text.data() + first, text.data() + end, value);
  return read.ec == std::errc() && read.ptr == text.data() + end ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<KernelCost> read_cost(std::string_view log) {
  const auto registers = number_before(log, " registers"), spilled = number_before(log, " bytes spill stores");
  if (!registers || !spilled) return std::nullopt;
  return KernelCost{*registers, *spilled};
}

int blocks_with_one_more(int registers, int threads, std::int64_t shared_bytes, std::int64_t shared_of_processor) {
  const std::int64_t held = (registers + kUnit - 1) / kUnit * kUnit * threads;
  if (held <= 0) return 0;
  const std::int64_t more = kRegisters / held + 1;
  if (more * (shared_bytes + 1024) > shared_of_processor) return 0;
  const std::int64_t limit = kRegisters / (more * threads) / kUnit * kUnit;
  return limit < registers && 5 * limit >= 4 * registers ? static_cast<int>(more) : 0;
}

}  // namespace lockstep::backend_cuda
