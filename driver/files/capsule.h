// Capsule: one recorded launch in one file (a zip; format: docs/capsules.md), and how it becomes memory and bound
// parameters again. Invariant: once read, every member of the manifest exists with its size; content() returns a member
// only if its SHA-256 is right. Names of members are never used as paths. Not here: parsing the TTIR, running anything.
// Errors: LS2101, LS2102 the file; LS2120 it is not a capsule or is damaged; LS2121, LS2122 its manifest; LS2123 an
// argument does not fit the kernel; LS2012 memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/arguments/arguments.h"
#include "driver/arguments/binding.h"
#include "driver/files/manifest.h"
#include "driver/files/zip.h"

namespace lockstep::driver {

class Capsule {
 public:
  /// max_bytes: the limit for all storages together, 0 for no limit.
  static Expected<Capsule, Status> read(const std::string& path, std::uint64_t max_bytes);
  /// The same for a file's bytes.
  static Expected<Capsule, Status> parse(std::string bytes, std::uint64_t max_bytes);

  const Manifest& manifest() const { return manifest_; }
  /// A member's content. Errors: LS2120.
  Expected<std::string, Status> content(const ManifestMember& member) const;

 private:
  Capsule(std::unique_ptr<const std::string> bytes, ZipArchive zip) : bytes_(std::move(bytes)), zip_(std::move(zip)) {}
  std::optional<Status> check_members(std::uint64_t max_bytes) const;
  std::optional<Status> check_member(const ManifestMember& member) const;

  std::unique_ptr<const std::string> bytes_;  // what zip_ looks at
  ZipArchive zip_;
  Manifest manifest_;
};

/// The storages as before the launch (storage i of the manifest gets the id i: `memory` is empty), and a view for each
/// tensor argument, in order. Recorded addresses become addresses of the new storages. nullopt: diagnosed.
std::optional<std::vector<Tensor>> make_capsule_tensors(const Capsule& capsule, memory_model::AddressSpace& memory,
                                                        DiagnosticSink& sink);

/// One for each parameter of the TTIR function. `tensors`: from make_capsule_tensors. nullopt: diagnosed (LS2123).
std::optional<std::vector<BoundParameter>> bind_capsule(const Capsule& capsule,
                                                        std::span<const TtirParameter> parameters,
                                                        const std::vector<Tensor>& tensors,
                                                        const memory_model::AddressSpace& memory, DiagnosticSink& sink);

/// Every tensor after the recorded launch, in order, in C order. Only if the manifest has outputs. Errors: LS2120.
Expected<std::vector<std::string>, Status> recorded_outputs(const Capsule& capsule, const std::vector<Tensor>& tensors,
                                                            const memory_model::AddressSpace& memory);

}  // namespace lockstep::driver
