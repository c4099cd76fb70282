#include "interpreter/access/block_bounds.h"

#include "interpreter/launch/name_op.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "memory_model/view.h"

namespace lockstep::interpreter {

using ir::Opcode;

namespace {

bool is_zero(const ir::Value& value) {
  const ir::Op* op = value.defining_op();
  return op != nullptr && ir::is_constant(*op) && op->integer_attribute("value", 1) == 0;
}

BlockAdvance advance_of(const ir::Op& op) {
  BlockAdvance made{op.location(), 0};
  const auto by = op.operand_group(1);
  for (std::size_t d = 0; d < by.size(); ++d) {
    if (!is_zero(*by[d])) made.dimensions |= 1u << d;
  }
  return made;
}

/// Skips the advances, and returns them in `passed`, the last one first.
const ir::Value* behind_advances(const ir::Value* value, std::vector<BlockAdvance>& passed) {
  while (value->defining_op() != nullptr && value->defining_op()->def().opcode == Opcode::tt_advance) {
    passed.push_back(advance_of(*value->defining_op()));
    value = value->defining_op()->operand(0);
  }
  return value;
}

std::string joined_lines(const std::vector<BlockAdvance>& advances, std::uint32_t dimensions) {
  std::string text;
  for (std::size_t i = advances.size(); i-- > 0;) {
    if ((advances[i].dimensions & dimensions) == 0) continue;
    const Location place = advances[i].location.innermost_file();
    if (!place.is_unknown()) text += (text.empty() ? "" : " and ") + std::to_string(place->line);
  }
  return text;
}

std::string interval(std::int64_t low, std::int64_t extent) {
  return "[" + std::to_string(low) + ":" + std::to_string(low + extent) + ")";
}

std::string block_text(const BlockRecord& record, const std::vector<std::int64_t>& block) {
  std::string text;
  for (std::size_t d = 0; d < block.size(); ++d)
    text += (text.empty() ? "" : " x ") + interval(record.offset[d], block[d]);
  return text;
}

std::string checked_text(std::uint32_t checked, std::size_t rank) {
  std::string text;
  std::size_t count = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    if ((checked >> d & 1) == 0) continue;
    text += (count++ == 0 ? "" : ", ") + std::to_string(d);
  }
  return "boundary_check=(" + text + (count == 1 ? ",)" : ")");
}

/// The first dimension that the block leaves, and how.
struct Leaving {
  std::size_t dimension = 0;
  bool is_behind = false;   // the whole block, in a dimension that a loop advances
  bool is_checked = false;  // nothing is touched there
};

Leaving leaving_of(const BlockRecord& record, const std::vector<std::int64_t>& block, const BlockBounds& bounds) {
  Leaving made;
  bool is_first = true;
  std::uint32_t advanced = 0;
  for (const BlockAdvance& one : bounds.advances) advanced |= one.dimensions;
  for (std::size_t d = 0; d < block.size(); ++d) {
    const bool is_checked = (bounds.checked >> d & 1) != 0;
    const std::uint32_t moved = is_checked ? bounds.advanced_twice : advanced;
    const bool is_behind = record.offset[d] >= record.shape[d] && (moved >> d & 1) != 0;
    const bool is_left = !is_checked && (record.offset[d] < 0 || record.offset[d] > record.shape[d] - block[d]);
    if (is_behind) return {d, true, is_checked};
    if (is_left && std::exchange(is_first, false)) made = {d, false, false};
  }
  return made;
}

std::string words_of(const BlockRecord& record, const std::vector<std::int64_t>& block,
                     const BlockBounds& bounds, const Leaving& leaving) {
  const std::size_t d = leaving.dimension;
  const std::string dimension = " in dimension " + std::to_string(d), extent = std::to_string(record.shape[d]);
  if (leaving.is_behind) {
    const std::string lines = joined_lines(bounds.advances, 1u << d);
    return "block " + block_text(record, block) + " begins beyond the extent " + extent + dimension +
           "; advanced in every iteration" +
           (lines.empty() ? "" : ", at line" + std::string(bounds.advances.size() > 1 ? "s " : " ") + lines);
  }
  return "block " + block_text(record, block) +
         (record.offset[d] < 0 ? " begins before 0" : " exceeds the extent " + extent) + dimension + ", " +
         checked_text(bounds.checked, block.size());
}

bool stays_in_argument(Machine& machine, const BlockShape& shape, const BlockRecord& record, std::uint32_t checked) {
  const BlockLanes at = block_lanes(shape, record, checked);
  AddressBox box;
  return find_addresses(shape.access, at.pointer, &at.mask, box) &&
         (box.count == 0 || box_is_inside(machine, record.provenance, box, shape.access.bytes));
}

void warn(Machine& machine, const Step* step, const BlockShape& shape, const BlockRecord& record,
          const Leaving& leaving, const std::string& words) {
  const Site& site = machine.plan->sites[step->site];
  const std::string verb = shape.access.is_write ? "write" : "read";
  Finding finding;
  finding.code = leaving.is_behind ? FindingCode::LS108 : FindingCode::LS106;
  finding.tier = Tier::warning;
  finding.location = site.location;
  name_op(finding, *site.op);
  finding.program = machine.program->id;
  if (record.provenance >= 0)
    finding.argument = machine.launch.memory->view(memory_model::ViewId{record.provenance}).name;
  finding.message =
      words + (leaving.is_checked ? ": no element of it is " + std::string(verb == "read" ? "read" : "written")
                                  : ": a " + verb + " of elements that lie in '" + finding.argument +
                                        "', but not in the block pointer's shape");
  if (!leaving.is_behind) finding.hint = "name dimension " + std::to_string(leaving.dimension) + " in boundary_check";
  machine.report(std::move(finding), step);
}

}  // namespace

BlockBounds plan_block_bounds(const ir::Op& op, std::uint32_t checked) {
  BlockBounds made;
  made.checked = checked;
  std::vector<BlockAdvance> passed;
  const ir::Value* carried = behind_advances(op.operand(0), passed);
  const ir::Value* next = carried->defining_op() == nullptr ? ir::yielded_value(*carried) : nullptr;
  if (next == nullptr) return made;
  if (behind_advances(next, made.advances) != carried) {
    made.advances.clear();
    return made;
  }
  std::uint32_t once = 0;
  for (const BlockAdvance& one : made.advances) {
    made.advanced_twice |= once & one.dimensions;
    once |= one.dimensions;
  }
  return made;
}

BlockShape judge_block(Machine& machine, const Step* step, const BlockShape& shape, const BlockRecord& record,
                       const BlockBounds& bounds, std::string& guard) {
  BlockShape judged = shape;
  const Leaving leaving = leaving_of(record, shape.block, bounds);
  guard = words_of(record, shape.block, bounds, leaving);
  if (stays_in_argument(machine, shape, record, bounds.checked)) {
    warn(machine, step, shape, record, leaving, guard);
  } else {
    judged.access.block_code = leaving.is_behind ? FindingCode::LS108 : FindingCode::LS106;
    judged.access.guard = guard;
  }
  return judged;
}

}  // namespace lockstep::interpreter
