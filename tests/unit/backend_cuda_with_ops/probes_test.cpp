// Probes add text and change none: without their own lines the kernel is the one without them.
#include "backend_cuda/emit/probes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "backend_cuda/device/nvrtc.h"
#include "backend_cuda/emit/emit_module.h"
#include "dialects/registry.h"
#include "ir/text/parser.h"

namespace lockstep::backend_cuda {
namespace {

struct Probed {
  EmittedKernel plain, probed;
};

Probed emit_both(const std::string& example, const Target& target) {
  const auto path = std::filesystem::path(LOCKSTEP_TESTS_DIR).parent_path() / "examples/ttir" / (example + ".ttir");
  DiagnosticSink sink;
  const auto module = ir::parse_module(dialects::registry(), *SourceFile::read(path.string()), sink);
  EXPECT_TRUE(module.has_value()) << render_text(sink);
  const ir::Module inlined = without_calls(*module->kernels().front());
  const ir::Op& function = *inlined.kernels().front();
  ProbeRequest request;
  request.program = {1, 2, 3};
  request.occurrences.resize(ops_in_order(function).size(), 4);
  const auto plain = emit_kernel(function, target, sink), probed = emit_kernel(function, target, sink, &request);
  EXPECT_TRUE(plain.has_value() && probed.has_value()) << render_text(sink);
  return {plain.value_or(EmittedKernel{}), probed.value_or(EmittedKernel{})};
}

bool opens(const std::string& line) { return line.ends_with("{"); }

/// Without the blocks that begin with `if (ls_probed)` and the probes' declarations.
std::string without_probes(const std::string& text) {
  std::istringstream lines(text);
  std::string left;
  int depth = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool closes = line.find_first_not_of(' ') != std::string::npos && line[line.find_first_not_of(' ')] == '}';
    if (depth > 0) {
      depth += (opens(line) ? 1 : 0) - (closes ? 1 : 0);
    } else if (line.find("if (ls_probed) {") != std::string::npos) {
      depth = 1;
    } else if (line.find("const bool ls_probed") == std::string::npos &&
               line.find("unsigned ls_seen_") == std::string::npos &&
               line.find("void ls_probe(") == std::string::npos) {
      left += line + "\n";
    }
  }
  const std::size_t parameter = left.find(", char* ls_probes");
  if (parameter != std::string::npos) left.erase(parameter, std::string(", char* ls_probes").size());
  return left;
}

/// Layouts are numbered by use: probes may use one more.
std::string without_layouts(const std::string& text) {
  std::istringstream lines(text);
  std::string left;
  for (std::string line; std::getline(lines, line);) {
    const bool is_layout = line.starts_with("// Layout ") || line.starts_with("__device__ constexpr int r") ||
                           line.starts_with("  const int t");
    if (!is_layout) left += line + "\n";
  }
  return left;
}

TEST(Probes, TextWithoutThemIsTheKernel) {
  Target target;
  target.capability = 80;  // on sm_90 dots that would be under way when their iteration ends are waited for
  for (const std::string example : {"vector_add", "softmax", "matmul", "attention", "layer_norm"}) {
    const Probed kernels = emit_both(example, target);
    EXPECT_EQ(without_layouts(without_probes(kernels.probed.body)), without_layouts(kernels.plain.body)) << example;
    EXPECT_TRUE(kernels.plain.probes.slots.empty());
    const bool longest_first = example == "attention";  // causal: of a later program, the loop is longer
    EXPECT_NE(kernels.probed.body.find(longest_first ? "ls_program_x == 1u && ls_program_y == 2u && blockIdx.z == 3u"
                                                     : "blockIdx.x == 1u && blockIdx.y == 2u && blockIdx.z == 3u"),
              std::string::npos)
        << example;
  }
}

TEST(Probes, EverySlotHasItsOwnBytes) {
  const Probed kernels = emit_both("attention", {});
  std::uint64_t end = 0;
  for (const ProbeSlot& slot : kernels.probed.probes.slots) {
    EXPECT_GE(slot.offset, end);
    EXPECT_EQ(slot.offset % 16, 0u);
    EXPECT_EQ(slot.occurrences, 4u);
    end = slot.offset + slot.occurrences * slot.stride();
  }
  EXPECT_EQ(end, kernels.probed.probes.bytes);
  EXPECT_GT(kernels.probed.probes.slots.size(), 30u);
}

TEST(Probes, WhatSeveralThreadsHoldIsSeenTwice) {
  const Probed kernels = emit_both("softmax", {});
  const auto& slots = kernels.probed.probes.slots;
  EXPECT_TRUE(std::any_of(slots.begin(), slots.end(), [](const ProbeSlot& one) { return one.is_last_copy; }));
  EXPECT_NE(kernels.probed.body.find("threadIdx.x == blockDim.x - 1"), std::string::npos);
  const auto is_twice = [&](const ProbeSlot& one) {
    return !one.is_last_copy || std::any_of(slots.begin(), slots.end(), [&](const ProbeSlot& first) {
      return !first.is_last_copy && first.op == one.op && first.variant == one.variant && first.layout == one.layout;
    });
  };
  EXPECT_TRUE(std::all_of(slots.begin(), slots.end(), is_twice));
}

TEST(Probes, MemoryIsBounded) {
  const auto path = std::filesystem::path(LOCKSTEP_TESTS_DIR).parent_path() / "examples/ttir/matmul.ttir";
  DiagnosticSink sink;
  const auto module = ir::parse_module(dialects::registry(), *SourceFile::read(path.string()), sink);
  ASSERT_TRUE(module.has_value());
  const ir::Module inlined = without_calls(*module->kernels().front());
  ProbeRequest request;
  request.occurrences.resize(ops_in_order(*inlined.kernels().front()).size(), 1000000);
  request.max_bytes = 1 << 20;
  const auto kernel = emit_kernel(*inlined.kernels().front(), {}, sink, &request);
  ASSERT_TRUE(kernel.has_value());
  EXPECT_LE(kernel->probes.bytes, request.max_bytes);
}

TEST(Probes, Compile) {
  if (!query_nvrtc()) GTEST_SKIP() << "there is no NVRTC";
  for (const int capability : {80, 90, 100}) {
    Target target;
    target.capability = capability;
    for (const std::string example : {"softmax", "matmul"}) {
      const EmittedKernel kernel = emit_both(example, target).probed;
      const auto cubin = compile_cuda({kernel.text, kernel.name, target.architecture(), true, false});
      EXPECT_TRUE(cubin.has_value()) << example << ": " << (cubin ? "" : cubin.error().message);
    }
  }
}

}  // namespace
}  // namespace lockstep::backend_cuda
