// Shared by tt.reduce and tt.scan: the place of the axis in the registers, lanes and warps of a layout, the combining
// region as a device lambda, and the table in shared memory through which warps see each other's parts. Not here: the
// order in which parts are combined.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend_cuda/emit/emit_context.h"

namespace lockstep::backend_cuda {

using Variables = std::vector<Variable>;

/// "a, b, c".
std::string join(const std::vector<std::string>& parts);

struct Axis {
  int first = 0, count = 0;          // index bits
  std::vector<int> reg, lane, warp;  // positions in the layout, by index bit, lowest first
};
/// The attribute "axis" of a reduction or scan whose sources are in `layout`.
Axis axis_of(const ir::Op& op, const Layout& layout);
int mask_of(const std::vector<int>& positions);

/// Writes `auto combine = [&](T& a0, ..., T b0, ...) {...}`; the first set is also the result. "": not supported.
std::string write_combiner(EmitContext& context, const ir::Op& op, const Variables& parts);
/// Copies of the sources, to be combined in place.
Variables copy_sources(EmitContext& context, const ir::Op& op);
/// "p0[index], p1[index]".
std::string elements(const Variables& parts, const std::string& index);

/// A row for every warp along the axis, an element for every element outside the axis.
struct WarpTable {
  std::string scratch, column;  // C++ text; column: of register r's element
  std::int64_t columns = 1;
  std::vector<std::string> types;
  std::vector<std::int64_t> starts;  // bytes
  /// Text of part `i` in a row.
  std::string at(std::size_t i, const std::string& row) const;
};
/// Opens an exchange for it.
WarpTable warp_table(EmitContext& context, const ir::Op& op, const Variables& parts, const Axis& axis);

}  // namespace lockstep::backend_cuda
