// The header of a .npy file: a Python dict literal with 'descr', 'fortran_order' and 'shape'. Reads exactly what
// NumPy's own safe reader accepts of plain dtypes; everything else (records, objects, complex, strings) is refused by
// name. Source: NumPy Enhancement Proposal 1 and numpy.lib.format. Errors: LS2104 (dtype), LS2105 (header text), LS2107
// (size).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics/status.h"
#include "support/result.h"
#include "support/scalar.h"

namespace lockstep::driver {

struct NpyHeader {
  ScalarKind element = ScalarKind::f32;
  bool is_unsigned = false;
  bool is_big_endian = false;
  bool is_fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data_offset = 0;  // in the file's bytes
  std::uint64_t data_bytes = 0;
};

Expected<NpyHeader, Status> parse_npy_header(std::string_view bytes);
/// The whole header of format 1.0 with its padding to 64 bytes, for `element` in C order.
std::string make_npy_header(ScalarKind element, bool is_unsigned, const std::vector<std::int64_t>& shape);

}  // namespace lockstep::driver
