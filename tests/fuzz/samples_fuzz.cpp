// Structure-aware fuzzing of kernels: inputs are TTIR texts (tests/roundtrip, and what fuzz::Sampler makes), changed by
// fuzz::mutate. What verifies must print, parse and verify again, and a small launch must end with a report or a
// diagnosis and leave every red zone alone.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "dialects/registry.h"
#include "fuzz/arguments.h"
#include "fuzz/mutate.h"
#include "fuzz/sampler.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"
#include "support/check.h"

// libFuzzer's own changes of bytes; absent where the target only replays inputs.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                              std::size_t max_size);

namespace {

using namespace lockstep;

std::optional<ir::Module> parse(std::string text) {
  DiagnosticSink sink;
  return ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("sample.ttir", std::move(text)), sink);
}

void launch(const ir::Module& module, const ir::Op& function) {
  memory_model::AddressSpace memory;
  fuzz::Random random(1);
  const auto arguments = fuzz::make_arguments(function, memory, random, 2048);
  if (!arguments) return;
  interpreter::LaunchRequest request;
  request.module = &module;
  request.function = &function;
  request.grid = {2, 1, 1};
  request.arguments = *arguments;
  request.memory = &memory;
  request.threads = 1;
  request.limits = {.timeout_seconds = 2, .max_memory_bytes = 64 << 20, .max_steps_per_program = 4000};
  request.print = [](const std::string&) {};
  DiagnosticSink sink;
  const auto report = interpreter::launch(request, sink);
  LOCKSTEP_CHECK(report.has_value() || sink.has_errors(), "no report and no reason");
  LOCKSTEP_CHECK(memory.red_zones_intact(), "a red zone was written");
  if (!report) return;
  for (const auto& finding : report->findings.findings()) (void)render_text(finding);
}

void check(const ir::Module& module) {
  DiagnosticSink sink;
  if (!ir::verify(module, sink)) return;
  const std::string text = ir::print_module(module);
  const auto again = parse(text);
  LOCKSTEP_CHECK(again.has_value(), "printed text does not parse:\n" + text);
  DiagnosticSink verified;
  LOCKSTEP_CHECK(ir::verify(*again, verified), "printed text does not verify:\n" + text + render_text(verified));
  LOCKSTEP_CHECK(ir::print_module(*again) == text, "printed text does not print the same again:\n" + text);
  for (const ir::Op* kernel : again->kernels()) launch(*again, *kernel);
}

std::size_t give(const std::string& text, std::uint8_t* data, std::size_t max_size) {
  if (text.size() > max_size) return 0;
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  fuzz::Random random(seed);
  if (random.one_in(32)) {
    if (const std::size_t made = give(fuzz::sample_kernel(dialects::registry(), random), data, max_size)) return made;
  }
  auto module = parse(std::string(reinterpret_cast<const char*>(data), size));
  if (!module || random.one_in(64)) return LLVMFuzzerMutate != nullptr ? LLVMFuzzerMutate(data, size, max_size) : size;
  for (std::size_t i = 1 + random.below(4); i > 0; --i) fuzz::mutate(*module, random);
  const std::size_t made = give(ir::print_module(*module), data, max_size);
  return made != 0 ? made : size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (const auto module = parse(std::string(reinterpret_cast<const char*>(data), size))) check(*module);
  return 0;
}
