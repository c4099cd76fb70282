#include "interpreter/fusion/contiguous_path.h"

#include <algorithm>
#include <cstring>

#include "interpreter/access/access_part.h"

namespace lockstep::interpreter {

namespace {

using Arity = Elementwise::Arity;

/// With fewer ops a strip waits for memory in any case, and asking for more of it only takes time.
constexpr std::size_t kManyOps = 6;


/// Elements of a tile in row-major order, from index `low` on, in memory from `origin` to `end`.
struct Run {
  std::uint64_t origin, end;
  std::int64_t low;
};

/// How many elements the access touches; 0: none, or they do not form a run.
template <std::size_t rank>
std::int64_t find_run(const Machine& machine, const Step& step, const Access& access, Run& run) {
  const Tile& pointer = machine.slots[step.operand[0]];
  std::int64_t next = access.bytes;
  for (std::size_t d = rank; d-- > 0;) {
    if (pointer.stride[d] != next && access.extent[d] != 1) return 0;
    next *= access.extent[d];
  }
  Part<rank> part;
  if (!find_part<rank>(machine, access, pointer, mask_of(machine, &step, access), part)) return 0;
  if (rank > 1 && part.count != access.value->count) return 0;
  run.origin = part.origin;
  run.end = part.end;
  run.low = rank == 1 ? part.low[0] : 0;
  return part.count;
}

std::int64_t find_run(const Machine& machine, const Step& step, const Access& access, Run& run) {
  switch (access.value->rank()) {
    case 1: return find_run<1>(machine, step, access, run);
    case 2: return find_run<2>(machine, step, access, run);
    case 3: return find_run<3>(machine, step, access, run);
    default: return 0;
  }
}

bool is_read_only(const Machine& machine, std::int32_t provenance) {
  return provenance >= 0 && machine.launch.views[static_cast<std::size_t>(provenance)].is_constant &&
         !is_logged(machine, provenance);
}

class LineRun {
 public:
  LineRun(Machine& machine, const FusedGroup& group) : machine_(machine), group_(group) {}

  bool prepare() { return find_stores() && find_loads() && find_inputs() && find_selects(); }

  void run() {
    note_stores();
    take_outputs();
    Buffer* scratch = nullptr;
    if (find_streams() || group_.needs_scratch) {
      strip_stride_ = (std::min(group_.strip_elements, count_) * group_.strip_bytes + 63) / 64 * 64 + FusedGroup::kGapBytes;
      scratch = machine_.pool.acquire(group_.strips * strip_stride_);
      scratch_ = scratch->data();
    }
    for (std::int64_t first = 0; first < count_; first += group_.strip_elements)
      run_strip(first, std::min(group_.strip_elements, count_ - first));
    if (scratch != nullptr) machine_.pool.release(scratch);
    finish();
  }

 private:
  /// The elements in the current strip; step 0: one value for all.
  struct Lane {
    const char* data;
    int step;
  };
  struct Source {
    const char* data;    // at the first element of all
    std::int64_t bytes;  // of an element; 0: one value for all
  };
  union OutputTile {
    OutputTile() {}
    Tile tile;
  };

  /// All stores are of one range, and apart from each other.
  bool find_stores() {
    low_ = 0;
    count_ = group_.type->count;
    for (std::size_t k = 0; k < group_.stores.size(); ++k) {
      const FusedGroup::Store& store = group_.stores[k];
      Run& run = stores_[k];
      const std::int64_t count = find_run(machine_, *store.step, *store.access, run);
      if (count == 0) return false;
      if (k == 0 && group_.outputs.empty()) {
        low_ = run.low;
        count_ = count;
      }
      if (run.low != low_ || count != count_) return false;
      for (std::size_t i = 0; i < k; ++i) {
        if (stores_[i].origin < run.end && run.origin < stores_[i].end) return false;
      }
    }
    return true;
  }

  /// Loaded memory is not written, at least in the range.
  bool find_loads() {
    bytes_read_ = 0;
    for (std::size_t i = 0; i < group_.loads.size(); ++i) {
      const Step& load = group_.loads[i];
      const auto& access = *static_cast<const Access*>(load.record);
      Run run;
      if (!is_read_only(machine_, machine_.slots[load.operand[0]].provenance)) return false;
      if (access.other >= 0 && machine_.slots[load.operand[static_cast<std::size_t>(access.other)]].buffer != nullptr)
        return false;
      const std::int64_t count = find_run(machine_, load, access, run);
      if (count == 0 || run.low > low_ || run.low + count < low_ + count_) return false;
      sources_[group_.load_inputs[i]] = {reinterpret_cast<const char*>(run.origin) + (low_ - run.low) * access.bytes,
                                         access.bytes};
      bytes_read_ += static_cast<std::uint64_t>(count * access.bytes);
    }
    return true;
  }

  bool find_inputs() {
    std::uint32_t varying = group_.loaded_inputs;
    for (std::size_t i = 0; i < group_.inputs.size(); ++i) {
      if ((group_.loaded_inputs >> i & 1) != 0) continue;
      const Tile& tile = machine_.slots[group_.inputs[i].slot];
      const std::int64_t bytes = group_.inputs[i].type->element_bytes;
      if (tile.form == Form::uniform) {
        sources_[i] = {reinterpret_cast<const char*>(&tile.base), 0};
      } else if (tile.form == Form::dense && tile.is_contiguous) {
        sources_[i] = {tile.data() + low_ * bytes, bytes};
        varying |= std::uint32_t{1} << i;
      } else {
        return false;
      }
    }
    for (const FusedGroup::FusedOp& micro : group_.ops) {
      if ((micro.inputs & varying) == 0) return false;
    }
    return true;
  }

  /// A uniform mask would pick one side.
  bool find_selects() const {
    for (const FusedGroup::FusedOp& micro : group_.ops) {
      if (micro.is_select && micro.operand[0] < FusedGroup::kFirstResult && sources_[micro.operand[0]].bytes == 0) return false;
    }
    return true;
  }

  void note_stores() {
    for (std::size_t k = 0; k < group_.stores.size(); ++k) {
      if (is_logged(machine_, machine_.slots[group_.stores[k].step->operand[0]].provenance))
        note_run(machine_, stores_[k].origin, stores_[k].end, true);
    }
  }

  /// Stores that bypass the caches: they need a strip of scratch. True if there are any.
  bool find_streams() {
    bool any = false;
    for (std::size_t k = 0; k < group_.stores.size(); ++k) {
      const FusedGroup::Store& store = group_.stores[k];
      is_streamed_[k] = count_ * store.access->bytes >= kernels::kLeastStream &&
                        is_streamed(machine_, machine_.slots[store.step->operand[0]].provenance);
      any = any || is_streamed_[k];
    }
    return any;
  }

  void take_outputs() {
    for (std::size_t k = 0; k < group_.outputs.size(); ++k) {
      const FusedGroup::Output& output = group_.outputs[k];
      Tile& made = outputs_[k].tile;
      const Tile* old =
          output.reuses >= 0 ? &machine_.slots[group_.inputs[static_cast<std::size_t>(output.reuses)].slot] : nullptr;
      if (old != nullptr && old->form == Form::dense && old->buffer != nullptr && old->buffer->references == 1) {
        made = *old;
        made.provenance = -1;
        BufferPool::retain(made);
      } else {
        made = machine_.allocate(*output.type);
      }
    }
  }

  char* place_of(const FusedGroup::Place& place, std::int64_t first) const {
    if (place.output >= 0) return outputs_[static_cast<std::size_t>(place.output)].tile.data() + first * place.bytes;
    if (place.store >= 0 && !is_streamed_[static_cast<std::size_t>(place.store)])
      return memory_of(static_cast<std::size_t>(place.store), first);
    return scratch_ + place.strip * strip_stride_;
  }
  char* memory_of(std::size_t store, std::int64_t first) const {
    return reinterpret_cast<char*>(stores_[store].origin) + first * group_.stores[store].access->bytes;
  }

  void run_op(const FusedGroup::FusedOp& micro, char* out, std::int64_t n) const {
    const Elementwise& op = *micro.op;
    const Lane &a = lanes_[micro.operand[0]], &b = lanes_[micro.operand[1]], &c = lanes_[micro.operand[2]];
    switch (op.arity) {
      case Arity::copy: break;
      case Arity::unary: op.unary(out, a.data, n); break;
      case Arity::convert: op.convert(out, a.data, n); break;
      case Arity::binary: op.binary(out, a.data, b.data, n, a.step, b.step); break;
      case Arity::ternary: op.ternary(out, a.data, b.data, c.data, n, a.step, b.step, c.step); break;
    }
  }

  /// A strip of memory, which a prefetch does nothing about where it is not there.
  template <bool is_stored>
  void ask_for_strip(const char* memory, std::int64_t element_bytes) const {
    constexpr std::int64_t kCacheLine = 64;
    for (std::int64_t at = 0; at < group_.strip_elements * element_bytes; at += kCacheLine)
      __builtin_prefetch(memory + at, is_stored ? 1 : 0);
  }

  /// What the strip behind this one reads, which is another program's behind the last: it comes while this one is
  /// computed.
  void ask_for_next(std::int64_t first) const {
    for (const std::uint8_t input : group_.load_inputs) {
      const Source& source = sources_[input];
      ask_for_strip<false>(source.data + (first + group_.strip_elements) * source.bytes, source.bytes);
    }
  }

  /// What the strip behind this one stores to. On one thread nothing else covers the wait for it, unless the group loads.
  void ask_for_next_stores(std::int64_t first) const {
    for (std::size_t k = 0; k < group_.stores.size(); ++k) {
      if (!is_streamed_[k])
        ask_for_strip<true>(memory_of(k, first + group_.strip_elements), group_.stores[k].access->bytes);
    }
  }

  void run_strip(std::int64_t first, std::int64_t n) {
    if (machine_.launch.is_ordered && group_.load_inputs.empty() && count_ >= group_.strip_elements)
      ask_for_next_stores(first);
    if (count_ >= group_.strip_elements && group_.ops.size() >= kManyOps) ask_for_next(first);
    for (std::size_t i = 0; i < group_.inputs.size(); ++i)
      lanes_[i] = {sources_[i].data + first * sources_[i].bytes, sources_[i].bytes != 0 ? 1 : 0};
    const FusedGroup::Place* place = group_.places.data();
    const FusedGroup::FusedOp *micro = group_.ops.data(), *const end = micro + group_.ops.size();
    for (; micro != end; ++micro, ++place) {
      char* out = place_of(*place, first);
      run_op(*micro, out, n);
      lanes_[micro->result] = {out, 1};
    }
    for (std::size_t k = 0; k < group_.stores.size(); ++k) {
      const char* from = lanes_[group_.stores[k].value].data;
      char* to = memory_of(k, first);
      const std::int64_t bytes = n * group_.stores[k].access->bytes;
      if (is_streamed_[k]) {
        kernels::stream(to, from, bytes);
        machine_.bytes_streamed += static_cast<std::uint64_t>(bytes);
      } else if (from != to) {
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
      }
    }
  }

  void finish() {
    machine_.bytes_read += bytes_read_;
    for (std::size_t k = 0; k < group_.stores.size(); ++k) {
      const FusedGroup::Store& store = group_.stores[k];
      machine_.bytes_written += static_cast<std::uint64_t>(count_ * store.access->bytes);
    }
    if (machine_.launch.is_ordered && !group_.stores.empty()) machine_.note_change();
    for (std::size_t k = 0; k < group_.outputs.size(); ++k) machine_.set(group_.outputs[k].slot, outputs_[k].tile);
    for (const Slot slot : group_.dead) machine_.pool.release(machine_.slots[slot]);
  }

  Machine& machine_;
  const FusedGroup& group_;
  std::int64_t low_, count_;
  std::uint64_t bytes_read_;
  char* scratch_ = nullptr;
  std::int64_t strip_stride_ = 0;
  std::array<Run, FusedGroup::kMaxStores> stores_;
  std::array<bool, FusedGroup::kMaxStores> is_streamed_;
  std::array<Source, FusedGroup::kMaxInputs> sources_;
  std::array<OutputTile, FusedGroup::kMaxOutputs> outputs_;
  std::array<Lane, FusedGroup::kMaxValues> lanes_;
};

}  // namespace

bool may_run_as_line(const FusedGroup& group) {
  const auto stays = [](const FusedGroup::FusedOp& micro) { return micro.op->arity != Arity::copy; };
  const auto is_made = [](const FusedGroup::Store& store) { return store.value >= FusedGroup::kFirstResult; };
  return group.type->rank() >= 1 && group.type->rank() <= 3 && std::all_of(group.ops.begin(), group.ops.end(), stays) &&
         std::all_of(group.stores.begin(), group.stores.end(), is_made);
}

bool run_as_line(Machine& machine, const FusedGroup& group) {
  LineRun line(machine, group);
  if (!line.prepare()) return false;
  line.run();
  return true;
}

}  // namespace lockstep::interpreter
