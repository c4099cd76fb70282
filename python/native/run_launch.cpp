#include "python/native/run_launch.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <string>

#include "enclosure/real_text.h"
#include "findings/origins.h"
#include "python/native/arrays/array.h"
#include "python/native/debug/debugging.h"
#include "python/native/options.h"
#include "python/native/sink_text.h"
#include "support/check.h"
#include "support/diagnostics/diagnostic.h"
#include "support/gpu_model.h"

namespace lockstep::python {
namespace {

/// The Python side of a running launch. The lock is released between construction and destruction, except inside
/// the callbacks, which all come on this thread.
class Session {
 public:
  /// `threads`: of one program, each of which prints a scalar where --as names a GPU's launch.
  Session(const Options& options, int threads)
      : progress_(Reference::borrow(options.progress.get())),
        print_(Reference::borrow(options.print.get())),
        threads_(threads) {}

  void release_lock() { thread_ = PyEval_SaveThread(); }
  void take_lock() { PyEval_RestoreThread(thread_); }
  /// Raises what a callback raised; false if one did. A plain Ctrl-C that ended the launch is not raised: the report
  /// says "interrupted", and its reader raises KeyboardInterrupt with the programs that had finished.
  bool raise_pending(bool is_interrupted) {
    if (type_ == nullptr) return true;
    PyErr_Restore(type_, value_, trace_);
    if (!is_interrupted || type_ != PyExc_KeyboardInterrupt) return false;
    PyErr_Clear();
    return true;
  }

  void attach(interpreter::RunRequest& request) {
    request.stop = &stop_;
    request.poll = [this] { return poll(); };
    request.print = [this](const std::string& text) { print(text); };
    if (progress_) request.progress = [this](const interpreter::Progress& now) { report_progress(now); };
  }

 private:
  template <typename Function>
  void with_lock(Function function) {
    if (stop_.load(std::memory_order_relaxed)) return;
    PyEval_RestoreThread(thread_);
    if (!function()) {
      PyErr_Fetch(&type_, &value_, &trace_);
      stop_.store(true);
    }
    thread_ = PyEval_SaveThread();
  }

  bool poll() {
    with_lock([] { return PyErr_CheckSignals() == 0; });
    return !stop_.load(std::memory_order_relaxed);
  }

  void print(const std::string& text) {
    with_lock([&] {
      const Reference line(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
      if (!line) return false;
      if (print_) return static_cast<bool>(Reference(PyObject_CallOneArg(print_.get(), line.get())));
      PyObject* out = PySys_GetObject("stdout");
      if (out == nullptr || out == Py_None) return true;
      for (int copies = pretends_cuda() && !is_of_tile(text) ? threads_ : 1; copies > 0; --copies) {
        if (PyFile_WriteObject(line.get(), out, Py_PRINT_RAW) != 0) return false;
      }
      return true;
    });
  }

  /// A line of tl.device_print for an element of a tile. Lines for scalars, or for a text alone, have no index.
  static bool is_of_tile(const std::string& line) {
    const std::size_t index = line.find(") idx (");
    return index != std::string::npos && index == line.find(')') && line.compare(index, 8, ") idx ()") != 0;
  }

  void report_progress(const interpreter::Progress& now) {
    with_lock([&] {
      const Reference result(PyObject_CallFunction(progress_.get(), "KKd",
                                                   static_cast<unsigned long long>(now.programs_done),
                                                   static_cast<unsigned long long>(now.programs_total), now.seconds));
      return static_cast<bool>(result);
    });
  }

  Reference progress_, print_;
  int threads_ = 1;
  PyThreadState* thread_ = nullptr;
  std::atomic<bool> stop_{false};
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

bool check_read_only(const KernelData& kernel, const Binding& binding) {
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (!kernel.may_write[i] || !binding.is_read_only(i)) continue;
    PyErr_Format(PyExc_ValueError, "argument '%s': the array is read-only and the kernel may write it",
                 binding.name_of(i).c_str());
    return false;
  }
  return true;
}

enum class Failure : std::uint8_t { none, defect, memory };

/// CUDA's limit on every compute capability (CUDA C++ Programming Guide, "Technical Specifications").
constexpr std::int64_t kMaxGridYZ = 65535;

}  // namespace

enclosure::RealMemory& real_memory() {
  static enclosure::RealMemory instance;
  return instance;
}

std::shared_ptr<ReportData>& last_report() {
  static std::shared_ptr<ReportData> instance;
  return instance;
}

bool read_grid_extent(PyObject* number, std::int64_t& extent) {
  if (PyLong_Check(number)) {
    extent = PyLong_AsLongLong(number);
  } else {
    const Reference integer(PyNumber_Index(number));
    if (!integer) return false;
    extent = PyLong_AsLongLong(integer.get());
  }
  return extent != -1 || PyErr_Occurred() == nullptr;
}

namespace {

interpreter::RunRequest request_of(const KernelData& kernel, const std::array<std::int64_t, 3>& grid, Binding& binding,
                                   sanitizer::CheckOptions& checks) {
  const Options& now = options();
  interpreter::RunRequest request;
  request.grid = grid;
  request.arguments = std::move(binding.arguments);
  request.memory = &binding.memory;
  request.threads = now.threads;
  request.reach = now.reach;
  request.rollback = now.rollback;
  request.profiling = now.profiling;
  request.limits = now.limits;
  request.asserts_are_errors = kernel.module->is_debug;
  checks = now.checks;
  checks.num_warps = kernel.module->num_warps;
  checks.num_stages = kernel.module->num_stages;
  request.resident = now.resident;
  sanitizer::set_asynchrony(request, checks);
  if (checks.gpu != nullptr && now.resident == 0) request.resident = resident_programs(*checks.gpu, checks.num_warps);
  return request;
}

/// What the launch would store without rounding, beside it.
std::string real_of(const KernelData& kernel, const interpreter::RunRequest& request) {
  interpreter::LaunchRequest beside;
  static_cast<interpreter::RunRequest&>(beside) = request;
  beside.module = &kernel.module->module;
  beside.function = &kernel.prepared->function();
  beside.profile = kernel.module->profile;
  DiagnosticSink sink;
  const auto report = enclosure::run_real(beside, real_memory(), sink);
  return report ? real_json(*report) : std::string();
}

/// False: a Python exception is set.
bool run_undisturbed(const KernelData& kernel, interpreter::RunRequest& request, const sanitizer::CheckOptions& checks,
                     Session& session, ReportData& data, std::optional<interpreter::LaunchReport>& report) {
  session.attach(request);
  if (options().covers) data.code.emplace();
  DiagnosticSink sink;
  Failure failure = Failure::none;
  std::string what;
  session.release_lock();
  try {
    if (options().is_real) data.real = real_of(kernel, request);
    report = kernel.prepared->launch(request, checks, sink, data.code ? &*data.code : nullptr, &data.missed);
  } catch (const std::bad_alloc&) {
    failure = Failure::memory;
  } catch (const InternalError& error) {
    failure = Failure::defect;
    what = error.what();
  }
  session.take_lock();
  if (failure == Failure::memory) {
    PyErr_NoMemory();
  } else if (failure == Failure::defect) {
    PyErr_Format(PyExc_SystemError, "a defect of Lockstep: %s", what.c_str());
  } else if (!report && session.raise_pending(false)) {
    PyErr_SetString(PyExc_ValueError, text_of(sink).c_str());
  }
  return report.has_value();
}

}  // namespace

std::shared_ptr<ReportData> run_launch(const std::shared_ptr<const KernelData>& kernel,
                                       const std::array<std::int64_t, 3>& grid, Binding& binding) {
  if (std::max(grid[1], grid[2]) > kMaxGridYZ) {
    PyErr_Format(PyExc_RuntimeError,
                 "invalid argument: a GPU takes at most %lld programs in y and z, this grid has %lld and %lld",
                 static_cast<long long>(kMaxGridYZ), static_cast<long long>(grid[1]), static_cast<long long>(grid[2]));
    return nullptr;
  }
  if (!binding.finish(kernel->needs_all_storages) || !check_read_only(*kernel, binding)) return nullptr;
  sanitizer::CheckOptions checks;
  interpreter::RunRequest request = request_of(*kernel, grid, binding, checks);
  std::optional<interpreter::LaunchReport> report;
  if ((debugs_every_launch() || kernel->has_breakpoints) &&
      !offer_to_debugger(kernel, request, checks, binding.read_only_memory(), report))
    return nullptr;
  Session session(options(), 32 * kernel->module->num_warps);
  auto data = std::make_shared<ReportData>();
  if (!report && !run_undisturbed(*kernel, request, checks, session, *data, report)) return nullptr;
  if (!report->findings.findings().empty())
    note_origins(report->findings, [&](const Finding& one) { return binding.made_at(one.argument); });
  binding.note_written(kernel->may_write);
  data->report = std::move(*report);
  data->grid = grid;
  data->kernel = kernel;
  last_report() = data;
  const std::shared_ptr<BaselineFile> baseline = options().baseline;  // of its own: Python code may change the options
  if (!silence_findings(*data, baseline.get())) return nullptr;
  const bool is_interrupted = data->report.outcome == interpreter::Outcome::interrupted;
  return session.raise_pending(is_interrupted) ? data : nullptr;
}

}  // namespace lockstep::python
