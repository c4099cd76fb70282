// Array: a Python object's description of its memory. Invariant: [begin, end) is memory that the object keeps alive;
// the elements of shape and strides are inside. Nothing here reads or writes an element. Not here: reading objects
// (read_array.h).
#pragma once

#include <Python.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "python/native/reference.h"
#include "support/scalar.h"

namespace lockstep::python {

inline constexpr int kMaxRank = 32;

struct Array {
  std::uint64_t address = 0;         // of element (0, 0, ...)
  std::uint64_t begin = 0, end = 0;  // bytes of the whole storage behind it
  ScalarKind element = ScalarKind::i8;
  bool is_unsigned = false;  // said by DLPack's types only
  int rank = 0;
  std::array<std::int64_t, kMaxRank> shape{}, strides{};  // elements
  bool is_read_only = false;
  bool is_bare = false;  // only an address is known (an integer, or data_ptr() without a size): [begin, end) is empty
};

/// Objects that must live as long as the arrays read from others: capsules, and owners of memory.
using KeepAlive = std::vector<Reference>;

/// Sets a Python exception; false.
bool refuse(PyObject* error, const std::string& message);
/// Strides of a contiguous array of array.shape.
void set_row_major_strides(Array& array);
/// Sets [begin, end) to the range of the elements. False (ValueError): impossible sizes.
bool set_extent_from_shape(Array& array);

/// Whether "cuda" in an object's `device` means the CPU (lockstep.pretend_cuda).
bool& pretends_cuda();

}  // namespace lockstep::python
