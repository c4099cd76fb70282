// NumPy arrays and what speaks their array interface (__array_struct__, else __array_interface__): address, shape,
// strides, whether it may be written, and the extent of the outermost owner found by walking .base, so that two views
// of one array are one storage. Strides that are no multiple of the element size (fields of structured arrays) are
// refused by name.
#pragma once

#include "python/native/arrays/array.h"

namespace lockstep::python {

/// False: a Python exception is set.
bool read_numpy_like(PyObject* object, Array& array, KeepAlive& alive);

/// Strides of a contiguous array of array.shape.
void set_row_major_strides(Array& array);
/// [begin, end) becomes what the elements cover. False (ValueError): sizes that no memory has.
bool set_extent_from_shape(Array& array);

}  // namespace lockstep::python
