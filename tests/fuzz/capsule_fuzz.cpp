// Fuzzes the reader of capsules. Any bytes as a capsule, and any bytes as a manifest, whose members are then made to
// fit, so that what stands behind size and checksum is reached, too: memory is laid out or an error is said.
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include <zlib.h>

#include "driver/files/capsule.h"
#include "support/check.h"
#include "support/sha256.h"

namespace {

using lockstep::driver::Capsule;
using lockstep::driver::Manifest;
using lockstep::driver::ManifestMember;

constexpr std::uint64_t kMaxBytes = 1 << 16;

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

/// A zip of stored members, without times.
class Zip {
 public:
  void add(const std::string& name, const std::string& content) {
    const std::uint64_t crc = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
    const std::string common = little(20, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(crc, 4) +
                               little(content.size(), 4) + little(content.size(), 4) + little(name.size(), 2);
    directory_ += "PK\1\2" + little(20, 2) + common + little(0, 12) + little(0, 2) + little(body_.size(), 4) + name;
    body_ += "PK\3\4" + common + little(0, 2) + name + content;
    ++count_;
  }
  std::string finish() const {
    return body_ + directory_ + "PK\5\6" + little(0, 4) + little(count_, 2) + little(count_, 2) +
           little(directory_.size(), 4) + little(body_.size(), 4) + little(0, 2);
  }

 private:
  std::string body_, directory_;
  std::uint64_t count_ = 0;
};

void use(const lockstep::Expected<Capsule, lockstep::Status>& capsule) {
  if (!capsule) {
    LOCKSTEP_CHECK(!capsule.error().code.spelling().empty() && !capsule.error().message.empty(), "an error without words");
    return;
  }
  lockstep::DiagnosticSink sink;
  lockstep::memory_model::AddressSpace memory;
  const auto tensors = lockstep::driver::make_capsule_tensors(*capsule, memory, sink);
  LOCKSTEP_CHECK(tensors.has_value() || sink.has_errors(), "no tensors and no reason");
  if (!tensors) return;
  std::uint64_t elements = 0;
  for (const auto& tensor : *tensors) elements += static_cast<std::uint64_t>(memory.view(tensor.view).element_count());
  if (elements < kMaxBytes) {
    const auto outputs = recorded_outputs(*capsule, *tensors, memory);
    LOCKSTEP_CHECK(!outputs || outputs->size() == tensors->size(), "another number of outputs");
  }
  LOCKSTEP_CHECK(memory.red_zones_intact(), "memory outside of a storage was written");
}

/// A capsule whose manifest says what `manifest` says, of members that are all zeros.
void use_manifest(const std::string& json, const Manifest& manifest) {
  Zip zip;
  std::set<std::string> seen{"manifest.json"};
  std::string text = json;
  const auto add = [&](const ManifestMember& member) {
    if (member.bytes > kMaxBytes || !seen.insert(member.file).second) return;
    const std::string content(member.bytes, '\0');
    zip.add(member.file, content);
    const std::size_t at = member.sha256.size() == 64 ? text.find(member.sha256) : std::string::npos;
    if (at != std::string::npos) text.replace(at, 64, lockstep::sha256_text(content));
  };
  add(manifest.ttir);
  for (const auto& source : manifest.sources) add(source.text);
  for (const auto& storage : manifest.storages) {
    add(storage.before);
    if (storage.after) add(*storage.after);
  }
  zip.add("manifest.json", text);
  use(Capsule::parse(zip.finish(), kMaxBytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (const auto manifest = lockstep::driver::parse_manifest(bytes)) use_manifest(bytes, *manifest);
  use(Capsule::parse(bytes, kMaxBytes));
  return 0;
}
