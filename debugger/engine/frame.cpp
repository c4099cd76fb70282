#include "debugger/engine/frame.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "interpreter/plan/loop_turns.h"
#include "interpreter/tile/dense.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::debugger {


namespace {

/// "12" of "%12".
bool is_number(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return (c >= '0' && c <= '9') || c == '#' || c == '_'; });
}

/// "%c4_i32", "%cst": a constant without a name in the kernel's text.
bool is_unnamed_constant(const ir::Value& value) {
  const ir::Op* made = value.defining_op();
  return made != nullptr && ir::is_constant(*made) && !has_python_name(value);
}

}  // namespace

Frame::Frame(const Engine& engine, std::size_t level) : engine_(engine), point_(*engine.point()), level_(level) {}

Place Frame::place() const { return level_ < point_.frames.size() ? point_.frames[level_] : Place{}; }

/// The user lines of the calls around an activation.
std::size_t Frame::depth_of_calls(std::uint32_t activation) const {
  const Activation& running = engine_.kernel().activations()[activation];
  return running.caller >= 0 ? engine_.kernel().points()[running.call_point].frames.size() : 0;
}

/// The user lines of a value's definition, those of calls around its activation included.
std::size_t Frame::depth_of(const ir::Value& value, std::uint32_t activation) const {
  return places_of(location_of(value)).size() + depth_of_calls(activation);
}

/// Another call made it, and the current one makes its own or does not read it. (The compiler keeps one of several ops
/// that calls share.)
bool Frame::is_of_another_call(const ir::Value& value, std::uint32_t activation, const std::string& name) const {
  if (is_of_this_call(value, activation)) return false;
  const std::size_t outer = depth_of_calls(activation);
  const bool is_read = std::any_of(value.uses().begin(), value.uses().end(), [&](const ir::Use& use) {
    const std::vector<Place> places = places_of(use.user->location());
    return places.size() + outer > calls_around() && has_calls_of(places, outer);
  });
  const auto& points = engine_.kernel().points();
  return !is_read || std::any_of(points.begin(), points.end(), [&](const Point& point) {
    return point.frames.size() == calls_around() + 1 && has_calls_of(point.frames, 0) &&
           point.op->result_count() != 0 && name_of(*point.op->result(0)) == name;
  });
}

std::size_t Frame::calls_around() const { return point_.frames.size() - std::min(level_, point_.frames.size()) - 1; }

/// The outermost places are the calls around the frame; `outer` of these are of functions that were not inlined, and
/// not among the places.
bool Frame::has_calls_of(const std::vector<Place>& places, std::size_t outer) const {
  for (std::size_t i = 0; i + outer < calls_around(); ++i) {
    const Place& one = places[places.size() - 1 - i];
    const Place& other = point_.frames[point_.frames.size() - 1 - outer - i];
    if (!one.same_line(other) || one.column != other.column) return false;
  }
  return true;
}

bool Frame::is_of_this_call(const ir::Value& value, std::uint32_t activation) const {
  const std::size_t outer = depth_of_calls(activation);
  return calls_around() <= outer || has_calls_of(places_of(location_of(value)), outer);
}

/// Calls body(value, activation) for what the point sees, nearest first; true: stop.
template <typename Visit>
bool Frame::for_each_visible(Visit&& visit) const {
  const auto& activations = engine_.kernel().activations();
  const ir::Op* at = point_.op;
  for (auto activation = static_cast<std::int32_t>(point_.activation); activation >= 0;) {
    const Activation& running = activations[static_cast<std::size_t>(activation)];
    if (visit_function(*at, static_cast<std::uint32_t>(activation), visit)) return true;
    activation = running.caller;
    if (activation >= 0) at = engine_.kernel().points()[running.call_point].op;
  }
  return false;
}

template <typename Visit>
bool Frame::visit_function(const ir::Op& from, std::uint32_t activation, Visit&& visit) const {
  const ir::Op* at = &from;
  while (at != nullptr && at->block() != nullptr && !ir::is_function(*at)) {
    const ir::Block& block = *at->block();
    for (auto before = at->position(); before != block.ops().begin();) {
      --before;
      for (std::size_t i = (*before)->result_count(); i-- > 0;) {
        if (visit(*(*before)->result(i), activation)) return true;
      }
    }
    for (const auto& argument : block.arguments()) {
      if (visit(*argument, activation)) return true;
    }
    if (visit_blocks_before(block, activation, visit)) return true;
    at = block.parent_op();
  }
  return false;
}

/// For a region of several blocks, visits all values earlier in the text that dominate the point.
template <typename Visit>
bool Frame::visit_blocks_before(const ir::Block& block, std::uint32_t activation, Visit&& visit) const {
  const auto& blocks = block.parent()->blocks();
  auto at = std::find_if(blocks.begin(), blocks.end(), [&](const auto& known) { return known.get() == &block; });
  while (at != blocks.begin()) {
    --at;
    for (auto op = (*at)->ops().rbegin(); op != (*at)->ops().rend(); ++op) {
      for (std::size_t i = (*op)->result_count(); i-- > 0;) {
        if (visit(*(*op)->result(i), activation)) return true;
      }
    }
    for (const auto& argument : (*at)->arguments()) {
      if (visit(*argument, activation)) return true;
    }
  }
  return false;
}

/// The line where the frame's function defines a value; 0: it was passed.
std::uint32_t Frame::line_of(const ir::Value& value, std::uint32_t activation) const {
  const std::vector<Place> places = places_of(location_of(value));
  const std::size_t depth = calls_around() + 1 - depth_of_calls(activation);
  return places.size() < depth ? 0 : places[places.size() - depth].line;
}

/// Variables that took over another one's value since; removes those that took over a value without a name.
void Frame::rename(std::vector<Variable>& variables, std::vector<std::uint32_t>& lines) const {
  using Known = std::pair<Variable, std::uint32_t>;
  const Place here = place();
  const auto& all = engine_.kernel().definitions().renamings;
  const auto find = [&](const std::string& name) {
    return std::find_if(variables.begin(), variables.end(), [&](const Variable& one) { return one.name == name; });
  };
  for (std::size_t first = 0; first < all.size();) {
    std::size_t end = first;  // those of one line happen at once
    std::vector<std::pair<std::string, std::optional<Known>>> taken;
    for (; end < all.size() && all[end].line == all[first].line && all[end].file == all[first].file; ++end) {
      const Definitions::Renaming& one = all[end];
      if (!here.is_known() || one.file != *here.file || one.line >= here.line || here.line > one.last_line) continue;
      const auto target = find(one.target), source = find(one.source);
      const auto line = [&](auto known) { return lines[static_cast<std::size_t>(known - variables.begin())]; };
      if (target != variables.end() && line(target) > one.line) continue;
      const bool is_known = source != variables.end() && line(source) < one.line;
      taken.emplace_back(one.target, is_known ? std::optional(Known(*source, one.line)) : std::nullopt);
    }
    for (auto& [name, known] : taken) {
      if (const auto target = find(name); target != variables.end()) {
        lines.erase(lines.begin() + (target - variables.begin()));
        variables.erase(target);
      }
      if (!known) continue;
      known->first.name = name;
      variables.push_back(known->first);
      lines.push_back(known->second);
    }
    first = end;
  }
}

const std::vector<Variable>& Frame::all_variables() const {
  return engine_.kernel().variables_of(point_, level_, [this] { return find_variables(); });
}

std::vector<Variable> Frame::variables() const { return all_variables(); }

std::vector<Variable> Frame::find_variables() const {
  std::vector<Variable> found;
  std::vector<std::uint32_t> lines;
  const std::size_t wanted = point_.frames.size() - std::min(level_, point_.frames.size());
  for_each_visible([&](const ir::Value& value, std::uint32_t activation) {
    const interpreter::Slot slot = engine_.kernel().slot_of(value, activation);
    if (slot == interpreter::kNoSlot) return false;
    const auto add = [&](const std::string& name, bool is_argument) {
      const auto known = std::any_of(found.begin(), found.end(), [&](const Variable& v) { return v.name == name; });
      if (known) return;
      found.push_back({name, &value, slot, is_argument});
      lines.push_back(is_argument ? 0 : line_of(value, activation));
    };
    const Definitions& definitions = engine_.kernel().definitions();
    if (const auto results = definitions.results.find(&value); results != definitions.results.end()) {
      for (const auto& [name, depth] : results->second) {
        if (depth + depth_of_calls(activation) == wanted && is_of_this_call(value, activation)) add(name, false);
      }
    }
    const std::string name = name_of(value);
    if (name.empty() || is_number(name)) return false;
    if (definitions.intermediates.contains(&value) || is_unnamed_constant(value)) return false;
    const bool is_argument = activation == 0 && value.defining_op() == nullptr &&
                             value.owner_block() == &engine_.kernel().function().region().front();
    if (!is_argument && depth_of(value, activation) != wanted) return false;
    if (is_argument && wanted > 1) return false;
    if (wanted > 1 && is_of_another_call(value, activation, name)) return false;
    add(name, is_argument);
    return false;
  });
  std::reverse(found.begin(), found.end());
  std::reverse(lines.begin(), lines.end());
  rename(found, lines);
  return found;
}

std::vector<Variable> Frame::numbered() const {
  std::vector<Variable> found;
  const std::size_t wanted = point_.frames.size() - std::min(level_, point_.frames.size());
  for_each_visible([&](const ir::Value& value, std::uint32_t activation) {
    const interpreter::Slot slot = engine_.kernel().slot_of(value, activation);
    const bool is_numbered = !value.name().empty() && is_number(value.name()) && !has_python_name(value);
    if (!is_numbered || slot == interpreter::kNoSlot || is_unnamed_constant(value)) return false;
    if (value.defining_op() == nullptr || depth_of(value, activation) != wanted) return false;
    found.push_back({"%" + value.name(), &value, slot, false});
    return false;
  });
  std::reverse(found.begin(), found.end());
  return found;
}

std::optional<Variable> Frame::find(std::string_view name) const {
  const std::vector<Variable>& all = all_variables();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Variable& one) { return one.name == name; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

std::optional<Variable> Frame::find_ssa(std::string_view name) const {
  if (name.starts_with('%')) name.remove_prefix(1);
  std::optional<Variable> found;
  for_each_visible([&](const ir::Value& value, std::uint32_t activation) {
    if (value.name() != name) return false;
    const interpreter::Slot slot = engine_.kernel().slot_of(value, activation);
    if (slot != interpreter::kNoSlot) found = Variable{std::string(name), &value, slot, false};
    return true;
  });
  return found;
}

std::vector<LoopPosition> Frame::loops() const {
  std::vector<LoopPosition> loops;
  const auto& activations = engine_.kernel().activations();
  const ir::Op* at = point_.op;
  for (auto activation = static_cast<std::int32_t>(point_.activation); activation >= 0;) {
    for (const ir::Op* around = at->parent_op(); around != nullptr; around = around->parent_op()) {
      if (ir::is_loop(*around))
        loops.push_back(loop_position(*around, static_cast<std::uint32_t>(activation)));
    }
    const Activation& running = activations[static_cast<std::size_t>(activation)];
    activation = running.caller;
    if (activation >= 0) at = engine_.kernel().points()[running.call_point].op;
  }
  return loops;
}

LoopPosition Frame::loop_position(const ir::Op& loop, std::uint32_t activation) const {
  LoopPosition position;
  position.op = &loop;
  if (const auto places = places_of(loop.location()); !places.empty()) position.place = places.front();
  if (!ir::is_counted_loop(loop)) return position;
  const ir::Value& variable = *loop.region().front().argument(0);
  position.variable = name_of(variable);
  const auto number = [&](const ir::Value& value) {
    const interpreter::Slot slot = engine_.kernel().slot_of(value, activation);
    return interpreter::sign_extend(engine_.machine().type_of(slot).kind, engine_.machine().slots[slot].base);
  };
  const std::int64_t lower = number(*loop.operand(0)), upper = number(*loop.operand(1));
  const std::int64_t step = number(*loop.operand(2));
  if (step <= 0) return position;
  position.value = number(variable);
  if (upper <= lower) return position;
  const auto bits = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const ScalarKind kind = engine_.machine().type_of(engine_.kernel().slot_of(variable, activation)).kind;
  const interpreter::LoopCounter counter{kind, false, bits(lower), bits(upper), bits(step)};
  position.iteration = static_cast<std::int64_t>(interpreter::turn_of(counter, bits(position.value)));
  position.count = static_cast<std::int64_t>(
      interpreter::wrapping_turns(counter).value_or(interpreter::turns_in_python(counter)));
  return position;
}

std::string LoopPosition::text() const {
  if (!iteration || !count) return "an iteration";
  return iteration_text(
      {variable, value, static_cast<std::uint64_t>(*iteration), static_cast<std::uint64_t>(*count)});
}

std::string Frame::function() const {
  return std::string(ir::symbol_name(*engine_.kernel().activations()[point_.activation].function));
}

Datum read(const Engine& engine, interpreter::Slot slot) {
  interpreter::Machine& machine = engine.machine();
  const interpreter::TileType& type = machine.type_of(slot);
  const interpreter::Tile& tile = machine.slots[slot];
  Datum datum;
  datum.kind = type.kind;
  datum.shape = type.shape;
  datum.provenance = tile.provenance;
  const interpreter::Temporary packed(machine, interpreter::make_contiguous(machine, tile, type));
  datum.bytes.assign(packed->data(), static_cast<std::size_t>(type.bytes()));
  return datum;
}

}  // namespace lockstep::debugger
