// Launcher: what Triton calls to launch a compiled kernel. A heap type with vectorcall in the plain C API, because a
// launch of an empty kernel must cost microseconds. Invariant: everything about the constructor analyses the signature;
// a call only reads values. Reports of clean launches make no Python object.
// clang-format off: structmember.h needs Python.h before it
#include <Python.h>
#include <structmember.h>
// clang-format on

#include <exception>
#include <new>
#include <optional>

#include "python/native/binding.h"
#include "python/native/bindings.h"
#include "python/native/names.h"
#include "python/native/options.h"
#include "python/native/run_launch.h"
#include "python/native/signature.h"
#include "support/check.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;

struct LauncherState {
  std::shared_ptr<const KernelData> kernel;
  std::vector<ArgumentSpec> specs;
  Reference on_report;
};

struct LauncherObject {
  PyObject_HEAD vectorcallfunc call;
  LauncherState* state;
};

// Positions of Triton's launcher arguments; those of the kernel follow.
constexpr Py_ssize_t kLaunchMetadata = 6, kEnterHook = 7, kExitHook = 8, kFixedArguments = 9;

/// Triton's hooks are None, a callable, or a chain object whose empty list of `calls` spares the call.
bool call_hook(PyObject* hook, PyObject* metadata) {
  if (hook == Py_None) return true;
  const Reference calls(PyObject_GetAttr(hook, names().calls));
  if (!calls) {
    PyErr_Clear();
  } else if (PyList_CheckExact(calls.get()) && PyList_GET_SIZE(calls.get()) == 0) {
    return true;
  }
  return static_cast<bool>(Reference(PyObject_CallOneArg(hook, metadata)));
}

/// Calls on_report for a report with findings, on_every_report always.
bool deliver(const LauncherState& state, const std::shared_ptr<ReportData>& report) {
  const bool is_clean =
      report->report.outcome == interpreter::Outcome::completed && report->report.findings.findings().empty();
  PyObject* every = options().on_every_report.get();
  if (is_clean && every == nullptr) return true;
  const Reference every_hook = Reference::borrow(every);
  const Reference object(py::cast(report).release().ptr());
  if (every_hook && !Reference(PyObject_CallOneArg(every_hook.get(), object.get()))) return false;
  return is_clean || static_cast<bool>(Reference(PyObject_CallOneArg(state.on_report.get(), object.get())));
}

PyObject* launch(const LauncherState& state, PyObject* const* arguments, Py_ssize_t count) {
  const auto expected = kFixedArguments + static_cast<Py_ssize_t>(state.specs.size());
  if (count != expected) {
    return PyErr_Format(PyExc_TypeError, "the launcher of '%s' takes %zd arguments, %zd were given",
                        state.kernel->name.c_str(), expected, count);
  }
  std::array<std::int64_t, 3> grid{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!read_grid_extent(arguments[i], grid[i])) return nullptr;
  }
  if (!call_hook(arguments[kEnterHook], arguments[kLaunchMetadata])) return nullptr;
  Binding binding(state.kernel->parameters, options().reach);
  if (!binding.take(state.specs, arguments + kFixedArguments)) return nullptr;
  const auto report = run_launch(state.kernel, grid, binding);
  if (report == nullptr || !deliver(state, report)) return nullptr;
  if (!call_hook(arguments[kExitHook], arguments[kLaunchMetadata])) return nullptr;
  Py_RETURN_NONE;
}

/// Runs `body`; C++ exceptions become Python's.
template <typename Body>
auto guarded(Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const InternalError& error) {
    PyErr_Format(PyExc_SystemError, "a defect of Lockstep: %s", error.what());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  }
  return {};
}

PyObject* call_launcher(PyObject* self, PyObject* const* arguments, std::size_t flags, PyObject* keywords) {
  if (keywords != nullptr && PyTuple_GET_SIZE(keywords) != 0) {
    PyErr_SetString(PyExc_TypeError, "a launcher takes no keyword arguments");
    return nullptr;
  }
  // A handle of its own: a callback may drop the last reference to this object's state.
  const Reference kept = Reference::borrow(self);
  const LauncherState* state = reinterpret_cast<LauncherObject*>(self)->state;
  if (state == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "this launcher was cleared by the garbage collector");
    return nullptr;
  }
  return guarded([&] { return launch(*state, arguments, PyVectorcall_NARGS(flags)); });
}

LauncherState* make_state(PyObject* kernel, PyObject* names, PyObject* signature, PyObject* on_report) {
  auto state = std::make_unique<LauncherState>();
  state->kernel = kernel_of(kernel);
  std::vector<std::string> argument_names;
  for (const py::handle& name : py::reinterpret_borrow<py::sequence>(names)) {
    argument_names.push_back(name.cast<std::string>());
  }
  if (!read_signature(state->kernel->parameters, signature, argument_names, state->specs)) return nullptr;
  if (PyCallable_Check(on_report) == 0) {
    PyErr_SetString(PyExc_TypeError, "on_report must be callable");
    return nullptr;
  }
  state->on_report = Reference::borrow(on_report);
  return state.release();
}

PyObject* make_launcher(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  static const char* const kNames[] = {"kernel", "names", "signature", "on_report", nullptr};
  PyObject *kernel = nullptr, *names = nullptr, *signature = nullptr, *on_report = nullptr;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "OOOO", const_cast<char**>(kNames), &kernel, &names, &signature,
                                  &on_report) == 0)
    return nullptr;
  if (PySequence_Check(names) == 0) {
    PyErr_SetString(PyExc_TypeError, "names must be a sequence");
    return nullptr;
  }
  LauncherState* state = guarded([&] { return make_state(kernel, names, signature, on_report); });
  if (state == nullptr) return nullptr;
  auto* self = reinterpret_cast<LauncherObject*>(type->tp_alloc(type, 0));
  if (self == nullptr) {
    delete state;
    return nullptr;
  }
  self->call = call_launcher;
  self->state = state;
  return reinterpret_cast<PyObject*>(self);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  const LauncherState* state = reinterpret_cast<LauncherObject*>(self)->state;
  if (state != nullptr) Py_VISIT(state->on_report.get());
  return 0;
}

int clear(PyObject* self) {
  LauncherState*& state = reinterpret_cast<LauncherObject*>(self)->state;
  delete std::exchange(state, nullptr);
  return 0;
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* represent(PyObject* self) {
  const LauncherState* state = reinterpret_cast<LauncherObject*>(self)->state;
  return PyUnicode_FromFormat("<Launcher of %s>", state == nullptr ? "nothing" : state->kernel->name.c_str());
}

template <typename Function>
void* slot(Function function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

void add_launcher(py::module_& module) {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(LauncherObject, call), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr},
  };
  static PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char*>("Triton's launcher of one kernel.")},
      {Py_tp_new, slot(make_launcher)},
      {Py_tp_dealloc, slot(deallocate)},
      {Py_tp_traverse, slot(traverse)},
      {Py_tp_clear, slot(clear)},
      {Py_tp_call, slot(PyVectorcall_Call)},
      {Py_tp_repr, slot(represent)},
      {Py_tp_members, members},
      {0, nullptr},
  };
  static PyType_Spec spec = {"lockstep._native.Launcher", sizeof(LauncherObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, slots};
  const auto type = py::reinterpret_steal<py::object>(PyType_FromSpec(&spec));
  if (!type) throw py::error_already_set();
  module.attr("Launcher") = type;
}

}  // namespace lockstep::python
