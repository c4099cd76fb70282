// NumPy's .npy (format 1.0, 2.0, 3.0) and .npz (zip, stored or deflated) files. Types without a NumPy dtype (bf16, f8*)
// are written and read as unsigned integers of their size. Hostile input: it checks header grammar, sizes and zip
// offsets. Source: NumPy "npy format" (numpy.lib.format), PKWARE APPNOTE 6.3. Errors: LS2101..LS2119.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "driver/files/npy_header.h"
#include "support/diagnostics/status.h"
#include "support/result.h"
#include "support/scalar.h"

namespace lockstep::driver {

struct Array {
  ScalarKind element = ScalarKind::f32;
  bool is_unsigned = false;  // u8..u64 in the file
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  // C order, little endian, converted from Fortran order or big endian if needed
};

/// A .npy file whose elements have the layout of memory (C order, little endian), so that no copy is needed.
class PlainNpy {
 public:
  /// Null: another kind of file, or an unreadable one; read_npy reports the error.
  static std::unique_ptr<const PlainNpy> open(const std::string& path, std::uint64_t max_bytes);
  ~PlainNpy();
  PlainNpy(const PlainNpy&) = delete;
  PlainNpy& operator=(const PlainNpy&) = delete;
  const NpyHeader& header() const { return header_; }
  /// Reads header().data_bytes bytes. Errors: LS2101.
  Expected<void, Status> read_into(std::byte* to) const;

 private:
  PlainNpy(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  std::string path_;
  int descriptor_;
  NpyHeader header_;
};

Expected<Array, Status> parse_npy(std::string_view bytes, std::uint64_t max_bytes);
Expected<Array, Status> read_npy(const std::string& path, std::uint64_t max_bytes);
Expected<Array, Status> read_npz(const std::string& path, const std::string& key, std::uint64_t max_bytes);
/// Parses a whole .npz held in memory (fuzzing, tests).
Expected<Array, Status> parse_npz(std::string_view bytes, const std::string& key, std::uint64_t max_bytes);
Expected<void, Status> write_npy(const std::string& path, const Array& array);

}  // namespace lockstep::driver
