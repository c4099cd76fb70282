// The manifest of a capsule: its JSON as checked data (format: docs/capsules.md). Hostile input: it checks kinds,
// ranges, counts and references between entries; capsule.h checks sizes and checksums against the other members. The
// only user of nlohmann's JSON. Errors: LS2121 an impossible manifest, LS2122 an unknown format. Units: bytes, unless a
// name says elements.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/arguments/binding.h"
#include "driver/words/dtype_name.h"
#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::driver {

/// A file of the capsule, from the manifest.
struct ManifestMember {
  std::string file;
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// One parameter of the TTIR function.
struct ManifestArgument {
  enum class Kind : std::uint8_t { scalar, pointer, descriptor } kind = Kind::scalar;
  std::string name;
  DtypeName type;          // of the scalar, or of the elements
  std::uint64_t bits = 0;  // scalar: zero-extended
  std::size_t storage = 0;
  std::uint64_t offset = 0;  // of element (0, 0, ...)
  std::vector<std::int64_t> shape, strides;
  bool pads_nan = false;  // descriptor
};

/// A 64-bit word that was an address on the recording machine.
struct ManifestAddress {
  std::uint64_t offset = 0;
  std::size_t storage = 0;
  std::uint64_t target = 0;  // offset in that storage
};

struct ManifestStorage {
  ManifestMember before;
  std::optional<ManifestMember> after;  // none: unchanged, or nothing is known
  std::vector<ManifestAddress> addresses;
  bool is_unwritten = false;  // nobody had written it before the launch
};

struct ManifestSource {
  std::string path;
  std::uint32_t first_line = 1;
  ManifestMember text;
};

struct Manifest {
  std::string kernel;
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::string arch;  // "sm_90"; empty: not said
  int num_warps = 4, num_stages = 3;
  bool debug = false, fp_fusion = true;
  std::string recorded_by;                                  // "gpu", "lockstep", or empty
  bool has_outputs = false;                                 // `after` says what the launch left
  std::vector<std::pair<std::string, std::string>> facts;   // versions, then constants: for people
  std::vector<std::pair<std::string, ConstantValue>> constants;  // constexpr parameters, as far as JSON has them
  ManifestMember ttir;
  std::vector<ManifestArgument> arguments;
  std::vector<ManifestStorage> storages;
  std::vector<ManifestSource> sources;
};

inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{16} << 20;

Expected<Manifest, Status> parse_manifest(std::string_view json);

}  // namespace lockstep::driver
