// Array: what a Python object says about its memory, read without copying: torch tensors, NumPy arrays, anything with
// __dlpack__, __array_struct__ or __array_interface__, objects with data_ptr() (Triton's TensorWrapper), integers as
// pointers and None. Invariant: [begin, end) is memory that the object keeps alive; the elements of shape and strides
// lie inside. Memory of another device is refused by name. Nothing here reads or writes an element.
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

/// Objects that must live as long as the arrays read from others: capsules, owners found on the way.
using KeepAlive = std::vector<Reference>;

/// Sets a Python exception; false.
bool refuse(PyObject* error, const std::string& message);
/// False: a Python exception (TypeError, ValueError, or what the object raised) is set.
bool read_array(PyObject* object, Array& array, KeepAlive& alive);

/// Only by its __dlpack__ method, and the capsule is looked at, not taken.
bool read_by_dlpack_method(PyObject* object, Array& array, KeepAlive& alive);

/// Whether "cuda" in an object's `device` means the CPU (lockstep.pretend_cuda).
bool& pretends_cuda();

}  // namespace lockstep::python
