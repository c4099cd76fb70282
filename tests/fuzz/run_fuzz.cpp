// Fuzzes the interpreter: TTIR and TTGIR that verify are launched on small tensors with tight limits. Pointers get 64
// zeroed elements of their type, descriptors a tensor of twice their block less one, scalars small numbers. The text's
// hash chooses when asynchronous operations complete, and whether the launch has a GPU's bits. Whatever the kernel does,
// the launch ends with a report or a diagnosis, and no red zone of a storage is ever written.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dialects/registry.h"
#include "interpreter/gpu_bits/marks.h"
#include "interpreter/launch/launch.h"
#include "ir/passes/contraction.h"
#include "ir/text/parser.h"
#include "ir/verify/verifier.h"
#include "support/check.h"

namespace {

constexpr std::int64_t kElements = 64;
constexpr std::size_t kMaxParameters = 32;

std::optional<lockstep::interpreter::Argument> descriptor_for(lockstep::ir::Type type, const std::string& name,
                                                              lockstep::memory_model::AddressSpace& memory) {
  constexpr std::int64_t kMostElements = 1 << 16;
  const lockstep::ir::Type block = type.pointee();
  const auto element = block.element().scalar_kind();
  if (!element || block.shape().empty()) return std::nullopt;
  std::vector<std::int64_t> shape, strides(block.shape().size(), 1);
  std::int64_t elements = 1;
  for (const std::int64_t extent : block.shape()) {
    if (extent < 1 || extent > kMostElements) return std::nullopt;
    shape.push_back(2 * extent - 1);
  }
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides[d] = elements;
    if ((elements *= shape[d]) > kMostElements) return std::nullopt;
  }
  const auto bytes = static_cast<std::uint64_t>(elements * lockstep::size_bytes(*element));
  const auto storage = memory.allocate(name, bytes);
  if (!storage) return std::nullopt;
  const auto view = memory.add_view(*storage, name, *element, 0, shape, strides);
  if (!view) return std::nullopt;
  lockstep::interpreter::Argument argument;
  argument.kind = lockstep::interpreter::Argument::Kind::descriptor;
  argument.view = *view;
  return argument;
}

// nullopt: a parameter of a type that a launch cannot give.
std::optional<lockstep::interpreter::Argument> argument_for(lockstep::ir::Type type, std::size_t index,
                                                            lockstep::memory_model::AddressSpace& memory) {
  lockstep::interpreter::Argument argument;
  if (type.is_descriptor()) return descriptor_for(type, "argument" + std::to_string(index), memory);
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

void launch(const lockstep::ir::Module& module, const lockstep::ir::Op& function, std::size_t draw) {
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
  request.async_order = static_cast<lockstep::interpreter::AsyncOrder>(draw % 3);
  request.async_seed = draw;
  request.has_strict_proxy = draw / 3 % 2 == 1;
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
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t draw = std::hash<std::string>{}(text);
  const auto file = std::make_shared<const lockstep::SourceFile>("input.ttir", text);
  auto module = lockstep::ir::parse_module(lockstep::dialects::registry(), file, sink);
  if (!module || !lockstep::ir::verify(*module, sink)) {
    return 0;
  }
  if (draw / 6 % 2 == 1) {
    lockstep::ir::passes::contract_as_compiled(*module);
    (void)lockstep::interpreter::gpu_bits::mark_for_gpu_bits(*module, {});
    LOCKSTEP_CHECK(lockstep::ir::verify(*module, sink), "a contracted module does not verify");
  }
  for (const lockstep::ir::Op* kernel : module->kernels()) {
    launch(*module, *kernel, draw);
  }
  return 0;
}
