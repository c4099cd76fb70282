#include "python/native/arrays/numpy_array.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "python/native/arrays/element_type.h"
#include "python/native/names.h"

namespace lockstep::python {
namespace {

constexpr int kMostOwners = 64;

/// The target of __array_struct__: version 3 of NumPy's array interface (numpy.org, "The array interface protocol").
struct InterfaceStruct {
  int two;
  int rank;
  char kind;
  int item_size;
  int flags;
  Py_intptr_t* shape;
  Py_intptr_t* strides;  // bytes
  void* data;
  PyObject* description;
};
constexpr int kNotSwapped = 0x200, kWriteable = 0x400;

/// Types without a letter in NumPy ('V') are identified by their dtype's name (ml_dtypes).
bool read_element(PyObject* object, char kind, std::int64_t bytes, Array& array) {
  auto element = from_array_type(kind, bytes);
  std::string name;
  if (!element) {
    const Reference dtype(PyObject_GetAttr(object, names().dtype));
    const Reference text(dtype ? PyObject_Str(dtype.get()) : nullptr);
    const char* spelled = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
    if (spelled == nullptr) {
      PyErr_Clear();
      spelled = "of its kind";
    }
    name = spelled;
    element = from_type_name(name);
  }
  if (!element || size_bytes(*element) != bytes) {
    return refuse(PyExc_TypeError, "its dtype " + (name.empty() ? std::string(1, kind) : name) + " is not supported");
  }
  array.element = *element;
  return true;
}

/// Strides in bytes become elements.
bool scale_strides(Array& array) {
  const std::int64_t size = size_bytes(array.element);
  for (std::size_t d = 0; d < static_cast<std::size_t>(array.rank); ++d) {
    if (array.shape[d] <= 1) {
      array.strides[d] /= size;  // never used to reach an element
    } else if (array.strides[d] % size != 0) {
      return refuse(PyExc_ValueError, "its strides are not multiples of its element size");
    } else {
      array.strides[d] /= size;
    }
  }
  return true;
}

bool check_rank(std::int64_t rank) {
  if (rank >= 0 && rank <= kMaxRank) return true;
  return refuse(PyExc_ValueError, "it has " + std::to_string(rank) + " dimensions, at most 32 are supported");
}

bool read_struct(PyObject* object, PyObject* capsule, Array& array) {
  const auto* facts = static_cast<const InterfaceStruct*>(PyCapsule_GetPointer(capsule, nullptr));
  if (facts == nullptr) return false;
  if (facts->two != 2) return refuse(PyExc_TypeError, "its __array_struct__ is malformed");
  if ((facts->flags & kNotSwapped) == 0) return refuse(PyExc_TypeError, "its bytes are in the other order");
  if (!check_rank(facts->rank) || !read_element(object, facts->kind, facts->item_size, array)) return false;
  array.rank = facts->rank;
  array.address = reinterpret_cast<std::uint64_t>(facts->data);
  array.is_read_only = (facts->flags & kWriteable) == 0;
  std::copy_n(facts->shape, facts->rank, array.shape.begin());
  std::copy_n(facts->strides, facts->rank, array.strides.begin());
  return scale_strides(array);
}

bool read_integers(PyObject* sequence_object, std::array<std::int64_t, kMaxRank>& values, int& count) {
  const Reference sequence(PySequence_Fast(sequence_object, "sizes must be a sequence"));
  if (!sequence || !check_rank(PySequence_Fast_GET_SIZE(sequence.get()))) return false;
  count = static_cast<int>(PySequence_Fast_GET_SIZE(sequence.get()));
  for (int i = 0; i < count; ++i) {
    const long long value = PyLong_AsLongLong(PySequence_Fast_GET_ITEM(sequence.get(), i));
    if (value == -1 && PyErr_Occurred() != nullptr) return false;
    values[static_cast<std::size_t>(i)] = value;
  }
  return true;
}

/// "<f4": order, kind, bytes.
bool read_type_string(PyObject* object, PyObject* text, Array& array) {
  Py_ssize_t length = 0;
  const char* spelled = text != nullptr && PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &length) : nullptr;
  if (spelled == nullptr || length < 3) {
    return PyErr_Occurred() != nullptr ? false : refuse(PyExc_TypeError, "its typestr is malformed");
  }
  const std::string_view type(spelled, static_cast<std::size_t>(length));
  if (type[0] == '>') return refuse(PyExc_TypeError, "its bytes are in the other order");
  std::int64_t bytes = 0;
  for (const char digit : type.substr(2)) {
    if (digit < '0' || digit > '9' || bytes > 1000) return refuse(PyExc_TypeError, "its typestr is malformed");
    bytes = bytes * 10 + (digit - '0');
  }
  return read_element(object, type[1], bytes, array);
}

bool read_data_entry(PyObject* data, Array& array) {
  if (data == nullptr || !PyTuple_Check(data) || PyTuple_GET_SIZE(data) != 2) {
    return refuse(PyExc_TypeError, "its __array_interface__ names no memory ('data' must be an address and a flag)");
  }
  array.address = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(data, 0));
  if (PyErr_Occurred() != nullptr) return false;
  const int is_read_only = PyObject_IsTrue(PyTuple_GET_ITEM(data, 1));
  array.is_read_only = is_read_only == 1;
  return is_read_only >= 0;
}

bool read_dictionary(PyObject* object, PyObject* dictionary, Array& array) {
  if (!PyDict_Check(dictionary)) return refuse(PyExc_TypeError, "its __array_interface__ is not a dictionary");
  PyObject* shape = PyDict_GetItemString(dictionary, "shape");
  if (shape == nullptr) return refuse(PyExc_TypeError, "its __array_interface__ has no shape");
  if (!read_type_string(object, PyDict_GetItemString(dictionary, "typestr"), array)) return false;
  if (!read_data_entry(PyDict_GetItemString(dictionary, "data"), array)) return false;
  if (!read_integers(shape, array.shape, array.rank)) return false;
  PyObject* strides = PyDict_GetItemString(dictionary, "strides");
  if (strides == nullptr || strides == Py_None) {
    set_row_major_strides(array);
    return true;
  }
  int count = 0;
  if (!read_integers(strides, array.strides, count)) return false;
  if (count != array.rank) return refuse(PyExc_ValueError, "its shape and strides have different lengths");
  return scale_strides(array);
}

bool read_facts(PyObject* object, Array& array) {
  const Reference capsule(PyObject_GetAttr(object, names().array_struct));
  if (capsule && PyCapsule_CheckExact(capsule.get())) return read_struct(object, capsule.get(), array);
  PyErr_Clear();
  const Reference dictionary(PyObject_GetAttr(object, names().array_interface));
  return dictionary && read_dictionary(object, dictionary.get(), array);
}

void widen(Array& array, std::uint64_t begin, std::uint64_t end) {
  if (begin > array.begin || end < array.end) return;  // not what the elements lie in
  array.begin = begin;
  array.end = end;
}

/// An owner that is not an array: bytes, bytearray, mmap, a torch tensor.
void widen_by_other_owner(PyObject* owner, Array& array, KeepAlive& alive, ReadOwner read_owner) {
  Array whole;
  if (PyObject_HasAttr(owner, names().untyped_storage) != 0 || PyObject_HasAttr(owner, names().dlpack) != 0) {
    if (read_owner(owner, whole, alive) && !whole.is_bare) widen(array, whole.begin, whole.end);
    PyErr_Clear();
    return;
  }
  Py_buffer buffer{};
  if (PyObject_CheckBuffer(owner) == 0 || PyObject_GetBuffer(owner, &buffer, PyBUF_SIMPLE) != 0) {
    PyErr_Clear();
    return;
  }
  const auto begin = reinterpret_cast<std::uint64_t>(buffer.buf);
  widen(array, begin, begin + static_cast<std::uint64_t>(buffer.len));
  PyBuffer_Release(&buffer);
}

void widen_to_owner(PyObject* object, Array& array, KeepAlive& alive, ReadOwner read_owner) {
  Reference owner = Reference::borrow(object);
  for (int i = 0; i < kMostOwners; ++i) {
    Reference base(PyObject_GetAttr(owner.get(), names().base));
    if (!base || base.get() == Py_None || base.get() == owner.get()) break;
    Array whole;
    const bool is_array = PyObject_HasAttr(base.get(), names().array_struct) != 0 &&
                          PyObject_HasAttr(base.get(), names().base) != 0 && read_facts(base.get(), whole) &&
                          set_extent_from_shape(whole);
    if (!is_array) {
      PyErr_Clear();
      widen_by_other_owner(base.get(), array, alive, read_owner);
      break;
    }
    widen(array, whole.begin, whole.end);
    owner = std::move(base);
  }
  PyErr_Clear();
}

}  // namespace

bool read_numpy_like(PyObject* object, Array& array, KeepAlive& alive, ReadOwner read_owner) {
  if (!read_facts(object, array) || !set_extent_from_shape(array)) return false;
  if (array.begin != array.end) widen_to_owner(object, array, alive, read_owner);
  return true;
}

}  // namespace lockstep::python
