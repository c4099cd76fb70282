// Uses Lockstep as a library: parses a kernel from text, runs it over a grid, prints what it stored.
#include <cstdint>
#include <cstdio>
#include <memory>

#include "dialects/registry.h"
#include "interpreter/launch/launch.h"
#include "ir/text/parser.h"
#include "ir/verify/verifier.h"
#include "memory_model/view.h"
#include "support/diagnostics/diagnostic.h"

namespace {

constexpr const char* kKernel = R"(module {
  tt.func public @double(%out: !tt.ptr<i32>) attributes {noinline = false} {
    %c4 = arith.constant 4 : i32
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %c4 : i32
    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %starts = tt.splat %start : i32 -> tensor<4xi32>
    %index = arith.addi %starts, %range : tensor<4xi32>
    %value = arith.addi %index, %index : tensor<4xi32>
    %pointer = tt.splat %out : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %pointers = tt.addptr %pointer, %index : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    tt.store %pointers, %value : tensor<4x!tt.ptr<i32>>
    tt.return
  }
}
)";

int fail(const lockstep::DiagnosticSink& sink) {
  std::fputs(lockstep::render_text(sink).c_str(), stderr);
  return 1;
}

}  // namespace

int main() {
  using namespace lockstep;
  DiagnosticSink sink;
  const auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("double.ttir", kKernel), sink);
  if (!module || !ir::verify(*module, sink)) return fail(sink);

  memory_model::AddressSpace memory;
  const auto storage = memory.allocate("out", 8 * sizeof(std::int32_t));
  const auto view = memory.add_view(*storage, "out", ScalarKind::i32, 0, {8}, {1});

  interpreter::LaunchRequest request;
  request.module = &*module;
  request.function = module->kernels().front();
  request.grid = {2, 1, 1};
  request.arguments = {{interpreter::Argument::Kind::pointer, 0, *view}};
  request.memory = &memory;
  const auto report = interpreter::launch(request, sink);
  if (!report || !report->findings.findings().empty()) return fail(sink);

  std::printf("%d programs:", static_cast<int>(report->programs_run));
  const auto* values = reinterpret_cast<const std::int32_t*>(memory.view(*view).base);
  for (int i = 0; i < 8; ++i) std::printf(" %d", values[i]);
  std::printf("\n");
  return 0;
}
