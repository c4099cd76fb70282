// The two machines that run a kernel with probes: the GPU, and the interpreter in its place.
#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "gpu_diff/bisect.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "support/check.h"

namespace lockstep::gpu_diff {
namespace {

using backend_cuda::ProbeRequest;
using backend_cuda::ProbeSlot;
using backend_cuda::ProbeTable;

/// Writes the results of a program's ops where probes would.
class ProbePlayer : public enclosure::Observer {
 public:
  ProbePlayer(std::uint64_t program, const std::vector<const ir::Op*>& ops, const ProbeTable& table, std::string& bytes)
      : program_(program), bytes_(bytes) {
    for (std::uint32_t i = 0; i < ops.size(); ++i) numbers_[ops[i]] = i;
    for (const ProbeSlot& slot : table.slots) slots_.push_back(&slot);
  }
  bool has_run(const ir::Op& op, std::uint64_t program, bool is_once) override {
    if (program != program_ && !is_once) return false;
    const std::size_t at = sizeof execution_ * numbers_.at(&op);
    std::memcpy(&execution_, bytes_.data() + at, sizeof execution_);
    const std::uint32_t after = is_once ? 1 : execution_ + 1;
    execution_ = after - 1;
    std::memcpy(bytes_.data() + at, &after, sizeof after);
    return true;
  }
  void see(const enclosure::Observation& seen) override {
    for (const ProbeSlot* slot : slots_) {
      if (slot->op != numbers_.at(seen.op) || slot->result != seen.result || execution_ >= slot->occurrences) continue;
      if (seen.bytes.size() == slot->bytes())
        std::memcpy(bytes_.data() + slot->offset + execution_ * slot->stride(), seen.bytes.data(), seen.bytes.size());
    }
  }

 private:
  std::uint64_t program_;
  std::string& bytes_;
  std::unordered_map<const ir::Op*, std::uint32_t> numbers_;
  std::vector<const ProbeSlot*> slots_;
  std::uint32_t execution_ = 0;
};

/// Whether passes have given values layouts. The CUDA backend has no text for the ops of TTGIR.
bool has_layouts(const std::vector<const ir::Op*>& ops) {
  return std::any_of(ops.begin(), ops.end(), [](const ir::Op* op) {
    return op->result_count() != 0 && op->result(0)->type().layout() != nullptr;
  });
}

/// Every result that has a number, once. A kernel for a GPU has those that its text keeps in registers.
ProbeTable table_of_all(const std::vector<const ir::Op*>& ops, const ProbeRequest& probes) {
  ProbeTable table;
  table.bytes = (sizeof(std::uint32_t) * ops.size() + 15) / 16 * 16;
  for (std::uint32_t number = 0; number < ops.size(); ++number) {
    const ir::Op& op = *ops[number];
    if (ir::is_structured(op) || op.def().is_terminator || op.def().effects == ir::Effects::control) continue;
    for (std::uint32_t i = 0; i < op.result_count(); ++i) {
      const ir::Value* value = op.result(i);
      const auto kind = value->type().element().scalar_kind();
      if (!kind || *kind == ScalarKind::pointer || !value->has_uses()) continue;
      ProbeSlot slot;
      slot.op = number;
      slot.result = i;
      slot.kind = *kind;
      slot.elements = value->type().is_tensor() ? value->type().element_count() : 1;
      const std::uint64_t left = probes.max_bytes - std::min(table.bytes, probes.max_bytes);
      slot.occurrences = static_cast<std::uint32_t>(std::min<std::uint64_t>(probes.occurrences[number], left / slot.stride()));
      slot.offset = table.bytes;
      table.bytes += slot.occurrences * slot.stride();
      table.slots.push_back(slot);
    }
  }
  return table;
}

const ir::Module* module_of(const interpreter::LaunchRequest& request, const ir::Op& function,
                            std::optional<ir::Module>& made) {
  if (&function == request.function) return request.module;
  made.emplace(backend_cuda::without_calls(function));
  return &*made;
}

}  // namespace

ProbeRun probe_on_gpu(const GpuOptions& options) {
  return [options](const interpreter::LaunchRequest& request, const ir::Op& function, const ProbeRequest& probes,
                   ProbeTable& table, DiagnosticSink& sink) -> std::optional<std::string> {
    GpuOptions chosen = options;
    if (!probes.allows_pipelines) chosen.target.stages = 1;
    const auto code = compile_for_gpu(function, chosen, sink, &probes);
    if (!code) return std::nullopt;
    table = code->kernel.probes;
    std::string bytes(table.bytes, '\0');
    if (!launch_code(*code, request, 0, &bytes, sink)) return std::nullopt;
    return bytes;
  };
}

ProbeRun probe_in_interpreter(const backend_cuda::Target& target) {
  return [target](const interpreter::LaunchRequest& request, const ir::Op& function, const ProbeRequest& probes,
                  ProbeTable& table, DiagnosticSink& sink) -> std::optional<std::string> {
    backend_cuda::Target chosen = target;
    if (!probes.allows_pipelines) chosen.stages = 1;
    if (const auto ops = backend_cuda::ops_in_order(function); has_layouts(ops)) {
      table = table_of_all(ops, probes);
    } else {
      const auto kernel = backend_cuda::emit_kernel(function, chosen, sink, &probes);
      if (!kernel) return std::nullopt;
      table = kernel->probes;
    }
    std::string bytes(table.bytes, '\0');
    std::optional<ir::Module> copy;
    interpreter::LaunchRequest played = request;
    played.module = module_of(request, function, copy);
    played.function = copy ? copy->find_function(ir::symbol_name(function)) : &function;
    LOCKSTEP_CHECK(played.function != nullptr, "a copy of a module has its functions");
    played.print = [](const std::string&) {};
    const auto number = static_cast<std::uint64_t>(
        probes.program[0] + request.grid[0] * (probes.program[1] + request.grid[1] * probes.program[2]));
    ProbePlayer player(number, backend_cuda::ops_in_order(*played.function), table, bytes);
    enclosure::EnclosureOptions options;
    options.observer = &player;
    if (!enclosure::enclose(played, sink, options)) return std::nullopt;
    return bytes;
  };
}

}  // namespace lockstep::gpu_diff
