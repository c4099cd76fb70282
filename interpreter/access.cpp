// Loads and stores. A rectangle of affine addresses under a box mask is moved row by row after one bounds check;
// anything else goes lane by lane through gather and scatter. Lanes that are masked off or out of bounds touch nothing;
// as loaded values they are `other`, or 0 without one. A whole rectangle of a storage that the launch never writes is
// read in place.
#include <cstring>

#include "interpreter/access.h"
#include "interpreter/effects.h"
#include "interpreter/evaluate.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/structure.h"

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

Tile value_without_lanes(const Lanes& lanes) {
  if (lanes.other == nullptr) return uniform_tile(0);
  BufferPool::retain(*lanes.other);
  return *lanes.other;
}

/// A view of memory that nobody writes: no copy.
bool load_in_place(const Machine& machine, const Access& access, const AddressBox& from, std::int32_t provenance,
                   Tile& out) {
  if (provenance < 0 || access.value->kind == ScalarKind::i1 ||
      !machine.launch.views[static_cast<std::size_t>(provenance)].is_constant)
    return false;
  Tile made;
  made.form = Form::dense;
  made.base = from.origin;
  for (std::size_t d = 0; d < access.value->shape.size(); ++d) {
    if (from.stride[d] % access.bytes != 0) return false;
    made.stride[d] = from.stride[d] / access.bytes;
  }
  std::array<std::int64_t, kMaxStridedRank> packed{};
  set_row_major(*access.value, packed);
  made.is_contiguous = true;
  for (std::size_t d = 0; d < access.value->shape.size(); ++d) {
    made.is_contiguous = made.is_contiguous && (access.value->shape[d] == 1 || made.stride[d] == packed[d]);
  }
  out = made;
  return true;
}

/// The dimension whose neighbours are adjacent in memory goes innermost, so that rows stay rows.
void choose_layout(const Access& access, const AddressBox& from, Tile& tile) {
  const std::size_t rank = access.value->shape.size();
  std::size_t inner = rank;
  for (std::size_t d = 0; d < rank; ++d) {
    if (from.stride[d] == access.bytes && access.value->shape[d] > 1) inner = d;
  }
  if (inner == rank || inner + 1 == rank) return;
  tile.stride[inner] = 1;
  std::int64_t next = access.value->shape[inner];
  for (std::size_t d = rank; d-- > 0;) {
    if (d == inner) continue;
    tile.stride[d] = next;
    next *= access.value->shape[d];
  }
  tile.is_contiguous = false;
}

void fill_around(const Access& access, const Box& box, const Lanes& lanes, Machine& machine, Tile& out) {
  const TileType& type = *access.value;
  if (lanes.other != nullptr && lanes.other->form != Form::uniform) {
    const Temporary other(machine, make_contiguous(machine, *lanes.other, type));
    std::memcpy(out.data(), other->data(), static_cast<std::size_t>(type.bytes()));
    return;
  }
  const std::uint64_t zero = 0;
  const void* value = lanes.other != nullptr ? &lanes.other->base : &zero;
  const auto fill = kernels::fill(type.kind);
  if (type.rank() == 1) {
    fill(out.data(), value, box.low[0]);
    fill(out.data() + box.high[0] * access.bytes, value, type.count - box.high[0]);
  } else {
    fill(out.data(), value, type.count);
  }
}

void normalise_booleans(const TileType& type, Tile& tile) {
  if (type.kind != ScalarKind::i1) return;
  for (std::int64_t i = 0; i < type.count; ++i) tile.data()[i] = tile.data()[i] != 0 ? 1 : 0;
}

Tile load_box(Machine& machine, const Access& access, const Lanes& lanes, const Box& box, const AddressBox& from) {
  const std::int32_t provenance = lanes.pointer->provenance;
  machine.bytes_read += static_cast<std::uint64_t>(from.count * access.bytes);
  log_box(machine, provenance, from, access.bytes, false);
  const bool full = from.count == access.value->count;
  Tile out;
  if (lanes.pointer->form == Form::uniform && full) {
    out = uniform_tile(0);
    std::memcpy(&out.base, reinterpret_cast<const char*>(from.origin), static_cast<std::size_t>(access.bytes));
    if (access.value->kind == ScalarKind::i1) out.base = out.base != 0 ? 1 : 0;
    return out;
  }
  if (full && load_in_place(machine, access, from, provenance, out)) return out;
  out = machine.allocate(*access.value);
  if (lanes.other == nullptr || lanes.other->form == Form::uniform || full) choose_layout(access, from, out);
  if (!full) fill_around(access, box, lanes, machine, out);
  std::int64_t start = 0;
  AnyStrides strides{};
  for (std::size_t d = 0; d < access.value->shape.size(); ++d) {
    strides[d] = out.stride[d] * access.bytes;
    start += box.low[d] * strides[d];
  }
  copy_strided(out.data() + start, strides.data(), reinterpret_cast<const char*>(from.origin), from.stride.data(),
               from.shape.data(), from.rank, access.bytes);
  normalise_booleans(*access.value, out);
  return out;
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
  if (mask != nullptr) {
    Box none;
    fill_around(access, none, lanes, machine, out);
  }
  log_lanes(machine, provenance, addresses, mask, type.count, access.bytes, false);
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

}  // namespace

Tile load_tile(Machine& machine, const Step* step, const Access& access, const Lanes& lanes) {
  AffineView view;
  Box box;
  if (as_affine(*lanes.pointer, *access.pointer, view) && mask_box(access, lanes.mask, box)) {
    const AddressBox from = address_box(access, view, box);
    if (from.count == 0 || (access.pointer->is_scalar() && box.is_empty)) return value_without_lanes(lanes);
    if (box_is_inside(machine, lanes.pointer->provenance, from, access.bytes))
      return load_box(machine, access, lanes, box, from);
  }
  return load_lanes(machine, step, access, lanes);
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

namespace {

const Step* step_load(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const Access*>(step->record);
  const Tile value = load_tile(machine, step, access, lanes_of(machine, step, access));
  observe_tile(machine, step, access, machine.slots[step->operand[0]], value);
  machine.set(step->result, value);
  return machine.finish(step);
}

/// One element behind a pointer that is well inside its view: the common case of scalars.
bool is_plainly_inside(const Machine& machine, const Tile& pointer, int bytes) {
  if (pointer.provenance < 0) return false;
  const ViewRange& view = machine.launch.views[static_cast<std::size_t>(pointer.provenance)];
  return view.is_dense && pointer.base >= view.begin && pointer.base < view.end &&
         view.end - pointer.base >= static_cast<std::uint64_t>(bytes);
}

const Step* step_load_scalar(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const Access*>(step->record);
  const Tile& pointer = machine.slots[step->operand[0]];
  if (!is_plainly_inside(machine, pointer, access.bytes)) return step_load(machine, step);
  std::uint64_t bits = 0;
  std::memcpy(&bits, pointer.data(), static_cast<std::size_t>(access.bytes));
  if (access.value->kind == ScalarKind::i1) bits = bits != 0 ? 1 : 0;
  machine.bytes_read += static_cast<std::uint64_t>(access.bytes);
  log_run(machine, pointer.provenance, pointer.base, pointer.base + static_cast<std::uint64_t>(access.bytes), false);
  const Tile value = uniform_tile(bits);
  observe_tile(machine, step, access, pointer, value);
  machine.slots[step->result] = value;
  return step + 1;
}

// ---- stores ----

/// The value as memory with byte strides: uniform values have stride 0. Holds its count in `keep`.
const char* value_memory(const Access& access, const Tile& value, AnyStrides& strides) {
  strides = {};
  if (value.form == Form::uniform) return reinterpret_cast<const char*>(&value.base);
  for (std::size_t d = 0; d < access.value->shape.size(); ++d) strides[d] = value.stride[d] * access.bytes;
  return value.data();
}

/// True if two lanes of the box may touch one byte: then the order in which they are written shows.
bool may_share_bytes(const AddressBox& box, int bytes) {
  AnyStrides step{}, extent{};
  std::size_t kept = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(box.rank); ++d) {
    if (box.shape[d] <= 1) continue;
    std::size_t at = kept++;
    const std::int64_t size = box.stride[d] < 0 ? -box.stride[d] : box.stride[d];
    for (; at > 0 && step[at - 1] > size; --at) {
      step[at] = step[at - 1];
      extent[at] = extent[at - 1];
    }
    step[at] = size;
    extent[at] = box.shape[d];
  }
  std::int64_t reach = bytes;  // of everything along the smaller strides; all of it lies inside a storage
  for (std::size_t i = 0; i < kept; ++i) {
    if (step[i] < reach) return true;
    reach += step[i] * (extent[i] - 1);
  }
  return false;
}

void store_box(Machine& machine, const Access& access, std::int32_t provenance, const Box& box, const AddressBox& to,
               const Tile& value) {
  machine.bytes_written += static_cast<std::uint64_t>(to.count * access.bytes);
  log_box(machine, provenance, to, access.bytes, true);
  AnyStrides strides{};
  const char* from = value_memory(access, value, strides);
  for (std::size_t d = 0; d < access.value->shape.size(); ++d) from += box.low[d] * strides[d];
  copy_strided(reinterpret_cast<char*>(to.origin), to.stride.data(), from, strides.data(), to.shape.data(), to.rank,
               access.bytes);
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
  log_lanes(machine, provenance, addresses, mask, n, access.bytes, true);
  machine.bytes_written +=
      static_cast<std::uint64_t>((mask != nullptr ? kernels::count_true(mask, n) : n) * access.bytes);
  const void* in = is_uniform ? static_cast<const void*>(&packed->base) : packed->data();
  kernels::scatter(access.value->kind)(reinterpret_cast<char*>(admitted.lowest()), admitted.lowest(), addresses, in,
                                       is_uniform ? 0 : 1, mask, n);
}

}  // namespace

void store_tile(Machine& machine, const Step* step, const Access& access, const Lanes& lanes, const Tile& value) {
  AffineView view;
  Box box;
  if (as_affine(*lanes.pointer, *access.pointer, view) && mask_box(access, lanes.mask, box)) {
    const AddressBox to = address_box(access, view, box);
    if (to.count == 0 || (access.pointer->is_scalar() && box.is_empty)) return;
    if (box_is_inside(machine, lanes.pointer->provenance, to, access.bytes)) {
      const bool is_memory = value.form == Form::uniform ||
                             (value.form == Form::dense && (value.is_contiguous || !may_share_bytes(to, access.bytes)));
      const Temporary dense(machine, is_memory ? uniform_tile(0) : make_contiguous(machine, value, *access.value));
      return store_box(machine, access, lanes.pointer->provenance, box, to, is_memory ? value : *dense);
    }
  }
  store_lanes(machine, step, access, lanes, value);
}

namespace {

const Step* step_store(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const Access*>(step->record);
  store_tile(machine, step, access, lanes_of(machine, step, access), machine.slots[step->operand[1]]);
  if (machine.launch.is_ordered) machine.note_change();
  return machine.finish(step);
}

const Step* step_store_scalar(Machine& machine, const Step* step) {
  const auto& access = *static_cast<const Access*>(step->record);
  const Tile& pointer = machine.slots[step->operand[0]];
  if (!is_plainly_inside(machine, pointer, access.bytes)) return step_store(machine, step);
  std::memcpy(pointer.data(), &machine.slots[step->operand[1]].base, static_cast<std::size_t>(access.bytes));
  machine.bytes_written += static_cast<std::uint64_t>(access.bytes);
  log_run(machine, pointer.provenance, pointer.base, pointer.base + static_cast<std::uint64_t>(access.bytes), true);
  if (machine.launch.is_ordered) machine.note_change();
  return step + 1;
}

/// Types of the access from the step's slots. `value`: loaded or stored.
Access access_of(PlanBuilder& builder, const Step& step, const TileType* value) {
  Access access;
  access.pointer = builder.type(step.operand[0]);
  access.value = value;
  access.bytes = value->element_bytes;
  return access;
}

}  // namespace

bool evaluate_load(PlanBuilder& builder, const ir::Op& op) {
  if (op.operand(0)->type().element().pointee().is_tensor()) return evaluate_block_load(builder, op);
  Step* step = builder.append_with_result(step_load, op);
  if (step == nullptr) return false;
  Access access = access_of(builder, *step, step->type);
  if (op.operand_count() > 1) {
    access.mask = 1;
    access.mask_type = builder.type(step->operand[1]);
  }
  if (op.operand_count() > 2) access.other = 2;
  if (step->type->is_scalar() && access.mask < 0) step->run = step_load_scalar;
  access.is_observed = is_volatile_load(op) || is_in_open_loop(op);
  step->record = builder.record(access);
  return true;
}

bool evaluate_store(PlanBuilder& builder, const ir::Op& op) {
  if (op.operand(0)->type().element().pointee().is_tensor()) return evaluate_block_store(builder, op);
  Step& step = builder.append(step_store, op);
  for (std::size_t i = 0; i < step.operand_count; ++i) {
    if (step.operand[i] == kNoSlot) return false;
  }
  Access access = access_of(builder, step, builder.type(step.operand[1]));
  access.is_write = true;
  if (op.operand_count() > 2) {
    access.mask = 2;
    access.mask_type = builder.type(step.operand[2]);
  }
  if (access.value->is_scalar() && access.mask < 0) step.run = step_store_scalar;
  step.record = builder.record(access);
  return true;
}

}  // namespace lockstep::interpreter
