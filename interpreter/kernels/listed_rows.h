// Rows that a table names, copied one after the other: they are anywhere, so they are asked for ahead. Moving bytes needs
// no wide registers, so this is compiled once for all instruction sets. Not here: bounds, masks.
#pragma once

#include <cstdint>

namespace lockstep::interpreter::kernels {

/// Row i is the `bytes` at base + i * step + offsets[i * offset_step].
struct ListedRows {
  const char* base = nullptr;
  std::int64_t step = 0;
  const std::int64_t* offsets = nullptr;
  std::int64_t offset_step = 1;
  std::int64_t count = 0;
  std::int64_t bytes = 0;
};

/// Copies the rows to out, out + out_row, ... (no overlap). `bypasses`: whole cache lines bypass the caches, as in
/// stream(), where rows are such. Returns the bytes that did: all or none.
std::uint64_t copy_listed(char* out, std::int64_t out_row, const ListedRows& rows, bool bypasses);

}  // namespace lockstep::interpreter::kernels
