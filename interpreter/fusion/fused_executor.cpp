// Runs a group: every operand is classified, then every strip is computed by one kernel call an op. Scratch is one
// buffer of the worker's pool, so that it stays in the first-level cache from group to group.
#include <algorithm>
#include <cstring>

#include "interpreter/access/access_step.h"
#include "interpreter/fusion/contiguous_path.h"
#include "interpreter/fusion/fused_group.h"
#include "interpreter/fusion/group_boxes.h"
#include "interpreter/fusion/group_space.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

namespace {

using Arity = Elementwise::Arity;

constexpr std::uint64_t kFalse = 0, kTrue = 1;

/// The elements of a value in the current strip: one for all (step 0) or one after the other.
struct Lane {
  const char* data;
  int step;
};

class FusedExecutor {
 public:
  FusedExecutor(Machine& machine, const FusedGroup& group) : machine_(machine), group_(group) {}
  ~FusedExecutor() {
    if (scratch_ != nullptr) machine_.pool.release(scratch_);
  }
  FusedExecutor(const FusedExecutor&) = delete;
  FusedExecutor& operator=(const FusedExecutor&) = delete;

  /// False: the steps must run one by one. Nothing has happened yet.
  bool prepare();
  void run();

 private:
  /// Where a strip of an input comes from.
  enum class How : std::uint8_t {
    fixed,       // one value
    direct,      // in place
    by_row,      // one value a row, strips of one row
    replicated,  // the same row for every row: copied once
    packed,      // copied for every strip
    range,       // affine: written for every strip
    box,         // a mask: an interval of the strip
  };
  struct Source {
    How how;
    std::uint8_t input;
    char* strip;  // scratch, where there is any
    GroupTrack track;
    GroupInterval interval;
  };
  struct Target {
    const FusedGroup::Store* store;
    AddressBox box;
    GroupTrack track;
    GroupInterval interval;  // what of the iteration is stored
    bool is_whole;           // all of it
    bool is_dense;           // rows of a strip are adjacent in memory
    bool is_streamed;        // elements of a row are, and go past the caches
    char* memory;            // of the current strip; null: not whole, through scratch
  };

  /// Made on demand: a group needs only few of the possible ones.
  union OutputTile {
    OutputTile() {}
    Tile tile;
  };

  const Tile& tile_of(std::size_t input) const { return machine_.slots[group_.inputs[input].slot]; }
  void find_range();
  void load_inputs(bool in_parts);
  void load_again();
  bool look_at_inputs();
  bool look_at_stores();
  bool find_target(const FusedGroup::Store& store, Target& target) const;
  bool targets_are_apart() const;
  bool begin_iteration();
  void begin_source(Source& source, const std::array<std::int64_t, kMaxStridedRank>& start);
  bool begin_box(Source& source, const std::array<std::int64_t, kMaxStridedRank>& start);
  void choose_how(Source& source);
  void take_scratch();
  void run_constant_ops();
  void take_outputs();
  bool takes_buffer(const FusedGroup::Output& output, Tile& out) const;
  void begin_strip(const GroupStrip& strip);
  void load_source(Source& source, const GroupStrip& strip);
  void load_range(const Source& source, const GroupStrip& strip);
  void load_box(const Source& source, const GroupStrip& strip);
  void run_ops(const GroupStrip& strip);
  void run_op(std::size_t at, const GroupStrip& strip);
  void run_select(std::size_t at, char* out, std::int64_t n);
  void pass_on(std::size_t at, std::size_t value, char* out, std::int64_t n);
  void write_uniform(std::size_t at, char* out, std::int64_t n);
  char* place_of(std::size_t at, const GroupStrip& strip) const;
  void finish_stores(const GroupStrip& strip);
  void finish();

  Machine& machine_;
  const FusedGroup& group_;
  GroupSpace space_;
  std::array<std::int64_t, kMaxStridedRank> start_, end_;  // of the tile's indices: what is computed
  std::uint32_t in_parts_ = 0;                             // bit per load: its tile is there in that range only
  std::array<Source, FusedGroup::kMaxInputs> sources_;          // of the inputs that vary
  std::size_t source_count_ = 0;
  std::array<Target, FusedGroup::kMaxStores> targets_;
  std::size_t target_count_ = 0;
  std::array<std::int8_t, FusedGroup::kMaxStores> target_of_;  // by store; -1: it stores nothing
  Buffer* scratch_ = nullptr;
  std::int64_t strip_stride_ = 0;
  std::uint64_t constant_ops_ = 0;  // bit per op: its result does not vary at all
  std::array<OutputTile, FusedGroup::kMaxOutputs> outputs_;
  std::array<Lane, FusedGroup::kMaxValues> lanes_;
  std::array<std::uint64_t, FusedGroup::kMaxOps> cells_;  // results that do not vary (in the strip)
};

// ---- the operands ----

bool FusedExecutor::look_at_inputs() {
  bool any_dense = group_.varies, all_uniform = true;
  for (std::size_t i = 0; i < group_.inputs.size(); ++i) {
    const Tile& tile = tile_of(i);
    if (tile.form == Form::uniform) {
      lanes_[i] = {reinterpret_cast<const char*>(&tile.base), 0};
      continue;
    }
    all_uniform = false;
    Source& source = sources_[source_count_++];
    source.input = static_cast<std::uint8_t>(i);
    switch (tile.form) {
      case Form::dense:
        any_dense = true;
        source.how = How::direct;
        break;
      case Form::affine: source.how = How::range; break;
      case Form::box: source.how = How::box; break;
      default: return false;
    }
  }
  return any_dense && !all_uniform && group_.type->is_strided();
}

bool FusedExecutor::find_target(const FusedGroup::Store& store, Target& target) const {
  const Access& access = *store.access;
  const Step& step = *store.step;
  const Tile& pointer = machine_.slots[step.operand[0]];
  const Tile* mask = access.mask >= 0 ? &machine_.slots[step.operand[static_cast<std::size_t>(access.mask)]] : nullptr;
  target.store = &store;
  if (!find_addresses(access, pointer, mask, target.box)) return false;
  return target.box.count == 0 ||
         (box_is_inside(machine_, pointer.provenance, target.box, access.bytes) && is_nested(target.box, access.bytes));
}

bool FusedExecutor::targets_are_apart() const {
  for (std::size_t i = 0; i < target_count_; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!are_apart(targets_[i].box, targets_[j].box)) return false;
    }
  }
  return true;
}

bool FusedExecutor::look_at_stores() {
  for (std::size_t k = 0; k < group_.stores.size(); ++k) {
    if (!find_target(group_.stores[k], targets_[target_count_])) return false;
    const bool is_empty = targets_[target_count_].box.count == 0;
    target_of_[k] = static_cast<std::int8_t>(is_empty ? -1 : static_cast<int>(target_count_++));
  }
  return targets_are_apart();
}

// ---- loads ----

void FusedExecutor::load_inputs(bool in_parts) {
  for (std::size_t i = 0; i < group_.loads.size(); ++i) {
    const Step& load = group_.loads[i];
    if (in_parts && view_part(machine_, load, start_.data(), end_.data())) {
      in_parts_ |= std::uint32_t{1} << i;
    } else {
      load.run(machine_, &load);
    }
  }
}

/// Whole tiles for the steps one by one.
void FusedExecutor::load_again() {
  for (std::size_t i = 0; i < group_.loads.size(); ++i) {
    if ((in_parts_ >> i & 1) == 0) continue;
    const Step& load = group_.loads[i];
    const std::uint64_t bytes_read = machine_.bytes_read;
    load.run(machine_, &load);
    machine_.bytes_read = bytes_read;
  }
}

// ---- the iteration ----

/// False: the mask is uniform in the iteration.
bool FusedExecutor::begin_box(Source& source, const std::array<std::int64_t, kMaxStridedRank>& start) {
  const Tile& tile = tile_of(source.input);
  bool is_full = true, is_empty = false;
  for (std::size_t d = 0; d < space_.rank; ++d) {
    source.interval.low[d] = std::max<std::int64_t>(tile.low(d) - start[d], 0);
    source.interval.high[d] = std::min(tile.high(d) - start[d], space_.extent[d]);
    is_empty = is_empty || source.interval.low[d] >= source.interval.high[d];
    is_full = is_full && source.interval.low[d] == 0 && source.interval.high[d] == space_.extent[d];
  }
  if (!is_full && !is_empty) return true;
  lanes_[source.input] = {reinterpret_cast<const char*>(is_full ? &kTrue : &kFalse), 0};
  source.how = How::fixed;
  return false;
}

void FusedExecutor::begin_source(Source& source, const std::array<std::int64_t, kMaxStridedRank>& start) {
  if (source.how == How::box) {
    if (begin_box(source, start)) space_.intervals[space_.interval_count++] = &source.interval;
    return;
  }
  const Tile& tile = tile_of(source.input);
  const std::int64_t unit = source.how == How::range ? 1 : group_.inputs[source.input].type->element_bytes;
  source.track.base = tile.base;
  source.track.is_memory = source.how != How::range;
  for (std::size_t d = 0; d < space_.rank; ++d) {
    source.track.stride[d] = tile.stride[d] * unit;
    source.track.base += static_cast<std::uint64_t>(start[d] * source.track.stride[d]);
  }
  space_.tracks[space_.track_count++] = &source.track;
}

/// Everything, or only the stored part if nothing is read later.
void FusedExecutor::find_range() {
  for (std::size_t d = 0; d < group_.type->shape.size(); ++d) {
    start_[d] = 0;
    end_[d] = group_.type->shape[d];
    if (!group_.outputs.empty()) continue;
    std::swap(start_[d], end_[d]);
    for (std::size_t k = 0; k < target_count_; ++k) {
      start_[d] = std::min(start_[d], targets_[k].box.low[d]);
      end_[d] = std::max(end_[d], targets_[k].box.low[d] + targets_[k].box.shape[d]);
    }
  }
}

/// False: nothing is stored and nothing is read later.
bool FusedExecutor::begin_iteration() {
  if (group_.outputs.empty() && target_count_ == 0) return false;
  space_.rank = group_.type->shape.size();
  for (std::size_t d = 0; d < space_.rank; ++d) space_.extent[d] = end_[d] - start_[d];
  for (std::size_t i = 0; i < source_count_; ++i) begin_source(sources_[i], start_);
  for (std::size_t k = 0; k < target_count_; ++k) {
    Target& target = targets_[k];
    target.track.base = target.box.origin;
    target.track.is_memory = true;
    target.is_whole = true;
    for (std::size_t d = 0; d < space_.rank; ++d) {
      target.track.stride[d] = target.box.stride[d];
      target.interval.low[d] = target.box.low[d] - start_[d];
      target.interval.high[d] = target.interval.low[d] + target.box.shape[d];
      target.track.base -= static_cast<std::uint64_t>(target.interval.low[d] * target.box.stride[d]);
      target.is_whole = target.is_whole && target.box.shape[d] == space_.extent[d];
    }
    space_.tracks[space_.track_count++] = &target.track;
    if (!target.is_whole) space_.intervals[space_.interval_count++] = &target.interval;
  }
  return true;
}

void FusedExecutor::choose_how(Source& source) {
  if (source.how != How::direct) return;
  const std::int64_t bytes = group_.inputs[source.input].type->element_bytes;
  const std::int64_t row = space_.row_stride(source.track), column = space_.column_stride(source.track);
  if (space_.strip_rows > 1) {
    if (column == bytes && row == space_.columns * bytes) return;
    source.how = column == bytes && row == 0 ? How::replicated : How::packed;
  } else if (column != bytes && space_.columns > 1) {
    source.how = column == 0 ? How::by_row : How::packed;
  }
}

void FusedExecutor::take_scratch() {
  std::int64_t strips = group_.strips;
  for (std::size_t i = 0; i < source_count_; ++i) {
    Source& source = sources_[i];
    choose_how(source);
    if (source.how >= How::replicated) ++strips;
  }
  if (strips == 0) return;
  strip_stride_ = (space_.strip_elements() * group_.strip_bytes + 63) / 64 * 64 + FusedGroup::kGapBytes;
  scratch_ = machine_.pool.acquire(strips * strip_stride_);
  char* next = scratch_->data() + group_.strips * strip_stride_;
  for (std::size_t i = 0; i < source_count_; ++i) {
    if (sources_[i].how < How::replicated) continue;
    sources_[i].strip = next;
    next += strip_stride_;
  }
}

bool FusedExecutor::prepare() {
  const bool can_store = look_at_stores();
  if (can_store) find_range();
  if (!group_.loads.empty()) load_inputs(can_store && target_count_ != 0);
  if (!can_store || !look_at_inputs()) {
    load_again();
    return false;
  }
  if (!begin_iteration()) {
    space_.rows = 0;
    return true;
  }
  space_.turn();
  space_.merge();
  space_.cut(group_.strip_elements);
  take_scratch();
  return true;
}

// ---- outputs ----

/// The buffer of an input without other users.
void FusedExecutor::run_constant_ops() {
  std::uint32_t varying = 0;
  for (std::size_t i = 0; i < source_count_; ++i) {
    if (sources_[i].how != How::fixed) varying |= std::uint32_t{1} << sources_[i].input;
  }
  for (std::size_t at = 0; at < group_.ops.size(); ++at) {
    if ((group_.ops[at].inputs & varying) != 0) continue;
    write_uniform(at, nullptr, 1);
    constant_ops_ |= std::uint64_t{1} << at;
  }
}

/// The buffer of an input that nobody else sees.
bool FusedExecutor::takes_buffer(const FusedGroup::Output& output, Tile& out) const {
  if (output.reuses < 0 || space_.is_turned) return false;
  const Tile& tile = tile_of(static_cast<std::size_t>(output.reuses));
  if (tile.form != Form::dense || !tile.is_contiguous || tile.buffer == nullptr || tile.buffer->references != 1)
    return false;
  out = tile;
  out.provenance = -1;
  BufferPool::retain(out);
  return true;
}

/// Columns side by side instead of rows.
void turn_rows(const TileType& type, Tile& tile) {
  const std::size_t rank = type.shape.size();
  tile.stride[rank - 2] = 1;
  tile.stride[rank - 1] = type.shape[rank - 2];
  tile.is_contiguous = false;
}

void FusedExecutor::take_outputs() {
  for (std::size_t k = 0; k < group_.outputs.size(); ++k) {
    const FusedGroup::Output& output = group_.outputs[k];
    const std::size_t op = output.value - FusedGroup::kFirstResult;
    if ((constant_ops_ >> op & 1) != 0) {
      outputs_[k].tile = uniform_tile(cells_[op]);
    } else if (!takes_buffer(output, outputs_[k].tile)) {
      outputs_[k].tile = machine_.allocate(*output.type);
      if (space_.is_turned) turn_rows(*output.type, outputs_[k].tile);
    }
  }
}

// ---- a strip ----

void FusedExecutor::load_range(const Source& source, const GroupStrip& strip) {
  const TileType& type = *group_.inputs[source.input].type;
  const auto iota = kernels::iota(type.kind);
  const std::uint64_t first = strip.at(space_, source.track);
  for (std::int64_t r = 0; r < strip.rows; ++r) {
    iota(source.strip + r * strip.columns * type.element_bytes,
         static_cast<std::int64_t>(first + static_cast<std::uint64_t>(r * space_.row_stride(source.track))),
         space_.column_stride(source.track), strip.columns);
  }
}

void FusedExecutor::load_box(const Source& source, const GroupStrip& strip) {
  const GroupPart part = part_of(space_, strip, source.interval);
  Lane& lane = lanes_[source.input];
  if (part.is_empty() || part.is_all(strip)) {
    lane = {reinterpret_cast<const char*>(part.is_empty() ? &kFalse : &kTrue), 0};
    return;
  }
  write_mask(strip, part, source.strip);
  lane = {source.strip, 1};
}

void FusedExecutor::load_source(Source& source, const GroupStrip& strip) {
  Lane& lane = lanes_[source.input];
  switch (source.how) {
    case How::fixed: return;
    case How::direct: lane = {reinterpret_cast<const char*>(strip.at(space_, source.track)), 1}; return;
    case How::by_row: lane = {reinterpret_cast<const char*>(strip.at(space_, source.track)), 0}; return;
    case How::range: load_range(source, strip); break;
    case How::box: return load_box(source, strip);
    case How::replicated:
    case How::packed: {
      const TileType& type = *group_.inputs[source.input].type;
      if (source.how == How::replicated && !strip.is_new_outer) return;
      kernels::copy_box(type.kind)(source.strip, strip.columns * type.element_bytes, type.element_bytes,
                                   reinterpret_cast<const char*>(strip.at(space_, source.track)),
                                   space_.row_stride(source.track), space_.column_stride(source.track), strip.rows,
                                   strip.columns);
      break;
    }
  }
  lane = {source.strip, 1};
}

void FusedExecutor::begin_strip(const GroupStrip& strip) {
  for (std::size_t i = 0; i < source_count_; ++i) load_source(sources_[i], strip);
  for (std::size_t k = 0; k < target_count_; ++k) {
    Target& target = targets_[k];
    const bool is_whole = target.is_whole || part_of(space_, strip, target.interval).is_all(strip);
    const bool is_direct = is_whole && target.is_dense && !target.is_streamed;
    target.memory = is_direct ? reinterpret_cast<char*>(strip.at(space_, target.track)) : nullptr;
  }
}

char* FusedExecutor::place_of(std::size_t at, const GroupStrip& strip) const {
  const FusedGroup::Place& place = group_.places[at];
  if (place.output >= 0) {
    return outputs_[static_cast<std::size_t>(place.output)].tile.data() + strip.first * place.bytes;
  }
  if (place.store >= 0) {
    const int target = target_of_[static_cast<std::size_t>(place.store)];
    char* memory = target >= 0 ? targets_[static_cast<std::size_t>(target)].memory : nullptr;
    if (memory != nullptr) return memory;
  }
  return scratch_->data() + place.strip * strip_stride_;
}

/// All operands have one value in this strip, and so has the result. `out` null: no whole strip is needed.
void FusedExecutor::write_uniform(std::size_t at, char* out, std::int64_t n) {
  const FusedGroup::FusedOp& micro = group_.ops[at];
  const Elementwise& op = *micro.op;
  std::uint64_t bits = 0;
  const char* a = lanes_[micro.operand[0]].data;
  switch (op.arity) {
    case Arity::copy: std::memcpy(&bits, a, static_cast<std::size_t>(op.result->element_bytes)); break;
    case Arity::unary: op.unary(&bits, a, 1); break;
    case Arity::convert: op.convert(&bits, a, 1); break;
    case Arity::binary: op.binary(&bits, a, lanes_[micro.operand[1]].data, 1, 0, 0); break;
    case Arity::ternary:
      op.ternary(&bits, a, lanes_[micro.operand[1]].data, lanes_[micro.operand[2]].data, 1, 0, 0, 0);
      break;
  }
  cells_[at] = bits;
  lanes_[micro.result] = {reinterpret_cast<const char*>(&cells_[at]), 0};
  if (out != nullptr) kernels::fill(op.result->kind)(out, &cells_[at], n);
}

/// The result is the strip of `value` itself.
void FusedExecutor::pass_on(std::size_t at, std::size_t value, char* out, std::int64_t n) {
  const FusedGroup::FusedOp& micro = group_.ops[at];
  const FusedGroup::Place& place = group_.places[at];
  const Lane& from = lanes_[value];
  Lane& to = lanes_[micro.result];
  if (from.step == 0) {
    kernels::fill(micro.op->result->kind)(out, from.data, n);
  } else if (value < FusedGroup::kFirstResult && place.output < 0 && place.store < 0) {
    to = from;
    return;
  } else if (from.data != out) {
    std::memcpy(out, from.data, static_cast<std::size_t>(n * place.bytes));
  }
  to = {out, 1};
}

void FusedExecutor::run_select(std::size_t at, char* out, std::int64_t n) {
  const FusedGroup::FusedOp& micro = group_.ops[at];
  const Lane &mask = lanes_[micro.operand[0]], &b = lanes_[micro.operand[1]], &c = lanes_[micro.operand[2]];
  if (mask.step == 0) return pass_on(at, micro.operand[(*mask.data & 1) != 0 ? 1 : 2], out, n);
  micro.op->ternary(out, mask.data, b.data, c.data, n, 1, b.step, c.step);
  lanes_[micro.result] = {out, 1};
}

void FusedExecutor::run_op(std::size_t at, const GroupStrip& strip) {
  const FusedGroup::FusedOp& micro = group_.ops[at];
  const Elementwise& op = *micro.op;
  const std::int64_t n = strip.count();
  char* out = place_of(at, strip);
  const Lane& a = lanes_[micro.operand[0]];  // a copy in one piece would wait for all stores before it
  switch (op.arity) {
    case Arity::copy:
      if (a.step == 0) return write_uniform(at, group_.places[at].output >= 0 ? out : nullptr, n);
      return pass_on(at, micro.operand[0], out, n);
    case Arity::unary:
      if (a.step == 0) return write_uniform(at, group_.places[at].output >= 0 ? out : nullptr, n);
      op.unary(out, a.data, n);
      break;
    case Arity::convert:
      if (a.step == 0) return write_uniform(at, group_.places[at].output >= 0 ? out : nullptr, n);
      op.convert(out, a.data, n);
      break;
    case Arity::binary: {
      const Lane& b = lanes_[micro.operand[1]];
      if ((a.step | b.step) == 0) return write_uniform(at, group_.places[at].output >= 0 ? out : nullptr, n);
      op.binary(out, a.data, b.data, n, a.step, b.step);
      break;
    }
    case Arity::ternary: {
      const Lane &b = lanes_[micro.operand[1]], &c = lanes_[micro.operand[2]];
      if ((a.step | b.step | c.step) == 0) return write_uniform(at, group_.places[at].output >= 0 ? out : nullptr, n);
      if (micro.is_select) return run_select(at, out, n);
      op.ternary(out, a.data, b.data, c.data, n, a.step, b.step, c.step);
      break;
    }
  }
  lanes_[micro.result] = {out, 1};
}

void FusedExecutor::finish_stores(const GroupStrip& strip) {
  for (std::size_t k = 0; k < target_count_; ++k) {
    const Target& target = targets_[k];
    const Lane& lane = lanes_[target.store->value];
    if (lane.data == target.memory) continue;
    const GroupPart part =
        target.is_whole ? GroupPart{0, strip.rows, 0, strip.columns} : part_of(space_, strip, target.interval);
    if (part.is_empty()) continue;
    const std::int64_t bytes = target.store->access->bytes, unit = lane.step * bytes;
    const std::int64_t row = space_.row_stride(target.track), column = space_.column_stride(target.track);
    const char* from = lane.data + (part.row_low * strip.columns + part.column_low) * unit;
    auto* to = reinterpret_cast<char*>(strip.at(space_, target.track)) + part.row_low * row + part.column_low * column;
    const std::int64_t rows = part.row_high - part.row_low, columns = part.column_high - part.column_low;
    if (target.is_streamed && lane.step != 0) {
      machine_.bytes_streamed += kernels::stream_rows(to, row, from, strip.columns * bytes, rows, columns * bytes);
    } else {
      kernels::copy_box(target.store->access->value->kind)(to, row, column, from, strip.columns * unit, unit, rows,
                                                           columns);
    }
  }
}

void FusedExecutor::run() {
  if (space_.rows != 0) {
    run_constant_ops();
    take_outputs();
    for (std::size_t k = 0; k < target_count_; ++k) {
      Target& target = targets_[k];
      const int bytes = target.store->access->bytes;
      const std::int64_t run = space_.columns * bytes;
      const std::int32_t provenance = machine_.slots[target.store->step->operand[0]].provenance;
      if (is_logged(machine_, provenance)) note_box(machine_, target.box, bytes, true);
      const bool has_runs =
          run >= kernels::kLeastStream || (space_.strip_rows > 1 && space_.row_stride(target.track) == run);
      target.is_streamed = has_runs && space_.column_stride(target.track) == bytes && is_streamed(machine_, provenance);
      target.is_dense = (space_.columns == 1 || space_.column_stride(target.track) == bytes) &&
                        (space_.strip_rows == 1 || space_.row_stride(target.track) == run);
    }
    for_each_strip(space_, [&](const GroupStrip& strip) {
      begin_strip(strip);
      run_ops(strip);
      finish_stores(strip);
    });
  }
  finish();
}

void FusedExecutor::run_ops(const GroupStrip& strip) {
  for (std::size_t at = 0; at < group_.ops.size(); ++at) {
    if ((constant_ops_ >> at & 1) == 0) run_op(at, strip);
  }
}

void FusedExecutor::finish() {
  for (std::size_t k = 0; k < target_count_; ++k)
    machine_.bytes_written += static_cast<std::uint64_t>(targets_[k].box.count * targets_[k].store->access->bytes);
  if (machine_.launch.is_ordered && !group_.stores.empty()) machine_.note_change();
  for (std::size_t k = 0; k < group_.outputs.size(); ++k) machine_.set(group_.outputs[k].slot, outputs_[k].tile);
  for (const Slot slot : group_.dead) machine_.pool.release(machine_.slots[slot]);
}

}  // namespace

const Step* step_fused_group(Machine& machine, const Step* step) {
  const auto& group = *static_cast<const FusedGroup*>(step->record);
  if (group.is_line && run_as_line(machine, group)) return step + 1;
  FusedExecutor run(machine, group);
  if (run.prepare()) {
    run.run();
    return step + 1;
  }
  for (const Step& one : group.steps) {
    if (one.run(machine, &one) == nullptr) return nullptr;
  }
  return step + 1;
}

}  // namespace lockstep::interpreter
