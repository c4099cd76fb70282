#include "gpu_diff/gpu_launch.h"

#include <cstdio>
#include <cstring>

#include "backend_cuda/device/nvrtc.h"
#include "driver/arguments/philox.h"
#include "interpreter/batching/effects.h"
#include "ir/op_def.h"
#include "support/diagnostics/report_status.h"

namespace lockstep::gpu_diff {
namespace {

using backend_cuda::GpuArgument;
using backend_cuda::GpuLaunch;
using interpreter::Argument;

constexpr std::size_t kGuardBytes = 4096;
constexpr std::size_t kAlignment = 256;  // the driver's allocations are aligned to as much, or more
constexpr char kGuard = '\xff';          // NaN in every float format, -1 as an integer

/// Copies of the storages with guards on both sides, for the GPU.
class GuardedMemory {
 public:
  explicit GuardedMemory(const memory_model::AddressSpace& memory) : memory_(memory) {
    const std::string guard(kGuardBytes, kGuard);
    for (const memory_model::LookupEntry& entry : memory.lookup_table()) {
      std::string& copy = copies_.emplace_back();
      copy.reserve(entry.extent.bytes() + 2 * kGuardBytes + kAlignment);
      copy.append(front_of(entry), kGuard);
      copy.append(reinterpret_cast<const char*>(entry.extent.begin), entry.extent.bytes()).append(guard);
    }
  }

  /// The storage's place in its copy: it has the same alignment there.
  static std::size_t front_of(const memory_model::LookupEntry& entry) {
    return kGuardBytes + entry.extent.begin % kAlignment;
  }

  std::vector<backend_cuda::GpuBuffer> buffers() {
    std::vector<backend_cuda::GpuBuffer> made;
    for (std::string& copy : copies_) made.push_back({copy.data(), copy.size()});
    return made;
  }

  void copy_back() const {
    const auto& table = memory_.lookup_table();
    for (std::size_t i = 0; i < table.size(); ++i) {
      std::memcpy(reinterpret_cast<char*>(table[i].extent.begin), copies_[i].data() + front_of(table[i]),
                  table[i].extent.bytes());
    }
  }

  std::vector<StrayBytes> overruns() const {
    std::vector<StrayBytes> found;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      const std::string& copy = copies_[i];
      const std::size_t front = front_of(memory_.lookup_table()[i]);
      StrayBytes stray{memory_.storage(memory_.lookup_table()[i].storage).name};
      const auto look_at = [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) {
          if (copy[k] == kGuard) continue;
          if (stray.count++ == 0) stray.offset = static_cast<std::int64_t>(k) - static_cast<std::int64_t>(front);
        }
      };
      look_at(0, front);
      look_at(copy.size() - kGuardBytes, copy.size());
      if (stray.count != 0) found.push_back(std::move(stray));
    }
    return found;
  }

 private:
  const memory_model::AddressSpace& memory_;
  std::vector<std::string> copies_;
};

/// The words after a descriptor's address (prelude: descriptor).
std::vector<std::uint64_t> descriptor_words(const memory_model::View& view, bool pads_nan) {
  std::vector<std::uint64_t> words;
  for (const auto* part : {&view.shape, &view.strides}) {
    for (const std::int64_t number : *part) words.push_back(static_cast<std::uint64_t>(number));
  }
  words.push_back(pads_nan ? 1 : 0);
  return words;
}

GpuArgument argument_for(const Argument& argument, const memory_model::AddressSpace& memory) {
  if (argument.kind == Argument::Kind::scalar) return {GpuArgument::kNoBuffer, argument.bits};
  const memory_model::View& view = memory.view(argument.view);
  GpuArgument passed{GpuArgument::kNoBuffer, 0};  // a tensor without elements
  const auto& table = memory.lookup_table();
  for (std::size_t i = 0; i < table.size() && passed.buffer == GpuArgument::kNoBuffer; ++i) {
    if (view.base < table[i].extent.begin || view.base > table[i].extent.end) continue;
    passed = {i, view.base - table[i].extent.begin + GuardedMemory::front_of(table[i])};
  }
  if (argument.kind == Argument::Kind::descriptor) passed.rest = descriptor_words(view, argument.pads_nan);
  return passed;
}

/// The maps of this launch; nullopt: the copy engine does not take its numbers.
std::optional<std::vector<backend_cuda::GpuMap>> maps_for(const std::vector<backend_cuda::TensorMap>& maps,
                                                          const std::vector<GpuArgument>& arguments,
                                                          const ir::Block& parameters) {
  std::vector<backend_cuda::GpuMap> made;
  for (const backend_cuda::TensorMap& map : maps) {
    const GpuArgument& place = arguments[static_cast<std::size_t>(map.parameter)];
    const auto value = [&](int parameter) {
      const auto i = static_cast<std::size_t>(parameter);
      const bool is_wide = parameters.argument(i)->type().scalar_kind() == ScalarKind::i64;
      const auto bits = static_cast<std::int64_t>(arguments[i].value);
      return is_wide ? bits : static_cast<std::int64_t>(static_cast<std::int32_t>(bits));
    };
    if (place.buffer == GpuArgument::kNoBuffer) return std::nullopt;
    backend_cuda::GpuMap& one = made.emplace_back(backend_cuda::GpuMap{place.buffer, place.value, map.kind, {}});
    if (!backend_cuda::numbers_of(map, kAlignment + place.value, value, one.numbers)) return std::nullopt;
  }
  return made;
}

/// Whether a persistent kernel's counter of programs has bits for all of them.
bool counts_programs(const std::array<std::int64_t, 3>& grid) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  return grid[0] < kMost && grid[1] < kMost && grid[0] * grid[1] < kMost && grid[2] < kMost && grid[0] * grid[1] * grid[2] < kMost;
}

bool loads_words(const ir::Region& region) {
  for (const auto& block : region.blocks()) {
    for (const auto& op : block->ops()) {
      const bool is_load = op->def().effects == ir::Effects::read || op->def().effects == ir::Effects::read_write;
      for (std::size_t i = 0; is_load && i < op->result_count(); ++i) {
        const auto kind = op->result(i)->type().element().scalar_kind();
        if (op->result(i)->type().element().is_pointer() || kind == ScalarKind::i64) return true;
      }
      for (const auto& inner : op->regions()) {
        if (loads_words(*inner)) return true;
      }
    }
  }
  return false;
}

/// Whether it may use addresses from memory, which are the CPU's. (Addresses computed from its arguments are the
/// GPU's.)
bool follows_addresses(const interpreter::LaunchRequest& request) {
  const interpreter::MemoryEffects effects = interpreter::effects_of(*request.module, *request.function);
  const bool has_unknown =
      effects.read.is_unknown || effects.observed.is_unknown || effects.written.is_unknown || effects.atomic.is_unknown;
  return has_unknown && loads_words(request.function->region());
}

}  // namespace

std::string text_key(const backend_cuda::EmittedKernel& kernel, const backend_cuda::Target& target) {
  const std::uint64_t hash =
      driver::stable_hash(kernel.text + "\n" + target.architecture() + (target.contracts ? "+" : "-"));
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::optional<GpuCode> compile_for_gpu(const ir::Op& function, const GpuOptions& options, DiagnosticSink& sink,
                                       const backend_cuda::ProbeRequest* probes) {
  GpuCode code;
  code.target = options.target;
  if (code.target.capability == 0) {
    const auto device = backend_cuda::gpu_in_use();
    if (!device) return report_status(sink, device.error()), std::nullopt;
    code.target.capability = 10 * device->major + device->minor;
  }
  code.target.has_maps = options.uses_maps && probes == nullptr && backend_cuda::gpu_takes_maps();
  auto kernel = backend_cuda::emit_kernel(function, code.target, sink, probes);
  if (!kernel) return std::nullopt;
  code.kernel = std::move(*kernel);
  auto cubin = backend_cuda::compile_cuda({code.kernel.text, code.kernel.name, code.target.architecture(),
                                           code.target.contracts, false, options.uses_cache, code.kernel.threads,
                                           code.kernel.shared_bytes, code.target.shared_of_processor()});
  if (!cubin) return report_status(sink, cubin.error()), std::nullopt;
  code.cubin = std::move(*cubin);
  code.text_key = text_key(code.kernel, code.target);
  return code;
}

std::optional<GpuOutcome> launch_code(const GpuCode& code, const interpreter::LaunchRequest& request, int repeats,
                                      std::string* extra, DiagnosticSink& sink) {
  if (follows_addresses(request)) {
    report_status(sink, {"LS3028", "the kernel follows addresses that it loads from memory, and they are the CPU's",
                         "pass each tensor as an argument, or run it with `lockstep run`"});
    return std::nullopt;
  }
  GuardedMemory memory(*request.memory);
  GpuLaunch launch;
  launch.kernel = code.kernel.name;
  launch.cubin = code.cubin;
  launch.grid = request.grid;
  launch.threads = code.kernel.threads;
  launch.shared_bytes = code.kernel.shared_bytes;
  launch.repeats = repeats;
  launch.buffers = memory.buffers();
  for (const Argument& argument : request.arguments)
    launch.arguments.push_back(argument_for(argument, *request.memory));
  auto maps = maps_for(code.kernel.maps, launch.arguments, request.function->region().front());
  if (!maps || (code.kernel.is_persistent && !counts_programs(request.grid))) {
    const auto plain = compile_for_gpu(*request.function, {code.target, repeats, true, false}, sink);
    return plain ? launch_code(*plain, request, repeats, extra, sink) : std::nullopt;
  }
  launch.maps = std::move(*maps);
  launch.is_persistent = code.kernel.is_persistent;
  for (std::size_t i = 0; i < request.grid.size() && launch.is_persistent; ++i)
    launch.arguments.push_back({GpuArgument::kNoBuffer, static_cast<std::uint64_t>(request.grid[i])});
  if (extra != nullptr) {
    launch.arguments.push_back({launch.buffers.size(), 0});
    launch.buffers.push_back({extra->data(), extra->size()});
  }
  auto report = backend_cuda::launch_on_gpu(launch);
  if (!report) return report_status(sink, report.error()), std::nullopt;
  memory.copy_back();
  return GpuOutcome{std::move(*report), code.text_key, memory.overruns()};
}

std::optional<GpuOutcome> run_on_gpu(const interpreter::LaunchRequest& request, const GpuOptions& options,
                                     DiagnosticSink& sink) {
  const auto code = compile_for_gpu(*request.function, options, sink);
  return code ? launch_code(*code, request, options.repeats, nullptr, sink) : std::nullopt;
}

}  // namespace lockstep::gpu_diff
