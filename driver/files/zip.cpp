#include "driver/files/zip.h"

#include <algorithm>
#include <optional>

#include "driver/arguments/failure.h"
#include "driver/files/inflate.h"

namespace lockstep::driver {
namespace {

constexpr std::uint32_t kEndSignature = 0x06054b50, kEnd64Signature = 0x06064b50, kEnd64LocatorSignature = 0x07064b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50, kLocalSignature = 0x04034b50;
constexpr std::size_t kEndBytes = 22, kCentralBytes = 46, kLocalBytes = 30, kLocatorBytes = 20, kEnd64Bytes = 56;
constexpr std::uint64_t kMaxDeflateRatio = 1040;  // deflate cannot expand more than about 1032 times

/// Bounded little-endian reads: has() first.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool has(std::uint64_t offset, std::uint64_t length) const {
    return offset <= bytes_.size() && length <= bytes_.size() - offset;
  }
  std::uint64_t read(std::uint64_t offset, int width) const {
    std::uint64_t value = 0;
    for (int i = width; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes_[offset + static_cast<std::size_t>(i)]);
    return value;
  }
  std::uint64_t u16(std::uint64_t offset) const { return read(offset, 2); }
  std::uint64_t u32(std::uint64_t offset) const { return read(offset, 4); }
  std::uint64_t u64(std::uint64_t offset) const { return read(offset, 8); }
  std::string_view slice(std::uint64_t offset, std::uint64_t length) const { return bytes_.substr(offset, length); }
  std::uint64_t size() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

struct Directory {
  std::uint64_t offset = 0, count = 0;
};

// The end record is last, before a comment of at most 65535 bytes; scan backwards for its signature.
std::optional<std::uint64_t> find_end_record(const Reader& zip) {
  if (zip.size() < kEndBytes) return std::nullopt;
  const std::uint64_t last = zip.size() - kEndBytes;
  const std::uint64_t first = last > 65535 ? last - 65535 : 0;
  for (std::uint64_t at = last + 1; at-- > first;) {
    if (zip.u32(at) == kEndSignature && zip.u16(at + 20) == last - at) return at;
  }
  return std::nullopt;
}

std::optional<Directory> find_directory(const Reader& zip) {
  const auto end = find_end_record(zip);
  if (!end) return std::nullopt;
  Directory directory{zip.u32(*end + 16), zip.u16(*end + 10)};
  if (directory.offset != 0xffffffff && directory.count != 0xffff) return directory;
  if (*end < kLocatorBytes || zip.u32(*end - kLocatorBytes) != kEnd64LocatorSignature) return directory;
  const std::uint64_t end64 = zip.u64(*end - kLocatorBytes + 8);
  if (!zip.has(end64, kEnd64Bytes) || zip.u32(end64) != kEnd64Signature) return std::nullopt;
  return Directory{zip.u64(end64 + 48), zip.u64(end64 + 32)};
}

// Extra field 1 holds, in this order, the 64-bit forms of those of the three numbers that are all ones.
bool apply_zip64(const Reader& zip, std::uint64_t extra, std::uint64_t extra_length, ZipMember& member) {
  for (std::uint64_t at = extra; at + 4 <= extra + extra_length;) {
    const std::uint64_t id = zip.u16(at), length = zip.u16(at + 2);
    if (at + 4 + length > extra + extra_length) return false;
    std::uint64_t field = at + 4;
    const std::uint64_t field_end = field + length;
    for (std::uint64_t* number : {&member.unpacked, &member.packed, &member.local_offset}) {
      if (id != 1 || *number != 0xffffffff) continue;
      if (field + 8 > field_end) return false;
      *number = zip.u64(field);
      field += 8;
    }
    at = field_end;
  }
  return true;
}

// Reads the entry at `offset` and moves it to the next one; nullopt: malformed.
std::optional<ZipMember> read_entry(const Reader& zip, std::uint64_t& offset) {
  if (!zip.has(offset, kCentralBytes) || zip.u32(offset) != kCentralSignature) return std::nullopt;
  ZipMember member;
  member.flags = zip.u16(offset + 8);
  member.method = zip.u16(offset + 10);
  member.crc = zip.u32(offset + 16);
  member.packed = zip.u32(offset + 20);
  member.unpacked = zip.u32(offset + 24);
  member.local_offset = zip.u32(offset + 42);
  const std::uint64_t name = zip.u16(offset + 28), extra = zip.u16(offset + 30), comment = zip.u16(offset + 32);
  if (!zip.has(offset, kCentralBytes + name + extra + comment)) return std::nullopt;
  member.name = zip.slice(offset + kCentralBytes, name);
  if (!apply_zip64(zip, offset + kCentralBytes + name, extra, member)) return std::nullopt;
  offset += kCentralBytes + name + extra + comment;
  return member;
}

}  // namespace

std::string printable_name(std::string_view name) {
  std::string text;
  for (const char c : name.substr(0, 60)) text += c >= ' ' && c <= '~' ? c : '?';
  return text;
}

Expected<ZipArchive, Status> ZipArchive::open(std::string_view bytes, ZipWords words) {
  ZipArchive archive(bytes, std::move(words));
  const std::string& file = archive.words_.file;
  const DiagnosticCode code = archive.words_.damaged;
  const Reader zip(bytes);
  const auto directory = find_directory(zip);
  if (!directory) return fail(code, "this is not a " + file + " (no zip directory)", archive.words_.hint);
  if (directory->count > kMaxMembers) return fail(code, "the " + file + " lists more than 65536 members");
  std::uint64_t offset = directory->offset;
  for (std::uint64_t i = 0; i < directory->count; ++i) {
    std::optional<ZipMember> member = read_entry(zip, offset);
    if (!member) return fail(code, "the directory of the " + file + " is damaged");
    archive.members_.push_back(std::move(*member));
  }
  return archive;
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto found =
      std::find_if(members_.begin(), members_.end(), [&](const ZipMember& one) { return one.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

Expected<std::string, Status> ZipArchive::inflate_member(std::string_view packed, std::uint64_t unpacked_size) const {
  if (unpacked_size > packed.size() * kMaxDeflateRatio + 1024)
    return fail(words_.damaged, "the " + words_.member + " claims an impossible size");
  auto out = inflate(packed, unpacked_size);
  if (!out) return fail(words_.damaged, "the compressed " + words_.member + " is damaged");
  return std::move(*out);
}

Expected<std::string, Status> ZipArchive::unpack(const ZipMember& member) const {
  const Reader zip(bytes_);
  if ((member.flags & 1) != 0) return fail(words_.damaged, "the " + words_.member + " is encrypted");
  const std::uint64_t local = member.local_offset;
  if (!zip.has(local, kLocalBytes) || zip.u32(local) != kLocalSignature)
    return fail(words_.damaged, "the " + words_.member + "'s header is damaged");
  const std::uint64_t data = local + kLocalBytes + zip.u16(local + 26) + zip.u16(local + 28);
  if (!zip.has(data, member.packed)) return fail(words_.ends_early, "the " + words_.file + " ends inside the member");
  const std::string_view packed = zip.slice(data, member.packed);
  if (member.method == 8) return inflate_member(packed, member.unpacked);
  if (member.method != 0)
    return fail(words_.damaged, "the " + words_.member + " uses compression method " + std::to_string(member.method),
                "store or deflate it (numpy.savez and savez_compressed do)");
  if (member.packed != member.unpacked) return fail(words_.damaged, "the " + words_.member + "'s sizes disagree");
  return std::string(packed);
}

Expected<std::string, Status> ZipArchive::read(const ZipMember& member, std::uint64_t max_bytes) const {
  if (max_bytes != 0 && member.unpacked > max_bytes) {
    return fail(words_.too_large,
                "the " + words_.member + " needs " + std::to_string(member.unpacked) +
                    " bytes, more than the limit of " + std::to_string(max_bytes),
                "raise --max-memory");
  }
  auto content = unpack(member);
  if (content && crc32(*content) != member.crc)
    return fail(words_.damaged, "the checksum of the " + words_.member + " is wrong");
  return content;
}

}  // namespace lockstep::driver
