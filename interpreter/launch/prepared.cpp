#include "interpreter/launch/prepared.h"

#include <algorithm>
#include <thread>

#include "interpreter/access/storage_copy.h"
#include "interpreter/apart/access_places.h"
#include "interpreter/batching/ahead_plan.h"
#include "interpreter/batching/ahead_search.h"
#include "interpreter/evaluators/descriptor.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/launch/recording.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/profile/profile_advice.h"
#include "interpreter/profile/profiler.h"
#include "interpreter/scheduler/execution_mode.h"
#include "interpreter/scheduler/grid.h"
#include "interpreter/shared_memory/product_ops.h"

namespace lockstep::interpreter {

namespace {

constexpr unsigned kMaxThreads = 256;
constexpr std::int64_t kMaxGridExtent = INT32_MAX;

/// The binding of arguments.
struct Binding {
  const RunRequest& request;
  const ir::Op& function;
  const Plan& plan;
};

bool refuse(DiagnosticSink& sink, const ir::Op& function, std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = "LS1903";
  diagnostic.message = std::move(message);
  diagnostic.span = function.span();
  sink.report(std::move(diagnostic));
  return false;
}

/// A descriptor from the host: the view's address, shape and strides, in memory of the launch.
bool bind_descriptor(const Binding& binding, std::size_t i, const TileType& type, Launch& launch,
                     DiagnosticSink& sink) {
  const Argument& argument = binding.request.arguments[i];
  const ir::Type wanted = binding.function.region().front().argument(i)->type();
  const std::string name = "argument " + std::to_string(i);
  if (!wanted.is_descriptor() || argument.kind != Argument::Kind::descriptor)
    return refuse(sink, binding.function, name + " must be a tensor descriptor");
  const memory_model::View& view = binding.request.memory->view(argument.view);
  const std::size_t rank = wanted.pointee().shape().size();
  if (view.shape.size() != rank || size_bytes(view.element) != size_bytes(*wanted.pointee().element().scalar_kind()))
    return refuse(sink, binding.function, name + " is not a tensor for a " + wanted.to_string());
  BlockRecord record;
  record.base = view.base;
  record.provenance = argument.view.index;
  record.pads_nan = argument.pads_nan;
  record.rank = static_cast<int>(rank);
  std::copy(view.shape.begin(), view.shape.end(), record.shape.begin());
  std::copy(view.strides.begin(), view.strides.end(), record.stride.begin());
  if (launch.has_tensor_unit) record.faults = descriptor_faults(record, size_bytes(view.element));
  launch.records.push_back(record_words(type, record));
  Tile tile;
  tile.form = Form::dense;
  tile.is_contiguous = true;
  tile.provenance = record.provenance;
  tile.base = reinterpret_cast<std::uint64_t>(launch.records.back().data());
  set_row_major(type, tile.stride);
  launch.arguments.push_back(tile);
  return true;
}

bool bind_arguments(const Binding& binding, Launch& launch, DiagnosticSink& sink) {
  if (binding.request.arguments.size() != binding.plan.arguments.size()) {
    return refuse(sink, binding.function,
                  "the kernel takes " + std::to_string(binding.plan.arguments.size()) + " arguments, " +
                      std::to_string(binding.request.arguments.size()) + " were given");
  }
  for (std::size_t i = 0; i < binding.plan.arguments.size(); ++i) {
    const Argument& argument = binding.request.arguments[i];
    const TileType& type = *binding.plan.slot_types[binding.plan.arguments[i]];
    if (!type.is_scalar()) {
      if (!bind_descriptor(binding, i, type, launch, sink)) return false;
      continue;
    }
    const ScalarKind kind = type.kind;
    const bool is_pointer = kind == ScalarKind::pointer;
    if (is_pointer != (argument.kind == Argument::Kind::pointer)) {
      return refuse(sink, binding.function,
                    "argument " + std::to_string(i) + (is_pointer ? " must be a tensor" : " must be a scalar"));
    }
    if (is_pointer) {
      launch.arguments.push_back(uniform_tile(binding.request.memory->view(argument.view).base, argument.view.index));
    } else {
      launch.arguments.push_back(uniform_tile(truncate_bits(kind, argument.bits)));
    }
  }
  return true;
}

void set_limits(const RunRequest& request, Launch& launch) {
  launch.stop = request.stop;
  launch.budget.limit = request.limits.max_memory_bytes;
  if (request.limits.max_steps_per_program != 0) launch.max_steps = request.limits.max_steps_per_program;
  launch.reach = request.reach;
  launch.asserts_are_errors = request.asserts_are_errors;
  launch.print = &request.print;
  launch.poll = &request.poll;
  const double seconds = request.limits.timeout_seconds;
  if (seconds > 0 && seconds < 1e9) {
    launch.deadline =
        std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  }
}

unsigned core_count() {
  static const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  return cores;
}

/// A grid without programs is finished at once.
bool is_empty(const std::array<std::int64_t, 3>& grid) { return grid[0] == 0 || grid[1] == 0 || grid[2] == 0; }

bool is_sound(const LaunchReport& report) {
  return report.outcome == Outcome::completed && !report.findings.has(Tier::error);
}

/// As many programs as a scan takes lines together, whose tiles stay in the second cache.
Tuning tuning_ahead(Tuning tuning) {
  constexpr std::int64_t kLines = 16;
  tuning.batch_elements *= 2;
  tuning.batch_programs = std::min(tuning.batch_programs, kLines);
  return tuning;
}

}  // namespace

PreparedKernel::PreparedKernel(const ir::Module& module, const ir::Op& function, const TargetProfile& profile)
    : module_(module), function_(function), profile_(profile) {}

PreparedKernel::~PreparedKernel() = default;

std::unique_ptr<const PreparedKernel> PreparedKernel::make(const ir::Module& module, const ir::Op& function,
                                                           const TargetProfile& profile, DiagnosticSink& sink,
                                                           const Tuning& tuning) {
  PlanBuilder builder(module, sink, profile, tuning);
  guard_products(builder, function);
  std::unique_ptr<PreparedKernel> made(new PreparedKernel(module, function, profile));
  made->effects_ = effects_of(module, function);
  made->ahead_part_ = find_ahead_part(module, function, made->effects_);
  if (!made->ahead_part_.empty()) plan_lookups(builder, made->ahead_part_);
  made->plan_ = builder.build(function);
  if (made->plan_ == nullptr) return nullptr;
  made->stream_bytes_ = tuning.stream_bytes;
  made->places_ = std::make_unique<const apart::AccessPlaces>(function, plain_accesses_of(module, function));
  made->batches_.prepare(function, profile, tuning);
  made->ahead_.prepare(analyse_for_batch(function, made->ahead_part_), profile, tuning_ahead(tuning));
  return made;
}

std::unique_ptr<const PreparedKernel> PreparedKernel::make_instrumented(
    const ir::Module& module, const ir::Op& function, const TargetProfile& profile, DiagnosticSink& sink,
    const std::function<void(PlanBuilder&)>& instrument, bool hoists) {
  Tuning tuning = default_tuning();
  tuning.fuses = false;
  tuning.hoists = tuning.hoists && hoists;
  return make_with(module, function, profile, sink, instrument, tuning);
}

std::unique_ptr<const PreparedKernel> PreparedKernel::make_kept(const ir::Module& module, const ir::Op& function,
                                                                const TargetProfile& profile, DiagnosticSink& sink,
                                                                const std::function<void(PlanBuilder&)>& instrument) {
  const auto keep = [&](PlanBuilder& builder) {
    builder.keep_all();
    instrument(builder);
  };
  return make_with(module, function, profile, sink, keep, default_tuning());
}

std::unique_ptr<const PreparedKernel> PreparedKernel::make_with(const ir::Module& module, const ir::Op& function,
                                                                const TargetProfile& profile, DiagnosticSink& sink,
                                                                const std::function<void(PlanBuilder&)>& instrument,
                                                                const Tuning& tuning) {
  PlanBuilder builder(module, sink, profile, tuning);
  instrument(builder);
  guard_products(builder, function);
  auto plan = builder.build(function);
  if (plan == nullptr) return nullptr;
  std::unique_ptr<PreparedKernel> made(new PreparedKernel(module, function, profile));
  made->plan_ = std::move(plan);
  made->effects_ = effects_of(module, function);
  made->stream_bytes_ = tuning.stream_bytes;
  return made;
}

unsigned thread_count(const RunRequest& request) {
  return std::min(request.threads == 0 ? core_count() : request.threads, kMaxThreads);
}

bool PreparedKernel::needs_all_storages() const {
  return effects_.read.is_unknown || effects_.written.is_unknown || effects_.atomic.is_unknown;
}

bool PreparedKernel::check_grid(const RunRequest& request, DiagnosticSink& sink) const {
  std::int64_t programs = 1;
  for (const std::int64_t extent : request.grid) {
    if (extent < 0 || extent > kMaxGridExtent)
      return refuse(sink, function_, "a grid dimension must be 0 to 2147483647");
    if (__builtin_mul_overflow(programs, extent, &programs))
      return refuse(sink, function_, "the grid has too many programs");
  }
  return true;
}

std::optional<ExecutionMode> PreparedKernel::set_up(const RunRequest& request, unsigned threads, Launch& shared,
                                               DiagnosticSink& sink) const {
  LOCKSTEP_CHECK(request.memory != nullptr, "a launch needs memory");
  if (!check_grid(request, sink)) return std::nullopt;
  shared.plan = plan_.get();
  shared.places = places_.get();
  shared.memory = request.memory;
  shared.grid = request.grid;
  shared.only = request.only;
  shared.has_tensor_unit = profile_.capability() >= 90;
  shared.stream_bytes = stream_bytes_;
  shared.bytes_per_program = bytes_per_program_.load(std::memory_order_relaxed);
  shared.instrumentation_state = request.instrumentation_state;
  shared.touches = request.touches;
  shared.resident = request.resident;
  shared.schedule = request.schedule;
  shared.async_order = request.async_order;
  shared.async_seed = request.async_seed;
  shared.has_strict_proxy = request.has_strict_proxy;
  set_limits(request, shared);
  if (!bind_arguments({request, function_, *plan_}, shared, sink)) return std::nullopt;
  ExecutionMode mode = decide_execution_mode(request, effects_, threads, shared);
  if (request.schedule != 0) mode.in_order = true;
  return mode;
}

PreparedKernel::Separation PreparedKernel::separation(const RunRequest& request) const {
  Launch launch;
  DiagnosticSink unheard;
  Separation made;
  if (places_ == nullptr || !set_up(request, 1, launch, unheard)) return made;
  made.storages.resize(request.memory->storage_count());
  for (const memory_model::StorageId id : written_storages(request, effects_)) {
    for (std::size_t i = 0; i < launch.views.size(); ++i) {
      const memory_model::View& view = request.memory->view(memory_model::ViewId{static_cast<std::int32_t>(i)});
      launch.views[i].is_logged = request.memory->storage(view.storage).id == id;
    }
    const bool is_always = places_->are_always_apart(launch);
    const bool asks_memory = !is_always && places_->read_arrays();
    made.storages[static_cast<std::size_t>(id.index)] = is_always || (asks_memory && places_->are_apart(launch));
    made.reads_memory = made.reads_memory || asks_memory;
  }
  return made;
}

std::optional<LaunchReport> PreparedKernel::launch(const RunRequest& request, DiagnosticSink& sink) const {
  if (!recording_folder().empty() && !needs_all_storages() && check_grid(request, sink)) {
    record_launch(recording_folder(), module_, function_, profile_, request);
  }
  const unsigned threads = thread_count(request);
  Launch shared;
  const auto set = set_up(request, threads, shared, sink);
  if (!set) return std::nullopt;
  const ExecutionMode& mode = *set;
  choose_batches(request, mode, threads, shared);
  choose_ahead(request, mode, shared);
  std::optional<LaunchProfiler> profiler;
  if (request.profiling.is_on) {
    profiler.emplace(request.profiling, threads);
    profiler->add_plan(*plan_, ProfilePart::program);
    if (shared.plan_of_batches != nullptr) profiler->add_plan(*shared.plan_of_batches, ProfilePart::batch);
    if (shared.ahead != nullptr) profiler->add_plan(*shared.ahead->plan, ProfilePart::batch);
    shared.runner_of_thread = [&own = *profiler]() -> StepRunner& { return own.worker(); };
  }
  Grid grid(shared, threads, request.progress);
  StorageCopy before(shared.budget);
  if (request.rollback && !before.take(*request.memory, written_storages(request, effects_))) {
    shared.out_of_memory = true;
  } else if (!is_empty(request.grid)) {
    try {
      run_programs(grid, mode);
    } catch (...) {
      before.restore();
      throw;
    }
  }
  note_batches(shared);
  LaunchReport report;
  grid.fill(report);
  if (report.programs_run != 0)
    bytes_per_program_ = static_cast<double>(report.bytes_written) / static_cast<double>(report.programs_run);
  if (request.rollback && !is_sound(report)) {
    before.restore();
    report.rolled_back = true;
  }
  if (profiler) {
    report.profile = profiler->finish(report, std::string(ir::symbol_name(function_)), advice_on(shared, mode));
  }
  return report;
}

std::optional<LaunchReport> PreparedKernel::launch_some(const RunRequest& request, const ProgramRange& programs,
                                                        DiagnosticSink& sink) const {
  const unsigned threads = thread_count(request);
  Launch shared;
  const auto mode = set_up(request, threads, shared, sink);
  if (!mode) return std::nullopt;
  Grid grid(shared, threads, request.progress, programs);
  run_programs(grid, *mode);
  LaunchReport report;
  grid.fill(report);
  return report;
}

void PreparedKernel::choose_batches(const RunRequest& request, const ExecutionMode& mode, unsigned threads,
                                    Launch& launch) const {
  constexpr std::int64_t kWorthIt = 16;        // programs
  constexpr std::int64_t kBatchesAThread = 4;  // so that all have work to the end
  const std::int64_t programs = request.grid[0] * request.grid[1] * request.grid[2];
  if (!mode.allows_batches || request.limits.max_steps_per_program != 0 || programs < kWorthIt || !request.only.empty()) return;
  if (request.touches == AccessTracking::programs) return;  // a batch's stores are noted together
  if (const std::uint32_t left = unbatched_left_.load(std::memory_order_relaxed); left != 0) {
    unbatched_left_.store(left - 1, std::memory_order_relaxed);
    return;
  }
  const BatchPlan* batch = batches_.plan_for(function_, request.grid[0], programs / (kBatchesAThread * threads));
  if (batch == nullptr) return;
  launch.plan_of_batches = batch->plan.get();
  launch.batch_programs = batch->function->programs;
}

/// Where programs start in order, and nothing writes what they read ahead.
void PreparedKernel::choose_ahead(const RunRequest& request, const ExecutionMode& mode, Launch& launch) const {
  if (!mode.in_order || ahead_part_.empty() || ahead_part_.read.is_unknown || request.schedule != 0) return;
  if (!request.only.empty() || request.limits.max_steps_per_program != 0 || request.limits.max_memory_bytes != 0) return;
  for (const std::size_t i : ahead_part_.read.arguments) {
    const Argument& argument = request.arguments[i];
    if (argument.kind != Argument::Kind::pointer) return;
    if (!launch.views[static_cast<std::size_t>(argument.view.index)].is_unwritten) return;
  }
  launch.ahead = ahead_.plan_for(function_, request.grid[0], request.grid[0]);
}

/// After failed batches, a kernel is tried in batches ever more rarely.
void PreparedKernel::note_batches(const Launch& launch) const {
  if (launch.plan_of_batches == nullptr) return;
  if (!launch.gave_up_batches) {
    unbatched_next_.store(1, std::memory_order_relaxed);
    return;
  }
  constexpr std::uint32_t kRarest = 256;
  const std::uint32_t launches = unbatched_next_.load(std::memory_order_relaxed);
  unbatched_left_.store(launches, std::memory_order_relaxed);
  unbatched_next_.store(std::min(2 * launches, kRarest), std::memory_order_relaxed);
}

bool PreparedKernel::expects_overlap() const {
  const std::uint32_t left = in_order_left_.load(std::memory_order_relaxed);
  if (left != 0) in_order_left_.store(left - 1, std::memory_order_relaxed);
  return left != 0;
}

/// A kernel whose programs overlap once will mostly do so again: it is tried concurrently ever more rarely.
void PreparedKernel::note_overlap() const {
  constexpr std::uint32_t kRarest = 256;
  const std::uint32_t launches = in_order_next_.load(std::memory_order_relaxed);
  in_order_left_.store(launches, std::memory_order_relaxed);
  in_order_next_.store(std::min(2 * launches, kRarest), std::memory_order_relaxed);
}

void PreparedKernel::run_programs(Grid& grid, const ExecutionMode& mode) const {
  const double expected = seconds_per_program_.load(std::memory_order_relaxed);
  if (mode.in_order || expects_overlap()) {
    grid.run_in_order();
  } else if (!grid.run_side_by_side(mode, expected)) {
    note_overlap();
    grid.run_in_order();
  }
  kernels::finish_streams();
  seconds_per_program_.store(grid.seconds_per_program(), std::memory_order_relaxed);
}

std::optional<LaunchReport> launch(const LaunchRequest& request, DiagnosticSink& sink) {
  LOCKSTEP_CHECK(request.module != nullptr && request.function != nullptr, "a launch needs a kernel");
  const auto kernel = PreparedKernel::make(*request.module, *request.function, request.profile, sink);
  return kernel == nullptr ? std::nullopt : kernel->launch(request, sink);
}

}  // namespace lockstep::interpreter
