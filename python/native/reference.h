// Reference: one owned reference to a Python object, for code that talks to the C API without pybind11 (the launch
// path). Invariant: the object is released exactly once, by a thread that holds the interpreter's lock. A null
// Reference after a call means that a Python exception is set.
#pragma once

#include <Python.h>

#include <utility>

namespace lockstep::python {

class Reference {
 public:
  Reference() = default;
  explicit Reference(PyObject* owned) : object_(owned) {}
  static Reference borrow(PyObject* object) {
    Py_XINCREF(object);
    return Reference(object);
  }
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference() { Py_XDECREF(object_); }

  explicit operator bool() const { return object_ != nullptr; }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }

 private:
  PyObject* object_ = nullptr;
};

}  // namespace lockstep::python
