// Commands that compare the launch with a reference, and search for the op at fault.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "debugger/engine/names.h"
#include "debugger/expression/show.h"
#include "debugger/queries/lane_needs.h"
#include "debugger/session/break_locations.h"
#include "debugger/session/launch_answers.h"
#include "debugger/session/overview.h"
#include "debugger/session/summary.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/count_text.h"
#include "debugger/terminal/inspect.h"
#include "interpreter/access/memory_op.h"
#include "ir/text/print_names.h"
#include "ir/text/python_name.h"

namespace lockstep::debugger {

namespace {

/// "2 ULP and 2.4e-07"; the parts that there are.
std::string distance_text(ScalarKind kind, double absolute, std::int64_t ulp) {
  if (ulp == std::numeric_limits<std::int64_t>::max()) return "NaN against a number";
  if (!is_float(kind)) return rough(absolute);
  return std::to_string(ulp) + " ULP" + (std::isfinite(absolute) ? ", " + rough(absolute) : "");
}

std::string bits_text(ScalarKind kind, std::uint64_t bits, const Scope& scope) {
  std::string bytes(static_cast<std::size_t>(size_bytes(kind)), '\0');
  std::memcpy(bytes.data(), &bits, bytes.size());
  return element_text(decode_tensor(kind, {}, bytes), 0, scope);
}

// ---- diff ----

void show_difference(CommandContext& in, const TensorDifference& one) {
  const std::string head =
      one.name + " " + std::string(spelling(one.kind)) + (one.shape.empty() ? "" : index_text(one.shape)) + ": ";
  std::string text =
      one.different == 0 && one.pending == 0
          ? "all " + counted(one.elements, "element") + " are " + one.reference
          : std::to_string(one.different) + " of " + counted(one.elements, "element") + " differ from " + one.reference;
  if (one.different != 0)
    text += (one.largest_ulp == std::numeric_limits<std::int64_t>::max() ? ", one is " : ", at most by ") +
            distance_text(one.kind, one.largest_absolute, one.largest_ulp);
  if (one.pending != 0)
    text += "; " + std::to_string(one.pending) + (one.pending == 1 ? " is" : " are") + " as the launch found " +
            (one.pending == 1 ? "it" : "them");
  in.screen.line(head + (one.different != 0 ? in.screen.ink(Ink::yellow, text) : text));
  for (const DifferentElement& element : one.first) {
    const std::string name = one.shape.empty() ? one.name : one.name + index_text(index_of(element.element, one.shape));
    in.screen.line("  " + name + " is " + bits_text(one.kind, element.now, in.session.scope()) + ", reference " +
                   bits_text(one.kind, element.reference, in.session.scope()) + " (" +
                   distance_text(one.kind, element.absolute, element.ulp) + ")");
  }
  if (one.different > one.first.size())
    in.screen.line("  ... " + std::to_string(one.different - one.first.size()) + " more");
  std::string_view verdict = one.verdict;
  while (!verdict.empty()) {
    const std::size_t end = std::min(verdict.find('\n'), verdict.size());
    in.screen.line("  " + (one.is_refuted ? in.screen.ink(Ink::red, verdict.substr(0, end))
                                          : std::string(verdict.substr(0, end))));
    verdict.remove_prefix(std::min(end + 1, verdict.size()));
  }
}

Done do_diff(CommandContext& in, std::string_view words) {
  const auto report = compare_outputs(in.session, words);
  if (!report) return Unexpected{report.error()};
  const std::uint64_t unfinished = unfinished_programs(in.session);
  if (unfinished != 0)
    in.screen.line(std::to_string(unfinished) + " of " + counted(in.session.engine().program_count(), "program") +
                   (unfinished == 1 ? " has" : " have") + " not ended");
  if (!report->remark.empty()) in.screen.line(in.screen.ink(Ink::yellow, report->remark));
  for (const TensorDifference& one : report->tensors) show_difference(in, one);
  if (report->tensors.empty()) in.screen.line("nothing differs");
  return {};
}

// ---- bisect ----

/// The point of an op that has just run: the last one, if there are several.
const Point* point_behind(const Engine& engine, const ir::Op& op) {
  const Point* found = nullptr;
  for (const Point& point : engine.kernel().points()) {
    if (point.op != &op) continue;
    const bool is_before = engine.point() != nullptr && point.number + 1 == engine.point()->number;
    if (found == nullptr || is_before) found = &point;
  }
  return found;
}

/// Row-major number; nullopt: not an element of the shape.
std::optional<std::int64_t> flat_lane(const std::vector<std::int64_t>& lane, const std::vector<std::int64_t>& shape) {
  if (lane.size() != shape.size()) return std::nullopt;
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < lane.size(); ++d) {
    if (lane[d] < 0 || lane[d] >= shape[d]) return std::nullopt;
    flat = flat * shape[d] + lane[d];
  }
  return flat;
}

/// The lanes of each operand that lane `lane` of the op's result (for memory ops: of the tile) needs.
std::vector<LaneSet> lanes_needed(const ir::Op& op, std::int64_t lane, const LaneValue& value) {
  std::vector<LaneSet> needs(op.operand_count());
  if (interpreter::touches_memory(op)) {
    for (std::size_t i = 0; i < needs.size(); ++i) {
      const std::int64_t count = lane_count(op.operand(i)->type());
      if (lane < count || count == 1) needs[i].add(count == 1 ? 0 : lane, count);
    }
    return needs;
  }
  LaneSet wanted;
  wanted.add(lane, lane_count(op.result(0)->type()));
  find_needs(op, 0, wanted, value, needs);
  return needs;
}

Tensor operand_tensor(const Engine& engine, const ir::Value& value, std::uint32_t activation) {
  Datum datum = read(engine, engine.kernel().slot_of(value, activation));
  return decode_tensor(datum.kind, datum.shape, datum.bytes, datum.provenance);
}

/// "%9[3] = 2048" of one lane, "%9, 64 lanes of it = f32[64] min ..." of several. Floats have nine digits, so that a
/// rounding is visible.
std::string lanes_text(const Tensor& tensor, const LaneSet& lanes, const std::string& name, const Scope& scope) {
  if (lanes.count() == tensor.count() && tensor.count() > 1) return name + " = " + brief_text(tensor, scope);
  if (lanes.count() == 1) {
    const auto element = static_cast<std::size_t>(lanes.first());
    char digits[32];
    const bool is_number = tensor.is_floating() && std::isfinite(tensor.floats[element]);
    if (is_number) std::snprintf(digits, sizeof digits, "%.9g", tensor.floats[element]);
    const std::string text = is_number ? digits : element_text(tensor, element, scope);
    return name + (tensor.shape.empty() ? "" : index_text(index_of(lanes.first(), tensor.shape))) + " = " + text;
  }
  Tensor part = Tensor::like(tensor.elements, tensor.kind, {lanes.count()});
  part.provenance = tensor.provenance;
  lanes.for_each([&](std::int64_t lane) {
    const auto i = static_cast<std::size_t>(lane);
    tensor.is_floating() ? part.floats.push_back(tensor.floats[i]) : part.integers.push_back(tensor.integers[i]);
  });
  return name + ", " + counted(static_cast<std::uint64_t>(lanes.count()), "lane") +
         " of it: " + brief_text(part, scope);
}

/// The op's line is text of the IR, not Python.
bool is_of_text(const ir::Op& op) { return ir::shown_name(op) == op.spelling(); }

/// What a person calls a value that `op` uses or makes: "acc"; of a value without a name its part in an access ("mask"),
/// "result", or what made it ("tl.load").
std::string part_name(const Engine& engine, const ir::Op& op, const ir::Value& value) {
  if (op.result_count() != 0 && value.defining_op() == &op) return "result";
  if (has_python_name(value) && !engine.kernel().definitions().intermediates.contains(&value)) return name_of(value);
  if (interpreter::touches_memory(op)) {
    if (&value == op.operand(0)) return "pointer";
    if (&value == interpreter::access_mask(op)) return "mask";
    if (&value == &interpreter::moved_value(op)) return "value";
  }
  const ir::Op* made = value.defining_op();
  if (made == nullptr) return name_of(value);
  const bool passes_on = ir::is_implied(*made) && made->operand_count() == 1;
  return passes_on ? part_name(engine, op, *made->operand(0)) : ir::shown_name(*made);
}

/// Operands and results of the op that has just run, as far as the lane needs them.
void show_operands(CommandContext& in, const Culprit& culprit, const Point& point) {
  const Engine& engine = in.session.engine();
  const ir::Op& op = *culprit.op;
  const ir::ValueNames names(*engine.kernel().activations()[point.activation].function, false, false);
  const auto name_in = [&](const ir::Value& value) {
    return is_of_text(op) ? names.value(&value) : part_name(engine, op, value);
  };
  std::vector<std::string> shown;
  const auto show = [&](const ir::Value& value, const LaneSet& lanes) {
    if (!lanes.any() || engine.kernel().slot_of(value, point.activation) == interpreter::kNoSlot) return;
    const Tensor tensor = operand_tensor(engine, value, point.activation);
    const std::string text = lanes_text(tensor, lanes, name_in(value), in.session.scope());
    if (std::find(shown.begin(), shown.end(), text) != shown.end()) return;
    shown.push_back(text);
    in.screen.line("         " + in.screen.cut(text, 9));
  };
  const ir::Type tile = op.result_count() != 0 ? op.result(0)->type() : op.operand(0)->type();
  const auto lane = flat_lane(culprit.lane, tile.is_tensor() ? tile.shape() : std::vector<std::int64_t>{});
  if (!lane) {  // of no lane in particular
    std::vector<const ir::Value*> all(op.operands().begin(), op.operands().end());
    for (std::size_t i = 0; i < op.result_count(); ++i) all.push_back(op.result(i));
    for (const ir::Value* one : all) {
      LaneSet every;
      every.add_all(lane_count(one->type()));
      show(*one, every);
    }
    return;
  }
  const LaneValue value = [&](std::size_t operand, std::int64_t at) {
    const Tensor tensor = operand_tensor(engine, *op.operand(operand), point.activation);
    return tensor.integers[static_cast<std::size_t>(at)];
  };
  const std::vector<LaneSet> needs = lanes_needed(op, *lane, value);
  for (std::size_t i = 0; i < needs.size(); ++i) show(*op.operand(i), needs[i]);
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    LaneSet one;
    if (*lane < lane_count(op.result(i)->type())) one.add(*lane, lane_count(op.result(i)->type()));
    show(*op.result(i), one);
  }
}

void show_culprit(CommandContext& in, const Culprit& culprit) {
  for (const std::string& line : culprit.lines) in.screen.line(line);
  if (culprit.op == nullptr) return;
  const Engine& engine = in.session.engine();
  const Point* point = point_behind(engine, *culprit.op);
  if (point == nullptr) return;
  const std::string name = is_of_text(*culprit.op) ? "this op" : ir::shown_name(*culprit.op) + " (" + place_text(point->place()) + ")";
  in.screen.line("after execution " + std::to_string(culprit.execution) + " of " + name + " in program " +
                 program_text(engine.program_id(culprit.program)));
  if (is_of_text(*culprit.op)) show_op(in, point->number, false);
  if (engine.point() != nullptr) show_operands(in, culprit, *point);
}

Done do_bisect(CommandContext& in, std::string_view words) {
  const auto culprit = find_culprit(in.session, words);
  if (!culprit) return Unexpected{culprit.error()};
  show_culprit(in, *culprit);
  if (culprit->op != nullptr) show_halt(in);
  return {};
}

}  // namespace

CommandRows compare_commands() {
  static constexpr Command kRows[] = {
      {"diff", "", "diff [NAME | FILE.capsule]",
       "compare memory now with the recording, --expect, or another recorded launch", CommandGroup::looking,
       do_diff},
      {"bisect", "", "bisect [OUT[I,J]]", "go to just after the op that made an element of a result wrong",
       CommandGroup::looking, do_bisect},
  };
  return kRows;
}

}  // namespace lockstep::debugger
