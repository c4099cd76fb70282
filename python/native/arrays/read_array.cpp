#include "python/native/arrays/read_array.h"

#include <algorithm>
#include <bit>
#include <string>

#include "python/native/arrays/dlpack.h"
#include "python/native/arrays/element_type.h"
#include "python/native/arrays/numpy_array.h"
#include "python/native/names.h"

namespace lockstep::python {

namespace {

constexpr int kMaxOwners = 64;

std::string class_name(PyObject* object) { return Py_TYPE(object)->tp_name; }

/// An attribute, or null without an exception if there is none.
Reference find_attribute(PyObject* object, PyObject* name) {
  Reference found(PyObject_GetAttr(object, name));
  if (!found && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
  return found;
}

bool address_of_integer(PyObject* integer, std::uint64_t& address) {
  address = PyLong_AsUnsignedLongLong(integer);
  return address != static_cast<std::uint64_t>(-1) || PyErr_Occurred() == nullptr;
}

bool call_for_integer(PyObject* object, PyObject* method, std::uint64_t& value) {
  const Reference result(PyObject_CallMethodNoArgs(object, method));
  if (!result) return false;
  if (!PyLong_Check(result.get())) {
    return refuse(PyExc_TypeError, class_name(object) + "." + PyUnicode_AsUTF8(method) + "() must return an int, not " +
                                       class_name(result.get()));
  }
  return address_of_integer(result.get(), value);
}

// ---- DLPack ----

const char* device_name(std::int32_t type) {
  switch (type) {
    case 2:
    case 13: return "a CUDA device";
    case 4: return "an OpenCL device";
    case 7: return "a Vulkan device";
    case 8: return "a Metal device";
    case 10: return "a ROCm device";
    case 14: return "a oneAPI device";
    default: return "another device";
  }
}

bool is_host(std::int32_t type) {
  return type == dlpack::kCpu || type == dlpack::kCudaHost || type == dlpack::kRocmHost;
}

bool read_dlpack(const dlpack::Tensor& tensor, Array& array) {
  if (!is_host(tensor.device.type)) {
    return refuse(PyExc_ValueError, std::string("its memory is on ") + device_name(tensor.device.type) +
                                        " (DLPack device type " + std::to_string(tensor.device.type) +
                                        "); Lockstep runs on the CPU");
  }
  if (tensor.rank < 0 || tensor.rank > kMaxRank) {
    return refuse(PyExc_ValueError, "it has " + std::to_string(tensor.rank) + " dimensions, at most 32 are supported");
  }
  const auto element = from_dlpack_type(tensor.type.code, tensor.type.bits, tensor.type.lanes);
  if (!element) {
    return refuse(PyExc_TypeError, "its elements (DLPack type code " + std::to_string(tensor.type.code) + ", " +
                                       std::to_string(tensor.type.bits) + " bits) are not supported");
  }
  array.element = *element;
  array.is_unsigned = tensor.type.code == dlpack::kUInt;
  array.rank = tensor.rank;
  array.address = reinterpret_cast<std::uint64_t>(tensor.data) + tensor.byte_offset;
  std::copy_n(tensor.shape, tensor.rank, array.shape.begin());
  if (tensor.strides != nullptr) {
    std::copy_n(tensor.strides, tensor.rank, array.strides.begin());
  } else {
    set_row_major_strides(array);
  }
  return true;
}

/// The exchange tables of the last types; most programs use one or two.
struct KnownType {
  PyTypeObject* type = nullptr;
  const dlpack::ExchangeApi* api = nullptr;
};

const dlpack::ExchangeApi* load_exchange_api(PyTypeObject* type) {
  const Reference capsule = find_attribute(reinterpret_cast<PyObject*>(type), names().exchange_api);
  if (!capsule || !PyCapsule_IsValid(capsule.get(), "dlpack_exchange_api")) {
    PyErr_Clear();
    return nullptr;
  }
  const auto* api = static_cast<const dlpack::ExchangeApi*>(PyCapsule_GetPointer(capsule.get(), "dlpack_exchange_api"));
  return api->version.major == 1 && api->tensor_from_object != nullptr ? api : nullptr;
}

const dlpack::ExchangeApi* exchange_api(PyTypeObject* type) {
  constexpr std::size_t kKnownTypes = 8;
  static std::array<KnownType, kKnownTypes> known;
  static std::size_t next = 0;
  for (const KnownType& entry : known) {
    if (entry.type == type) return entry.api;
  }
  const dlpack::ExchangeApi* api = load_exchange_api(type);  // may run Python code, and other threads with it
  KnownType& entry = known[next];
  next = (next + 1) % kKnownTypes;
  PyTypeObject* forgotten = entry.type;
  Py_INCREF(type);
  entry = {type, api};
  Py_XDECREF(forgotten);
  return api;
}

struct CapsuleTensor {
  const dlpack::Tensor* tensor = nullptr;
  bool is_read_only = false;
};

CapsuleTensor tensor_of(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    const auto* managed =
        static_cast<const dlpack::ManagedVersioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    if (managed->version.major == 1) return {&managed->tensor, (managed->flags & dlpack::kReadOnly) != 0};
  } else if (PyCapsule_IsValid(capsule, "dltensor")) {
    return {&static_cast<const dlpack::Managed*>(PyCapsule_GetPointer(capsule, "dltensor"))->tensor, false};
  }
  return {};
}

}  // namespace

/// An unused capsule releases its tensor itself, so it is enough to keep it.
bool read_by_dlpack_method(PyObject* object, Array& array, KeepAlive& alive) {
  if (const Reference device_method = find_attribute(object, names().dlpack_device)) {
    const Reference device(PyObject_CallNoArgs(device_method.get()));
    int type = 0, id = 0;
    if (!device || !PyTuple_Check(device.get()) || !PyArg_ParseTuple(device.get(), "ii", &type, &id)) {
      return PyErr_Occurred() != nullptr ? false
                                         : refuse(PyExc_TypeError, "__dlpack_device__() must return two integers");
    }
    if (!is_host(type)) {
      return refuse(PyExc_ValueError,
                    std::string("its memory is on ") + device_name(type) + "; Lockstep runs on the CPU");
    }
  } else if (PyErr_Occurred() != nullptr) {
    return false;
  }
  Reference capsule(PyObject_CallMethodNoArgs(object, names().dlpack));
  if (!capsule) return false;
  const CapsuleTensor found = tensor_of(capsule.get());
  if (found.tensor == nullptr) return refuse(PyExc_TypeError, "__dlpack__() returned no DLPack tensor of version 1");
  array.is_read_only = found.is_read_only;
  if (!read_dlpack(*found.tensor, array) || !set_extent_from_shape(array)) return false;
  alive.push_back(std::move(capsule));
  return true;
}

namespace {

// ---- torch ----

/// The whole storage behind a tensor, so that overlapping views are one storage and bounds reach its ends.
bool read_torch_storage(PyObject* object, Array& array) {
  const Reference storage(PyObject_CallMethodNoArgs(object, names().untyped_storage));
  std::uint64_t bytes = 0;
  if (!storage || !call_for_integer(storage.get(), names().data_ptr, array.begin) ||
      !call_for_integer(storage.get(), names().nbytes, bytes))
    return false;
  array.end = array.begin + bytes;
  const std::uint64_t begin = array.begin, end = array.end;
  if (!set_extent_from_shape(array)) return false;
  const bool is_empty = array.begin == array.end;
  if (!is_empty && (array.begin < begin || array.end > end)) {
    return refuse(PyExc_ValueError, "its shape and strides reach outside of its storage");
  }
  // A view without elements (x[:, 0:0]) has the address 0, wherever its storage is: the kernel gets no memory for it.
  if (is_empty && (array.address < begin || array.address > end)) return true;
  array.begin = begin;
  array.end = end;
  return true;
}

bool read_by_exchange(const dlpack::ExchangeApi& api, PyObject* object, Array& array) {
  dlpack::Tensor tensor{};
  if (api.tensor_from_object(object, &tensor) != 0) return false;
  if (!read_dlpack(tensor, array)) return false;
  if (PyObject_HasAttr(reinterpret_cast<PyObject*>(Py_TYPE(object)), names().untyped_storage) != 0) {
    return read_torch_storage(object, array);
  }
  return set_extent_from_shape(array);
}

bool read_element_type(PyObject* object, Array& array) {
  const Reference dtype = find_attribute(object, names().dtype);
  if (!dtype) return PyErr_Occurred() == nullptr;
  const Reference text(PyObject_Str(dtype.get()));
  const char* name = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  if (name == nullptr) return false;
  const auto element = from_type_name(name);
  if (!element) return refuse(PyExc_TypeError, "its dtype " + std::string(name) + " is not supported");
  array.element = *element;
  return true;
}

/// Device "cuda" (index None or 0) while pretend_cuda() is on.
bool is_pretended(PyObject* device, const std::string& type) {
  if (!pretends_cuda() || type != "cuda") return false;
  const Reference index = find_attribute(device, names().index);
  if (!index) return PyErr_Occurred() == nullptr;
  return index.get() == Py_None || (PyLong_Check(index.get()) && PyLong_AsLong(index.get()) == 0);
}

bool refuse_other_devices(PyObject* object) {
  const Reference device = find_attribute(object, names().device);
  if (!device) return PyErr_Occurred() == nullptr;
  const Reference type = find_attribute(device.get(), names().type);
  if (!type || !PyUnicode_Check(type.get())) return PyErr_Occurred() == nullptr;
  const char* name = PyUnicode_AsUTF8(type.get());
  if (name == nullptr) return false;
  if (std::string(name) == "cpu" || is_pretended(device.get(), name)) return true;
  if (PyErr_Occurred() != nullptr) return false;
  return refuse(PyExc_ValueError, "its memory is on device '" + std::string(name) + "'; Lockstep runs on the CPU");
}

/// Sizes or strides from an attribute or a method of that name; false: an exception is set.
bool read_sizes(PyObject* object, PyObject* name, std::array<std::int64_t, kMaxRank>& sizes, int& rank) {
  Reference found = find_attribute(object, name);
  if (found && PyCallable_Check(found.get()) != 0) found = Reference(PyObject_CallNoArgs(found.get()));
  if (!found) return PyErr_Occurred() == nullptr ? refuse(PyExc_TypeError, "it has no sizes") : false;
  const Reference sequence(PySequence_Fast(found.get(), "its sizes are not a sequence"));
  if (!sequence) return false;
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence.get());
  if (count > kMaxRank) return refuse(PyExc_ValueError, "it has more than 32 dimensions");
  for (Py_ssize_t i = 0; i < count; ++i) {
    const long long size = PyLong_AsLongLong(PySequence_Fast_GET_ITEM(sequence.get(), i));
    if (size == -1 && PyErr_Occurred() != nullptr) return false;
    sizes[static_cast<std::size_t>(i)] = size;
  }
  rank = static_cast<int>(count);
  return true;
}

bool read_torch_like(PyObject* object, Array& array) {
  int stride_rank = 0;
  if (!refuse_other_devices(object) || !read_element_type(object, array) ||
      !read_sizes(object, names().shape, array.shape, array.rank) ||
      !read_sizes(object, names().stride, array.strides, stride_rank))
    return false;
  if (stride_rank != array.rank) return refuse(PyExc_ValueError, "its shape and strides have different lengths");
  return call_for_integer(object, names().data_ptr, array.address) && read_torch_storage(object, array);
}

bool has(PyObject* object, PyObject* name) { return PyObject_HasAttr(object, name) != 0; }

bool read_nested(PyObject* object, Array& array, KeepAlive& alive, int depth);

/// Objects with data_ptr(): Triton's TensorWrapper and users' classes have a tensor in `base`, others also have an
/// array protocol; for the rest only the address is known.
bool read_by_data_ptr(PyObject* object, Array& array, KeepAlive& alive, int depth) {
  if (PyObject_HasAttr(object, names().untyped_storage) != 0) return read_torch_like(object, array);
  Reference base = find_attribute(object, names().base);
  if (!base && PyErr_Occurred() != nullptr) return false;
  std::uint64_t address = 0;
  if (!call_for_integer(object, names().data_ptr, address)) return false;
  if (base && base.get() != Py_None && base.get() != object) {
    if (!read_nested(base.get(), array, alive, depth + 1)) return false;
    alive.push_back(std::move(base));
    array.address = address;
    return true;
  }
  if (has(object, names().array_struct) || has(object, names().array_interface)) {
    return read_numpy_like(object, array, alive, read_array);
  }
  if (has(object, names().dlpack)) return read_by_dlpack_method(object, array, alive);
  array.address = array.begin = array.end = address;
  array.is_bare = true;
  return true;
}

bool read_nested(PyObject* object, Array& array, KeepAlive& alive, int depth) {
  if (depth > kMaxOwners) return refuse(PyExc_ValueError, "its chain of .base never ends");
  if (object == Py_None) {
    array.is_bare = true;
    return true;
  }
  if (PyLong_Check(object)) {
    array.is_bare = true;
    if (!address_of_integer(object, array.address)) return false;
    array.begin = array.end = array.address;
    return true;
  }
  if (const dlpack::ExchangeApi* api = exchange_api(Py_TYPE(object))) {
    if (read_by_exchange(*api, object, array)) return true;
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) return false;
    PyErr_Clear();  // tensors that DLPack does not speak of are asked by name below, which says what is wrong
    array = Array{};
  }
  if (has(object, names().data_ptr)) return read_by_data_ptr(object, array, alive, depth);
  if (has(object, names().array_struct) || has(object, names().array_interface)) {
    return read_numpy_like(object, array, alive, read_array);
  }
  if (has(object, names().dlpack)) return read_by_dlpack_method(object, array, alive);
  if (PyObject_HasAttrString(object, "__cuda_array_interface__") != 0) {
    return refuse(PyExc_ValueError, "its memory is on a CUDA device; Lockstep runs on the CPU");
  }
  return refuse(PyExc_TypeError,
                "a pointer argument must be a tensor, an array, an int or None, not " + class_name(object));
}

}  // namespace

bool read_array(PyObject* object, Array& array, KeepAlive& alive) { return read_nested(object, array, alive, 0); }

}  // namespace lockstep::python
