// Which op made a result wrong: the program that wrote a wrong element is run again with probes
// (backend_cuda/emit/probes.h), and compares each op's result on the GPU with the legal bounds of the same execution,
// in execution order. The first value outside of its bounds names the op, because all earlier ones are inside. Not
// seen: what probes.h leaves out; it reports a fault that vanishes with probes. LS3029: the GPU's kernel has other ops
// than the launch's, so they cannot be compared.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "enclosure/enclosure.h"
#include "gpu_diff/gpu_launch.h"
#include "gpu_diff/judge.h"

namespace lockstep::gpu_diff {

/// Runs a kernel that was emitted with probes from the request's storages; they then hold its results. Returns the
/// probes' buffer; nullopt: diagnosed.
using ProbeRun = std::function<std::optional<std::string>(
    const interpreter::LaunchRequest& request, const ir::Op& function, const backend_cuda::ProbeRequest& probes,
    backend_cuda::ProbeTable& table, DiagnosticSink& sink)>;
/// On the GPU.
ProbeRun probe_on_gpu(const GpuOptions& options);
/// In the interpreter, in place of the GPU: for tests, and to compare two kernels.
ProbeRun probe_in_interpreter(const backend_cuda::Target& target);

/// The wrong element.
struct WrongElement {
  std::size_t tensor = 0;  // place among the pointer and descriptor arguments
  std::int64_t element = 0;
  enclosure::Interval bounds;
};

/// The first element outside, in the first tensor with one.
std::optional<WrongElement> first_wrong(const Judgement& judgement);

struct BisectOptions {
  enclosure::EnclosureOptions enclosure;
  const ir::Op* changed = nullptr;  // the GPU runs this kernel instead; same parameters
};

/// A value of an operand at the deviation.
struct OperandThere {
  std::string name;                // "%12"
  std::optional<double> gpu, cpu;  // absent: not observed, or not one element
  bool is_address = false;         // a GPU has its own
  bool is_observed = false;        // all of it, on the GPU: inside
  enclosure::Interval bounds{0, 0};
};

struct Deviation {
  std::string op_text, source;  // "%12 = arith.addf %9, %11 : f32", "add.py:14: out = x + y"
  std::size_t op = 0;           // its place in backend_cuda::ops_in_order of the kernel without calls
  std::size_t result = 0;
  ScalarKind kind{};
  std::uint32_t execution = 0, executions = 0;  // the first is 0; as the interpreter runs it
  std::uint64_t outside = 0, elements = 1;      // of this execution's result
  std::int64_t element = 0;
  std::vector<std::int64_t> shape;
  std::string copy;  // which copy is wrong, where another one is right
  double gpu = 0, cpu = 0;
  enclosure::Interval bounds;
  std::uint64_t loaded_from = 0;  // the address, where it is a load
  std::vector<OperandThere> operands;
};

/// An op that ran a different number of times on the GPU.
struct OtherPath {
  std::string op_text, source;
  std::uint32_t gpu = 0, cpu = 0;
};

/// An op whose values no probe shows.
struct Unobserved {
  std::string op_text, reason;
  bool is_pipelined = false;  // a tile that is in shared memory only
};

struct BisectProgram {
  std::uint64_t number = 0;
  std::array<std::int64_t, 3> id{};
  std::uint64_t values = 0;   // compared
  bool has_vanished = false;  // with probes, the element lies inside
  std::optional<Deviation> deviation;
  std::optional<OtherPath> other_path;
  std::vector<Unobserved> unobserved;
  /// If a dot is wrong and a pipeline fed it unseen: the same for the kernel compiled without pipelines.
  std::shared_ptr<const BisectProgram> without_pipelines;
};

struct BisectReport {
  /// The writers of the element, up to the first with a deviation; if that is a load, the writers of the loaded
  /// element, and so on. Empty: nothing writes the element.
  std::vector<BisectProgram> programs;
  std::uint64_t writers = 0;
  const BisectProgram* blamed() const;  // the last program with a deviation (or another path), or null
};

/// The request's storages have their content from before the launch, and do again afterwards. nullopt: diagnosed.
std::optional<BisectReport> bisect(const interpreter::LaunchRequest& request, const WrongElement& wrong,
                                   const ProbeRun& run, const BisectOptions& options, DiagnosticSink& sink);

/// For people and for programs.
std::string bisect_text(const BisectReport& report);
std::string bisect_json(const BisectReport& report);

}  // namespace lockstep::gpu_diff
