// Members of .npz files: a zip of .npy files (zip.h).
#include <cstdint>

#include "driver/files/npy.h"
#include "driver/files/zip.h"

namespace lockstep::driver {
namespace {

constexpr std::uint64_t kNpzAllowance = std::uint64_t{128} << 10;

ZipWords npz_words() { return {".npz file", ".npz member", "LS2108", "LS2106", "LS2107", "save it with numpy.savez"}; }

std::string names_of(const ZipArchive& zip) {
  std::string names;
  for (const ZipMember& member : zip.members()) {
    std::string_view shown = member.name;
    if (shown.ends_with(".npy")) shown.remove_suffix(4);
    if (names.size() < 300) names += (names.empty() ? "" : ", ") + printable_name(shown);
  }
  return names.empty() ? "nothing" : names;
}

Expected<const ZipMember*, Status> find_member(const ZipArchive& zip, const std::string& key) {
  for (const ZipMember& member : zip.members()) {
    if (member.name == key || member.name == key + ".npy" || (key.empty() && zip.members().size() == 1)) return &member;
  }
  const std::string what =
      key.empty() ? "the .npz file needs a key" : "the .npz file has no member '" + printable_name(key) + "'";
  return Unexpected{Status{"LS2109", what, "it has: " + names_of(zip)}};
}

}  // namespace

Expected<Array, Status> parse_npz(std::string_view bytes, const std::string& key, std::uint64_t max_bytes) {
  const auto zip = ZipArchive::open(bytes, npz_words());
  if (!zip) return Unexpected{zip.error()};
  const auto member = find_member(*zip, key);
  if (!member) return Unexpected{member.error()};
  const bool is_bounded = max_bytes != 0 && max_bytes < UINT64_MAX - kNpzAllowance;
  const auto content = zip->read(**member, is_bounded ? max_bytes + kNpzAllowance : 0);
  if (!content) return Unexpected{content.error()};
  return parse_npy(*content, max_bytes);
}

}  // namespace lockstep::driver
