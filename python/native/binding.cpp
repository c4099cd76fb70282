#include "python/native/binding.h"

#include <algorithm>

#include "python/native/arrays/empties.h"
#include "python/native/arrays/read_array.h"
#include "python/native/names.h"
#include "python/native/options.h"

namespace lockstep::python {
namespace {

using interpreter::Argument;

/// Puts the argument's name in front of the current exception.
bool blame(const ArgumentSpec& spec) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  const bool is_ours = type == PyExc_TypeError || type == PyExc_ValueError || type == PyExc_OverflowError;
  const Reference text(is_ours && value != nullptr ? PyObject_Str(value) : nullptr);
  if (!text) {
    PyErr_Clear();
    PyErr_Restore(type, value, trace);
    return false;
  }
  PyErr_Format(type, "argument '%s': %U", spec.name.c_str(), text.get());
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return false;
}

bool refuse_argument(PyObject* error, const ArgumentSpec& spec, const std::string& message) {
  PyErr_Format(error, "argument '%s': %s", spec.name.c_str(), message.c_str());
  return false;
}

std::span<const std::int64_t> sizes_of(const std::array<std::int64_t, kMaxRank>& sizes, int rank) {
  return {sizes.data(), static_cast<std::size_t>(rank)};
}

void* to_pointer(std::uint64_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

/// Integers of a sequence attribute of a descriptor; `rank` of them.
bool read_descriptor_sizes(const ArgumentSpec& spec, PyObject* descriptor, PyObject* name,
                           std::array<std::int64_t, kMaxRank>& sizes) {
  const Reference found(PyObject_GetAttr(descriptor, name));
  const Reference sequence(found ? PySequence_Fast(found.get(), "a descriptor's sizes must be a sequence") : nullptr);
  if (!sequence) return blame(spec);
  const auto count = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(sequence.get()));
  if (count != spec.rank) {
    return refuse_argument(
        PyExc_ValueError, spec,
        "the descriptor has " + std::to_string(count) + " dimensions, the kernel's has " + std::to_string(spec.rank));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Reference integer(PyNumber_Index(PySequence_Fast_GET_ITEM(sequence.get(), static_cast<Py_ssize_t>(i))));
    if (!integer) return blame(spec);
    sizes[i] = PyLong_AsLongLong(integer.get());
    if (sizes[i] == -1 && PyErr_Occurred() != nullptr) return blame(spec);
  }
  return true;
}

/// descriptor.padding == "nan"
bool read_padding(PyObject* descriptor, bool& pads_nan) {
  const Reference padding(PyObject_GetAttr(descriptor, names().padding));
  if (!padding) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) return false;
    PyErr_Clear();
    return true;
  }
  pads_nan = PyUnicode_Check(padding.get()) && PyUnicode_CompareWithASCIIString(padding.get(), "nan") == 0;
  return true;
}

/// The second flag of Triton 3.7's descriptors; false where there is none.
bool read_rounding(PyObject* descriptor, bool& rounds) {
  const Reference flag(PyObject_GetAttr(descriptor, names().round_f32_to_tf32));
  if (!flag) {
    PyErr_Clear();
    return true;
  }
  const int is_true = PyObject_IsTrue(flag.get());
  rounds = is_true == 1;
  return is_true >= 0;
}

}  // namespace

Binding::Binding(const std::vector<Parameter>& parameters, interpreter::Reach reach)
    : arguments(parameters.size()), parameters_(parameters), reach_(reach) {
  windows_.swap(spare_windows());
  windows_.clear();
  windows_.reserve(parameters.size());
}

Binding::~Binding() { windows_.swap(spare_windows()); }

std::vector<Binding::Window>& Binding::spare_windows() {
  static thread_local std::vector<Window> instance;
  return instance;
}

bool Binding::take(const std::vector<ArgumentSpec>& specs, PyObject* const* values) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!take_one(specs[i], values[i])) return false;
  }
  return true;
}

bool Binding::take_one(const ArgumentSpec& spec, PyObject* value) {
  switch (spec.kind) {
    case ArgumentSpec::Kind::constant: return true;
    case ArgumentSpec::Kind::scalar:
      return read_scalar(value, parameters_[spec.parameter].element, spec.sign, arguments[spec.parameter].bits) ||
             blame(spec);
    case ArgumentSpec::Kind::pointer: return take_pointer(spec, value);
    case ArgumentSpec::Kind::descriptor:
    case ArgumentSpec::Kind::pointer_and_sizes: return take_descriptor(spec, value);
    case ArgumentSpec::Kind::tuple: return take_tuple(spec, value);
  }
  return true;
}

bool Binding::take_tuple(const ArgumentSpec& spec, PyObject* value) {
  Reference items(PySequence_Tuple(value));
  if (!items) return blame(spec);
  const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(items.get()));
  if (count != spec.items.size()) {
    return refuse_argument(PyExc_ValueError, spec,
                  "a tuple of " + std::to_string(spec.items.size()) + " values was compiled, " + std::to_string(count) +
                      " were given");
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!take_one(spec.items[i], PyTuple_GET_ITEM(items.get(), static_cast<Py_ssize_t>(i)))) return false;
  }
  alive_.push_back(std::move(items));
  return true;
}

bool Binding::take_pointer(const ArgumentSpec& spec, PyObject* value) {
  Window& window = windows_.emplace_back();
  window.parameter = spec.parameter;
  window.spec = &spec;
  arguments[spec.parameter].kind = Argument::Kind::pointer;
  if (!read_array(value, window.array, alive_)) return blame(spec);
  Empties& empties = Empties::instance();
  if (!empties.is_empty() && !window.array.is_bare)
    window.is_unwritten = empties.is_unwritten(value, window.array.begin, window.array.end);
  return true;
}

/// A plain array for a descriptor parameter: describes its own shape and strides.
bool Binding::take_array_as_descriptor(const ArgumentSpec& spec, PyObject* value) {
  if (!take_pointer(spec, value)) return false;
  const Array& array = windows_.back().array;
  if (static_cast<std::size_t>(array.rank) == spec.rank && !array.is_bare) return true;
  return refuse_argument(PyExc_TypeError, spec,
                "it must be a tensor descriptor or an array of " + std::to_string(spec.rank) + " dimensions");
}

bool Binding::read_descriptor(const ArgumentSpec& spec, PyObject* value) {
  Reference base(PyObject_GetAttr(value, names().base));
  if (!base) return blame(spec);
  if (!take_pointer(spec, base.get())) return false;
  alive_.push_back(std::move(base));
  Array& array = windows_.back().array;
  array.rank = static_cast<int>(spec.rank);
  array.element = parameters_[spec.parameter].element;
  return read_descriptor_sizes(spec, value, names().shape, array.shape) &&
         read_descriptor_sizes(spec, value, names().strides, array.strides) &&
         read_padding(value, arguments[spec.parameter].pads_nan);
}

bool Binding::take_descriptor(const ArgumentSpec& spec, PyObject* value) {
  if (spec.rank > kMaxRank) return refuse_argument(PyExc_ValueError, spec, "more than 32 dimensions");
  const bool is_descriptor = PyObject_HasAttr(value, names().block_shape) != 0;
  if (!(is_descriptor ? read_descriptor(spec, value) : take_array_as_descriptor(spec, value))) return false;
  Argument& argument = arguments[spec.parameter];
  const Array& array = windows_.back().array;
  std::size_t next = spec.parameter + 1;
  const auto pass = [&](const std::array<std::int64_t, kMaxRank>& sizes) {
    for (std::size_t i = 0; i < spec.rank; ++i) set_scalar(next++, static_cast<std::uint64_t>(sizes[i]));
  };
  if (spec.kind == ArgumentSpec::Kind::descriptor) {
    argument.kind = Argument::Kind::descriptor;
    if (!spec.has_sizes) return true;
  } else {
    bool rounds = false;
    if (spec.flags > 1 && is_descriptor && !read_rounding(value, rounds)) return false;
    pass(array.shape);
    pass(array.strides);
    if (spec.flags > 0) set_scalar(next++, argument.pads_nan ? 1 : 0);
    if (spec.flags > 1) set_scalar(next++, rounds ? 1 : 0);
    argument.pads_nan = false;
  }
  pass(array.shape);
  pass(array.strides);
  return true;
}

/// An address without a size reaches its whole storage, if the launch knows one.
void Binding::settle_bare(Window& window) {
  Array& array = window.array;
  const auto found = memory.find_storage(array.address);
  array.element = parameters_[window.parameter].element;
  array.rank = 1;
  array.strides[0] = 1;
  array.shape[0] = 0;
  if (!found) {
    window.storage = memory.borrow(window.spec->name, to_pointer(array.address), 0);
    return;
  }
  const memory_model::Extent extent = memory.storage(*found).extent;
  array.begin = extent.begin;
  array.end = extent.end;
  array.shape[0] = static_cast<std::int64_t>(extent.end - array.address) / size_bytes(array.element);
  window.storage = *found;
}

bool Binding::add_view(Window& window) {
  const Array& array = window.array;
  const auto shape = sizes_of(array.shape, array.rank), strides = sizes_of(array.strides, array.rank);
  const auto view =
      reach_ == interpreter::Reach::storage
          ? memory.add_bare_view(window.storage, window.spec->name, array.element, array.address, shape, strides)
          : memory.add_view_at(window.storage, window.spec->name, array.element, array.address, shape, strides);
  if (!view) return refuse_argument(PyExc_ValueError, *window.spec, view.error().message);
  arguments[window.parameter].view = *view;
  if (window.is_unwritten) memory.mark_uninitialised(*view);
  return true;
}

bool Binding::register_other_storages() {
  PyObject* hook = options().all_storages.get();
  if (hook == nullptr) return true;
  const Reference found(PyObject_CallNoArgs(hook));
  const Reference list(found ? PySequence_Fast(found.get(), "all_storages must return a list") : nullptr);
  if (!list) return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.get()); ++i) {
    unsigned long long address = 0, bytes = 0;
    const char* name = nullptr;
    PyObject* entry = PySequence_Fast_GET_ITEM(list.get(), i);
    if (!PyTuple_Check(entry)) {
      PyErr_SetString(PyExc_TypeError, "all_storages must return tuples (address, bytes, name)");
      return false;
    }
    if (!PyArg_ParseTuple(entry, "KKs", &address, &bytes, &name)) return false;
    if (bytes != 0 && address != 0 && bytes <= UINT64_MAX - address) memory.borrow(name, to_pointer(address), bytes);
  }
  return true;
}

bool Binding::finish(bool needs_all_storages) {
  bool has_bare = false;
  for (Window& window : windows_) {
    has_bare |= window.array.is_bare && window.array.address != 0;
    if (window.array.is_bare) continue;
    window.storage =
        memory.borrow(window.spec->name, to_pointer(window.array.begin), window.array.end - window.array.begin);
  }
  if ((needs_all_storages || has_bare) && !register_other_storages()) return false;
  for (Window& window : windows_) {
    if (window.array.is_bare) settle_bare(window);
  }
  return std::all_of(windows_.begin(), windows_.end(), [&](Window& window) { return add_view(window); });
}

bool Binding::is_read_only(std::size_t parameter) const {
  return std::any_of(windows_.begin(), windows_.end(),
                     [&](const Window& window) { return window.parameter == parameter && window.array.is_read_only; });
}

std::vector<memory_model::Extent> Binding::read_only_memory() const {
  std::vector<memory_model::Extent> ranges;
  for (const Window& window : windows_) {
    if (window.array.is_read_only) ranges.push_back({window.array.begin, window.array.end});
  }
  return ranges;
}

void Binding::note_written(const std::vector<bool>& may_write) {
  for (const Window& window : windows_) {
    if (window.is_unwritten && may_write[window.parameter]) Empties::instance().forget(window.array.begin);
  }
}

std::string Binding::made_at(const std::string& argument) const {
  for (const Window& window : windows_) {
    if (window.spec->name != argument) continue;
    const std::string site = Empties::instance().site_of(window.array.begin);
    if (site.empty()) return "";
    return "'" + argument + "' was made" + (window.is_unwritten ? ", empty," : "") + " at " + site;
  }
  return "";
}

std::string Binding::name_of(std::size_t parameter) const {
  for (const Window& window : windows_) {
    if (window.parameter == parameter) return window.spec->name;
  }
  return parameters_[parameter].name;
}

}  // namespace lockstep::python
