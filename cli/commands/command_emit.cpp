#include <charconv>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "backend_cuda/device/nvrtc.h"
#include "backend_cuda/emit/emit_module.h"
#include "cli/commands/command.h"
#include "cli/listings/first_launch.h"
#include "dialects/registry.h"
#include "driver/launch/constants.h"
#include "driver/launch/kernel_target.h"
#include "driver/launch/prepared_launch.h"
#include "driver/launch/specialisations.h"
#include "driver/launch/tuned_launch.h"
#include "driver/words/quantities.h"
#include "ir/passes/contraction.h"
#include "ir/text/printer.h"
#include "support/target_profile.h"

namespace lockstep::cli {
namespace {

using driver::OptionGroup;

struct EmitOptions : driver::LaunchSpec {
  std::string signature, attributes;   // "x=*fp32,n=i32", "x=16"
  std::vector<std::string> constants;  // NAME=VALUE
  std::string format = "ttir";
  std::string stage = "ttir";  // raw|ttir|bits
  std::string probe;           // X,Y,Z: the values of this program are written out, as `diff --bisect` has it
  bool with_locations = false;
  bool is_generic = false;  // every op in MLIR's generic form
  bool lists = false;       // the file's kernels instead
  bool has_maps = false;    // the launch passes tensor maps
};

// Splits "NAME=REST" at the first '='; nullopt if there is none or a side is empty.
std::optional<std::pair<std::string, std::string>> name_and_rest(const std::string& part) {
  const std::size_t equals = part.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == part.size()) return std::nullopt;
  return std::pair(part.substr(0, equals), part.substr(equals + 1));
}

bool add_signature(const std::string& text, frontend::CompileRequest& request, DiagnosticSink& sink) {
  for (const std::string& part : driver::split_list(text)) {
    const auto entry = name_and_rest(part);
    if (!entry) {
      report_status(sink, {"LS2206", "--sig: '" + part + "' is not NAME=TYPE", "for example --sig \"x=*fp32,n=i32\""});
      return false;
    }
    if (entry->second != "constexpr") request.parameters[entry->first].type = entry->second;
  }
  return true;
}

bool add_attributes(const std::string& text, frontend::CompileRequest& request, DiagnosticSink& sink) {
  for (const std::string& part : driver::split_list(text)) {
    const auto entry = name_and_rest(part);
    const std::string name = entry ? entry->first.substr(0, entry->first.find('.')) : "";
    const auto parameter = entry ? request.parameters.find(name) : request.parameters.end();
    if (!entry || entry->second != "16" || parameter == request.parameters.end()) {
      report_status(sink, {"LS2207", "--attr: '" + part + "' is not NAME=16 for a parameter of --sig",
                           "for example --attr x=16,n=16, or t.0=16 for the first element of a tuple"});
      return false;
    }
    if (name == entry->first)
      parameter->second.divisibility = 16;
    else
      parameter->second.divisible_parts.push_back(entry->first.substr(name.size() + 1));
  }
  return true;
}

/// The words are those of a launch: a grid, or a tensor among the arguments.
bool is_launch(const EmitOptions& options) {
  DiagnosticSink ignored;
  return options.signature.empty() && (!options.grid.empty() || !driver::parse_constants(options.constants, ignored));
}

std::optional<frontend::CompileRequest> make_request(const EmitOptions& options, const driver::KernelTarget& target,
                                                     const std::string& kernel, DiagnosticSink& sink) {
  frontend::CompileRequest request;
  request.path = target.path;
  request.kernel = kernel;
  request.search_path = options.search_path;
  request.num_warps = options.num_warps;
  request.num_stages = options.num_stages;
  request.num_ctas = options.num_ctas;
  const auto profile = TargetProfile::parse(options.target_gpu);
  request.target = profile ? profile->name() : options.target_gpu;
  request.debug = options.debug;
  auto globals = driver::parse_constants(options.globals, sink);
  auto constants = std::optional(std::map<std::string, ConstantValue>());
  if (!is_launch(options)) constants = driver::parse_constants(options.constants, sink);
  if (!globals || !constants) return std::nullopt;
  request.globals = std::move(*globals);
  if (!add_signature(options.signature, request, sink)) return std::nullopt;
  if (!add_attributes(options.attributes, request, sink)) return std::nullopt;
  for (const auto& [name, value] : *constants) request.parameters[name] = {"", value, 0, {}};
  request.print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); };
  return request;
}

frontend::TuningRequest tuning_request(const EmitOptions& options, const frontend::CompileRequest& request) {
  frontend::TuningRequest tuning;
  tuning.path = request.path;
  tuning.kernel = request.kernel;
  tuning.globals = request.globals;
  tuning.search_path = request.search_path;
  tuning.target = request.target;
  tuning.config = options.config;
  for (const auto& [name, given] : request.parameters)
    tuning.arguments[name] = {given.type, given.constant, std::nullopt, std::nullopt};
  return tuning;
}

// Sets what the kernel's decorators set and the command line does not give.
bool tune(const EmitOptions& options, frontend::CompileRequest& request, DiagnosticSink& sink) {
  const auto tuning = frontend::tune(tuning_request(options, request), sink);
  if (!tuning) return false;
  for (const auto& [name, value] : tuning->constants) request.parameters[name] = {"", value, 0, {}};
  if (!options.given.contains("--num-warps")) request.num_warps = tuning->num_warps.value_or(request.num_warps);
  if (!options.given.contains("--num-stages")) request.num_stages = tuning->num_stages.value_or(request.num_stages);
  return true;
}

/// Types and divisibility as the launch has them; @triton.autotune and @triton.heuristics are asked, too.
bool specialise_as_launched(const EmitOptions& options, frontend::CompileRequest& request, DiagnosticSink& sink) {
  driver::LaunchSpec spec = options;
  spec.arguments = options.constants;
  driver::PreparedLaunch session(spec, sink);
  if (!session.read_target() || !session.read_arguments() || !session.read_kernel() || !session.make_tensors() ||
      !session.tune() || !session.bind())
    return false;
  request.parameters = driver::specialisations_of(session.bound());
  request.num_warps = session.options().num_warps;
  request.num_stages = session.options().num_stages;
  request.num_ctas = session.options().num_ctas;
  return true;
}

std::optional<ir::Module> make_module(const EmitOptions& options, const driver::KernelTarget& target,
                                      DiagnosticSink& sink) {
  if (target.kind == driver::KernelTarget::Kind::ttir) return driver::load_ttir(target.path, sink);
  const auto kernel = driver::choose_kernel(target, sink);
  if (!kernel) return std::nullopt;
  const bool launches = is_launch(options);
  auto request = make_request(options, target, kernel->name, sink);
  if (!request) return std::nullopt;
  if (launches && !specialise_as_launched(options, *request, sink)) return std::nullopt;
  if (!launches && (kernel->is_autotuned || kernel->has_heuristics) && !tune(options, *request, sink)) return std::nullopt;
  if (options.config && !kernel->is_autotuned) {
    report_status(sink, driver::no_configurations(kernel->name));
    return std::nullopt;
  }
  const auto stage = options.stage == "raw" ? frontend::Stage::raw : frontend::Stage::ttir;
  return frontend::compile_kernel(dialects::registry(), *request, stage, sink);
}

ExitCode list(const EmitOptions& options, const driver::KernelTarget& target, DiagnosticSink& sink) {
  if (target.kind != driver::KernelTarget::Kind::python)
    return report(Status{"LS2202", "--list is for .py files", "write FILE.py --list"});
  const auto kernels = frontend::list_kernels(target.path, sink);
  const auto request = kernels ? make_request(options, target, "", sink) : std::nullopt;
  if (!request) return report(sink);
  const std::string text = driver::list_of_kernels(*kernels, tuning_request(options, *request), sink);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return report(sink);
}

bool write_out(const std::string& text) { return std::fwrite(text.data(), 1, text.size(), stdout) == text.size(); }

/// "X,Y,Z".
std::optional<std::array<std::int64_t, 3>> parse_program(const std::string& text) {
  std::array<std::int64_t, 3> id{};
  const std::vector<std::string> parts = driver::split_list(text);
  if (parts.size() != id.size()) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const char* end = parts[i].data() + parts[i].size();
    const auto read = std::from_chars(parts[i].data(), end, id[i]);
    if (read.ec != std::errc{} || read.ptr != end || id[i] < 0) return std::nullopt;
  }
  return id;
}

std::optional<backend_cuda::EmittedKernel> emit_text(const EmitOptions& options, const ir::Op& function,
                                                     const backend_cuda::Target& target, DiagnosticSink& sink) {
  if (options.probe.empty()) return backend_cuda::emit_kernel(function, target, sink);
  const auto program = parse_program(options.probe);
  if (!program) {
    report_status(sink, {"LS2213", "--probe " + options.probe + " is not a program", "for example --probe 3,0,0"});
    return std::nullopt;
  }
  const ir::Module module = backend_cuda::without_calls(function);
  const ir::Op* plain = module.find_function(ir::symbol_name(function));
  LOCKSTEP_CHECK(plain != nullptr, "a copy of a module has its functions");
  backend_cuda::ProbeRequest probes;
  probes.program = *program;
  probes.occurrences.resize(backend_cuda::ops_in_order(*plain).size(), 1);
  return backend_cuda::emit_kernel(*plain, target, sink, &probes);
}

// The one kernel of a module as CUDA C++, PTX or a cubin.
ExitCode emit_for_gpu(const EmitOptions& options, const driver::KernelTarget& target_file, const ir::Module& module,
                      DiagnosticSink& sink) {
  const bool is_chosen = target_file.kind == driver::KernelTarget::Kind::ttir && !target_file.kernel.empty();
  const std::vector<ir::Op*> kernels = module.kernels();
  if (kernels.empty()) return report(Status{"LS2208", "there is no kernel to emit", "a kernel is a public tt.func"});
  const ir::Op* function = is_chosen ? driver::choose_function(target_file, module, sink) : kernels.front();
  if (function == nullptr) return report(sink);
  const auto profile = TargetProfile::parse(options.target_gpu);
  if (!profile) return report(profile.error());
  backend_cuda::Target target{profile->capability(), options.num_warps, options.num_stages, true, options.has_maps};
  const auto kernel = emit_text(options, *function, target, sink);
  const ExitCode code = report(sink);
  if (!kernel) return code;
  if (options.format == "cuda") return write_out(kernel->text) ? ExitCode::clean : ExitCode::environment;
  const auto compiled = backend_cuda::compile_cuda(
      {kernel->text, kernel->name, target.architecture(), target.contracts, options.format == "ptx", true,
       kernel->threads, kernel->shared_bytes, target.shared_of_processor()});
  if (!compiled) return report(compiled.error());
  return write_out(*compiled) ? ExitCode::clean : ExitCode::environment;
}

ExitCode run_emit(const EmitOptions& options) {
  const auto target = driver::parse_target(options.target);
  if (!target) return report(target.error());
  DiagnosticSink sink;
  if (options.lists) return list(options, *target, sink);
  std::optional<ir::Module> module = make_module(options, *target, sink);
  const ExitCode code = report(sink);
  if (!module && options.signature.empty()) {
    driver::LaunchSpec given = options;
    given.arguments = options.constants;
    show_whole_command("emit", given, sink);
  }
  if (!module) return code;
  if (options.stage == "bits") ir::passes::contract_as_compiled(*module);
  if (options.format != "ttir") return emit_for_gpu(options, *target, *module, sink);
  const std::string text = ir::print_module(*module, {options.with_locations, options.is_generic});
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::clean;
}

void declare_emit(OptionList& options, EmitOptions& emit) {
  options.word("kernel", emit.target, "FILE.py[::KERNEL], or FILE.ttir to print again", {.is_required = true});
  options.words("constants", emit.constants, "NAME=VALUE for each constexpr parameter, or for each parameter as a launch has it");
  options.text("--grid,-g", emit.grid, "X,Y,Z", "of a launch: the words of `lockstep run` are taken as they are");
  options.text("--sig", emit.signature, "x=*fp32,n=i32", "types of the other parameters");
  options.text("--attr", emit.attributes, "x=16,n=16", "divisibility of parameters");
  options.text("--to", emit.format, "FORM", "form of the output",
               {.choices = {"ttir", "cuda", "ptx", "cubin"}, .shows_default = true});
  options.text("--stage", emit.stage, "STAGE", "raw: as lowered; ttir: inlined and cleaned up; bits: contracted as --bits has it",
               {.choices = {"raw", "ttir", "bits"}, .shows_default = true});
  options.text("--probe", emit.probe, "X,Y,Z", "with --to cuda, ptx, cubin: write out the values that this program computes");
  options.flag("--tensor-maps", emit.has_maps,
               "with --to cuda, ptx, cubin: the launch passes the tensor maps that the text's head describes");
  options.flag("--debug", emit.debug, "keep asserts and overflow checks, as under triton.jit(debug=True)");
  options.flag("--locations", emit.with_locations, "print loc(...)");
  options.flag("--list", emit.lists, "list the file's kernels and the settings of their decorators; emit nothing");
  options.flag("--generic", emit.is_generic, "print every op in the generic form");
  options.group(emit, driver::OptionGroup::compilation);
  options.note_given(emit);
}

constexpr const char* kEmitFooter = R"(
Example:
  lockstep emit kernel.py::add --sig "x=*fp32,n=i32" --attr x=16,n=16 BLOCK=64 --to ttir
  lockstep emit kernel.py::add x=randn:f32[100] n=100 BLOCK=64)";

}  // namespace

extern const CommandRow kEmitCommand{
    .name = "emit",
    .summary = "print a kernel's IR",
    .make = make_command<EmitOptions, declare_emit, run_emit>,
    .footer = kEmitFooter,
    .usage = " FILE.py[::KERNEL] --sig NAME=TYPE,... NAME=VALUE ...",
};

}  // namespace lockstep::cli
