#include "driver/launch/prepared_launch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "dialects/registry.h"
#include "driver/files/save.h"
#include "driver/launch/capsule_request.h"
#include "driver/launch/constants.h"
#include "driver/launch/launch_guess.h"
#include "driver/launch/specialisations.h"
#include "driver/launch/tuned_launch.h"
#include "driver/words/programs.h"
#include "driver/words/quantities.h"
#include "interpreter/evaluators/expand_asm.h"
#include "interpreter/gpu_bits/marks.h"
#include "ir/passes/contraction.h"
#include "ir/passes/passes.h"
#include "support/gpu_model.h"
#include "support/log.h"
#include "support/source_file.h"

namespace lockstep::driver {
namespace {

constexpr std::size_t kTraceEvents = 100'000;  // slices; in a trace the lines around them come on top
const std::string kRecorded = "=recorded";
constexpr std::uint64_t kReferenceSlack = 1 << 20;  // a reference of another shape is named as such, not as too large

ParameterFacts facts_of(const frontend::ParameterInfo& info) {
  ParameterFacts facts;
  facts.name = info.name;
  facts.is_constexpr = info.is_constexpr;
  facts.annotation = info.annotation;
  facts.do_not_specialize = info.do_not_specialize;
  facts.do_not_specialize_on_alignment = info.do_not_specialize_on_alignment;
  if (info.default_value) facts.default_value = *info.default_value;
  return facts;
}

/// What to add for each parameter that no argument is given for, by what the kernel's text says of it.
void add_hints(const LaunchSpec& options, const std::string& path, const frontend::KernelInfo& kernel,
               const std::vector<Tensor>& tensors, const memory_model::AddressSpace& memory, std::vector<ParameterFacts>& facts) {
  const auto lacks = [&](const ParameterFacts& one) {
    return !one.default_value && std::none_of(options.arguments.begin(), options.arguments.end(), [&](const std::string& text) {
      return text.starts_with(one.name + "=");
    });
  };
  if (std::none_of(facts.begin(), facts.end(), lacks)) return;
  const auto reading = frontend::read_kernel_text(path, kernel);
  if (!reading) return;
  GivenArguments given{options.arguments, {}, options.grid};
  for (const Tensor& tensor : tensors) given.shapes[tensor.name] = memory.view(tensor.view).shape;
  const LaunchGuess guess = guess_launch(*reading, given, {});
  for (ParameterFacts& one : facts) {
    if (lacks(one)) one.hint = hint_for(*reading, guess, one.name);
  }
}

std::uint64_t physical_memory() {
#ifdef __EMSCRIPTEN__
  return std::uint64_t{2} << 30;  // what the module's memory may grow to (cmake/LockstepPlayground.cmake)
#else
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
#endif
}

// One step of the preparation, with its time in the log (--log-level debug).
bool timed(const char* what, PreparedLaunch& session, bool (PreparedLaunch::*step)()) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const bool is_done = (session.*step)();
  if (log::is_enabled_debug()) {
    log::debug(std::string(what) + ": " + format_seconds(std::chrono::duration<double>(Clock::now() - start).count()) +
               (is_done ? "" : ", failed"));
  }
  return is_done;
}

// TTGIR says for which GPU and how many warps it was made. What no GPU has is left alone.
void take_module_options(const ir::Module& module, LaunchSpec& options) {
  constexpr std::string_view kCuda = "cuda:";
  constexpr std::int64_t kMostWarps = 64;
  const ir::Attribute target = module.op().attribute("ttg.target");
  if (target && target.is_string() && target->text.starts_with(kCuda) && !options.given.contains("--as")) {
    const std::string name = "sm_" + target->text.substr(kCuda.size());
    if (TargetProfile::parse(name)) options.target_gpu = name;
  }
  const std::int64_t warps = module.op().integer_attribute("ttg.num-warps", 0);
  if (warps >= 1 && warps <= kMostWarps && !options.given.contains("--num-warps"))
    options.num_warps = static_cast<int>(warps);
}

}  // namespace

bool PreparedLaunch::read_target() {
  auto target = parse_target(options_.target);
  if (!target) return report_status(sink_, target.error()), false;
  target_ = std::move(*target);
  return set_profile();
}

bool PreparedLaunch::set_profile() {
  auto profile = TargetProfile::parse(options_.target_gpu);
  if (!profile) return report_status(sink_, profile.error()), false;
  profile_ = *profile;
  return true;
}

bool PreparedLaunch::read_arguments() {
  if (target_.kind == KernelTarget::Kind::capsule && !options_.arguments.empty()) {
    report_status(sink_,
                  {"LS2214", "a capsule brings its own arguments: '" + options_.arguments.front() + "' is too much",
                   "`lockstep replay " + target_.path + " --extract DIR` makes files that can be changed"});
  }
  parse_all_arguments(options_.arguments, sink_, arguments_);
  if (options_.max_memory.empty()) return !sink_.has_errors();
  const auto bytes = parse_bytes(options_.max_memory);
  if (!bytes) {
    report_status(sink_,
                  {"LS2209", "--max-memory " + options_.max_memory + " is not a size", "for example 500MB or 2GiB"});
  }
  max_memory_ = bytes.value_or(0);
  return !sink_.has_errors();
}

bool PreparedLaunch::read_kernel() {
  if (target_.kind == KernelTarget::Kind::capsule) return read_capsule();
  if (target_.kind == KernelTarget::Kind::python) {
    kernel_ = choose_kernel(target_, sink_);
    if (kernel_) kernel_name_ = kernel_->name;
    return kernel_.has_value();
  }
  module_ = load_ttir(target_.path, sink_);
  if (!module_) return false;
  function_ = choose_function(target_, *module_, sink_);
  if (function_ == nullptr) return false;
  kernel_name_ = ir::symbol_name(*function_);
  take_module_options(*module_, options_);
  return set_profile();
}

bool PreparedLaunch::read_capsule() {
  auto capsule = Capsule::read(target_.path, max_memory_ != 0 ? max_memory_ : physical_memory());
  if (!capsule) return report_status(sink_, capsule.error()), false;
  capsule_ = std::move(*capsule);
  const Manifest& manifest = capsule_->manifest();
  for (const ManifestSource& source : manifest.sources) {
    auto text = capsule_->content(source.text);
    if (!text) return report_status(sink_, text.error()), false;
    const auto laid = lay_over_source(source.path, source.first_line, std::move(*text));
    if (!laid) return report_status(sink_, laid.error()), false;
  }
  auto text = capsule_->content(manifest.ttir);
  if (!text) return report_status(sink_, text.error()), false;
  const auto file = SourceFile::make(target_.path + "/kernel.ttir", std::move(*text));
  if (!file) return report_status(sink_, file.error()), false;
  module_ = parse_ttir(*file, sink_);
  if (!module_) return false;
  function_ = choose_function({KernelTarget::Kind::ttir, target_.path, manifest.kernel}, *module_, sink_);
  if (function_ == nullptr) return false;
  kernel_name_ = manifest.kernel;
  take_capsule_options();
  return set_profile();
}

void PreparedLaunch::take_capsule_options() {
  const Manifest& manifest = capsule_->manifest();
  if (!manifest.arch.empty() && !options_.given.contains("--as")) options_.target_gpu = manifest.arch;
  if (!options_.given.contains("--num-warps")) options_.num_warps = manifest.num_warps;
  if (!options_.given.contains("--num-stages")) options_.num_stages = manifest.num_stages;
  if (options_.bounds.empty()) options_.bounds = "storage";
}

// Without --max-memory, the machine's memory bounds filled tensors: a larger launch would be killed. Zeros and empty
// tensors have no such bound: a kernel that touches little of them still works.
TensorLimits PreparedLaunch::tensor_limits() const {
  return max_memory_ != 0 ? TensorLimits(max_memory_) : TensorLimits(0, physical_memory());
}

std::uint64_t PreparedLaunch::tensor_bytes() const {
  std::uint64_t bytes = 0;
  for (const memory_model::LookupEntry& entry : memory_.lookup_table()) bytes += entry.extent.bytes();
  return bytes;
}

bool PreparedLaunch::may_run_out_of_memory() const { return tensor_bytes() > physical_memory() / 2; }

bool PreparedLaunch::make_tensors() {
  if (capsule_) {
    auto made = make_capsule_tensors(*capsule_, memory_, sink_);
    if (made) tensors_ = std::move(*made);
    return made.has_value();
  }
  auto tensors = driver::make_tensors(arguments_, options_.seed, tensor_limits(), memory_, sink_);
  if (!tensors) return false;
  tensors_ = std::move(*tensors);
  return true;
}

bool PreparedLaunch::tune() {
  if (!kernel_) return true;
  if (options_.config && !kernel_->is_autotuned) return report_status(sink_, no_configurations(kernel_name_)), false;
  if (!kernel_->is_autotuned && !kernel_->has_heuristics) return true;
  frontend::TuningRequest request;
  auto globals = parse_constants(options_.globals, sink_);
  if (!globals) return false;
  request.path = target_.path;
  request.kernel = kernel_name_;
  request.arguments = launch_arguments(arguments_, tensors_, memory_);
  request.globals = std::move(*globals);
  request.search_path = options_.search_path;
  request.target = profile_.name();
  request.config = options_.config;
  auto tuning = frontend::tune(request, sink_);
  if (!tuning) return false;
  tuned_ = std::move(tuning->constants);
  if (!options_.given.contains("--num-warps")) options_.num_warps = tuning->num_warps.value_or(options_.num_warps);
  if (!options_.given.contains("--num-stages")) options_.num_stages = tuning->num_stages.value_or(options_.num_stages);
  return true;
}

bool PreparedLaunch::bind() { return target_.kind == KernelTarget::Kind::python ? bind_python() : bind_ttir(); }

bool PreparedLaunch::bind_python() {
  std::vector<ParameterFacts> facts;
  for (const frontend::ParameterInfo& info : kernel_->parameters) {
    facts.push_back(facts_of(info));
    const auto tuned = tuned_.find(info.name);
    if (tuned != tuned_.end()) facts.back().default_value = tuned->second;
  }
  add_hints(options_, target_.path, *kernel_, tensors_, memory_, facts);
  auto bound = bind_parameters(facts, arguments_, tensors_, memory_, sink_);
  if (!bound) return false;
  bound_ = std::move(*bound);
  return true;
}

std::vector<TtirParameter> PreparedLaunch::ttir_parameters() const {
  return driver::ttir_parameters(*function_);
}

bool PreparedLaunch::bind_ttir() {
  const std::vector<TtirParameter> parameters = ttir_parameters();
  auto bound = capsule_ ? bind_capsule(*capsule_, parameters, tensors_, memory_, sink_)
                        : driver::bind_ttir(parameters, arguments_, tensors_, memory_, sink_);
  if (!bound) return false;
  bound_ = std::move(*bound);
  return true;
}

bool PreparedLaunch::compile() {
  if (target_.kind == KernelTarget::Kind::python && !compile_python()) return false;
  if (options_.bits)
    ir::passes::contract_as_compiled(*module_);
  else if (options_.fp_fusion == "on")
    ir::passes::fuse_multiply_add(*module_);
  interpreter::expand_memory_asm(*module_);
  if (!options_.bits) return true;
  const interpreter::gpu_bits::GpuTarget gpu{options_.num_warps, profile_.capability()};
  for (const ir::Op* op : interpreter::gpu_bits::mark_for_gpu_bits(*module_, gpu)) {
    ops_without_bits_.emplace_back(op->spelling());
    if (!keeps_bits_warnings_) log::warn(interpreter::gpu_bits::own_order_text(*op, gpu));
  }
  return true;
}

bool PreparedLaunch::compile_python() {
  frontend::CompileRequest request;
  request.path = target_.path;
  request.kernel = kernel_name_;
  request.parameters = specialisations_of(bound_);
  auto globals = parse_constants(options_.globals, sink_);
  if (!globals) return false;
  request.globals = std::move(*globals);
  request.search_path = options_.search_path;
  request.num_warps = options_.num_warps;
  request.num_stages = options_.num_stages;
  request.num_ctas = options_.num_ctas;
  request.target = profile_.name();
  request.debug = options_.debug;
  request.keeps_asserts = true;  // they cost nothing here, and an assertion is there to be checked
  request.print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); };
  module_ = frontend::compile_kernel(dialects::registry(), request, frontend::Stage::ttir, sink_);
  if (!module_) return false;
  const std::vector<ir::Op*> kernels = module_->kernels();
  LOCKSTEP_CHECK(!kernels.empty(), "the front end made no kernel");
  function_ = kernels.front();
  return true;
}

bool PreparedLaunch::evaluate_grid() {
  if (capsule_ && options_.grid.empty()) {
    grid_ = capsule_->manifest().grid;
  } else {
    const GridNames names = make_grid_names(arguments_, tensors_, memory_, bound_);
    const auto grid = driver::evaluate_grid(options_.grid, names, sink_);
    if (!grid) return false;
    std::copy(grid->begin(), grid->end(), grid_.begin());
  }
  if (options_.only.empty()) return true;
  auto programs = parse_programs(options_.only, grid_);
  if (!programs) return report_status(sink_, programs.error()), false;
  only_ = std::move(*programs);
  return true;
}

bool PreparedLaunch::names_tensor(const char* option, const std::string& name) {
  if (find_tensor(name) != nullptr) return true;
  report_status(sink_, {"LS2204", std::string(option) + ": there is no tensor '" + name + "' in this launch",
                        "name one of the arguments that hold a tensor"});
  return false;
}

void PreparedLaunch::check_save(const std::string& text) {
  auto request = parse_file_request("--save", text);
  if (!request) return report_status(sink_, request.error());
  if (!request->path.ends_with(".npy")) {
    return report_status(sink_, {"LS2203", "--save " + text + " is not NAME=@FILE.npy", "only .npy files are written"});
  }
  if (!names_tensor("--save", request->name)) return;
  const auto writable = check_writable(request->path);
  if (!writable) return report_status(sink_, writable.error());
  saves_.push_back(std::move(*request));
}

// NAME=recorded: the capsule's recording.
void PreparedLaunch::expect_recorded(const std::string& name) {
  if (!names_tensor("--expect", name)) return;
  if (!capsule_ || !capsule_->manifest().has_outputs) {
    const std::string what = capsule_ ? "the capsule has no outputs" : "this is not a capsule";
    return report_status(sink_, {"LS2203", "--expect " + name + kRecorded + ": " + what,
                                 "for example --expect " + name + "=@" + name + ".npy"});
  }
  auto outputs = recorded_outputs(*capsule_, tensors_, memory_);
  if (!outputs) return report_status(sink_, outputs.error());
  const Tensor* tensor = find_tensor(name);
  const memory_model::View& view = memory_.view(tensor->view);
  const std::string& bytes = (*outputs)[static_cast<std::size_t>(tensor - tensors_.data())];
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  expectations_.push_back({FileRequest{name, "what was recorded", ""},
                           Array{view.element, tensor->is_unsigned, view.shape, {data, data + bytes.size()}}});
}

void PreparedLaunch::check_expect(const std::string& text) {
  if (text.ends_with(kRecorded)) return expect_recorded(text.substr(0, text.size() - kRecorded.size()));
  auto request = parse_file_request("--expect", text);
  if (!request) return report_status(sink_, request.error());
  if (!names_tensor("--expect", request->name)) return;
  const memory_model::View& view = memory_.view(find_tensor(request->name)->view);
  const auto bytes = static_cast<std::uint64_t>(view.element_count() * size_bytes(view.element));
  auto reference = read_expected(request->path, request->key, view, 8 * bytes + kReferenceSlack);
  if (!reference) return report_status(sink_, reference.error());
  expectations_.push_back({std::move(*request), std::move(*reference)});
}

bool PreparedLaunch::check_outputs() {
  if (!options_.trace.empty()) {
    const auto writable = check_writable(options_.trace);
    if (!writable) report_status(sink_, writable.error());
  }
  for (const std::string& name : options_.print) names_tensor("--print", name);
  for (const std::string& text : options_.save) check_save(text);
  for (const std::string& text : options_.expect) check_expect(text);
  return !sink_.has_errors();
}

// Triton passes the sizes and the strides after a descriptor.
void PreparedLaunch::add_descriptor_numbers(const BoundParameter& bound, interpreter::LaunchRequest& request) const {
  const memory_model::View& view = memory_.view(bound.view);
  for (const auto* numbers : {&view.shape, &view.strides}) {
    for (const std::int64_t number : *numbers)
      request.arguments.push_back({interpreter::Argument::Kind::scalar, static_cast<std::uint64_t>(number), {}});
  }
}

interpreter::LaunchRequest PreparedLaunch::request() {
  interpreter::LaunchRequest request;
  request.module = &*module_;
  request.function = function_;
  request.grid = grid_;
  request.only = only_;
  for (const BoundParameter& bound : bound_) {
    if (bound.constant && target_.kind == KernelTarget::Kind::python) continue;
    request.arguments.push_back(argument_of(bound));
    if (bound.is_descriptor && target_.kind == KernelTarget::Kind::python) add_descriptor_numbers(bound, request);
  }
  request.memory = &memory_;
  if (options_.bounds == "storage") request.reach = interpreter::Reach::storage;
  if (capsule_) request.asserts_are_errors = capsule_->manifest().debug;
  request.threads = options_.threads;
  request.profiling.is_on = options_.profile || !options_.trace.empty();
  request.profiling.trace_events = options_.trace.empty() ? 0 : kTraceEvents;
  request.profile = profile_;
  request.limits.max_memory_bytes = max_memory_;
  request.resident = options_.resident;
  const GpuModel* gpu = gpu_model(options_.target_gpu);
  if (gpu != nullptr && options_.resident == 0) request.resident = resident_programs(*gpu, options_.num_warps);
  request.schedule = schedule_;
  sanitizer::set_asynchrony(request, options_.checks);
  return request;
}

const Tensor* PreparedLaunch::find_tensor(const std::string& name) const {
  const auto found =
      std::find_if(tensors_.begin(), tensors_.end(), [&](const Tensor& one) { return one.name == name; });
  return found == tensors_.end() ? nullptr : &*found;
}

std::string PreparedLaunch::origin_of(const std::string& name) const {
  constexpr std::size_t kLongest = 120;
  if (capsule_) return find_tensor(name) != nullptr ? "'" + name + "' matches the recording" : "";
  const auto found = std::find_if(arguments_.begin(), arguments_.end(),
                                  [&](const ArgumentText& one) { return one.name == name && one.is_tensor(); });
  if (found == arguments_.end()) return "";
  const bool is_long = found->text.size() > kLongest;
  if (found->text.starts_with('@')) return "'" + name + "' was loaded from " + found->text.substr(1, kLongest) + (is_long ? "..." : "");
  return "'" + name + "' was made by " + name + "=" + found->text.substr(0, kLongest) + (is_long ? "..." : "");
}

bool PreparedLaunch::is_over_memory_limit() const {
  const auto& all = sink_.diagnostics();
  return max_memory_ != 0 &&
         std::any_of(all.begin(), all.end(), [](const Diagnostic& one) { return one.code == "LS2012"; });
}

bool prepare(PreparedLaunch& session) {
  return session.read_target() && timed("read arguments", session, &PreparedLaunch::read_arguments) &&
         timed("read kernel", session, &PreparedLaunch::read_kernel) &&
         timed("make tensors", session, &PreparedLaunch::make_tensors) && timed("tune", session, &PreparedLaunch::tune) &&
         timed("bind", session, &PreparedLaunch::bind) && timed("evaluate grid", session, &PreparedLaunch::evaluate_grid) &&
         timed("check outputs", session, &PreparedLaunch::check_outputs) && timed("compile", session, &PreparedLaunch::compile);
}

}  // namespace lockstep::driver
