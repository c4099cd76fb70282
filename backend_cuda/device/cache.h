// Compiled kernels on disk: a folder of files named by a key, each with its key, length and checksum inside. Any number
// of processes and threads use one folder at a time: files appear whole (a temporary, then a rename) and a reader holds
// its file open. An odd file counts as absent and is replaced. A folder that cannot be read or written is no error,
// only no cache. It does not know what the bytes mean, and touches no file that it did not name. $LOCKSTEP_CACHE_DIR
// (`off`: no cache), else $XDG_CACHE_HOME/lockstep, else ~/.cache/lockstep; LOCKSTEP_CACHE_BYTES.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep::backend_cuda {

struct CacheFacts {
  std::uint64_t entries = 0, bytes = 0;  // of entries only
};

class KernelCache {
 public:
  static constexpr std::uint64_t kDefaultLimit = std::uint64_t{1} << 30;  // bytes

  /// `limit`: bytes that all entries together may take; the least recently used ones go first.
  KernelCache(std::filesystem::path folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}
  /// The cache that the environment names; nullopt: `off`, or there is no home.
  static std::optional<KernelCache> from_environment();

  /// The value kept under `key` (64 hexadecimal digits), or nothing. Its file counts as used now.
  std::optional<std::string> find(std::string_view key) const;
  /// Keeps a copy if possible; makes the folder (for its owner only) and room.
  void keep(std::string_view key, std::string_view value) const;
  CacheFacts facts() const;
  /// Removes every entry; returns what it removed.
  CacheFacts clear() const;

  const std::filesystem::path& folder() const { return folder_; }
  std::uint64_t limit() const { return limit_; }

 private:
  std::filesystem::path file_of(std::string_view key) const;
  void make_room(std::string_view newest) const;

  std::filesystem::path folder_;
  std::uint64_t limit_;
};

}  // namespace lockstep::backend_cuda
