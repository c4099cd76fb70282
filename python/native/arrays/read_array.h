// Reads the memory of a Python object without copying: torch tensors, NumPy arrays, anything with __dlpack__,
// __array_struct__ or __array_interface__, objects with data_ptr() (Triton's TensorWrapper), integers as pointers and
// None. It refuses memory of another device by name.
#pragma once

#include "python/native/arrays/array.h"

namespace lockstep::python {

/// False: a Python exception (TypeError, ValueError, or what the object raised) is set.
bool read_array(PyObject* object, Array& array, KeepAlive& alive);

/// Only by its __dlpack__ method, without consuming the capsule.
bool read_by_dlpack_method(PyObject* object, Array& array, KeepAlive& alive);

}  // namespace lockstep::python
