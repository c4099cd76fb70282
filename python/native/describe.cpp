// What host code asks an array before a launch.
#include <string>

#include "python/native/arrays/element_type.h"
#include "python/native/arrays/read_array.h"
#include "python/native/bindings.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;

py::tuple describe_dlpack(const py::object& object) {
  Array array;
  KeepAlive alive;
  if (!read_by_dlpack_method(object.ptr(), array, alive)) throw py::error_already_set();
  return py::make_tuple(std::string(type_name(array.element, array.is_unsigned)), array.address);
}

}  // namespace

void add_descriptions(py::module_& module) { module.def("describe_dlpack", &describe_dlpack, py::arg("object")); }

}  // namespace lockstep::python
