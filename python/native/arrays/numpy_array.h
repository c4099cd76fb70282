// NumPy arrays and other objects with their array interface (__array_struct__, else __array_interface__): address,
// shape, strides, whether it may be written, and the extent of the outermost owner found by walking .base, so that two
// views of one array are one storage. It refuses strides that are not multiples of the element size (fields of
// structured arrays), by name.
#pragma once

#include "python/native/arrays/array.h"

namespace lockstep::python {

/// Reads an owner that is not a NumPy array (read_array.h).
using ReadOwner = bool (*)(PyObject* owner, Array& array, KeepAlive& alive);
/// False: a Python exception is set.
bool read_numpy_like(PyObject* object, Array& array, KeepAlive& alive, ReadOwner read_owner);

}  // namespace lockstep::python
