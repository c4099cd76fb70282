// Commands about the launch as a whole: compared with a reference, searched for the op at fault, counted.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "debugger/expression/show.h"
#include "debugger/questions/lane_needs.h"
#include "debugger/session/brief.h"
#include "debugger/session/line_cost.h"
#include "debugger/session/overview.h"
#include "debugger/terminal/terminal.h"
#include "ir/text/print_names.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kMostOutputLines = 20;  // of `cost`

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string rough(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// "1.25 M", "512 ": three digits and a prefix.
std::string scaled(double value) {
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (value >= 999.5 && prefix + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++prefix;
  }
  return rough(value) + " " + kPrefixes[prefix];
}

std::string percent(double share) { return std::to_string(std::lround(100 * share)) + "%"; }

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

}  // namespace

// ---- diff ----

void Terminal::show_difference(const TensorDifference& one) {
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
  screen_.line(head + (one.different != 0 ? screen_.ink(Ink::yellow, text) : text));
  for (const DifferentElement& element : one.first) {
    const std::string name = one.shape.empty() ? one.name : one.name + index_text(index_of(element.element, one.shape));
    screen_.line("  " + name + " is " + bits_text(one.kind, element.now, session_.scope()) + ", reference " +
                 bits_text(one.kind, element.reference, session_.scope()) + " (" +
                 distance_text(one.kind, element.absolute, element.ulp) + ")");
  }
  if (one.different > one.first.size())
    screen_.line("  ... " + std::to_string(one.different - one.first.size()) + " more");
  std::string_view verdict = one.verdict;
  while (!verdict.empty()) {
    const std::size_t end = std::min(verdict.find('\n'), verdict.size());
    screen_.line(
        "  " + (one.is_refuted ? screen_.ink(Ink::red, verdict.substr(0, end)) : std::string(verdict.substr(0, end))));
    verdict.remove_prefix(std::min(end + 1, verdict.size()));
  }
}

Terminal::Done Terminal::do_diff(Words words) {
  const auto report = session_.diff(words);
  if (!report) return Unexpected{report.error()};
  const std::uint64_t unfinished = session_.unfinished();
  if (unfinished != 0)
    screen_.line(std::to_string(unfinished) + " of " + counted(session_.engine().program_count(), "program") +
                 (unfinished == 1 ? " has" : " have") + " not ended");
  if (!report->remark.empty()) screen_.line(screen_.ink(Ink::yellow, report->remark));
  for (const TensorDifference& one : report->tensors) show_difference(one);
  if (report->tensors.empty()) screen_.line("nothing differs");
  return std::monostate{};
}

// ---- bisect ----

namespace {

/// The point of an op that was just run: the one before where it stands, where there are several.
const Point* point_behind(const Engine& engine, const ir::Op& op) {
  const Point* found = nullptr;
  for (const Point& point : engine.kernel().points()) {
    if (point.op != &op) continue;
    const bool is_before = engine.point() != nullptr && point.number + 1 == engine.point()->number;
    if (found == nullptr || is_before) found = &point;
  }
  return found;
}

/// Row-major number; nullopt: no element of the shape.
std::optional<std::int64_t> flat_lane(const std::vector<std::int64_t>& lane, const std::vector<std::int64_t>& shape) {
  if (lane.size() != shape.size()) return std::nullopt;
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < lane.size(); ++d) {
    if (lane[d] < 0 || lane[d] >= shape[d]) return std::nullopt;
    flat = flat * shape[d] + lane[d];
  }
  return flat;
}

/// What lane `lane` of the op's result (of memory ops: of the tile) needs of each operand.
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

/// "%9[3] = 2048" of one lane, "%9, 64 lanes of it = f32[64] min ..." of several. Floats with nine digits, so that what
/// a rounding took away shows.
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

}  // namespace

/// Operands and results of the op that was just run, as far as the lane needs them.
void Terminal::show_operands(const Culprit& culprit, const Point& point) {
  const Engine& engine = session_.engine();
  const ir::Op& op = *culprit.op;
  const ir::ValueNames names(*engine.kernel().activations()[point.activation].function, false, false);
  std::vector<std::string> shown;
  const auto show = [&](const ir::Value& value, const LaneSet& lanes) {
    if (!lanes.any() || engine.kernel().slot_of(value, point.activation) == interpreter::kNoSlot) return;
    const Tensor tensor = operand_tensor(engine, value, point.activation);
    const std::string text = lanes_text(tensor, lanes, names.value(&value), session_.scope());
    if (std::find(shown.begin(), shown.end(), text) != shown.end()) return;
    shown.push_back(text);
    screen_.line("         " + screen_.cut(text, 9));
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

void Terminal::show_culprit(const Culprit& culprit) {
  for (const std::string& line : culprit.lines) screen_.line(line);
  if (culprit.op == nullptr) return;
  const Engine& engine = session_.engine();
  const Point* point = point_behind(engine, *culprit.op);
  if (point == nullptr) return;
  screen_.line("behind execution " + std::to_string(culprit.execution) + " of this op in program " +
               program_text(engine.program_id(culprit.program)));
  show_op(point->number, false);
  if (engine.point() != nullptr) show_operands(culprit, *point);
}

Terminal::Done Terminal::do_bisect(Words words) {
  const auto culprit = session_.bisect(words);
  if (!culprit) return Unexpected{culprit.error()};
  show_culprit(*culprit);
  if (culprit->op != nullptr) show_halt();
  return std::monostate{};
}

// ---- what it costs ----

Terminal::Done Terminal::do_lint(Words words) {
  if (!words.empty()) return Unexpected{Problem{"lint takes no words", "`cost` and `roofline` take a GPU"}};
  const auto report = session_.lint();
  if (!report) return Unexpected{report.error()};
  for (const Finding& finding : report->findings()) screen_.put(render_text(finding, screen_.has_color()));
  if (report->findings().empty()) screen_.line("nothing to say: `cost` counts");
  return std::monostate{};
}

namespace {

std::string cost_text(const LineCost& line, double all_seconds) {
  const double used =
      static_cast<double>(line.bytes) / static_cast<double>(std::max<std::uint64_t>(1, 32 * line.sectors));
  return padded(all_seconds > 0 ? percent(line.seconds / all_seconds) : "", 5) +
         padded(line.sectors == 0 ? "" : std::to_string(line.sectors), 10) +
         padded(line.sectors == 0 ? "" : scaled(static_cast<double>(line.bytes)) + "B", 10) +
         padded(line.sectors == 0 ? "" : percent(used), 6) + padded(line.flops == 0 ? "" : scaled(line.flops), 9) +
         padded(std::to_string(line.executions), 8);
}

}  // namespace

Terminal::Done Terminal::do_cost(Words words) {
  const auto cost = session_.cost(words);
  if (!cost) return Unexpected{cost.error()};
  std::vector<LineCost> lines = costs_by_line(*cost, session_.engine().kernel());
  std::stable_sort(lines.begin(), lines.end(), [](const LineCost& a, const LineCost& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.executions > b.executions;
  });
  LineCost all, rest;
  std::size_t shown = 0;
  for (const LineCost& line : lines) {
    all.add(line);
    if (line.seconds > 0 && shown < kMostOutputLines) ++shown;
  }
  for (std::size_t i = shown; i < lines.size(); ++i) rest.add(lines[i]);
  const auto row = [&](const LineCost& line, const std::string& where) {
    screen_.line(screen_.cut(cost_text(line, all.seconds) + "  " + where));
  };
  screen_.line(screen_.ink(Ink::strong, " time   sectors     bytes  used     flop     ops  line"));
  for (std::size_t i = 0; i < shown; ++i) {
    const Place& place = lines[i].place;
    const std::string text = session_.listing().line(place);
    const std::string_view code = trimmed(text);
    row(lines[i],
        (place.is_known() ? place_text(place) : "no line is known") + (code.empty() ? "" : "  ") + std::string(code));
  }
  if (shown < lines.size()) row(rest, counted(lines.size() - shown, shown == 0 ? "line" : "other line"));
  row(all, "all");
  screen_.line("time: of what sectors and flops take at the rates of " + cost->gpu +
               "'s data sheet, one after the other");
  return std::monostate{};
}

Terminal::Done Terminal::do_roofline(Words words) {
  const auto cost = session_.cost(words);
  if (!cost) return Unexpected{cost.error()};
  screen_.line(cost->roofline);
  return std::monostate{};
}

}  // namespace lockstep::debugger
