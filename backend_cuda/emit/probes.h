// Probes: text that writes what one program's ops computed to a buffer, so that each value can be compared with the
// interpreter's. Every op with results gets a counter of its executions; each execution writes its results' elements,
// in every layout in which they exist (once more from the last thread where several hold an element), after the earlier
// ones. Invariant: without probes no text changes; with them no
// value does. Not observed: addresses, what a pipeline keeps in shared memory, regions of reductions. Units: bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend_cuda/layout/layout_plan.h"
#include "backend_cuda/target.h"
#include "ir/op.h"
#include "support/scalar.h"

namespace lockstep::backend_cuda {

class EmitContext;
struct Variable;

/// All ops of a function, each before those in its regions: an op's number is its place here.
std::vector<const ir::Op*> ops_in_order(const ir::Op& function);

struct ProbeRequest {
  std::array<std::int64_t, 3> program{};
  std::vector<std::uint32_t> occurrences;  // by op number: so many executions are kept
  bool allows_pipelines = true;            // false: every tile is in registers, where it is seen
  std::uint64_t max_bytes = std::uint64_t{256} << 20;
};

/// A result of an op in one of its layouts.
struct ProbeSlot {
  std::uint32_t op = 0;      // number
  std::uint32_t result = 0;  // of the op
  std::uint32_t variant = 0;
  std::string layout;         // for people; empty for scalars
  bool is_last_copy = false;  // of the last of the threads that hold an element, not the first
  ScalarKind kind{};
  std::int64_t elements = 1;
  std::uint32_t occurrences = 0;  // kept; fewer than asked for where memory does not suffice
  std::uint64_t offset = 0;       // of the first
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(elements * size_bytes(kind)); }
  /// The distance from one execution to the next.
  std::uint64_t stride() const { return (bytes() + 15) / 16 * 16; }
};

/// What the probes of a kernel wrote: first how often each op ran, u32 by op number, then the slots.
struct ProbeTable {
  std::vector<ProbeSlot> slots;  // in the order of the text
  std::uint64_t bytes = 0;       // of the buffer
};

/// Writes the probes of a kernel while it is emitted.
class ProbeWriter {
 public:
  ProbeWriter(const ProbeRequest& request, const ir::Op& function);
  /// Writes the results of the op after its text, in their variables.
  void write(EmitContext& context, const ir::Op& op);
  /// For the top of the kernel, whose last parameter is `char* ls_probes`.
  std::string declarations(const Target& target) const;
  const ProbeTable& table() const { return table_; }

 private:
  void write_value(EmitContext& context, const ir::Op& op, std::uint32_t result, LayoutId id);
  void write_copy(EmitContext& context, const Variable& variable, ProbeSlot slot, const std::string& owner);

  const ProbeRequest& request_;
  std::unordered_map<const ir::Op*, std::uint32_t> numbers_;
  std::vector<std::uint32_t> probed_;
  ProbeTable table_;
};

}  // namespace lockstep::backend_cuda
