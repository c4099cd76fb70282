// Bisection on buffers of probes that the interpreter fills and a test spoils: the op, execution, program and element
// that were spoilt must be named, and nothing else. Snapshots of storages and bytes that no tensor holds.
#include "gpu_diff/bisect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "dialects/registry.h"
#include "gpu_diff/judge.h"
#include "ir/text/parser.h"

namespace lockstep::gpu_diff {
namespace {

// Four programs; each sums eight chunks of its row and writes the sum's square root.
constexpr const char* kKernel = R"(module {
  tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<32xf32>
    %pid = tt.get_program_id x : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %row = arith.muli %pid, %c8 : i32
    %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<32xf32>)  : i32 {
      %chunk = arith.addi %row, %i : i32
      %start = arith.muli %chunk, %c32 : i32
      %from = tt.addptr %x, %start : !tt.ptr<f32>, i32
      %wide = tt.splat %from : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
      %at = tt.addptr %wide, %range : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
      %value = tt.load %at : tensor<32x!tt.ptr<f32>>
      %square = arith.mulf %value, %value : tensor<32xf32>
      %next = arith.addf %acc, %square : tensor<32xf32>
      scf.yield %next : tensor<32xf32>
    }
    %root = math.sqrt %sum : tensor<32xf32>
    %first = arith.muli %pid, %c32 : i32
    %to = tt.addptr %out, %first : !tt.ptr<f32>, i32
    %places = tt.splat %to : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %ends = tt.addptr %places, %range : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    tt.store %ends, %root : tensor<32x!tt.ptr<f32>>
    tt.return
  }
})";

class Bisect : public testing::Test {
 protected:
  void SetUp() override {
    module_ = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("k.ttir", kKernel), sink_);
    ASSERT_TRUE(module_.has_value()) << render_text(sink_);
    request_.module = &*module_;
    request_.function = module_->kernels().front();
    request_.grid = {4, 1, 1};
    request_.memory = &memory_;
    x_ = tensor("x", 4 * 256);
    out_ = tensor("out", 4 * 32);
    auto* x = reinterpret_cast<float*>(memory_.view(x_).base);
    for (int i = 0; i < 4 * 256; ++i) x[i] = static_cast<float>(i % 61) / 7.0F - 3.0F;
  }

  memory_model::ViewId tensor(const char* name, std::int64_t elements) {
    const auto storage = memory_.allocate(name, static_cast<std::uint64_t>(4 * elements));
    const auto view = memory_.add_view(*storage, name, ScalarKind::f32, 0, {elements}, {1});
    interpreter::Argument argument;
    argument.kind = interpreter::Argument::Kind::pointer;
    argument.view = *view;
    request_.arguments.push_back(argument);
    return *view;
  }

  const ir::Op* op(const std::string& name) const {
    for (const ir::Op* one : backend_cuda::ops_in_order(*request_.function)) {
      if (one->result_count() == 1 && one->result(0)->name() == name) return one;
    }
    ADD_FAILURE() << "no op " << name;
    return nullptr;
  }

  /// The interpreter's values, one of them spoilt.
  ProbeRun spoilt(const std::string& name, std::uint32_t execution, std::int64_t element) const {
    const auto ops = backend_cuda::ops_in_order(*request_.function);
    const auto number = static_cast<std::uint32_t>(std::find(ops.begin(), ops.end(), op(name)) - ops.begin());
    return [=](const interpreter::LaunchRequest& request, const ir::Op& function,
               const backend_cuda::ProbeRequest& probes, backend_cuda::ProbeTable& table, DiagnosticSink& sink) {
      auto bytes = probe_in_interpreter(backend_cuda::Target{})(request, function, probes, table, sink);
      for (const backend_cuda::ProbeSlot& slot : table.slots) {
        if (slot.op != number || slot.variant != 0 || !bytes) continue;
        const float wrong = 1234.5F;
        std::memcpy(bytes->data() + slot.offset + execution * slot.stride() + 4 * static_cast<std::uint64_t>(element),
                    &wrong, sizeof wrong);
      }
      return bytes;
    };
  }

  BisectReport find(const ProbeRun& run, std::int64_t element) {
    const auto report = bisect(request_, {1, element, {5, 5}}, run, {}, sink_);
    EXPECT_TRUE(report.has_value()) << render_text(sink_);
    return report.value_or(BisectReport{});
  }

  DiagnosticSink sink_;
  std::optional<ir::Module> module_;
  memory_model::AddressSpace memory_;
  interpreter::LaunchRequest request_;
  memory_model::ViewId x_, out_;
};

TEST_F(Bisect, NamesOpProgramExecutionAndElement) {
  const BisectReport report = find(spoilt("square", 5, 17), 2 * 32 + 17);
  ASSERT_EQ(report.programs.size(), 1u);
  const BisectProgram& program = report.programs[0];
  EXPECT_EQ(program.id, (std::array<std::int64_t, 3>{2, 0, 0}));
  ASSERT_TRUE(program.deviation.has_value());
  const Deviation& found = *program.deviation;
  EXPECT_NE(found.op_text.find("%15 = arith.mulf %14, %14 : tensor<32xf32>"), std::string::npos) << found.op_text;
  EXPECT_EQ(found.execution, 5u);
  EXPECT_EQ(found.executions, 8u);
  EXPECT_EQ(found.element, 17);
  EXPECT_EQ(found.outside, 1u);
  EXPECT_EQ(found.gpu, 1234.5);
  const auto* x = reinterpret_cast<const float*>(memory_.view(x_).base);
  const float value = x[2 * 256 + 5 * 32 + 17];
  EXPECT_EQ(found.cpu, static_cast<double>(value * value));
  ASSERT_EQ(found.operands.size(), 2u);
  EXPECT_EQ(found.operands[0].name, "%14");
  EXPECT_EQ(found.operands[0].gpu, static_cast<double>(value));
  EXPECT_EQ(found.operands[0].cpu, static_cast<double>(value));
}

TEST_F(Bisect, TheFirstDeviationCountsNotTheFirstInTheText) {
  const ProbeRun late = spoilt("value", 6, 3);
  const ProbeRun run = [&](const auto& request, const ir::Op& function, const auto& probes, auto& table, auto& sink) {
    auto bytes = late(request, function, probes, table, sink);
    // %next of an earlier iteration is wrong, too.
    const float wrong = -1;
    for (const backend_cuda::ProbeSlot& slot : table.slots) {
      if (backend_cuda::ops_in_order(function)[slot.op]->result(0)->name() == "next")
        std::memcpy(bytes->data() + slot.offset + 2 * slot.stride(), &wrong, sizeof wrong);
    }
    return bytes;
  };
  const BisectReport report = find(run, 0);
  ASSERT_NE(report.blamed(), nullptr);
  EXPECT_NE(report.blamed()->deviation->op_text.find("arith.addf"), std::string::npos);
  EXPECT_EQ(report.blamed()->deviation->execution, 2u);
}

TEST_F(Bisect, NothingIsNamedWhereEveryValueLiesInside) {
  const BisectReport report = find(probe_in_interpreter(backend_cuda::Target{}), 40);
  ASSERT_EQ(report.programs.size(), 1u);
  EXPECT_EQ(report.blamed(), nullptr);
  EXPECT_GT(report.programs[0].values, 40u);
  EXPECT_FALSE(report.programs[0].has_vanished);  // 5 is not what the interpreter has there
  EXPECT_NE(bisect_text(report).find("every observed value lies inside"), std::string::npos);
}

TEST_F(Bisect, LessIterationsAreAnotherWay) {
  const ProbeRun run = [](const auto& request, const ir::Op& function, const auto& probes, auto& table, auto& sink) {
    auto bytes = probe_in_interpreter(backend_cuda::Target{})(request, function, probes, table, sink);
    const auto ops = backend_cuda::ops_in_order(function);
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      const std::uint32_t seven = 7;
      if (probes.occurrences[i] == 8) std::memcpy(bytes->data() + 4 * i, &seven, sizeof seven);
    }
    return bytes;
  };
  const BisectReport report = find(run, 0);
  ASSERT_NE(report.blamed(), nullptr);
  EXPECT_FALSE(report.blamed()->deviation.has_value());
  ASSERT_TRUE(report.blamed()->other_path.has_value());
  EXPECT_EQ(report.blamed()->other_path->gpu, 7u);
  EXPECT_EQ(report.blamed()->other_path->cpu, 8u);
  EXPECT_NE(report.blamed()->other_path->op_text.find("arith.addi"), std::string::npos);
}

TEST_F(Bisect, ACopyThatIsWrongWhereAnotherIsRightIsNamed) {
  const ProbeRun run = [](const auto& request, const ir::Op& function, const auto& probes, auto& table, auto& sink) {
    auto bytes = probe_in_interpreter(backend_cuda::Target{})(request, function, probes, table, sink);
    const auto ops = backend_cuda::ops_in_order(function);
    for (const backend_cuda::ProbeSlot& slot : table.slots) {  // 32 elements in 128 threads
      const float wrong = 9;
      if (slot.is_last_copy && ops[slot.op]->result(0)->name() == "root")
        std::memcpy(bytes->data() + slot.offset, &wrong, sizeof wrong);
    }
    return bytes;
  };
  const BisectReport report = find(run, 0);
  ASSERT_NE(report.blamed(), nullptr);
  EXPECT_NE(report.blamed()->deviation->op_text.find("math.sqrt"), std::string::npos);
  EXPECT_EQ(report.blamed()->deviation->copy, "the copy of the last thread that holds it");
}

// Each program adds one to what the program before it wrote.
constexpr const char* kRelay = R"(module {
  tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %one = arith.constant 1.000000e+00 : f32
    %c1 = arith.constant 1 : i32
    %pid = tt.get_program_id x : i32
    %from = tt.addptr %out, %pid : !tt.ptr<f32>, i32
    %old = tt.load %from : !tt.ptr<f32>
    %new = arith.addf %old, %one : f32
    %next = arith.addi %pid, %c1 : i32
    %to = tt.addptr %out, %next : !tt.ptr<f32>, i32
    tt.store %to, %new : !tt.ptr<f32>
    tt.return
  }
})";

TEST_F(Bisect, AWrongLoadLeadsToTheProgramThatWroteThere) {
  module_ = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("k.ttir", kRelay), sink_);
  ASSERT_TRUE(module_.has_value()) << render_text(sink_);
  request_.function = module_->kernels().front();
  // Program 1 adds wrongly; what 2 and 3 load and make is wrong because of it.
  const ProbeRun run = [](const auto& request, const ir::Op& function, const auto& probes, auto& table, auto& sink) {
    auto bytes = probe_in_interpreter(backend_cuda::Target{})(request, function, probes, table, sink);
    const auto ops = backend_cuda::ops_in_order(function);
    for (const backend_cuda::ProbeSlot& slot : table.slots) {
      const std::string& name = ops[slot.op]->result(0)->name();
      const float wrong = 50;
      if ((name == "old" && probes.program[0] > 1) || (name == "new" && probes.program[0] > 0))
        std::memcpy(bytes->data() + slot.offset, &wrong, sizeof wrong);
    }
    return bytes;
  };
  const BisectReport report = find(run, 4);
  ASSERT_EQ(report.programs.size(), 3u);
  EXPECT_EQ(report.programs[0].number, 3u);
  EXPECT_EQ(report.programs[1].number, 2u);
  ASSERT_EQ(report.blamed(), &report.programs[2]);
  EXPECT_EQ(report.blamed()->number, 1u);
  EXPECT_NE(report.blamed()->deviation->op_text.find("arith.addf"), std::string::npos);
  EXPECT_NE(bisect_text(report).find("program (3, 0, 0) has loaded what another program"), std::string::npos);
}

TEST_F(Bisect, MemoryIsAfterwardsAsBefore) {
  const StorageSnapshot before(memory_);
  find(spoilt("root", 0, 1), 1);
  for (std::size_t i = 0; i < memory_.lookup_table().size(); ++i) {
    const memory_model::Extent& extent = memory_.lookup_table()[i].extent;
    EXPECT_EQ(before.bytes(i), std::string(reinterpret_cast<const char*>(extent.begin), extent.bytes()));
  }
}

TEST_F(Bisect, BytesThatNoTensorHoldsAreSeen) {
  const auto storage = memory_.allocate("gaps", 64);
  ASSERT_TRUE(memory_.add_view(*storage, "gaps", ScalarKind::f32, 0, {4}, {2}).has_value());
  const StorageSnapshot before(memory_);
  auto* bytes = reinterpret_cast<char*>(memory_.storage(*storage).extent.begin);
  bytes[8] = 1;  // of an element
  EXPECT_TRUE(stray_bytes(memory_, before).empty());
  bytes[12] = 1;
  bytes[40] = 1;
  const auto strays = stray_bytes(memory_, before);
  ASSERT_EQ(strays.size(), 1u);
  EXPECT_EQ(strays[0].storage, "gaps");
  EXPECT_EQ(strays[0].offset, 12);
  EXPECT_EQ(strays[0].count, 2u);
  before.restore();
  EXPECT_EQ(bytes[40], 0);
}

TEST_F(Bisect, DistancesAreCountedInUlp) {
  const std::vector<float> expected{1, 2, 3, 4};
  std::vector<float> actual = expected;
  actual[1] = std::nextafter(actual[1], 10.0F);
  const auto bytes = [](const std::vector<float>& values) {
    return std::string(reinterpret_cast<const char*>(values.data()), 4 * values.size());
  };
  const UlpStatistics found = ulp_statistics(ScalarKind::f32, bytes(actual), bytes(expected));
  EXPECT_EQ(found.elements, 4u);
  EXPECT_EQ(found.equal_bits, 3u);
  EXPECT_EQ(found.median, 0);
  EXPECT_EQ(found.most, 1);
}

}  // namespace
}  // namespace lockstep::gpu_diff
