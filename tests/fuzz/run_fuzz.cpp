// Fuzzes the interpreter: TTIR that verifies is launched on small tensors with tight limits. Pointers get 64 zeroed
// elements of their type, scalars small numbers. Whatever the kernel does, the launch ends with a report or a
// diagnosis, and no red zone of a storage is ever written.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dialects/registry.h"
#include "interpreter/launch/launch.h"
#include "ir/text/parser.h"
#include "ir/verify/verifier.h"
#include "support/check.h"

namespace {

constexpr std::int64_t kElements = 64;
constexpr std::size_t kMaxParameters = 32;

// nullopt: a parameter of a type that a launch cannot give.
std::optional<lockstep::interpreter::Argument> argument_for(lockstep::ir::Type type, std::size_t index,
                                                            lockstep::memory_model::AddressSpace& memory) {
  lockstep::interpreter::Argument argument;
  if (!type.is_pointer()) {
    argument.bits = type.is_float() ? 0 : 3 + index % 2;
    const bool is_scalar = type.is_integer() || type.is_float();
    return is_scalar && type.scalar_kind() ? std::optional(argument) : std::nullopt;
  }
  const auto element = type.pointee().scalar_kind();
  if (!element) {
    return std::nullopt;
  }
  const auto bytes = static_cast<std::uint64_t>(kElements * lockstep::size_bytes(*element));
  const std::string name = "argument" + std::to_string(index);
  const auto storage = memory.allocate(name, bytes);
  if (!storage) {
    return std::nullopt;
  }
  const auto view = memory.add_view(*storage, name, *element, 0, {kElements}, {1});
  if (!view) {
    return std::nullopt;
  }
  argument.kind = lockstep::interpreter::Argument::Kind::pointer;
  argument.view = *view;
  return argument;
}

void launch(const lockstep::ir::Module& module, const lockstep::ir::Op& function) {
  lockstep::memory_model::AddressSpace memory;
  lockstep::interpreter::LaunchRequest request;
  for (lockstep::ir::Type type : lockstep::ir::function_type(function).inputs()) {
    const auto argument = argument_for(type, request.arguments.size(), memory);
    if (!argument || request.arguments.size() == kMaxParameters) {
      return;
    }
    request.arguments.push_back(*argument);
  }
  request.module = &module;
  request.function = &function;
  request.grid = {2, 1, 2};
  request.memory = &memory;
  request.threads = 1;
  request.limits = {.timeout_seconds = 2, .max_memory_bytes = 64 << 20, .max_steps_per_program = 20000};
  request.print = [](const std::string&) {};
  lockstep::DiagnosticSink sink;
  const auto report = lockstep::interpreter::launch(request, sink);
  LOCKSTEP_CHECK(report.has_value() || sink.has_errors(), "no report and no reason");
  LOCKSTEP_CHECK(memory.red_zones_intact(), "a red zone was written");
  if (report) {
    for (const auto& finding : report->findings.findings()) {
      (void)lockstep::render_text(finding);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockstep::DiagnosticSink sink;
  const auto file = std::make_shared<const lockstep::SourceFile>(
      "input.ttir", std::string(reinterpret_cast<const char*>(data), size));
  const auto module = lockstep::ir::parse_module(lockstep::dialects::registry(), file, sink);
  if (!module || !lockstep::ir::verify(*module, sink)) {
    return 0;
  }
  for (const lockstep::ir::Op* kernel : module->kernels()) {
    launch(*module, *kernel);
  }
  return 0;
}
