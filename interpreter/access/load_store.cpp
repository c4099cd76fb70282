#include "interpreter/access/load_store.h"

#include <cstring>

#include "interpreter/access/access_memory.h"
#include "interpreter/access/access_rows.h"
#include "interpreter/kernels/kernels.h"

namespace lockstep::interpreter {

namespace {

Lanes lanes_of(Machine& machine, const Step* step, const Access& access) {
  Lanes lanes;
  lanes.pointer = &machine.slots[step->operand[0]];
  if (access.mask >= 0) lanes.mask = &machine.slots[step->operand[static_cast<std::size_t>(access.mask)]];
  if (access.other >= 0) lanes.other = &machine.slots[step->operand[static_cast<std::size_t>(access.other)]];
  return lanes;
}

// ---- loads ----

/// A view of memory that nothing writes: no copy, unless a loop would gather its rows again and again. `out` is without
/// a count.
bool load_in_place(const Machine& machine, const Access& access, const AddressBox& from, std::int32_t provenance,
                   Tile& out) {
  if (provenance < 0 || access.value->kind == ScalarKind::i1 ||
      !machine.launch.views[static_cast<std::size_t>(provenance)].is_constant)
    return false;
  const int shift = access.shift;
  std::int64_t gaps = 0, next = 1;
  bool is_contiguous = true;
  for (std::size_t d = static_cast<std::size_t>(from.rank); d-- > 0;) {
    gaps |= from.stride[d] & (access.bytes - 1);
    is_contiguous = is_contiguous && (from.shape[d] == 1 || from.stride[d] >> shift == next);
    next *= from.shape[d];
  }
  if (gaps != 0 || (access.is_read_again && !is_contiguous)) return false;
  out.form = Form::dense;
  out.is_contiguous = is_contiguous;
  out.provenance = -1;
  out.buffer = nullptr;
  out.base = from.origin;
  for (std::size_t d = 0; d < static_cast<std::size_t>(from.rank); ++d) out.stride[d] = from.stride[d] >> shift;
  return true;
}

void fill_around(const Access& access, const AddressBox& box, const Lanes& lanes, Machine& machine, const Tile& out) {
  const TileType& type = *access.value;
  const bool varies = lanes.other != nullptr && lanes.other->form != Form::uniform;
  if (varies || (type.rank() != 1 && type.rank() != 2)) return fill_with_other(machine, access, lanes, out);
  const std::uint64_t zero = 0;
  const void* value = lanes.other != nullptr ? &lanes.other->base : &zero;
  // As `rows` rows of `columns` elements, the latter adjacent.
  const std::size_t inner = type.rank() == 2 && out.stride[0] == 1 && type.shape[0] > 1 ? 0 : type.shape.size() - 1;
  const std::size_t outer = 1 - inner;
  const std::int64_t columns = type.shape[inner], rows = type.count / columns;
  const std::int64_t first = type.rank() == 2 ? box.low[outer] : 0;
  const std::int64_t end = type.rank() == 2 ? first + box.shape[outer] : 1;
  const std::int64_t left = box.low[inner], right = left + box.shape[inner];
  const auto fill = [&](std::int64_t from, std::int64_t to) {
    if (from < to) access.fill(out.data() + from * access.bytes, value, to - from);
  };
  fill(0, first * columns);
  for (std::int64_t i = first; i < end; ++i) {
    fill(i * columns, i * columns + left);
    fill(i * columns + right, (i + 1) * columns);
  }
  fill(end * columns, rows * columns);
}

/// `out` is without a count.
void load_box(Machine& machine, const Access& access, const Lanes& lanes, const AddressBox& from, Tile& out) {
  const std::int32_t provenance = lanes.pointer->provenance;
  machine.bytes_read += static_cast<std::uint64_t>(from.count * access.bytes);
  if (is_logged(machine, provenance)) note_box(machine, from, access.bytes, false);
  const bool is_full = from.count == access.value->count;
  if (lanes.pointer->form == Form::uniform && is_full) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const char*>(from.origin), static_cast<std::size_t>(access.bytes));
    set_uniform(out, access.value->kind == ScalarKind::i1 ? (bits != 0 ? 1 : 0) : bits);
    return;
  }
  if (is_full && load_in_place(machine, access, from, provenance, out)) return;
  out = machine.allocate(*access.value);
  if (lanes.other == nullptr || lanes.other->form == Form::uniform || is_full)
    choose_layout(access, from.stride.data(), out);
  if (!is_full) fill_around(access, from, lanes, machine, out);
  std::int64_t start = 0;
  std::array<std::int64_t, kMaxStridedRank> strides;
  for (std::size_t d = 0; d < static_cast<std::size_t>(from.rank); ++d) {
    strides[d] = out.stride[d] * access.bytes;
    start += from.low[d] * strides[d];
  }
  copy_box(access, out.data() + start, strides.data(), reinterpret_cast<const char*>(from.origin), from.stride.data(),
           from.shape.data(), from.rank);
  normalise_booleans(*access.value, out);
}

/// Lane by lane: addresses, admitted lanes, gather.
Tile load_lanes(Machine& machine, const Step* step, const Access& access, const Lanes& lanes) {
  const TileType& type = *access.value;
  const std::int32_t provenance = lanes.pointer->provenance;
  const AdmittedLanes admitted(machine, step, access, *lanes.pointer, lanes.mask);
  if (!admitted.any()) return value_without_lanes(lanes);
  const auto* addresses = admitted.addresses();
  const auto* mask = admitted.mask();
  Tile out = machine.allocate(type);
  if (mask != nullptr) fill_with_other(machine, access, lanes, out);
  if (is_logged(machine, provenance)) note_lanes(machine, addresses, mask, type.count, access.bytes, false);
  machine.bytes_read +=
      static_cast<std::uint64_t>((mask != nullptr ? kernels::count_true(mask, type.count) : type.count) * access.bytes);
  kernels::gather(type.kind)(out.data(), reinterpret_cast<const char*>(admitted.lowest()), admitted.lowest(), addresses,
                             mask, type.count);
  normalise_booleans(type, out);
  if (!type.is_scalar()) return out;
  const Temporary element(machine, out);  // scalars are uniform, always
  Tile scalar = uniform_tile(0);
  std::memcpy(&scalar.base, element->data(), static_cast<std::size_t>(access.bytes));
  return scalar;
}

/// `out` is without a count.
void load_into(Machine& machine, const Step* step, const Access& access, const Lanes& lanes, Tile& out) {
  AddressBox from;
  if (find_addresses(access, *lanes.pointer, lanes.mask, from)) {
    if (from.count == 0) {
      out = value_without_lanes(lanes);
      return;
    }
    if (box_is_inside(machine, lanes.pointer->provenance, from, access.bytes))
      return load_box(machine, access, lanes, from, out);
  }
  if (access.feeds_product && list_rows(machine, access, lanes, out)) return;
  if (!load_rows(machine, access, lanes, out)) out = load_lanes(machine, step, access, lanes);
}

}  // namespace

Tile load_tile(Machine& machine, const Step* step, const Access& access, const Lanes& lanes) {
  Tile out;
  load_into(machine, step, access, lanes, out);
  return out;
}

void observe_tile(Machine& machine, const Step* step, const Access& access, const Tile& pointer, const Tile& value) {
  if (!access.is_observed || !machine.launch.is_ordered) return;
  if (value.form == Form::uniform) return machine.observe(step, pointer.provenance, pointer.base, value.base);
  const Temporary packed(machine, make_contiguous(machine, value, *access.value));
  for (std::int64_t i = 0; i < access.value->count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, packed->data() + i * access.bytes, static_cast<std::size_t>(access.bytes));
    machine.observe(step, pointer.provenance, pointer.form == Form::dense ? 0 : pointer.base, bits);
  }
}

const Step* step_load_tile(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const Access*>(step->record);
  Tile& out = machine.slots[step->result];
  machine.pool.release(out);
  load_into(machine, step, access, lanes_of(machine, step, access), out);
  if (access.is_observed) observe_tile(machine, step, access, machine.slots[step->operand[0]], out);
  return machine.finish(step);
}

namespace {

// ---- stores ----

/// False: it has no long runs, and nothing was stored.
bool stream_box(Machine& machine, const Access& access, const AddressBox& to, const char* from,
                const std::int64_t* strides) {
  const std::int64_t bytes = access.bytes;
  const auto last = static_cast<std::size_t>(to.rank - 1);
  if (to.rank < 1 || to.rank > 2 || strides[last] != bytes || to.stride[last] != bytes) return false;
  const std::int64_t run = to.shape[last] * bytes, rows = to.rank == 2 ? to.shape[0] : 1;
  const bool is_one = to.rank == 1 || (to.stride[0] == run && strides[0] == run);
  if ((is_one ? rows * run : run) < kernels::kLeastStream) return false;
  machine.bytes_streamed += kernels::stream_rows(reinterpret_cast<char*>(to.origin), to.rank == 2 ? to.stride[0] : run,
                                                 from, to.rank == 2 ? strides[0] : run, rows, run);
  return true;
}

void store_box(Machine& machine, const Access& access, std::int32_t provenance, const AddressBox& to,
               const Tile& value) {
  machine.bytes_written += static_cast<std::uint64_t>(to.count * access.bytes);
  if (is_logged(machine, provenance)) note_box(machine, to, access.bytes, true);
  std::array<std::int64_t, kMaxStridedRank> strides;
  const bool is_uniform = value.form == Form::uniform;
  const char* from = is_uniform ? reinterpret_cast<const char*>(&value.base) : value.data();
  for (std::size_t d = 0; d < static_cast<std::size_t>(to.rank); ++d) {
    strides[d] = is_uniform ? 0 : value.stride[d] * access.bytes;
    from += to.low[d] * strides[d];
  }
  if (is_streamed(machine, provenance) && stream_box(machine, access, to, from, strides.data())) return;
  copy_box(access, reinterpret_cast<char*>(to.origin), to.stride.data(), from, strides.data(), to.shape.data(),
           to.rank);
}

void store_lanes(Machine& machine, const Step* step, const Access& access, const Lanes& lanes, const Tile& value) {
  const std::int64_t n = access.value->count;
  const std::int32_t provenance = lanes.pointer->provenance;
  const AdmittedLanes admitted(machine, step, access, *lanes.pointer, lanes.mask);
  if (!admitted.any()) return;
  const auto* addresses = admitted.addresses();
  const auto* mask = admitted.mask();
  const bool is_uniform = value.form == Form::uniform;
  const Temporary packed(machine, is_uniform ? value : make_contiguous(machine, value, *access.value));
  if (is_logged(machine, provenance)) note_lanes(machine, addresses, mask, n, access.bytes, true);
  machine.bytes_written +=
      static_cast<std::uint64_t>((mask != nullptr ? kernels::count_true(mask, n) : n) * access.bytes);
  const void* in = is_uniform ? static_cast<const void*>(&packed->base) : packed->data();
  kernels::scatter(access.value->kind)(reinterpret_cast<char*>(admitted.lowest()), admitted.lowest(), addresses, in,
                                       is_uniform ? 0 : 1, mask, n);
}

}  // namespace

void store_tile(Machine& machine, const Step* step, const Access& access, const Lanes& lanes, const Tile& value) {
  AddressBox to;
  if (find_addresses(access, *lanes.pointer, lanes.mask, to)) {
    if (to.count == 0) return;
    const std::int32_t provenance = lanes.pointer->provenance;
    if (box_is_inside(machine, provenance, to, access.bytes)) {
      const bool is_memory = value.form == Form::uniform ||
                             (value.form == Form::dense && (value.is_contiguous || !may_share_bytes(to, access.bytes)));
      if (is_memory) return store_box(machine, access, provenance, to, value);
      const Temporary dense(machine, make_contiguous(machine, value, *access.value));
      return store_box(machine, access, provenance, to, *dense);
    }
  }
  const bool is_memory = value.form == Form::uniform || value.form == Form::dense;
  if (!is_memory || !store_rows(machine, access, lanes, value)) store_lanes(machine, step, access, lanes, value);
}

const Step* step_store_tile(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const Access*>(step->record);
  store_tile(machine, step, access, lanes_of(machine, step, access), machine.slots[step->operand[1]]);
  if (machine.launch.is_ordered) machine.note_change();
  return machine.finish(step);
}

}  // namespace lockstep::interpreter
