#include "interpreter/access/access_step.h"

#include <cstring>

#include "interpreter/access/access_part.h"
#include "interpreter/access/load_store.h"

namespace lockstep::interpreter {

namespace {

// ---- loads ----

/// The whole rectangle, read in place. False: parts of elements lie between its elements.
template <std::size_t rank>
bool view_in_place(const Access& access, const Tile& pointer, std::uint64_t origin, Tile& out) {
  const int shift = access.shift;
  std::int64_t gaps = 0, next = 1;
  bool is_contiguous = true;
  for (std::size_t d = rank; d-- > 0;) {
    const std::int64_t stride = pointer.stride[d];
    gaps |= stride & (access.bytes - 1);
    is_contiguous &= access.extent[d] == 1 || stride >> shift == next;
    next *= access.extent[d];
    out.stride[d] = stride >> shift;
  }
  if (gaps != 0) return false;
  out.form = Form::dense;
  out.is_contiguous = is_contiguous;
  out.provenance = -1;
  out.base = origin;
  return true;
}

/// Neighbours in memory, into a private buffer.
void copy_run(Machine& machine, const Access& access, const Part<1>& part, std::uint64_t other, Tile& out) {
  const std::int64_t bytes = access.bytes, n = access.extent[0], low = part.low[0], high = low + part.count;
  Buffer* buffer = machine.pool.acquire(n * bytes);
  char* data = buffer->data();
  out.form = Form::dense;
  out.is_contiguous = true;
  out.provenance = -1;
  out.buffer = buffer;
  out.base = reinterpret_cast<std::uint64_t>(data);
  out.stride[0] = 1;
  if (low != 0) access.fill(data, &other, low);
  if (high != n) access.fill(data + high * bytes, &other, n - high);
  std::memcpy(data + low * bytes, reinterpret_cast<const char*>(part.origin),
              static_cast<std::size_t>(part.count * bytes));
}

/// False: nothing has happened.
template <std::size_t rank>
bool load_part(Machine& machine, const Step* step, const Access& access) {
  const Tile& pointer = machine.slots[step->operand[0]];
  Part<rank> part;
  if (!find_part<rank>(machine, access, pointer, mask_of(machine, step, access), part) ||
      is_logged(machine, pointer.provenance))
    return false;
  Tile& out = machine.slots[step->result];
  const bool is_whole = part.count == access.value->count;
  const bool is_constant =
      pointer.provenance >= 0 && machine.launch.views[static_cast<std::size_t>(pointer.provenance)].is_constant;
  if (is_whole && is_constant) {
    machine.pool.release(out);
    if (!view_in_place<rank>(access, pointer, part.origin, out)) return false;
  } else if constexpr (rank == 1) {
    const Tile* other =
        access.other >= 0 ? &machine.slots[step->operand[static_cast<std::size_t>(access.other)]] : nullptr;
    if (pointer.stride[0] != access.bytes || (other != nullptr && other->form != Form::uniform)) return false;
    machine.pool.release(out);
    copy_run(machine, access, part, other != nullptr ? other->base : 0, out);
  } else {
    return false;
  }
  machine.bytes_read += static_cast<std::uint64_t>(part.count * access.bytes);
  return true;
}

/// Pointers and masks hold no counts; only `other` may have one to release.
template <std::size_t rank>
const Step* step_load_part(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const Access*>(step->record);
  if (!load_part<rank>(machine, step, access)) return step_load_tile(machine, step);
  return access.other < 0 ? step + 1 : machine.finish(step);
}

// ---- stores ----

bool store_run(Machine& machine, const Step* step, const Access& access) {
  const Tile& pointer = machine.slots[step->operand[0]];
  Tile& value = machine.slots[step->operand[1]];
  const bool is_uniform = value.form == Form::uniform;
  if (pointer.stride[0] != access.bytes || (!is_uniform && (value.form != Form::dense || !value.is_contiguous)))
    return false;
  Part<1> part;
  if (!find_part<1>(machine, access, pointer, mask_of(machine, step, access), part)) return false;
  auto* to = reinterpret_cast<char*>(part.origin);
  const std::int64_t bytes = part.count * access.bytes;
  const char* from = is_uniform ? nullptr : value.data() + part.low[0] * access.bytes;
  if (is_logged(machine, pointer.provenance)) note_run(machine, part.begin, part.end, true);
  if (is_uniform) {
    access.fill(to, &value.base, part.count);
  } else if (bytes >= kernels::kLeastStream && is_streamed(machine, pointer.provenance)) {
    kernels::stream(to, from, bytes);
    machine.bytes_streamed += static_cast<std::uint64_t>(bytes);
  } else {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  machine.bytes_written += static_cast<std::uint64_t>(bytes);
  if (machine.launch.is_ordered) machine.note_change();
  if ((step->dies & 2) != 0) machine.pool.release(value);
  return true;
}

const Step* step_store_run(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const Access*>(step->record);
  return store_run(machine, step, access) ? step + 1 : step_store_tile(machine, step);
}

}  // namespace

bool view_part(Machine& machine, const Step& load, const std::int64_t* start, const std::int64_t* end) {
  const auto& access = *static_cast<const Access*>(load.record);
  const Tile& pointer = machine.slots[load.operand[0]];
  const Tile* other =
      access.other >= 0 ? &machine.slots[load.operand[static_cast<std::size_t>(access.other)]] : nullptr;
  if (pointer.form != Form::affine || pointer.provenance < 0 || (other != nullptr && other->form != Form::uniform) ||
      !machine.launch.views[static_cast<std::size_t>(pointer.provenance)].is_constant ||
      is_logged(machine, pointer.provenance))
    return false;
  AddressBox box;
  if (!find_addresses(access, pointer, mask_of(machine, &load, access), box) || box.count == 0 ||
      !box_is_inside(machine, pointer.provenance, box, access.bytes))
    return false;
  Tile& out = machine.slots[load.result];
  machine.pool.release(out);
  for (std::size_t d = 0; d < static_cast<std::size_t>(box.rank); ++d) {
    if (box.low[d] > start[d] || box.low[d] + box.shape[d] < end[d]) return false;
    if ((pointer.stride[d] & (access.bytes - 1)) != 0) return false;
    out.stride[d] = pointer.stride[d] >> access.shift;
  }
  out.form = Form::dense;
  out.is_contiguous = false;
  out.provenance = -1;
  out.base = pointer.base;
  machine.bytes_read += static_cast<std::uint64_t>(box.count * access.bytes);
  return true;
}

StepFunction load_step(const Access& access) {
  if (access.is_observed || access.value->kind == ScalarKind::i1) return step_load_tile;
  switch (access.value->rank()) {
    case 1: return step_load_part<1>;
    case 2: return step_load_part<2>;
    case 3: return step_load_part<3>;
    default: return step_load_tile;
  }
}

StepFunction store_step(const Access& access) { return access.value->rank() == 1 ? step_store_run : step_store_tile; }

}  // namespace lockstep::interpreter
