// Copies a tensor out of memory, from its view to C order, for --save and --expect. Types that NumPy lacks (bf16, f8)
// are written as unsigned integers of their size, which @file.npy:bf16 reads back.
#pragma once

#include <cstdint>
#include <string>

#include "driver/files/npy.h"
#include "memory_model/view.h"

namespace lockstep::driver {

/// The view's elements in C order. max_bytes: 0 for no limit. Errors: LS2111 (more than the limit; broadcast views
/// grow).
Expected<Array, Status> gather(const memory_model::View& view, bool is_unsigned, std::uint64_t max_bytes);

/// Writes the view's elements as a .npy file, straight from memory if they are in C order. Untouched pages become holes
/// of the file, which read as zeros. Errors: LS2110, LS2111.
Expected<void, Status> save_npy(const std::string& path, const memory_model::AddressSpace& memory,
                                          const memory_model::View& view, bool is_unsigned);

/// Reads the file of `--expect out=@ref.npy`: the file's elements as `element` (bits if the sizes match and NumPy has
/// no such type). Errors: those of read_npy, LS2112 when type or shape differ from the view's.
Expected<Array, Status> read_expected(const std::string& path, const std::string& key, const memory_model::View& view,
                                      std::uint64_t max_bytes);

}  // namespace lockstep::driver
