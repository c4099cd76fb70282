// Module and Kernel.
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <vector>

#include "dialects/registry.h"
#include "interpreter/batching/effects.h"
#include "interpreter/evaluators/expand_asm.h"
#include "ir/breakpoint.h"
#include "ir/passes/contraction.h"
#include "ir/passes/passes.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"
#include "ir/walk.h"
#include "python/native/binding.h"
#include "python/native/bindings.h"
#include "python/native/modules.h"
#include "python/native/names.h"
#include "python/native/options.h"
#include "python/native/run_launch.h"
#include "support/log.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;

std::string bytes_of(const py::object& text) {
  if (py::isinstance<py::bytes>(text)) return text.cast<py::bytes>();
  if (py::isinstance<py::str>(text)) return text.cast<std::string>();
  throw py::type_error("the text of a module must be str or bytes");
}

std::shared_ptr<ModuleData> from_ttir(const py::object& text, const std::string& name, const std::string& target,
                                      bool fp_fusion, bool debug, int num_warps, int num_stages) {
  const TargetProfile profile = profile_of(target);
  const auto file = std::make_shared<const SourceFile>(name, bytes_of(text));
  DiagnosticSink sink;
  std::optional<ir::Module> module;
  const bool gives_bits = options().bits;
  {
    const py::gil_scoped_release unlocked;
    module = ir::parse_module(dialects::registry(), file, sink);
    if (module && !ir::verify(*module, sink)) module.reset();
    if (module && fp_fusion) contract(*module, gives_bits);
    if (module) interpreter::expand_memory_asm(*module);
    if (module && gives_bits) warn_of_own_order(*module, {num_warps, profile.capability()});
  }
  if (!module) throw_compile_error(sink);
  return std::make_shared<ModuleData>(ModuleData{std::move(*module), profile, debug, num_warps, num_stages});
}

std::vector<std::string> kernel_names(const ModuleData& self) {
  std::vector<std::string> names;
  for (const ir::Op* kernel : self.module.kernels()) names.emplace_back(ir::symbol_name(*kernel));
  return names;
}

const ir::Op& find_kernel(const ModuleData& self, const std::optional<std::string>& name) {
  const std::vector<ir::Op*> kernels = self.module.kernels();
  if (!name && kernels.size() == 1) return *kernels.front();
  for (const ir::Op* kernel : kernels) {
    if (name && ir::symbol_name(*kernel) == *name) return *kernel;
  }
  std::string all;
  for (const std::string& known : kernel_names(self)) all += (all.empty() ? "" : ", ") + known;
  throw py::value_error((name ? "no kernel '" + *name + "'" : std::string("the kernel must be named")) +
                        "; the module has: " + (all.empty() ? "none" : all));
}

std::vector<bool> written_parameters(const interpreter::MemoryEffects& effects, std::size_t count) {
  std::vector<bool> written(count, effects.written.is_unknown || effects.atomic.is_unknown);
  for (const auto* set : {&effects.written.arguments, &effects.atomic.arguments}) {
    for (const std::size_t i : *set) {
      if (i < count) written[i] = true;
    }
  }
  return written;
}

/// Values of other kinds (types, functions) are their texts.
KernelConstant constant_of(const py::handle& value) {
  if (value.is_none()) return std::monostate{};
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  int overflow = 0;
  if (PyLong_Check(value.ptr())) {
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow == 0) return static_cast<std::int64_t>(number);
  }
  if (PyFloat_Check(value.ptr())) return value.cast<double>();
  return py::str(value).cast<std::string>();
}

bool has_breakpoints(const ir::Module& module) {
  bool found = false;
  ir::walk(module.op(), [&found](const ir::Op& op) { found = found || ir::is_breakpoint(op); });
  return found;
}

std::shared_ptr<const KernelData> make_kernel(const std::shared_ptr<ModuleData>& self,
                                              const std::optional<std::string>& name, const py::dict& constants) {
  const ir::Op& function = find_kernel(*self, name);
  auto kernel = std::make_shared<KernelData>();
  DiagnosticSink sink;
  kernel->prepared = sanitizer::CheckedKernel::make(self->module, function, self->profile, sink);
  if (kernel->prepared == nullptr) throw_compile_error(sink);
  kernel->module = self;
  kernel->name = ir::symbol_name(function);
  kernel->parameters = parameters_of(function);
  kernel->needs_all_storages = kernel->prepared->needs_all_storages();
  kernel->has_breakpoints = has_breakpoints(self->module);
  for (const auto& [key, value] : constants) kernel->constants.emplace_back(py::str(key), constant_of(value));
  kernel->may_write = written_parameters(interpreter::effects_of(self->module, function), kernel->parameters.size());
  return kernel;
}

/// Arguments of Kernel.launch: tuples are flattened, and each value gets the spec of the IR parameters it fills.
class LaunchArguments {
 public:
  LaunchArguments(const KernelData& kernel, const py::sequence& given, const std::vector<std::string>& names)
      : parameters_(kernel.parameters) {
    for (const py::handle& value : given) flatten(value, 0);
    const bool is_exact = values_.size() == parameters_.size();
    std::size_t next = 0;
    for (PyObject* value : values_) next += add_spec(value, next, is_exact, names);
    if (next != parameters_.size()) {
      throw py::value_error("kernel '" + kernel.name + "' takes " + std::to_string(parameters_.size()) +
                            " arguments, " + std::to_string(values_.size()) + " were given");
    }
  }

  const std::vector<ArgumentSpec>& specs() const { return specs_; }
  PyObject* const* values() const { return values_.data(); }

 private:
  void flatten(py::handle value, int depth) {
    if (depth > 64) throw py::value_error("tuples are nested too deeply");
    const py::object kept = py::reinterpret_borrow<py::object>(value);
    if (PyTuple_Check(value.ptr())) {
      for (const py::handle& item : py::reinterpret_borrow<py::tuple>(value)) flatten(item, depth + 1);
      return;
    }
    values_.push_back(value.ptr());
    kept_.push_back(kept);
  }

  std::size_t add_spec(PyObject* value, std::size_t next, bool is_exact, const std::vector<std::string>& names) {
    ArgumentSpec& spec = specs_.emplace_back();
    spec.parameter = next;
    if (next >= parameters_.size()) return 1;
    const Parameter& parameter = parameters_[next];
    spec.name = next < names.size() ? names[next] : parameter.name;
    const bool is_descriptor = PyObject_HasAttr(value, python::names().block_shape) != 0;
    if (parameter.kind == Parameter::Kind::descriptor || (is_descriptor && !is_exact)) {
      const std::size_t filled = describe_descriptor(parameters_, next, spec);
      if (filled == 0) throw py::type_error("argument '" + spec.name + "': the kernel takes no descriptor here");
      if (!is_exact) return filled;
      spec.has_sizes = false;
      return 1;
    }
    if (parameter.kind == Parameter::Kind::other) {
      throw py::type_error("argument '" + spec.name + "': parameters of type " + parameter.type + " are not supported");
    }
    const bool is_pointer = parameter.kind == Parameter::Kind::pointer;
    spec.kind = is_pointer ? ArgumentSpec::Kind::pointer : ArgumentSpec::Kind::scalar;
    return 1;
  }

  const std::vector<Parameter>& parameters_;
  std::vector<PyObject*> values_;
  std::vector<py::object> kept_;
  std::vector<ArgumentSpec> specs_;
};

std::array<std::int64_t, 3> grid_of(const py::sequence& sizes) {
  if (sizes.size() < 1 || sizes.size() > 3) throw py::value_error("a grid has one to three dimensions");
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::size_t i = 0;
  for (const py::handle& size : sizes) {
    if (i >= grid.size() || !read_grid_extent(size.ptr(), grid[i++])) throw py::error_already_set();
  }
  return grid;
}

std::shared_ptr<ReportData> launch_kernel(const std::shared_ptr<KernelData>& self, const py::sequence& grid,
                                   const py::sequence& given, const std::vector<std::string>& argument_names) {
  const LaunchArguments arguments(*self, given, argument_names);
  Binding binding(self->parameters, options().reach);
  if (!binding.take(arguments.specs(), arguments.values())) throw py::error_already_set();
  auto report = run_launch(self, grid_of(grid), binding);
  if (report == nullptr) throw py::error_already_set();
  if (PyObject* hook = options().on_every_report.get(); hook != nullptr) {
    py::reinterpret_borrow<py::object>(hook)(report);
  }
  return report;
}

}  // namespace

TargetProfile profile_of(const std::string& target) {
  const auto profile = TargetProfile::parse(target);
  if (!profile) throw py::value_error("'" + target + "' is no target: " + profile.error().hint);
  return *profile;
}

void contract(ir::Module& module, bool gives_bits) {
  if (gives_bits)
    ir::passes::contract_as_compiled(module);
  else
    ir::passes::fuse_multiply_add(module);
}

void warn_of_own_order(ir::Module& module, const interpreter::gpu_bits::GpuTarget& gpu) {
  for (const ir::Op* op : interpreter::gpu_bits::mark_for_gpu_bits(module, gpu))
    log::warn(interpreter::gpu_bits::own_order_text(*op, gpu));
}

std::shared_ptr<const KernelData> kernel_of(py::handle object) {
  if (!py::isinstance<KernelData>(object)) {
    throw py::type_error(std::string("the kernel must be a lockstep._native.Kernel, not ") +
                         Py_TYPE(object.ptr())->tp_name);
  }
  return object.cast<std::shared_ptr<KernelData>>();
}

void add_modules(py::module_& module) {
  py::class_<Parameter>(module, "Parameter", "A parameter of a kernel, from its IR.")
      .def_readonly("name", &Parameter::name)
      .def_readonly("type", &Parameter::type)
      .def("__repr__", [](const Parameter& self) { return "<Parameter " + self.name + ": " + self.type + ">"; });
  py::class_<KernelData, std::shared_ptr<KernelData>>(module, "Kernel", "A planned kernel.")
      .def_readonly("name", &KernelData::name)
      .def_readonly("parameters", &KernelData::parameters)
      .def_property_readonly("target", [](const KernelData& self) { return self.module->profile.name(); })
      .def_readonly("needs_all_storages", &KernelData::needs_all_storages)
      .def("launch", &launch_kernel, py::arg("grid"), py::arg("arguments"), py::arg("names") = std::vector<std::string>());
  py::class_<ModuleData, std::shared_ptr<ModuleData>> bound(module, "Module", "A verified module for one GPU profile.");
  bound.def_static("from_ttir", &from_ttir, py::arg("text"), py::arg("name") = "<ttir>", py::kw_only(),
                   py::arg("target") = "sm_90", py::arg("fp_fusion") = false, py::arg("debug") = true,
                   py::arg("num_warps") = 4, py::arg("num_stages") = 3);
  bound.def_static("from_python", &module_from_python, py::arg("path"), py::arg("kernel"), py::kw_only(),
                   py::arg("signature"), py::arg("constants"), py::arg("divisible") = std::vector<std::string>(),
                   py::arg("source") = py::none(), py::arg("target") = "sm_90", py::arg("fp_fusion") = false,
                   py::arg("debug") = false, py::arg("search_path") = std::vector<std::string>(),
                   py::arg("globals") = py::none(), py::arg("num_warps") = 4, py::arg("num_stages") = 3);
  bound.def_property_readonly("kernels", &kernel_names)
      .def("kernel", &make_kernel, py::arg("name") = py::none(), py::arg("constants") = py::dict())
      .def(
          "text",
          [](const ModuleData& self, bool locations) {
            ir::PrintOptions print;
            print.locations = locations;
            return py::str(ir::print_module(self.module, print));
          },
          py::arg("locations") = false);
}

}  // namespace lockstep::python
