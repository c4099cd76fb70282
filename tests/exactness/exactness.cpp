// Makes launches under many settings and says where a byte or a finding differs from the plain way (trial.h).
//   exactness random FIRST COUNT    random kernels as people write them (random_source.h), by seed
//   exactness rows FIRST COUNT      kernels sampled from the rows (fuzz/sampler.h), by seed
//   exactness replay FOLDER         launches recorded with LOCKSTEP_RECORD=FOLDER
//   exactness show SEED             the text of one random kernel
//   exactness isas                  the instruction sets that this processor has, widest first
// --thorough: more settings. --part I/N: each N-th launch, from the I-th. --hashes FILE: one line for each launch, to
// be compared with another processor's or LOCKSTEP_ISA's. --show: what each left in memory. --any-nan: NaNs count as
// equal. --plain: the plain way alone, for such files. --checks: without and with checkers instead (checked_trial.h);
// --mutate N: N changed texts of each recorded launch, too. Exit code 1: something differed.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>

#include "checked_trial.h"
#include "dialects/registry.h"
#include "frontend/compile.h"
#include "fuzz/arguments.h"
#include "fuzz/mutate.h"
#include "fuzz/sampler.h"
#include "interpreter/kernels/dispatch.h"
#include "interpreter/launch/recording.h"
#include "ir/text/parser.h"
#include "ir/verify/verifier.h"
#include "random_source.h"
#include "support/float_formats.h"
#include "trial.h"

namespace {

using namespace lockstep;
using exactness::Verdict;
using interpreter::Argument;
using memory_model::AddressSpace;

struct Words {
  std::string command, folder, hashes;
  std::uint64_t first = 0, count = 0, part = 0, parts = 1, mutants = 0;
  bool is_thorough = false, is_plain = false, shows = false, any_nan = false, checks = false;
};

/// What became of all launches of this process.
class Tally {
 public:
  explicit Tally(const Words& words) : words_(words) {
    if (!words.hashes.empty()) hashes_.open(words.hashes);
    if (!words.is_plain) options_.settings = exactness::settings(words.is_thorough);
    options_.shows = words.shows;
    options_.any_nan = words.any_nan;
  }
  Verdict judge(const ir::Module& module, const ir::Op& function, const TargetProfile& profile,
                const interpreter::RunRequest& request, std::uint64_t seed) const {
    return words_.checks ? exactness::try_checked(module, function, profile, request, seed)
                         : exactness::try_launch(module, function, profile, request, options_);
  }
  bool is_mine() { return next_++ % words_.parts == words_.part; }
  void add(const std::string& name, const Verdict& verdict) {
    ++launches_;
    if (!verdict.ran) return;
    ++ran_;
    runs_ += verdict.runs;
    batches_ += verdict.batches;
    failed_ += verdict.failed_batches;
    std::cout << verdict.left_behind;
    if (hashes_) hashes_ << name << " " << std::hex << verdict.hash << "\n";
    if (verdict.difference.empty()) return;
    ++differences_;
    std::cout << "DIFFERENT " << name << ": " << verdict.difference << std::endl;
  }
  int finish() {
    std::cout << launches_ << " launches, " << ran_ << " ran, compared under " << runs_ << " settings (" << batches_
              << " batches, " << failed_ << " more given up), " << differences_ << " differ" << std::endl;
    return differences_ == 0 && ran_ > 0 ? 0 : 1;
  }

 private:
  const Words& words_;
  exactness::Options options_;
  std::ofstream hashes_;
  std::uint64_t next_ = 0, launches_ = 0, ran_ = 0, runs_ = 0, differences_ = 0, batches_ = 0, failed_ = 0;
};

/// Mostly ordinary numbers, some of the kinds that go wrong.
double random_number(fuzz::Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array<double, 8> kSpecial{0.0, -0.0, kInfinity, -kInfinity, kNan, 1e-42, 65504.0, -3e38};
  if (random.one_in(60)) return random.pick(kSpecial);
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += static_cast<double>(random.bits() >> 11) * 0x1p-53 - 0.5;
  return sum * (random.one_in(9) ? 40.0 : 2.0);
}

template <typename T>
void put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

void put_number(std::byte* at, ScalarKind kind, fuzz::Random& random) {
  const double number = random_number(random);
  switch (kind) {
    case ScalarKind::f64: return put(at, number);
    case ScalarKind::f32: return put(at, static_cast<float>(number));
    case ScalarKind::f16: return put(at, f32_to_f16(static_cast<float>(number)));
    case ScalarKind::bf16: return put(at, f32_to_bf16(static_cast<float>(number)));
    case ScalarKind::i8: return put(at, static_cast<std::int8_t>(random.bits()));
    default: return put(at, static_cast<std::int32_t>(random.bits() >> (random.one_in(2) ? 32 : 58)));
  }
}

std::optional<Argument> tensor(const exactness::RandomParameter& parameter, AddressSpace& memory,
                               fuzz::Random& random) {
  const ScalarKind kind = *parse_scalar_kind(parameter.type.substr(1));
  const auto size = static_cast<std::size_t>(size_bytes(kind));
  const auto storage = memory.allocate(parameter.name, static_cast<std::uint64_t>(parameter.elements) * size);
  if (!storage) return std::nullopt;
  const auto view = memory.add_view(*storage, parameter.name, kind, 0, {parameter.elements}, {1});
  if (!view) return std::nullopt;
  auto* at = reinterpret_cast<std::byte*>(memory.view(*view).base);
  for (std::int64_t i = 0; i < parameter.elements; ++i, at += size) {
    if (parameter.number > 0)
      put(at, static_cast<std::int32_t>(random.below(static_cast<std::size_t>(parameter.number))));
    else if (parameter.name[0] == 'x')
      put_number(at, kind, random);
  }
  return Argument{Argument::Kind::pointer, 0, *view};
}

std::optional<ir::Module> compile(const exactness::RandomKernel& kernel, DiagnosticSink& sink) {
  frontend::CompileRequest request;
  request.path = "random.py";
  request.source = kernel.source;
  request.kernel = "kernel";
  for (const auto& parameter : kernel.parameters) {
    auto& made = request.parameters[parameter.name];
    made.type = parameter.type;
    if (parameter.is_divisible) made.divisibility = 16;
  }
  return frontend::compile_kernel(dialects::registry(), request, frontend::Stage::ttir, sink);
}

Verdict try_random(std::uint64_t seed, const Tally& tally) {
  fuzz::Random random(seed);
  const exactness::RandomKernel kernel = exactness::random_kernel(random);
  DiagnosticSink sink;
  const auto module = compile(kernel, sink);
  if (!module) {
    std::cout << "random " << seed << " does not compile:\n" << render_text(sink);
    return {};
  }
  AddressSpace memory;
  interpreter::RunRequest request;
  const bool leaves_outputs_undefined = seed % 3 == 0;
  request.grid = kernel.grid;
  request.memory = &memory;
  for (const auto& parameter : kernel.parameters) {
    Argument argument;
    if (parameter.type[0] == '*') {
      const auto made = tensor(parameter, memory, random);
      if (!made) return {};
      argument = *made;
      if (leaves_outputs_undefined && parameter.name[0] == 'o') memory.mark_uninitialised(made->view);
    } else if (parameter.type == "fp32") {
      const auto value = static_cast<float>(random_number(random));
      std::memcpy(&argument.bits, &value, sizeof value);
    } else {
      argument.bits = static_cast<std::uint32_t>(parameter.number);
    }
    request.arguments.push_back(argument);
  }
  return tally.judge(*module, *module->kernels().at(0), {}, request, seed);
}

std::optional<ir::Module> parse(const std::string& name, const std::string& text) {
  DiagnosticSink sink;
  auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>(name, text), sink);
  if (module && !ir::verify(*module, sink)) module.reset();
  return module;
}

Verdict try_rows(std::uint64_t seed, const Tally& tally) {
  fuzz::Random random(seed);
  const auto module = parse("rows.ttir", fuzz::sample_kernel(dialects::registry(), random));
  if (!module) return {};
  AddressSpace memory;
  const ir::Op& function = *module->kernels().at(0);
  const auto arguments = fuzz::make_arguments(function, memory, random, 2048);
  if (!arguments) return {};
  interpreter::RunRequest request;
  request.grid = {24, 2, 1};
  request.memory = &memory;
  request.arguments = *arguments;
  return tally.judge(*module, function, {}, request, seed);
}

/// `mutant`: 0 for the text as it is, else the seed of what is changed in it.
Verdict try_recording(const std::string& path, std::uint64_t mutant, const Tally& tally) {
  const auto recorded = interpreter::read_recording(path);
  if (!recorded) return {};
  auto module = parse("recorded.ttir", recorded->text);
  const auto profile = TargetProfile::parse(recorded->target);
  AddressSpace memory;
  const auto request = restore(*recorded, memory);
  if (!module || !profile || !request) return {};
  fuzz::Random random(mutant);
  for (std::size_t i = 0; mutant != 0 && i < 1 + mutant % 3; ++i) fuzz::mutate(*module, random);
  if (DiagnosticSink sink; mutant != 0 && !ir::verify(*module, sink)) return {};
  for (const ir::Op* kernel : module->kernels()) {
    if (ir::symbol_name(*kernel) == recorded->function)
      return tally.judge(*module, *kernel, *profile, *request, mutant);
  }
  return {};
}

int replay(const Words& words) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(words.folder)) {
    if (entry.path().extension() == ".launch") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  Tally tally(words);
  for (const auto& path : paths) {
    if (!tally.is_mine()) continue;
    for (std::uint64_t i = 0; i <= words.mutants; ++i) {
      const std::uint64_t mutant = i == 0 ? 0 : words.first + i;
      const std::string name = path.stem().string() + (i == 0 ? "" : ", mutant " + std::to_string(mutant));
      tally.add(name, try_recording(path.string(), mutant, tally));
    }
  }
  return tally.finish();
}

int sample(const Words& words) {
  Tally tally(words);
  for (std::uint64_t seed = words.first; seed < words.first + words.count; ++seed) {
    if (!tally.is_mine()) continue;
    tally.add(words.command + " " + std::to_string(seed),
              words.command == "random" ? try_random(seed, tally) : try_rows(seed, tally));
  }
  return tally.finish();
}

int show(const Words& words) {
  fuzz::Random random(words.first);
  const auto kernel = exactness::random_kernel(random);
  std::cout << kernel.source << "# grid " << kernel.grid[0] << ", " << kernel.grid[1] << "\n";
  for (const auto& parameter : kernel.parameters) {
    std::cout << "# " << parameter.name << ": " << parameter.type << ", " << parameter.elements << " elements, number "
              << parameter.number << (parameter.is_divisible ? ", divisible" : "") << "\n";
  }
  return 0;
}

int print_isas() {
  for (const char* name : {"v4", "v3", "v2", "base"}) {
    if (interpreter::kernels::table_of(name) != nullptr) std::cout << name << "\n";
  }
  return 0;
}

std::optional<Words> read_words(const std::vector<std::string>& given) {
  Words words;
  std::vector<std::string> plain;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == "--thorough")
      words.is_thorough = true;
    else if (given[i] == "--show")
      words.shows = true;
    else if (given[i] == "--any-nan")
      words.any_nan = true;
    else if (given[i] == "--checks")
      words.checks = true;
    else if (given[i] == "--mutate" && i + 1 < given.size())
      words.mutants = std::stoull(given[++i]);
    else if (given[i] == "--seed" && i + 1 < given.size())
      words.first = std::stoull(given[++i]);
    else if (given[i] == "--plain")
      words.is_plain = true;
    else if (given[i] == "--hashes" && i + 1 < given.size())
      words.hashes = given[++i];
    else if (given[i] == "--part" && i + 1 < given.size()) {
      const std::string& text = given[++i];
      words.part = std::stoull(text);
      words.parts = std::stoull(text.substr(text.find('/') + 1));
    } else
      plain.push_back(given[i]);
  }
  if (plain.empty()) return std::nullopt;
  words.command = plain[0];
  if (plain.size() < 2) return words;
  if (words.command == "replay")
    words.folder = plain[1];
  else
    words.first = std::stoull(plain[1]);
  if (plain.size() > 2) words.count = std::stoull(plain[2]);
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto words = read_words({argv + 1, argv + argc});
    if (words && words->command == "replay") return replay(*words);
    if (words && words->command == "isas") return print_isas();
    if (words && words->command == "show") return show(*words);
    if (words && (words->command == "random" || words->command == "rows")) return sample(*words);
    std::cerr << "exactness random|rows FIRST COUNT, replay FOLDER, show SEED, isas\n";
    return 2;
  } catch (const std::exception& error) {
    std::cout << "DEFECT: " << error.what() << "\n";
    return 70;
  }
}
