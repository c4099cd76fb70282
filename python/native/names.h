// Interned attribute names that the argument readers look up at every launch. make_names() makes them at import; they
// are never released.
#pragma once

#include <Python.h>

namespace lockstep::python {

struct Names {
  PyObject *data_ptr, *untyped_storage, *nbytes, *dtype, *shape, *stride, *strides, *base, *padding, *device, *type,
      *itemsize, *name, *array_struct, *array_interface, *dlpack, *dlpack_device, *exchange_api, *element_size,
      *round_f32_to_tf32, *calls, *block_shape, *index, *version;
};

/// False: a Python exception is set.
bool make_names();
const Names& names();

}  // namespace lockstep::python
