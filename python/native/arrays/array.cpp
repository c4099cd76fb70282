#include "python/native/arrays/array.h"

#include <algorithm>

namespace lockstep::python {

bool refuse(PyObject* error, const std::string& message) {
  PyErr_SetString(error, message.c_str());
  return false;
}

void set_row_major_strides(Array& array) {
  std::int64_t stride = 1;
  for (auto d = static_cast<std::size_t>(array.rank); d-- > 0;) {
    array.strides[d] = stride;
    if (__builtin_mul_overflow(stride, std::max<std::int64_t>(array.shape[d], 1), &stride)) stride = 0;
  }
}

bool set_extent_from_shape(Array& array) {
  std::int64_t lowest = 0, highest = 0;
  bool is_empty = false, overflows = false;
  for (std::size_t d = 0; d < static_cast<std::size_t>(array.rank); ++d) {
    if (array.shape[d] < 0) return refuse(PyExc_ValueError, "it has a negative size");
    if (array.shape[d] == 0) is_empty = true;
    std::int64_t reach = 0;
    overflows |= array.shape[d] > 0 && __builtin_mul_overflow(array.shape[d] - 1, array.strides[d], &reach);
    overflows |= __builtin_add_overflow(reach < 0 ? lowest : highest, reach, reach < 0 ? &lowest : &highest);
  }
  array.begin = array.end = array.address;
  if (is_empty) return true;
  const std::int64_t size = size_bytes(array.element);
  overflows |= __builtin_mul_overflow(lowest, size, &lowest);
  overflows |= __builtin_add_overflow(highest, 1, &highest) || __builtin_mul_overflow(highest, size, &highest);
  overflows |= overflows || (lowest < 0 && static_cast<std::uint64_t>(-lowest) > array.address);
  overflows |= static_cast<std::uint64_t>(highest) > UINT64_MAX - array.address;
  if (overflows) return refuse(PyExc_ValueError, "its shape and strides reach beyond 64-bit addresses");
  if (array.address == 0) return refuse(PyExc_ValueError, "it has elements but no memory");
  array.begin = array.address + static_cast<std::uint64_t>(lowest);
  array.end = array.address + static_cast<std::uint64_t>(highest);
  return true;
}

bool& pretends_cuda() {
  static bool instance = false;
  return instance;
}

}  // namespace lockstep::python
