#include "sample.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "composite_source.h"
#include "dialects/registry.h"
#include "dot_source.h"
#include "driver/files/capsule.h"
#include "driver/launch/capsule_request.h"
#include "frontend/compile.h"
#include "fuzz/arguments.h"
#include "fuzz/sampler.h"
#include "interpreter/launch/recording.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"
#include "support/float_formats.h"

namespace lockstep::differential_tests {
namespace {

using exactness::RandomParameter;
using interpreter::Argument;
using memory_model::AddressSpace;

constexpr std::uint64_t kPrograms = 3;  // of a chain
constexpr std::size_t kOps = 7;
constexpr std::uint64_t kMaxCapsuleBytes = std::uint64_t{1} << 30;

/// Mostly ordinary numbers, a few that go wrong.
double random_number(fuzz::Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array<double, 8> kSpecial{0.0, -0.0, kInfinity, -kInfinity, kNan, 1e-42, 65504.0, -3e38};
  if (random.one_in(200)) return random.pick(kSpecial);
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += static_cast<double>(random.bits() >> 11) * 0x1p-53 - 0.5;
  return sum * (random.one_in(9) ? 40.0 : 2.0);
}

template <typename T>
void put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

void put_number(std::byte* at, ScalarKind kind, double number, fuzz::Random& random) {
  switch (kind) {
    case ScalarKind::f64: return put(at, number);
    case ScalarKind::f32: return put(at, static_cast<float>(number));
    case ScalarKind::f16: return put(at, f32_to_f16(static_cast<float>(number)));
    case ScalarKind::bf16: return put(at, f32_to_bf16(static_cast<float>(number)));
    case ScalarKind::f8E5M2:
    case ScalarKind::f8E4M3FN: return put(at, static_cast<std::uint8_t>(encode_float(kind, number)));
    case ScalarKind::i8: return put(at, static_cast<std::int8_t>(random.bits()));
    default: return put(at, static_cast<std::int32_t>(random.bits() >> (random.one_in(2) ? 32 : 58)));
  }
}

/// A tensor whose name says what it holds.
std::optional<Argument> filled(const RandomParameter& parameter, ScalarKind kind, std::byte* at,
                               memory_model::ViewId view, fuzz::Random& random) {
  for (std::int64_t i = 0; i < parameter.elements; ++i, at += size_bytes(kind)) {
    const auto number = fill_number(parameter.name, kind, random);
    if (!number) return std::nullopt;
    if (is_float(kind))
      put_number(at, kind, *number, random);
    else
      put(at, static_cast<std::int32_t>(*number));
  }
  return Argument{Argument::Kind::pointer, 0, view};
}

std::optional<Argument> tensor(const RandomParameter& parameter, AddressSpace& memory, fuzz::Random& random) {
  const ScalarKind kind = *parse_scalar_kind(parameter.type.substr(1));
  const auto size = static_cast<std::size_t>(size_bytes(kind));
  const auto storage = memory.allocate(parameter.name, static_cast<std::uint64_t>(parameter.elements) * size);
  if (!storage) return std::nullopt;
  const auto view = memory.add_view(*storage, parameter.name, kind, 0, {parameter.elements}, {1});
  if (!view) return std::nullopt;
  auto* at = reinterpret_cast<std::byte*>(memory.view(*view).base);
  if (parameter.name.find('_') != std::string::npos) return filled(parameter, kind, at, *view, random);
  for (std::int64_t i = 0; i < parameter.elements; ++i, at += size) {
    if (parameter.number > 0)
      put(at, static_cast<std::int32_t>(random.below(static_cast<std::size_t>(parameter.number))));
    else if (parameter.name[0] == 'x')
      put_number(at, kind, random_number(random), random);
  }
  return Argument{Argument::Kind::pointer, 0, *view};
}

std::optional<Argument> argument_for(const RandomParameter& parameter, AddressSpace& memory, fuzz::Random& random) {
  if (parameter.type[0] == '*') return tensor(parameter, memory, random);
  Argument argument;
  if (parameter.type == "fp32") {
    const auto value = static_cast<float>(random_number(random));
    std::memcpy(&argument.bits, &value, sizeof value);
  } else {
    argument.bits = static_cast<std::uint32_t>(parameter.number);
  }
  return argument;
}

std::optional<ir::Module> parse(const std::string& text) {
  DiagnosticSink sink;
  auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("random.ttir", text), sink);
  if (module && !ir::verify(*module, sink)) module.reset();
  return module;
}

/// Null: there is none of that name; of no name: there is not exactly one.
const ir::Op* find_kernel(const ir::Module& module, const std::string& name) {
  const std::vector<ir::Op*> kernels = module.kernels();
  if (name.empty()) return kernels.size() == 1 ? kernels[0] : nullptr;
  for (const ir::Op* kernel : kernels) {
    if (ir::symbol_name(*kernel) == name) return kernel;
  }
  return nullptr;
}

std::optional<std::string> compile(const exactness::RandomKernel& kernel, int warps, std::string& why) {
  frontend::CompileRequest request;
  request.path = "random.py";
  request.source = kernel.source;
  request.kernel = "kernel";
  request.num_warps = warps;
  for (const auto& parameter : kernel.parameters) {
    auto& made = request.parameters[parameter.name];
    made.type = parameter.type;
    if (parameter.is_divisible) made.divisibility = 16;
  }
  DiagnosticSink sink;
  const auto module = frontend::compile_kernel(dialects::registry(), request, frontend::Stage::ttir, sink);
  if (!module) return why = render_text(sink), std::nullopt;
  return ir::print_module(*module);
}

bool restore_arguments(const Recipe& recipe, Sample& sample) {
  const auto recorded = interpreter::read_recording(recipe.file);
  const auto restored = recorded ? interpreter::restore(*recorded, *sample.memory) : std::nullopt;
  if (!restored || restored->arguments.size() != ir::function_type(sample.function()).inputs().size()) return false;
  sample.request.arguments = restored->arguments;
  sample.request.reach = restored->reach;
  sample.request.asserts_are_errors = restored->asserts_are_errors;
  const auto profile = TargetProfile::parse(recorded->target);
  if (profile) sample.request.profile = *profile;
  return profile.has_value();
}

bool is_capsule(const std::string& path) { return path.ends_with(".capsule"); }

bool fill_from_capsule(const Recipe& recipe, Sample& sample) {
  constexpr double kSeconds = 60;  // real kernels of real packages
  DiagnosticSink sink;
  const auto capsule = driver::Capsule::read(recipe.file, kMaxCapsuleBytes);
  sample.request.limits.timeout_seconds = kSeconds;
  sample.request.limits.max_steps_per_program = 0;
  return capsule && driver::fill_from_capsule(*capsule, sample.request, sink);
}

std::optional<Recipe> read_capsule_recipe(const std::string& path, std::string& why) {
  const auto capsule = driver::Capsule::read(path, kMaxCapsuleBytes);
  if (!capsule) return why = capsule.error().message, std::nullopt;
  const driver::Manifest& manifest = capsule->manifest();
  auto text = capsule->content(manifest.ttir);
  if (!text) return why = text.error().message, std::nullopt;
  Recipe recipe;
  recipe.name = std::filesystem::path(path).stem().string();
  recipe.text = std::move(*text);
  recipe.function = manifest.kernel;
  recipe.grid = manifest.grid;
  recipe.target.warps = manifest.num_warps;
  recipe.target.stages = manifest.num_stages;
  recipe.target.contracts = manifest.fp_fusion;
  recipe.file = path;
  return recipe;
}

bool make_arguments(const Recipe& recipe, Sample& sample) {
  if (is_capsule(recipe.file)) return fill_from_capsule(recipe, sample);
  if (!recipe.file.empty()) return restore_arguments(recipe, sample);
  fuzz::Random random(recipe.argument_seed);
  auto& arguments = sample.request.arguments;
  if (recipe.parameters.empty()) {
    const auto elements = fuzz::kPartElements * recipe.grid[0];
    auto made = fuzz::make_arguments(sample.function(), *sample.memory, random, elements);
    if (made) arguments = std::move(*made);
    return made.has_value();
  }
  if (ir::function_type(sample.function()).inputs().size() != recipe.parameters.size()) return false;
  for (const RandomParameter& parameter : recipe.parameters) {
    const auto made = argument_for(parameter, *sample.memory, random);
    if (!made) return false;
    arguments.push_back(*made);
  }
  return true;
}

}  // namespace

std::optional<Recipe> make_recipe(std::uint64_t seed, std::string& why) {
  fuzz::Random random(seed);
  Recipe recipe;
  recipe.target.warps = 1 << random.below(4);
  recipe.target.stages = 1 + static_cast<int>(random.below(4));
  recipe.target.contracts = !random.one_in(4);
  recipe.argument_seed = random.bits();
  if (seed % 2 == 0) {
    recipe.name = "chains " + std::to_string(seed);
    recipe.grid = {static_cast<std::int64_t>(1 + random.below(kPrograms)), 1, 1};
    recipe.text = fuzz::sample_launchable(dialects::registry(), random, kOps);
    return recipe;
  }
  const bool is_dot = seed % 8 == 3;
  recipe.name = (is_dot ? "dots " : "shapes ") + std::to_string(seed);
  exactness::RandomKernel kernel = is_dot ? random_dot(random, recipe.target.warps) : exactness::random_kernel(random);
  auto text = compile(kernel, recipe.target.warps, why);
  if (!text) return std::nullopt;
  recipe.text = std::move(*text);
  recipe.grid = kernel.grid;
  recipe.parameters = std::move(kernel.parameters);
  recipe.may_race = kernel.may_race;
  return recipe;
}

std::optional<Recipe> make_composite_recipe(std::uint64_t seed, std::string& why) {
  constexpr std::uint64_t kOwn = 0x636f6d70;  // other numbers than make_recipe's of the same seed
  constexpr std::size_t kMostWarps = 5;       // 1 to 16
  fuzz::Random random(seed ^ (kOwn << 32U));
  Recipe recipe;
  recipe.name = "composite " + std::to_string(seed);
  recipe.target.warps = 1 << random.below(kMostWarps);
  recipe.target.stages = 1 + static_cast<int>(random.below(3));
  recipe.target.contracts = !random.one_in(4);
  recipe.argument_seed = random.bits();
  exactness::RandomKernel kernel = random_composite(random, recipe.target.warps);
  auto text = compile(kernel, recipe.target.warps, why);
  if (!text) return why += "\n" + kernel.source, std::nullopt;
  recipe.text = std::move(*text);
  recipe.source = std::move(kernel.source);
  recipe.grid = kernel.grid;
  recipe.parameters = std::move(kernel.parameters);
  return recipe;
}

std::optional<Recipe> read_recipe(const std::string& path, std::string& why) {
  if (is_capsule(path)) return read_capsule_recipe(path, why);
  const auto recorded = interpreter::read_recording(path);
  if (!recorded) return why = path + " is no recorded launch", std::nullopt;
  Recipe recipe;
  recipe.name = std::filesystem::path(path).stem().string();
  recipe.text = recorded->text;
  recipe.function = recorded->function;
  recipe.grid = recorded->grid;
  recipe.file = path;
  const auto profile = TargetProfile::parse(recorded->target);
  if (!profile) return why = profile.error().message, std::nullopt;
  recipe.target.capability = profile->capability();
  return recipe;
}

std::optional<Sample> make_sample(const Recipe& recipe, const std::string& text) {
  auto module = parse(text);
  const ir::Op* kernel = module ? find_kernel(*module, recipe.function) : nullptr;
  if (kernel == nullptr) return std::nullopt;
  Sample sample;
  sample.module = std::make_unique<ir::Module>(std::move(*module));
  sample.memory = std::make_unique<AddressSpace>();
  sample.request.module = sample.module.get();
  sample.request.function = kernel;
  sample.request.memory = sample.memory.get();
  sample.request.grid = recipe.grid;
  sample.request.threads = 1;
  sample.request.limits = {.timeout_seconds = 5, .max_memory_bytes = 256 << 20, .max_steps_per_program = 100000};
  sample.request.print = [](const std::string&) {};
  if (!make_arguments(recipe, sample)) return std::nullopt;
  return sample;
}

std::string run_plainly(const Sample& sample) {
  DiagnosticSink sink;
  const auto report = interpreter::launch(sample.request, sink);
  if (!report) return "not run: " + (sink.diagnostics().empty() ? "" : sink.diagnostics().front().message);
  if (!report->findings.findings().empty()) return std::string(spelling(report->findings.findings().front().code));
  if (report->outcome != interpreter::Outcome::completed) return "stopped";
  return "";
}

}  // namespace lockstep::differential_tests
