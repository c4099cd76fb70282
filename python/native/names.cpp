#include "python/native/names.h"

namespace lockstep::python {
namespace {

Names& storage() {
  static Names instance{};
  return instance;
}

bool intern(PyObject*& target, const char* text) {
  target = PyUnicode_InternFromString(text);
  return target != nullptr;
}

}  // namespace

const Names& names() { return storage(); }

bool make_names() {
  Names& n = storage();
  return intern(n.data_ptr, "data_ptr") && intern(n.untyped_storage, "untyped_storage") && intern(n.nbytes, "nbytes") &&
         intern(n.dtype, "dtype") && intern(n.shape, "shape") && intern(n.stride, "stride") &&
         intern(n.strides, "strides") && intern(n.base, "base") && intern(n.padding, "padding") &&
         intern(n.device, "device") && intern(n.type, "type") && intern(n.itemsize, "itemsize") &&
         intern(n.name, "name") && intern(n.array_struct, "__array_struct__") &&
         intern(n.array_interface, "__array_interface__") && intern(n.dlpack, "__dlpack__") &&
         intern(n.dlpack_device, "__dlpack_device__") && intern(n.exchange_api, "__dlpack_c_exchange_api__") &&
         intern(n.element_size, "element_size") && intern(n.round_f32_to_tf32, "round_f32_to_tf32") &&
         intern(n.calls, "calls") && intern(n.block_shape, "block_shape") && intern(n.index, "index") &&
         intern(n.version, "_version");
}

}  // namespace lockstep::python
