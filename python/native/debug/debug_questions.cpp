#include "python/native/debug/debug_questions.h"

#include <algorithm>

#include "debugger/expression/value.h"
#include "driver/files/save.h"
#include "ir/module.h"
#include "python/native/arrays/read_array.h"
#include "support/gpu_model.h"

namespace lockstep::python {

namespace py = pybind11;

namespace {

constexpr const char* kExpect = R"(lockstep.debug(expect={"NAME": tensor}) gives the launch's expected results)";

std::string type_text(ScalarKind element, const std::vector<std::int64_t>& shape) {
  return std::string(spelling(element)) + debugger::index_text(shape);
}

/// The tensors among the arguments, each view once.
std::vector<driver::Tensor> tensors_of(const interpreter::RunRequest& request) {
  std::vector<driver::Tensor> tensors;
  for (std::size_t i = 0; i < request.memory->view_count(); ++i) {
    const memory_model::ViewId id{static_cast<std::int32_t>(i)};
    tensors.push_back({request.memory->view(id).name, id, "", false, false, false, {}});
  }
  return tensors;
}

interpreter::LaunchRequest launch_of(const KernelData& kernel, const interpreter::RunRequest& request) {
  interpreter::LaunchRequest launch;
  static_cast<interpreter::RunRequest&>(launch) = request;
  launch.module = &kernel.module->module;
  launch.function = &kernel.prepared->function();
  launch.profile = kernel.module->profile;
  launch.profiling = {};
  launch.rollback = false;
  launch.limits.timeout_seconds = 0;  // a person waits, and has Ctrl-C
  launch.print = [](const std::string&) {};
  return launch;
}

}  // namespace

ExpectedTensors read_expected(const py::dict& expect) {
  ExpectedTensors tensors;
  for (const auto& [name, object] : expect) {
    Array array;
    KeepAlive alive;
    if (!read_array(object.ptr(), array, alive)) throw py::error_already_set();
    memory_model::View view;
    view.element = array.element;
    view.base = array.address;
    view.shape.assign(array.shape.begin(), array.shape.begin() + array.rank);
    view.strides.assign(array.strides.begin(), array.strides.begin() + array.rank);
    view.extent = {array.begin, array.end};
    auto copy = array.is_bare ? Expected<driver::Array, Status>(Unexpected{Status{{}, "it is no array", ""}})
                              : driver::gather(view, array.is_unsigned, 0);
    if (!copy) throw py::value_error("expect: '" + name.cast<std::string>() + "': " + copy.error().message);
    tensors.emplace_back(name.cast<std::string>(), std::move(*copy));
  }
  return tensors;
}

DebugQuestions::DebugQuestions(const KernelData& kernel, const interpreter::RunRequest& request,
                               const sanitizer::CheckOptions& checks)
    : RemadeLaunch({launch_of(kernel, request), kernel.name, tensors_of(request),
                       checks.gpu != nullptr ? std::string(checks.gpu->name) : "", kExpect}),
      checks_(checks) {}

std::string DebugQuestions::expect(ExpectedTensors tensors) {
  for (auto& [name, array] : tensors) {
    const driver::Tensor* tensor = find_tensor(name);
    if (tensor == nullptr) {
      std::string names;
      for (const driver::Tensor& one : launch().tensors) names += (names.empty() ? "" : ", ") + one.name;
      return "expect: no tensor of the launch is called '" + name + "': " + names;
    }
    const auto place = static_cast<std::size_t>(tensor - launch().tensors.data());
    const memory_model::View& view = view_of(place);
    if (view.element != array.element || view.shape != array.shape)
      return "expect: '" + name + "' is " + type_text(view.element, view.shape) + ", what is expected of it is " +
             type_text(array.element, array.shape) + ": give it the same type and shape";
    references_.tensors.push_back(expectation(
        place, "what is expected", std::string(reinterpret_cast<const char*>(array.data.data()), array.data.size())));
  }
  return "";
}

debugger::Scope::Found DebugQuestions::reference(std::string_view name) const {
  for (const Reference& one : references_.tensors) {
    const memory_model::View& view = view_of(one.tensor);
    if (view.name == name) return debugger::Value(debugger::decode_tensor(view.element, view.shape, one.bytes));
  }
  return Unexpected{"there is no reference for '" + std::string(name) + "': " + kExpect};
}

DebugQuestions::Done DebugQuestions::once_more(const Act& act) {
  interpreter::LaunchRequest request = launch().request;
  request.stop = stop_;
  Done done;
  if (!engine_->with_memory_before([&] { done = act(request); }))
    return Unexpected{Problem{"there is no room for another copy of the kernel's outputs", ""}};
  return done;
}

Expected<sanitizer::CheckOptions, debugger::Problem> DebugQuestions::lint_options() const {
  DiagnosticSink sink;
  const auto lints = sanitizer::parse_checkers("lints", sink);
  if (!lints) return Unexpected{debugger::problem_of(sink)};
  sanitizer::CheckOptions checks = checks_;
  checks.checkers = lints->checkers;
  checks.when_cheap = 0;
  checks.warns_only = false;
  checks.schedules = 1;  // the launch's own
  checks.only_schedule = 0;
  return checks;
}

}  // namespace lockstep::python
