#include "driver/files/file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "driver/arguments/failure.h"

namespace lockstep::driver {
namespace {

constexpr std::uint64_t kHeaderAllowance = std::uint64_t{128} << 10;

}  // namespace

Expected<std::string, Status> read_file(const std::string& path, std::uint64_t max_bytes) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::not_found) return fail("LS2101", "'" + path + "' does not exist");
  if (kind != std::filesystem::file_type::regular) return fail("LS2101", "'" + path + "' is not a file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return fail("LS2101", "cannot read '" + path + "': " + error.message());
  if (max_bytes != 0 && size > max_bytes && size - max_bytes > kHeaderAllowance) {
    return fail(
        "LS2102",
        "'" + path + "' has " + std::to_string(size) + " bytes, more than the limit of " + std::to_string(max_bytes),
        "raise --max-memory");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size))) {
    return fail("LS2101", "cannot read '" + path + "': " + std::strerror(errno));
  }
  return bytes;
}

Expected<void, Status> write_file(const std::string& path, std::string_view head, std::string_view body) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(head.data(), static_cast<std::streamsize>(head.size()));
  stream.write(body.data(), static_cast<std::streamsize>(body.size()));
  stream.flush();
  if (!stream)
    return fail("LS2110", "cannot write '" + path + "': " + std::strerror(errno),
                "check the folder and the free space");
  return {};
}

}  // namespace lockstep::driver
