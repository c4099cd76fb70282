// HostArguments: allocates the arguments of a launch from the texts that `lockstep run` takes, and says which value
// each parameter of a kernel gets. The command line has the same rules: driver/arguments/arguments.h and binding.h.
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/arguments/binding.h"
#include "driver/arguments/bound_groups.h"
#include "driver/files/save.h"
#include "driver/words/dtype_name.h"
#include "python/native/arrays/element_type.h"
#include "python/native/bindings.h"
#include "python/native/constant_value.h"
#include "python/native/modules.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;
using memory_model::View;

/// The memory made from the texts. Tensors share ownership, so it lives as long as one of them does.
struct HostMemory {
  std::vector<driver::ArgumentText> arguments;
  memory_model::AddressSpace space;
  std::vector<driver::Tensor> tensors;

  const View& view(const driver::Tensor& tensor) const { return space.view(tensor.view); }
};

/// The memory behind a tensor; named as in torch.
struct HostStorage {
  std::shared_ptr<HostMemory> memory;
  memory_model::Extent extent;
};

struct HostTensor {
  std::shared_ptr<HostMemory> memory;
  std::size_t index = 0;

  const driver::Tensor& tensor() const { return memory->tensors[index]; }
  const View& view() const { return memory->view(tensor()); }
};

/// A tensor descriptor, with the attribute names of Triton's own.
struct HostDescriptor {
  HostTensor base;
  std::vector<std::int64_t> block;
  bool pads_nan = false;
};

struct HostBinding {
  std::shared_ptr<HostMemory> memory;
  std::vector<driver::BoundParameter> bound;
  py::dict signature, constants, globals;
  std::vector<std::string> divisible, names;
  py::list arguments;
  std::optional<int> num_warps, num_stages;
};

class HostArguments {
 public:
  HostArguments(const std::vector<std::string>& texts, std::uint64_t seed, std::uint64_t max_bytes)
      : memory_(std::make_shared<HostMemory>()) {
    DiagnosticSink sink;
    driver::parse_all_arguments(texts, sink, memory_->arguments);
    if (sink.has_errors()) throw_compile_error(sink);
    std::optional<std::vector<driver::Tensor>> tensors;
    {
      const py::gil_scoped_release unlocked;
      tensors = driver::make_tensors(memory_->arguments, seed, max_bytes, memory_->space, sink);
    }
    if (!tensors) throw_compile_error(sink);
    memory_->tensors = std::move(*tensors);
  }

  py::dict tensors() const {
    py::dict found;
    for (std::size_t i = 0; i < memory_->tensors.size(); ++i)
      found[py::str(memory_->tensors[i].name)] = HostTensor{memory_, i};
    return found;
  }

  HostBinding bind(const frontend::KernelInfo& kernel, const std::string& path, const std::vector<std::string>& globals,
                   const std::vector<std::string>& search_path, const std::string& target,
                   std::optional<std::size_t> config) const;

 private:
  frontend::Tuning tune(const frontend::KernelInfo& kernel, frontend::TuningRequest request) const;
  void add(HostBinding& binding, const driver::BoundGroup& group, const frontend::ParameterInfo& info) const;
  void append(HostBinding& binding, const driver::BoundParameter& bound, const frontend::ParameterInfo& info) const;
  py::object scalar(const driver::BoundParameter& bound, const frontend::ParameterInfo& info) const;
  HostTensor tensor_of(const std::string& name) const;

  std::shared_ptr<HostMemory> memory_;
};

// The two have the same shape, kind by kind: driver/launch/constants.cpp asserts it.
std::map<std::string, ConstantValue> parse_globals(const std::vector<std::string>& texts) {
  std::map<std::string, ConstantValue> values;
  for (const std::string& text : texts) {
    DiagnosticSink sink;
    std::vector<driver::ArgumentText> arguments;
    if (!driver::parse_arguments(text, sink, arguments)) throw_compile_error(sink);
    const auto constant = driver::to_constant(arguments.front(), arguments);
    if (!constant) throw py::value_error("'" + text + "' is not a compile-time value");
    values[arguments.front().name] = *constant;
  }
  return values;
}

driver::ParameterFacts facts_of(const frontend::ParameterInfo& info, const frontend::Tuning& tuning) {
  driver::ParameterFacts facts{
      info.name, info.is_constexpr, info.annotation, info.do_not_specialize, info.do_not_specialize_on_alignment, {}, {}};
  const auto tuned = tuning.constants.find(info.name);
  if (info.default_value) facts.default_value = *info.default_value;
  if (tuned != tuning.constants.end()) facts.default_value = tuned->second;
  return facts;
}

frontend::Tuning HostArguments::tune(const frontend::KernelInfo& kernel, frontend::TuningRequest request) const {
  if (!kernel.is_autotuned && !kernel.has_heuristics) return {};
  for (const driver::ArgumentText& argument : memory_->arguments) {
    const auto constant = driver::to_constant(argument, memory_->arguments);
    if (std::holds_alternative<driver::ScalarValue>(argument.value)) request.arguments[argument.name].type = "i64";
    if (constant) request.arguments[argument.name].value = *constant;
  }
  for (const driver::Tensor& tensor : memory_->tensors) {
    const View& view = memory_->view(tensor);
    request.arguments[tensor.name] = {
        "*" + driver::short_name(view.element, tensor.is_unsigned), {}, view.shape, view.strides};
  }
  DiagnosticSink sink;
  auto tuning = frontend::tune(request, sink);
  if (!tuning) throw_compile_error(sink);
  return std::move(*tuning);
}

HostTensor HostArguments::tensor_of(const std::string& name) const {
  for (std::size_t i = 0; i < memory_->tensors.size(); ++i) {
    if (memory_->tensors[i].name == name) return {memory_, i};
  }
  throw py::value_error("argument '" + name + "' is no tensor");
}

/// The number as Python has it; the launch converts it to the parameter's type.
py::object HostArguments::scalar(const driver::BoundParameter& bound, const frontend::ParameterInfo& info) const {
  for (const driver::ArgumentText& argument : memory_->arguments) {
    const auto* value = std::get_if<driver::ScalarValue>(&argument.value);
    if (value == nullptr || argument.name != bound.name) continue;
    if (value->is_unsigned_64) return py::int_(static_cast<std::uint64_t>(value->integer));
    const auto constant = driver::to_constant(*value);
    if (constant) return to_python(*constant);
  }
  return info.default_value ? to_python(*info.default_value) : py::none();
}

void HostArguments::add(HostBinding& binding, const driver::BoundGroup& group,
                        const frontend::ParameterInfo& info) const {
  const driver::BoundParameter& first = binding.bound[group.first];
  const py::str name(group.parameter);
  if (!group.is_tuple && first.constant) {
    binding.constants[name] = to_python(*first.constant);
    return;
  }
  binding.signature[name] = group.is_tuple ? group.type : first.type;
  if (!group.is_tuple && first.divisibility != 0) binding.divisible.push_back(first.name);
  for (const std::string& part : group.divisible_parts) binding.divisible.push_back(group.parameter + "." + part);
  for (std::size_t i = group.first; i < group.first + group.count; ++i) {
    if (!binding.bound[i].constant) append(binding, binding.bound[i], info);
  }
}

void HostArguments::append(HostBinding& binding, const driver::BoundParameter& bound,
                           const frontend::ParameterInfo& info) const {
  binding.names.push_back(bound.name);
  if (!bound.is_pointer && !bound.is_descriptor) return binding.arguments.append(scalar(bound, info));
  const HostTensor tensor = tensor_of(bound.name);
  if (!bound.is_descriptor) return binding.arguments.append(tensor);
  binding.arguments.append(HostDescriptor{tensor, tensor.tensor().block, bound.pads_nan});
  for (const auto* numbers : {&tensor.view().shape, &tensor.view().strides}) {
    for (const std::int64_t number : *numbers) binding.arguments.append(number);
  }
}

HostBinding HostArguments::bind(const frontend::KernelInfo& kernel, const std::string& path,
                                const std::vector<std::string>& globals, const std::vector<std::string>& search_path,
                                const std::string& target, std::optional<std::size_t> config) const {
  const auto values = parse_globals(globals);
  frontend::TuningRequest request;
  request.path = path;
  request.kernel = kernel.name;
  request.globals = values;
  request.search_path = search_path;
  request.target = profile_of(target).name();
  request.config = config;
  if (config && !kernel.is_autotuned) throw py::value_error(kernel.name + " has no @triton.autotune");
  const frontend::Tuning tuning = tune(kernel, std::move(request));
  std::vector<driver::ParameterFacts> facts;
  for (const frontend::ParameterInfo& info : kernel.parameters) facts.push_back(facts_of(info, tuning));
  DiagnosticSink sink;
  auto bound = driver::bind_parameters(facts, memory_->arguments, memory_->tensors, memory_->space, sink);
  if (!bound) throw_compile_error(sink);
  HostBinding binding;
  binding.memory = memory_;
  binding.bound = std::move(*bound);
  binding.num_warps = tuning.num_warps;
  binding.num_stages = tuning.num_stages;
  const std::vector<driver::BoundGroup> groups = driver::group_bound(binding.bound);
  for (std::size_t i = 0; i < groups.size(); ++i) add(binding, groups[i], kernel.parameters[i]);
  for (const auto& [name, value] : values) binding.globals[py::str(name)] = to_python(value);
  return binding;
}

py::tuple grid_of(const HostBinding& self, const std::string& text) {
  DiagnosticSink sink;
  const driver::GridNames names =
      driver::make_grid_names(self.memory->arguments, self.memory->tensors, self.memory->space, self.bound);
  const auto grid = driver::evaluate_grid(text, names, sink);
  if (!grid) throw_compile_error(sink);
  std::array<std::int64_t, 3> extents{1, 1, 1};
  std::copy(grid->begin(), grid->end(), extents.begin());
  return py::make_tuple(extents[0], extents[1], extents[2]);
}

py::bytes bytes_of(const HostTensor& self) {
  const auto elements = driver::gather(self.view(), self.tensor().is_unsigned, 0);
  if (!elements) throw py::value_error(elements.error().message);
  PyObject* bytes = PyBytes_FromStringAndSize(reinterpret_cast<const char*>(elements->data.data()),
                                              static_cast<Py_ssize_t>(elements->data.size()));
  if (bytes == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::bytes>(bytes);
}

void add_tensors(py::module_& module) {
  py::class_<HostStorage>(module, "HostStorage", "The memory behind a HostTensor.")
      .def("data_ptr", [](const HostStorage& self) { return self.extent.begin; })
      .def("nbytes", [](const HostStorage& self) { return self.extent.bytes(); });
  py::class_<HostTensor>(module, "HostTensor", "An argument in the engine's own memory.")
      .def_property_readonly("name", [](const HostTensor& self) { return self.tensor().name; })
      .def_property_readonly(
          "dtype",
          [](const HostTensor& self) { return std::string(type_name(self.view().element, self.tensor().is_unsigned)); })
      .def_property_readonly("shape", [](const HostTensor& self) { return py::tuple(py::cast(self.view().shape)); })
      .def_property_readonly("is_initialised", [](const HostTensor& self) { return self.view().is_initialised; })
      .def("stride", [](const HostTensor& self) { return py::tuple(py::cast(self.view().strides)); })
      .def("data_ptr", [](const HostTensor& self) { return self.view().base; })
      .def("untyped_storage",
           [](const HostTensor& self) {
             return HostStorage{self.memory, self.memory->space.storage(self.view().storage).extent};
           })
      .def("bytes", &bytes_of);
  py::class_<HostDescriptor>(module, "HostDescriptor", "A tensor descriptor of a HostTensor.")
      .def_readonly("base", &HostDescriptor::base)
      .def_property_readonly("shape", [](const HostDescriptor& self) { return self.base.view().shape; })
      .def_property_readonly("strides", [](const HostDescriptor& self) { return self.base.view().strides; })
      .def_readonly("block_shape", &HostDescriptor::block)
      .def_property_readonly("padding", [](const HostDescriptor& self) { return self.pads_nan ? "nan" : "zero"; });
}

}  // namespace

void add_host_arguments(py::module_& module) {
  add_tensors(module);
  py::class_<HostBinding>(module, "HostBinding", "The types and constants that a kernel's parameters have for some arguments.")
      .def_readonly("signature", &HostBinding::signature)
      .def_readonly("constants", &HostBinding::constants)
      .def_readonly("globals", &HostBinding::globals)
      .def_readonly("divisible", &HostBinding::divisible)
      .def_readonly("names", &HostBinding::names)
      .def_readonly("arguments", &HostBinding::arguments)
      .def_readonly("num_warps", &HostBinding::num_warps)
      .def_readonly("num_stages", &HostBinding::num_stages)
      .def("grid", &grid_of, py::arg("text"));
  py::class_<HostArguments>(module, "HostArguments", "The arguments of a launch, from texts.")
      .def(py::init<const std::vector<std::string>&, std::uint64_t, std::uint64_t>(), py::arg("texts"), py::kw_only(),
           py::arg("seed") = 0, py::arg("max_bytes") = 0)
      .def_property_readonly("tensors", &HostArguments::tensors)
      .def("bind", &HostArguments::bind, py::arg("kernel"), py::arg("path"), py::kw_only(),
           py::arg("globals") = std::vector<std::string>{}, py::arg("search_path") = std::vector<std::string>{},
           py::arg("target") = "sm_90", py::arg("config") = py::none());
}

}  // namespace lockstep::python
