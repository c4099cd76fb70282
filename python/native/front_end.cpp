// The C++ front end: Module.from_python, list_kernels, DType, KernelInfo, ParameterInfo.
#include <pybind11/stl.h>

#include <string>
#include <tuple>
#include <vector>

#include "dialects/registry.h"
#include "frontend/compile.h"
#include "interpreter/evaluators/expand_asm.h"
#include "python/native/bindings.h"
#include "python/native/constant_value.h"
#include "python/native/modules.h"
#include "python/native/options.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;
using Kind = ConstantValue::Kind;

/// A Triton type as a compile-time constant.
struct DType {
  std::string name;
};

ConstantValue to_constant(const std::string& name, py::handle value) {
  if (value.is_none()) return {};
  if (PyBool_Check(value.ptr())) return ConstantValue::of_bool(value.cast<bool>());
  if (py::isinstance<DType>(value)) return {Kind::dtype, 0, 0, value.cast<DType>().name, {}};
  if (py::isinstance<py::str>(value)) return {Kind::string, 0, 0, value.cast<std::string>(), {}};
  if (PyTuple_Check(value.ptr())) {
    ConstantValue tuple;
    tuple.kind = Kind::tuple;
    for (const py::handle& element : py::reinterpret_borrow<py::tuple>(value))
      tuple.elements.push_back(to_constant(name, element));
    return tuple;
  }
  if (PyFloat_Check(value.ptr())) return ConstantValue::of_float(value.cast<double>());
  if (PyIndex_Check(value.ptr()) != 0) {
    const auto integer = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    int overflow = 0;
    const long long number = integer ? PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow) : -1;
    if (!integer || (number == -1 && overflow == 0 && PyErr_Occurred() != nullptr)) throw py::error_already_set();
    if (overflow != 0) throw py::value_error("constant '" + name + "' does not fit 64 bits");
    return ConstantValue::of_integer(number);
  }
  throw py::type_error("constant '" + name + "' must be None, bool, int, float, str, DType or a tuple of these, not " +
                       Py_TYPE(value.ptr())->tp_name);
}

void add_parameters(frontend::CompileRequest& request, const py::dict& signature, const py::dict& constants,
                    const std::vector<std::string>& divisible) {
  for (const auto& [key, value] : signature) {
    request.parameters[key.cast<std::string>()].type = value.cast<std::string>();
  }
  for (auto& [name, value] : constants_of(constants)) request.parameters[name].constant = std::move(value);
  for (const std::string& name : divisible) {
    const std::size_t dot = name.find('.');
    const auto found = request.parameters.find(name.substr(0, dot));
    if (found == request.parameters.end() || found->second.constant) continue;
    if (dot == std::string::npos)
      found->second.divisibility = 16;
    else
      found->second.divisible_parts.push_back(name.substr(dot + 1));
  }
}

/// "type", "value", "shape", "strides", "elements", as far as they are known.
frontend::LaunchArgument launch_argument(const std::string& name, const py::dict& known) {
  frontend::LaunchArgument argument;
  if (known.contains("type")) argument.type = known["type"].cast<std::string>();
  if (known.contains("value")) argument.value = to_constant(name, known["value"]);
  if (known.contains("shape")) argument.shape = known["shape"].cast<std::vector<std::int64_t>>();
  if (known.contains("strides")) argument.strides = known["strides"].cast<std::vector<std::int64_t>>();
  if (!known.contains("elements")) return argument;
  argument.elements.emplace();
  for (const py::handle& element : known["elements"])
    argument.elements->push_back(launch_argument(name, py::reinterpret_borrow<py::dict>(element)));
  return argument;
}

/// (values of parameters, num_warps, num_stages)
std::tuple<py::dict, std::optional<int>, std::optional<int>> tune(
    const std::string& path, const std::string& kernel, const py::dict& arguments,
    const std::optional<std::string>& source, const std::string& target, const std::vector<std::string>& search_path,
    const std::optional<py::dict>& globals, const std::optional<std::size_t>& config) {
  frontend::TuningRequest request;
  request.path = path;
  request.source = source;
  request.kernel = kernel;
  for (const auto& [key, value] : arguments) {
    const auto name = key.cast<std::string>();
    request.arguments[name] = launch_argument(name, py::reinterpret_borrow<py::dict>(value));
  }
  if (globals) request.globals = constants_of(*globals);
  request.search_path = search_path;
  request.target = profile_of(target).name();
  request.config = config;
  DiagnosticSink sink;
  const auto tuning = frontend::tune(request, sink);
  if (!tuning) throw_compile_error(sink);
  py::dict values;
  for (const auto& [name, value] : tuning->constants) values[py::str(name)] = to_python(value);
  return {values, tuning->num_warps, tuning->num_stages};
}

void print_to_python(std::string_view text) {
  const py::gil_scoped_acquire locked;
  const auto line = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  PyObject* out = PySys_GetObject("stdout");
  if (line && out != nullptr && out != Py_None) PyFile_WriteObject(line.ptr(), out, Py_PRINT_RAW);
  PyErr_Clear();  // a static_print that cannot be shown does not make the kernel wrong
}

std::vector<frontend::KernelInfo> list_kernels(const std::string& path, const std::optional<std::string>& source) {
  DiagnosticSink sink;
  auto kernels = frontend::list_kernels(path, sink, source);
  if (!kernels) throw_compile_error(sink);
  return std::move(*kernels);
}

void add_information(py::module_& module) {
  using P = frontend::ParameterInfo;
  using K = frontend::KernelInfo;
  py::class_<P>(module, "ParameterInfo", "The facts of a parameter in a kernel's def line.")
      .def_readonly("name", &P::name)
      .def_readonly("is_constexpr", &P::is_constexpr)
      .def_readonly("annotation", &P::annotation)
      .def_readonly("do_not_specialize", &P::do_not_specialize)
      .def_readonly("do_not_specialize_on_alignment", &P::do_not_specialize_on_alignment)
      .def_property_readonly("has_default", [](const P& self) { return self.default_value.has_value(); })
      .def_property_readonly(
          "default", [](const P& self) { return self.default_value ? to_python(*self.default_value) : py::none(); });
  py::class_<K>(module, "KernelInfo", "A @triton.jit function of a file.")
      .def_readonly("name", &K::name)
      .def_readonly("line", &K::line)
      .def_readonly("parameters", &K::parameters)
      .def_readonly("is_autotuned", &K::is_autotuned)
      .def_readonly("has_heuristics", &K::has_heuristics)
      .def("__repr__", [](const K& self) { return "<KernelInfo " + self.name + ">"; });
}

}  // namespace

py::object to_python(const ConstantValue& value) {
  switch (value.kind) {
    case Kind::none: return py::none();
    case Kind::boolean: return py::bool_(value.integer != 0);
    case Kind::integer: return py::int_(value.integer);
    case Kind::floating: return py::float_(value.floating);
    case Kind::string: return py::str(value.text);
    case Kind::dtype: return py::cast(DType{value.text});
    case Kind::tuple: break;
  }
  if (value.kind == Kind::tuple) {
    py::tuple tuple(value.elements.size());
    for (std::size_t i = 0; i < value.elements.size(); ++i) tuple[i] = to_python(value.elements[i]);
    return tuple;
  }
  return py::none();
}

std::map<std::string, ConstantValue> constants_of(const py::dict& given) {
  std::map<std::string, ConstantValue> constants;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    constants[name] = to_constant(name, value);
  }
  return constants;
}

std::shared_ptr<ModuleData> module_from_python(const std::string& path, const std::string& kernel,
                                               const py::dict& signature, const py::dict& constants,
                                               const std::vector<std::string>& divisible,
                                               const std::optional<std::string>& source, const std::string& target,
                                               bool fp_fusion, bool debug, const std::vector<std::string>& search_path,
                                               const std::optional<py::dict>& globals, int num_warps, int num_stages) {
  frontend::CompileRequest request;
  request.path = path;
  request.kernel = kernel;
  request.source = source;
  request.search_path = search_path;
  request.num_warps = num_warps;
  request.num_stages = num_stages;
  const TargetProfile profile = profile_of(target);
  request.target = profile.name();
  request.debug = debug;
  request.keeps_asserts = true;
  request.print = print_to_python;
  add_parameters(request, signature, constants, divisible);
  if (globals) request.globals = constants_of(*globals);
  DiagnosticSink sink;
  std::optional<ir::Module> module;
  const bool gives_bits = options().bits;
  {
    const py::gil_scoped_release unlocked;
    module = frontend::compile_kernel(dialects::registry(), request, frontend::Stage::ttir, sink);
    if (module && fp_fusion) contract(*module, gives_bits);
    if (module) interpreter::expand_memory_asm(*module);
    if (module && gives_bits) warn_of_own_order(*module, {num_warps, profile.capability()});
  }
  if (!module) throw_compile_error(sink);
  return std::make_shared<ModuleData>(ModuleData{std::move(*module), profile, debug, num_warps, num_stages});
}

void add_front_end(py::module_& module) {
  py::class_<DType>(module, "DType", "A Triton type as a compile-time constant.")
      .def(py::init([](std::string name) { return DType{std::move(name)}; }), py::arg("name"))
      .def_readonly("name", &DType::name)
      .def("__eq__", [](const DType& self, const DType& other) { return self.name == other.name; })
      .def("__hash__", [](const DType& self) { return py::hash(py::str(self.name)); })
      .def("__repr__", [](const DType& self) { return "DType('" + self.name + "')"; });
  add_information(module);
  module.def("list_kernels", &list_kernels, py::arg("path"), py::arg("source") = py::none());
  module.def("tune", &tune, py::arg("path"), py::arg("kernel"), py::kw_only(), py::arg("arguments"),
             py::arg("source") = py::none(), py::arg("target") = "sm_90",
             py::arg("search_path") = std::vector<std::string>(), py::arg("globals") = py::none(),
             py::arg("config") = py::none());
  module.def("is_language_name", &frontend::is_language_name, py::arg("space"), py::arg("name"));
}

}  // namespace lockstep::python
