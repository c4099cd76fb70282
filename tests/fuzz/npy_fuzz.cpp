// Fuzzes the readers of .npy and .npz: any bytes give an array whose data has the size its shape says, or an error.
#include <cstdint>
#include <string_view>

#include "driver/files/npy.h"
#include "support/check.h"

namespace {

constexpr std::uint64_t kMaxBytes = 1 << 20;

void check(const lockstep::Expected<lockstep::driver::Array, lockstep::Status>& read) {
  if (!read) {
    LOCKSTEP_CHECK(!read.error().code.spelling().empty() && !read.error().message.empty(), "an error without words");
    return;
  }
  std::uint64_t bytes = static_cast<std::uint64_t>(lockstep::size_bytes(read->element));
  for (std::int64_t extent : read->shape) {
    LOCKSTEP_CHECK(extent >= 0, "a negative extent");
    bytes *= static_cast<std::uint64_t>(extent);
  }
  LOCKSTEP_CHECK(bytes == read->data.size() && bytes <= kMaxBytes, "data and shape disagree");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(lockstep::driver::parse_npy(bytes, kMaxBytes));
  check(lockstep::driver::parse_npz(bytes, "x", kMaxBytes));
  check(lockstep::driver::parse_npz(bytes, "", kMaxBytes));
  return 0;
}
