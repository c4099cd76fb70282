#include "driver/files/capsule.h"

#include <set>

#include "driver/files/file.h"
#include "support/sha256.h"

namespace lockstep::driver {
namespace {

constexpr std::uint64_t kMaxTextBytes = std::uint64_t{64} << 20;  // of the TTIR and of one source

ZipWords capsule_words() {
  return {"capsule", "capsule's member", "LS2120", "LS2120", "LS2120", "record it with lockstep.record()"};
}

Unexpected<Status> broken_capsule(std::string message, std::string hint = "") {
  return Unexpected{Status{"LS2120", std::move(message), std::move(hint)}};
}

bool has_doubles(const ZipArchive& zip) {
  std::set<std::string_view> seen;
  for (const ZipMember& member : zip.members()) {
    if (!seen.insert(member.name).second) return true;
  }
  return false;
}

}  // namespace

Expected<Capsule, Status> Capsule::read(const std::string& path, std::uint64_t max_bytes) {
  auto bytes = read_file(path, 0);
  if (!bytes) return Unexpected{bytes.error()};
  return name_file(parse(std::move(*bytes), max_bytes), path);
}

Expected<Capsule, Status> Capsule::parse(std::string bytes, std::uint64_t max_bytes) {
  auto kept = std::make_unique<const std::string>(std::move(bytes));
  auto zip = ZipArchive::open(*kept, capsule_words());
  if (!zip) return Unexpected{zip.error()};
  if (has_doubles(*zip)) return broken_capsule("the capsule has a member twice");
  const ZipMember* member = zip->find("manifest.json");
  if (member == nullptr) return broken_capsule("this is not a capsule: it has no manifest.json", "record it with lockstep.record()");
  const auto text = zip->read(*member, kMaxManifestBytes);
  if (!text) return Unexpected{text.error()};
  auto manifest = parse_manifest(*text);
  if (!manifest) return Unexpected{manifest.error()};
  Capsule capsule(std::move(kept), std::move(*zip));
  capsule.manifest_ = std::move(*manifest);
  if (auto problem = capsule.check_members(max_bytes)) return Unexpected{std::move(*problem)};
  return capsule;
}

std::optional<Status> Capsule::check_member(const ManifestMember& member) const {
  const ZipMember* found = zip_.find(member.file);
  if (found == nullptr) return Status{"LS2120", "the capsule has no member '" + printable_name(member.file) + "'", ""};
  if (found->unpacked == member.bytes) return std::nullopt;
  return Status{"LS2120",
                "the capsule's member '" + printable_name(member.file) + "' has " + std::to_string(found->unpacked) +
                    " bytes, its manifest says " + std::to_string(member.bytes),
                ""};
}

std::optional<Status> Capsule::check_members(std::uint64_t max_bytes) const {
  std::vector<const ManifestMember*> texts{&manifest_.ttir}, all;
  for (const ManifestSource& source : manifest_.sources) texts.push_back(&source.text);
  for (const ManifestMember* text : texts) {
    if (text->bytes > kMaxTextBytes) return Status{"LS2120", "a text of the capsule is larger than 64 MiB", ""};
  }
  std::uint64_t total = 0;
  all = texts;
  for (const ManifestStorage& storage : manifest_.storages) {
    all.push_back(&storage.before);
    if (storage.after) all.push_back(&*storage.after);
    total += storage.before.bytes;  // 4096 of at most 2^48
  }
  if (max_bytes != 0 && total > max_bytes) {
    return Status{"LS2012",
                  "the capsule's arguments need " + std::to_string(total) + " bytes, more than the limit of " +
                      std::to_string(max_bytes),
                  "raise --max-memory"};
  }
  for (const ManifestMember* one : all) {
    if (auto problem = check_member(*one)) return problem;
  }
  return std::nullopt;
}

Expected<std::string, Status> Capsule::content(const ManifestMember& member) const {
  const ZipMember* found = zip_.find(member.file);
  if (found == nullptr) return broken_capsule("the capsule has no member '" + printable_name(member.file) + "'");
  auto content = zip_.read(*found, 0);
  if (content && sha256_text(*content) != member.sha256)
    return broken_capsule("the content of '" + printable_name(member.file) + "' differs from the recording (SHA-256)",
                "copy the capsule again");
  return content;
}

}  // namespace lockstep::driver
