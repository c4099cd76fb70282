#include "interpreter/access/bounds.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "interpreter/access/memory_op.h"
#include "interpreter/launch/name_op.h"
#include "interpreter/plan/index_origin.h"
#include "interpreter/plan/loops_around.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "memory_model/describe.h"

namespace lockstep::interpreter {

namespace {

using memory_model::View;
using memory_model::ViewId;

#ifdef LOCKSTEP_UNCHECKED
const int told = std::fputs("lockstep: built without bounds checks, for measuring only\n", stderr);
#endif

const ViewRange* range_of_view(const Machine& machine, std::int32_t provenance) {
  return provenance >= 0 ? &machine.launch.views[static_cast<std::size_t>(provenance)] : nullptr;
}

}  // namespace

void set_bytes(AddressBox& box, int bytes) {
  std::int64_t low = 0, high = bytes;
  bool wraps = false;
  for (std::size_t d = 0; d < static_cast<std::size_t>(box.rank); ++d) {
    std::int64_t span = 0;
    wraps = wraps || __builtin_mul_overflow(box.stride[d], box.shape[d] - 1, &span);
    std::int64_t& side = span < 0 ? low : high;
    wraps = wraps || __builtin_add_overflow(side, span, &side);
  }
  wraps = wraps || __builtin_add_overflow(box.origin, low, &box.begin);
  wraps = wraps || __builtin_add_overflow(box.origin, high, &box.end);
  if (wraps) {
    box.begin = 1;
    box.end = 0;
  }
}

bool find_addresses(const Access& access, const Tile& pointer, const Tile* mask, AddressBox& out) {
  const TileType& type = *access.pointer;
  const bool is_plain = pointer.form == Form::uniform || pointer.form == Form::affine;
  if (!is_plain || !type.is_strided()) return false;
  const bool is_box = mask != nullptr && mask->form == Form::box;
  if (!is_box && mask != nullptr) {
    if (mask->form != Form::uniform) return false;
    out.count = 0;
    if ((mask->base & 1) == 0) return true;
  }
  out.origin = pointer.base;
  out.rank = type.rank();
  out.count = 1;
  const std::int64_t* shape = type.shape.data();
  for (std::size_t d = 0; d < static_cast<std::size_t>(out.rank); ++d) {
    const std::int64_t low = is_box ? mask->low(d) : 0;
    out.low[d] = low;
    out.shape[d] = is_box ? mask->high(d) - low : shape[d];
    out.stride[d] = pointer.stride[d];
    out.origin += static_cast<std::uint64_t>(low) * static_cast<std::uint64_t>(pointer.stride[d]);
    out.count *= out.shape[d];
  }
  set_bytes(out, access.bytes);
  return true;
}

AdmittedLanes::AdmittedLanes(Machine& machine, const Step* step, const Access& access, const Tile& pointer,
                             const Tile* mask)
    : pointers_(machine, make_contiguous(machine, pointer, *access.pointer)),
      masked_(machine, mask != nullptr ? make_contiguous(machine, *mask, *access.mask_type) : uniform_tile(1)),
      given_(mask != nullptr ? reinterpret_cast<const std::uint8_t*>(masked_->data()) : nullptr),
      range_(kernels::address_range(addresses(), given_, access.value->count)),
      is_inside_(!range_.any || is_inside(machine, pointer.provenance, range_.lowest,
                                          range_.highest + static_cast<std::uint64_t>(access.bytes))),
      good_(machine, is_inside_ ? uniform_tile(1)
                                : checked_lanes(machine, step, access, pointer.provenance, addresses(), given_,
                                                access.value->count)) {}

bool is_inside(const Machine& machine, std::int32_t provenance, std::uint64_t begin, std::uint64_t end) {
  if (is_plainly_inside(machine, provenance, begin, end)) return true;
  if (end < begin || provenance >= 0) return false;
  const auto storage = machine.launch.memory->find_storage(begin);
  return storage && end <= machine.launch.memory->storage(*storage).extent.end;
}

bool box_is_inside(const Machine& machine, std::int32_t provenance, const AddressBox& box, int bytes) {
  if (is_inside(machine, provenance, box.begin, box.end)) return true;
  const ViewRange* range = range_of_view(machine, provenance);
  if (range == nullptr || range->is_dense || box.begin > box.end || box.begin < range->begin || box.end > range->end)
    return false;
  const View& view = machine.launch.memory->view(ViewId{provenance});
  return for_each_address_run(box, bytes, [&](std::uint64_t address, std::int64_t run) {
    return view.contains(address, static_cast<std::uint32_t>(run));
  });
}

// ---- findings ----

namespace {

/// Lanes of one access with the same fault.
struct BoundsFault {
  FindingCode code = FindingCode::none;
  ViewId other;
  std::int64_t lanes = 0, first_lane = 0, last_lane = 0;
  std::uint64_t lowest = 0, highest = 0;
  std::uint64_t first = 0;            // of the first lane
  memory_model::StorageId neighbour;  // another storage that lanes lie in where the code does not say so
  std::int64_t neighbour_lanes = 0;   // in it
};

struct FaultList {
  std::vector<BoundsFault> faults;
  std::int64_t active = 0;

  BoundsFault& add(FindingCode code, ViewId other, std::int64_t lane, std::uint64_t address) {
    auto known =
        std::find_if(faults.begin(), faults.end(), [&](const BoundsFault& f) { return f.code == code && f.other == other; });
    if (known == faults.end())
      known = faults.insert(faults.end(), BoundsFault{code, other, 0, lane, lane, address, address, address, {}, 0});
    ++known->lanes;
    known->last_lane = lane;
    known->lowest = std::min(known->lowest, address);
    known->highest = std::max(known->highest, address);
    return *known;
  }
};

std::string lane_text(const TileType& type, std::int64_t lane, std::vector<std::int64_t>* position = nullptr) {
  std::vector<std::int64_t> index(type.shape.size());
  for (std::size_t d = type.shape.size(); d-- > 0;) {
    index[d] = lane % type.shape[d];
    lane /= type.shape[d];
  }
  std::string text;
  for (const std::int64_t i : index) text += (text.empty() ? "" : ",") + std::to_string(i);
  if (position != nullptr) *position = index;
  return index.size() == 1 ? text : "(" + text + ")";
}

/// "x[1000..1023]" or "x[3,17]..x[4,0]".
std::string range_text(const View& view, const BoundsFault& fault) {
  const std::string low = memory_model::element_text(view, fault.lowest);
  if (fault.lowest == fault.highest) return low;
  const std::string high = memory_model::element_text(view, fault.highest);
  const auto open_low = low.find('['), open_high = high.find('[');
  const bool is_flat = view.shape.size() == 1 && open_low != std::string::npos && open_high != std::string::npos;
  if (!is_flat) return low + ".." + high;
  return low.substr(0, low.size() - 1) + ".." + high.substr(open_high + 1);
}

const ir::Op* mask_definition(const ir::Op& op, const Access& access) {
  if (access.mask < 0) return nullptr;
  const ir::Op* def = op.operand(static_cast<std::size_t>(access.mask))->defining_op();
  while (def != nullptr && ir::spreads(*def)) def = def->operand(0)->defining_op();
  return def;
}

bool has_inclusive_bound(const ir::Op* mask) {
  if (mask == nullptr || !ir::is_integer_comparison(*mask)) return false;
  const auto predicate = mask->integer_attribute("predicate", 0);
  return predicate == 3 || predicate == 5 || predicate == 7 || predicate == 9;
}

constexpr std::uint64_t kNear = 4096;  // bytes

/// ", 12 bytes past the end of 'b'" if a storage is near.
std::string near_text(const Machine& machine, std::uint64_t address) {
  const auto id = machine.launch.memory->nearest_storage(address);
  if (!id) return {};
  const auto& storage = machine.launch.memory->storage(*id);
  const bool is_after = address >= storage.extent.end;
  const std::uint64_t distance = is_after ? address - storage.extent.end : storage.extent.begin - address;
  if (distance >= kNear || (!is_after && address >= storage.extent.begin)) return {};
  return ", " + std::to_string(distance) + (is_after ? " bytes past the end of '" : " bytes before the start of '") +
         storage.name + "'";
}

/// The end or start of a view's storage, if it differs from the view's: the reach of a pointer.
std::string storage_text(const Machine& machine, const View& view, const BoundsFault& fault) {
  if (machine.launch.reach != Reach::storage) return {};
  const memory_model::Extent& extent = machine.launch.memory->storage(view.storage).extent;
  if (fault.lowest < extent.begin) {
    if (extent.begin == view.extent.begin) return {};
    return " and its storage begins at " + memory_model::element_text(view, extent.begin);
  }
  if (extent.end == view.extent.end) return {};
  return " and its storage ends before " + memory_model::element_text(view, extent.end);
}

std::string headline(const Access& access, const View* view, const BoundsFault& fault, const Machine& machine) {
  const std::string verb = access.is_write ? "write" : "read";
  if (view == nullptr)
    return verb + " at an address that belongs to no argument" + near_text(machine, fault.lowest) +
           " (pointer of unknown origin)";
  const std::string where = range_text(*view, fault);
  const std::string shape = memory_model::shape_text(*view) + storage_text(machine, *view, fault);
  const std::string other = fault.other       ? machine.launch.memory->view(fault.other).name
                            : fault.neighbour ? machine.launch.memory->storage(fault.neighbour).name
                                              : std::string();
  if (fault.code == FindingCode::LS102)
    return "out-of-bounds " + verb + " in the allocation but outside the view: " + where + ", " + shape;
  if (fault.code == FindingCode::LS103)
    return "out-of-bounds " + verb + (access.is_write ? " into" : " from") + " neighbouring buffer '" + other +
           "': " + where + ", " + shape;
  if (fault.code == FindingCode::LS104) return verb + " before start of " + view->name + ": " + where + ", " + shape;
  if (fault.code == FindingCode::LS109)
    return "pointer derived from '" + view->name + "' accesses allocation '" + other + "': " + where + ", " + shape;
  return "out-of-bounds " + verb + ": " + where + ", " + shape;
}

/// Where the lanes of the mask are: "past the end".
std::string outside_text(const Machine& machine, const View* view, const BoundsFault& fault) {
  if (view == nullptr) return "in no argument";
  if (fault.code == FindingCode::LS102) return "outside the view";
  if (fault.code == FindingCode::LS104) return "before the start";
  if (fault.other) return "in '" + machine.launch.memory->view(fault.other).name + "'";
  if (fault.code == FindingCode::LS109 && fault.neighbour)
    return "in '" + machine.launch.memory->storage(fault.neighbour).name + "'";
  return "past the end";
}

/// The mask at the fault. `active`: lanes for which it is true.
std::string mask_text(const Machine& machine, const Access& access, const View* view, const BoundsFault& fault,
                      std::int64_t active, const ir::Op& op) {
  const bool is_scalar = access.pointer->is_scalar();
  const std::string word(name_of(touch_kind(op).value_or(TouchKind::load)));
  if (!access.guard.empty()) return "; " + std::string(access.guard);
  if (access.mask < 0) return "; no mask on this " + word;
  if (is_scalar) return "; the mask is true";
  const std::string first = lane_text(*access.pointer, fault.first_lane),
                    last = lane_text(*access.pointer, fault.last_lane);
  const std::string which =
      fault.lanes > 1 ? "lanes " + first + ".." + last + ", which lie " : "lane " + first + ", which lies ";
  const std::string all =
      " (it is true for " + std::to_string(active) + " of " + std::to_string(access.pointer->count) + " lanes)";
  return "; the mask is true for " + which + outside_text(machine, view, fault) +
         (active == fault.lanes ? ", and for no other" : all);
}

/// LS105 if a loaded number led there.
void blame_index(const Machine& machine, const Access& access, const View& view, const BoundsFault& fault, const ir::Op& op,
                 Finding& finding) {
  const std::int32_t provenance = view.id.index;
  const auto origin =
      find_index_origin(machine, *op.operand(0), fault.first_lane, view.base, fault.first, [&](std::uint64_t address) {
        const std::uint64_t end = address + static_cast<std::uint64_t>(access.bytes);
        return end > address && (range_of_view(machine, provenance)->is_dense
                                     ? is_inside(machine, provenance, address, end)
                                     : view.contains(address, static_cast<std::uint32_t>(access.bytes)));
      });
  if (!origin) return;
  const Location place = origin->load->location().innermost_file();
  finding.code = FindingCode::LS105;
  finding.message = "index " + std::to_string(origin->value) + " loaded from " + origin->source +
                    (place.is_unknown() ? std::string() : " (line " + std::to_string(place->line) + ")") + ": " +
                    finding.message;
  if (!place.is_unknown()) finding.notes.push_back({"the index was loaded here", origin->load->location()});
  finding.hint = "check the index against the size of " + view.name + " before it is used, or mask the lane";
}

void report(Machine& machine, const Step* step, const Access& access, const View* view, const FaultList& list,
            const BoundsFault& fault) {
  const Site& site = machine.plan->sites[step->site];
  Finding finding;
  const bool is_block = access.block_code != FindingCode::none && fault.code != FindingCode::LS109;
  finding.code = is_block ? access.block_code : fault.code;
  finding.location = site.location;
  name_op(finding, *site.op);
  finding.program = machine.program->id;
  finding.count = static_cast<std::uint64_t>(fault.lanes);
  const auto& id = finding.program;
  std::string message = (is_block ? std::string(access.guard) + ": " : "") + headline(access, view, fault, machine);
  message += "; program (" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) + ")";
  finding.loops = loops_around(machine, step);
  if (!finding.loops.empty()) message += ", " + iterations_text(finding.loops);
  if (!access.pointer->is_scalar()) {
    message += ", " + std::to_string(fault.lanes) + " of " + std::to_string(access.pointer->count) + " lanes";
    lane_text(*access.pointer, fault.first_lane, &finding.lane);
  }
  if (!is_block) message += mask_text(machine, access, view, fault, list.active, *site.op);
  if (view != nullptr) {
    finding.argument = view->name;
    finding.element = memory_model::describe_element(*view, fault.first).slot;
    const bool by_one = fault.code == FindingCode::LS101 && fault.lowest == fault.highest &&
                        fault.lowest == machine.launch.views[static_cast<std::size_t>(view->id.index)].end;
    if (by_one && has_inclusive_bound(mask_definition(*site.op, access))) {
      finding.hint =
          "out of bounds by exactly 1 element and the mask's bound is inclusive: compare with < instead of <=";
    }
  }
  finding.message = std::move(message);
  if (list.active == fault.lanes && fault.code == FindingCode::LS109)
    finding.hint = "the offset was probably meant for another pointer";
  if (fault.neighbour && fault.code != FindingCode::LS109) {
    const std::string lanes = finding.lane.empty() ? "" : std::to_string(fault.neighbour_lanes) + " of the lanes: ";
    finding.notes.push_back({lanes + "in this launch '" + machine.launch.memory->storage(fault.neighbour).name +
                                 "' lies there, where the allocator put it",
                             Location()});
  }
  if (view != nullptr) blame_index(machine, access, *view, fault, *site.op, finding);
  machine.report(std::move(finding));
}

FindingCode code_of(memory_model::Outside outside) {
  switch (outside) {
    case memory_model::Outside::past_end: return FindingCode::LS101;
    case memory_model::Outside::none:  // inside, but no lane's own element
    case memory_model::Outside::of_view: return FindingCode::LS102;
    case memory_model::Outside::in_neighbour: return FindingCode::LS103;
    case memory_model::Outside::before_start: return FindingCode::LS104;
  }
  return FindingCode::LS102;
}

void classify_lane(const Machine& machine, const View* view, const Access& access, std::int64_t lane,
                   std::uint64_t address, FaultList& list) {
  if (view == nullptr) {
    list.add(FindingCode::LS101, ViewId{}, lane, address);
    return;
  }
  const auto judge =
      machine.launch.reach == Reach::storage ? memory_model::classify_in_storage : memory_model::classify;
  const auto found = judge(*machine.launch.memory, *view, address, static_cast<std::uint32_t>(access.bytes));
  const FindingCode code = code_of(found.outside);
  BoundsFault& fault = list.add(code, code == FindingCode::LS103 ? found.other_view : ViewId{}, lane, address);
  if (code == FindingCode::LS103 || found.in_own_storage || !found.storage) return;
  if (!fault.neighbour) fault.neighbour = found.storage;
  if (fault.neighbour == found.storage) ++fault.neighbour_lanes;
}

/// An access wholly in another argument's storage comes from the wrong pointer, rather than from one step too far. A
/// program's tensors lie at random places: an access near the end of the view's storage may be one step too far.
void recognise_wrong_pointer(const Machine& machine, const View& view, FaultList& list) {
  const auto& memory = *machine.launch.memory;
  const memory_model::Extent& own = memory.storage(view.storage).extent;
  for (BoundsFault& fault : list.faults) {
    const bool is_near = fault.lowest < own.end + kNear && fault.highest + kNear > own.begin;
    if (fault.neighbour && fault.neighbour_lanes == list.active && !is_near) {
      fault.code = FindingCode::LS109;
      continue;
    }
    if (fault.code != FindingCode::LS103 || !fault.other || fault.lanes != list.active) continue;
    if (!(memory.view(fault.other).storage == view.storage)) fault.code = FindingCode::LS109;
  }
}

}  // namespace

Tile checked_lanes(Machine& machine, const Step* step, const Access& access, std::int32_t provenance,
                   const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n) {
  TileType mask_type;
  mask_type.kind = ScalarKind::i1;
  mask_type.element_bytes = 1;
  mask_type.count = n;
  mask_type.shape = {n};
  Tile good = machine.allocate(mask_type);
  auto* lanes = reinterpret_cast<std::uint8_t*>(good.data());
  const View* view = provenance >= 0 ? &machine.launch.memory->view(ViewId{provenance}) : nullptr;
  const bool has_gaps = view != nullptr && !range_of_view(machine, provenance)->is_dense;
  FaultList list;
  for (std::int64_t i = 0; i < n; ++i) {
    lanes[i] = 0;
    if (mask != nullptr && (mask[i] & 1) == 0) continue;
    ++list.active;
    const std::uint64_t end = addresses[i] + static_cast<std::uint64_t>(access.bytes);
    const bool inside =
        has_gaps ? end > addresses[i] && view->contains(addresses[i], static_cast<std::uint32_t>(access.bytes))
                 : is_inside(machine, provenance, addresses[i], end);
    lanes[i] = inside ? 1 : 0;
    if (!inside) classify_lane(machine, view, access, i, addresses[i], list);
  }
  if (view != nullptr) recognise_wrong_pointer(machine, *view, list);
  for (const BoundsFault& fault : list.faults) report(machine, step, access, view, list, fault);
  return good;
}

// ---- logs ----

namespace {

void keep(Machine& machine, LoggedRange range) {
  const AccessTracking touches = machine.launch.touches;
  if (touches == AccessTracking::none || (touches == AccessTracking::writes && !range.is_write)) return;
  range.chunk = touches == AccessTracking::programs ? static_cast<std::uint32_t>(machine.program->number) : 0;
  if (!machine.kept.note(range)) machine.kept_overflow = true;
}

void append_range(Machine& machine, const LoggedRange& range) {
  if (machine.is_beside_others && !machine.log.note(range)) machine.log_overflow = true;
  keep(machine, range);
}

/// Whether the box is one rectangle, and which: a run of neighbours, or rows of neighbours at equal distances upwards.
bool as_rectangle(const AddressBox& box, int bytes, LoggedRange& out) {
  std::uint64_t count[2] = {1, 1}, stride[2] = {0, 0};  // of rows, and in a row
  std::size_t varying = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(box.rank); ++d) {
    if (box.shape[d] <= 1 || box.stride[d] == 0) continue;
    if (varying == 2 || box.stride[d] < 0) return false;
    count[varying] = static_cast<std::uint64_t>(box.shape[d]);
    stride[varying++] = static_cast<std::uint64_t>(box.stride[d]);
  }
  const auto element = static_cast<std::uint64_t>(bytes);
  if (varying == 2 && stride[0] < stride[1]) {
    std::swap(count[0], count[1]);
    std::swap(stride[0], stride[1]);
  }
  if (varying == 2 && stride[1] != element) return false;
  out.run = count[1] * element;
  out.begin = box.origin;
  if (varying == 0 || stride[0] == out.run) {
    out.run *= count[0];
    out.end = out.begin + out.run;
    return true;
  }
  if (count[0] > UINT32_MAX) return false;
  out.rows = static_cast<std::uint32_t>(count[0]);
  out.stride = stride[0];
  out.end = out.begin + (count[0] - 1) * out.stride + out.run;
  return true;
}

/// Calls body(range) for the box's rows, joining those of one length at equal distances.
template <typename Body>
void for_each_rectangle(const AddressBox& box, int bytes, LoggedRange form, Body&& body) {
  if (LoggedRange whole = form; as_rectangle(box, bytes, whole)) return body(whole);
  LoggedRange rows;
  bool is_first = true;
  for_each_address_run(box, bytes, [&](std::uint64_t address, std::int64_t run) {
    const auto length = static_cast<std::uint64_t>(run);
    const bool follows = !is_first && address > rows.begin && length == rows.run &&
                         (rows.rows == 1 || address == rows.begin + rows.rows * rows.stride);
    if (follows) {
      if (rows.rows == 1) rows.stride = address - rows.begin;
      ++rows.rows;
      rows.end = address + length;
      return true;
    }
    if (!is_first) body(rows);
    rows = {address, address + length, form.chunk, form.is_write, 1, length, 0};
    is_first = false;
    return true;
  });
  if (!is_first) body(rows);
}

}  // namespace

bool note_stored_rows(Machine& machine, std::int32_t provenance, std::uint64_t run,
                      std::span<const std::uint64_t> addresses) {
  if (machine.undo != nullptr || !machine.is_beside_others) return false;
  const std::uint64_t origin = machine.launch.views[static_cast<std::size_t>(provenance)].begin;
  if (!machine.row_log.note(origin, run, machine.chunk, addresses)) return false;
  for (std::size_t i = 0; machine.launch.touches != AccessTracking::none && i < addresses.size(); ++i)
    keep(machine, {addresses[i], addresses[i] + run, machine.chunk, true});
  return true;
}

void note_run(Machine& machine, std::uint64_t begin, std::uint64_t end, bool is_write) {
  append_range(machine, {begin, end, machine.chunk, is_write});
  if (!is_write || machine.undo == nullptr) return;
  machine.undo->keep(begin, end);
  machine.undo->seal();
}

namespace {

/// Before a store to the rows. What lies between them is kept with them, in one copy, if the chunk has touched all of it
/// already: usually it is stored next. Of bytes that it has not touched, another chunk's stores may be final.
void keep_rows(const AccessLog& log, UndoLog& undo, const LoggedRange& range) {
  if (range.rows > 1) {
    const auto [begin, end] = log.touched_around(range);
    if (begin != end && end - begin <= 2 * range.rows * range.run) return undo.keep(begin, end);
  }
  for (std::uint64_t i = 0; i < range.rows; ++i)
    undo.keep(range.begin + i * range.stride, range.begin + i * range.stride + range.run);
}

}  // namespace

void note_box(Machine& machine, const AddressBox& box, int bytes, bool is_write) {
  UndoLog* undo = is_write ? machine.undo : nullptr;
  for_each_rectangle(box, bytes, {0, 0, machine.chunk, is_write}, [&](const LoggedRange& range) {
    if (undo != nullptr) keep_rows(machine.log, *undo, range);
    append_range(machine, range);
  });
  if (undo != nullptr) undo->seal();
}

void keep_box(Machine& machine, const AddressBox& box, int bytes) {
  for_each_rectangle(box, bytes, {0, 0, 0, true}, [&](const LoggedRange& range) { keep(machine, range); });
}

void keep_lanes(Machine& machine, const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n, int bytes) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (mask != nullptr && (mask[i] & 1) == 0) continue;
    keep(machine, {addresses[i], addresses[i] + static_cast<std::uint64_t>(bytes), 0, true});
  }
}

void note_lanes(Machine& machine, const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n, int bytes,
                bool is_write) {
  UndoLog* undo = is_write ? machine.undo : nullptr;
  for (std::int64_t i = 0; i < n; ++i) {
    if (mask != nullptr && (mask[i] & 1) == 0) continue;
    const std::uint64_t end = addresses[i] + static_cast<std::uint64_t>(bytes);
    append_range(machine, {addresses[i], end, machine.chunk, is_write});
    if (undo != nullptr) undo->keep(addresses[i], end);
  }
  if (undo != nullptr) undo->seal();
}

}  // namespace lockstep::interpreter
