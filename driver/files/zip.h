// Zip archives held in memory, for .npz files and capsules: members stored or deflated, with 64-bit sizes, no
// encryption, no spanning. Hostile input: it checks every offset, length, count and size before use, inflates a member
// only to its claimed size and a limit, and compares its checksum. Names are any bytes: they are never used as paths
// here. Source: PKWARE APPNOTE 6.3.9, sections 4.3 and 4.5.3; RFC 1951.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::driver {

/// The words for errors: ".npz file", ".npz member", and their codes.
struct ZipWords {
  std::string file, member;
  DiagnosticCode damaged, ends_early, too_large;
  std::string hint;                            // where there is no directory at all
};

struct ZipMember {
  std::string name;
  std::uint64_t flags = 0, method = 0, crc = 0, packed = 0, unpacked = 0, local_offset = 0;
};

class ZipArchive {
 public:
  static constexpr std::uint64_t kMaxMembers = 65536;

  /// Reads the directory. `bytes` must outlive the archive.
  static Expected<ZipArchive, Status> open(std::string_view bytes, ZipWords words);

  const std::vector<ZipMember>& members() const { return members_; }
  /// By its whole name, the first one of several; null: there is none.
  const ZipMember* find(std::string_view name) const;
  /// The content. max_bytes: 0 for no limit.
  Expected<std::string, Status> read(const ZipMember& member, std::uint64_t max_bytes) const;

 private:
  ZipArchive(std::string_view bytes, ZipWords words) : bytes_(bytes), words_(std::move(words)) {}
  Expected<std::string, Status> unpack(const ZipMember& member) const;
  Expected<std::string, Status> inflate_member(std::string_view packed, std::uint64_t unpacked_size) const;

  std::string_view bytes_;
  ZipWords words_;
  std::vector<ZipMember> members_;
};

/// At most 60 characters, with '?' for anything but plain ASCII: for messages.
std::string printable_name(std::string_view name);

}  // namespace lockstep::driver
