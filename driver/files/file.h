// Whole files in and out. Invariant: it reads nothing past a limit, and only regular files (no device can hang it).
// Errors: LS2101 (cannot be opened or read), LS2102 (too large), LS2110 (cannot be written).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::driver {

/// max_bytes: of the file's data, 0 for no limit; a header of up to 128 KiB does not count.
Expected<std::string, Status> read_file(const std::string& path, std::uint64_t max_bytes);
/// Writes `head` and `body`, one after the other.
Expected<void, Status> write_file(const std::string& path, std::string_view head, std::string_view body);

/// Puts "path: " before an error's message.
template <typename T>
Expected<T, Status> name_file(Expected<T, Status> result, const std::string& path) {
  if (result) return result;
  Status status = result.error();
  status.message = path + ": " + status.message;
  return Unexpected{std::move(status)};
}

}  // namespace lockstep::driver
