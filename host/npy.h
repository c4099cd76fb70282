// NumPy's .npy (format 1.0, 2.0, 3.0) and .npz (zip, stored or deflated) files. Types without a NumPy dtype (bf16, f8*)
// are written and read as unsigned integers of their size. Hostile input: header grammar, sizes and zip offsets are all
// checked. Source: NumPy "npy format" (numpy.lib.format), PKWARE APPNOTE 6.3. Errors: LS2101..LS2119.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "support/scalar.h"
#include "support/status.h"

namespace lockstep::host {

struct Array {
  ScalarKind element = ScalarKind::f32;
  bool is_unsigned = false;  // u8..u64 in the file
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  // C order, little endian, converted from Fortran order or big endian if needed
};

Expected<Array, Status> parse_npy(std::string_view bytes, std::uint64_t max_bytes);
Expected<Array, Status> read_npy(const std::string& path, std::uint64_t max_bytes);
Expected<Array, Status> read_npz(const std::string& path, const std::string& key, std::uint64_t max_bytes);
/// Parses a whole .npz held in memory (fuzzing, tests).
Expected<Array, Status> parse_npz(std::string_view bytes, const std::string& key, std::uint64_t max_bytes);
Expected<std::monostate, Status> write_npy(const std::string& path, const Array& array);

}  // namespace lockstep::host
