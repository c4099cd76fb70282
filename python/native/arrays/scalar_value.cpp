#include "python/native/arrays/scalar_value.h"

#include <bit>
#include <cmath>
#include <string>

#include "python/native/reference.h"
#include "support/float_formats.h"

namespace lockstep::python {
namespace {

bool out_of_range(ScalarKind kind) {
  PyErr_Format(PyExc_OverflowError, "the value does not fit %s", std::string(spelling(kind)).c_str());
  return false;
}

/// The exact integer behind a bool, an int or a NumPy integer; TypeError for anything else.
Reference integer_of(PyObject* number) { return Reference(PyNumber_Index(number)); }

bool read_signed(PyObject* integer, ScalarKind kind, std::uint64_t& bits) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
  if (value == -1 && PyErr_Occurred() != nullptr) return false;
  const int width = bit_width(kind);
  if (overflow != 0) return out_of_range(kind);
  if (width < 64) {
    // Triton's launcher takes 0 to 255 for an int8; -128 to -1 make sense as well.
    const long long highest = width <= 8 ? 255 : (1LL << (width - 1)) - 1;
    const long long lowest = width == 1 ? 0 : -(1LL << (width - 1));
    if (value < lowest || value > highest) return out_of_range(kind);
  }
  bits = static_cast<std::uint64_t>(value);
  return true;
}

bool read_either(PyObject* integer, ScalarKind kind, std::uint64_t& bits) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
  if (value == -1 && overflow == 0 && PyErr_Occurred() != nullptr) return false;
  const int width = bit_width(kind);
  if (overflow < 0) return out_of_range(kind);
  if (overflow > 0) {
    if (width < 64) return out_of_range(kind);
    bits = PyLong_AsUnsignedLongLong(integer);
    if (bits != static_cast<std::uint64_t>(-1) || PyErr_Occurred() == nullptr) return true;
    PyErr_Clear();
    return out_of_range(kind);
  }
  if (width < 64 && (value < -(1LL << (width - 1)) || value > (1LL << width) - 1)) return out_of_range(kind);
  bits = static_cast<std::uint64_t>(value);
  return true;
}

bool read_integer(PyObject* number, ScalarKind kind, Sign sign, std::uint64_t& bits) {
  const Reference converted = PyLong_Check(number) ? Reference::borrow(number) : integer_of(number);
  if (!converted) return false;
  if (sign == Sign::is_signed) return read_signed(converted.get(), kind, bits);
  if (sign == Sign::either) return read_either(converted.get(), kind, bits);
  bits = PyLong_AsUnsignedLongLongMask(converted.get());
  return bits != static_cast<std::uint64_t>(-1) || PyErr_Occurred() == nullptr;
}

bool read_python_float(PyObject* number, ScalarKind kind, std::uint64_t& bits) {
  const double value = PyFloat_AsDouble(number);
  if (value == -1.0 && PyErr_Occurred() != nullptr) return false;
  if (kind == ScalarKind::f64) {
    bits = std::bit_cast<std::uint64_t>(value);
    return true;
  }
  const auto narrowed = static_cast<float>(value);
  if (kind == ScalarKind::f32) {
    bits = std::bit_cast<std::uint32_t>(narrowed);
    return true;
  }
  if (kind == ScalarKind::bf16) {
    bits = std::bit_cast<std::uint32_t>(narrowed) >> 16;
    return true;
  }
  bits = encode_float(kind, value);
  if (kind == ScalarKind::f16 && std::isfinite(value) && (bits & 0x7fffu) == 0x7c00u) return out_of_range(kind);
  return true;
}

}  // namespace

bool read_scalar(PyObject* number, ScalarKind kind, Sign sign, std::uint64_t& bits) {
  return is_float(kind) ? read_python_float(number, kind, bits) : read_integer(number, kind, sign, bits);
}

}  // namespace lockstep::python
