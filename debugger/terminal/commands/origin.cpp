// `origin`: where a NaN or an infinity comes from, as text.
#include <algorithm>
#include <set>
#include <tuple>

#include "debugger/expression/show.h"
#include "debugger/queries/nan_origin.h"
#include "debugger/session/break_locations.h"
#include "debugger/session/overview.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/memory_text.h"
#include "interpreter/access/storage_copy.h"
#include "ir/op_def.h"
#include "ir/text/python_name.h"
#include "support/float_formats.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kMostNanOriginLines = 40;

std::string nan_origin_text(const Number& number, const Scope& scope) {
  const std::string bytes(reinterpret_cast<const char*>(&number.bits),
                          static_cast<std::size_t>(size_bytes(number.kind)));
  return element_text(decode_tensor(number.kind, {}, bytes), 0, scope);
}

std::string double_text(double value, const Scope& scope) { return element_text(Tensor::of(value), 0, scope); }

/// "0.5", "128 lanes of -3. .. 7., 2 of them not finite".
std::string operand_text(const NanOriginOperand& operand, const Scope& scope) {
  if (operand.lanes == 1) return nan_origin_text(operand.first, scope);
  std::string text = std::to_string(operand.lanes) + " lanes";
  if (operand.least <= operand.greatest)
    text += " " + double_text(operand.least, scope) + " .. " + double_text(operand.greatest, scope);
  if (operand.special > 0) text += ", " + std::to_string(operand.special) + " not finite";
  return text;
}

/// "tl.exp(200.5)", "-inf - (-inf)"; of what only moves it "tl.load".
std::string op_text(const NanOriginStep& step, const Scope& scope) {
  const std::string text = ir::shown_name(*step.point->op);
  const bool is_off = step.address == 0 && interpreter::touches_memory(*step.point->op);
  if (step.is_move) return is_off ? text + " (this lane is off)" : text;
  if (text.front() == '`' && step.operands.size() == 2) {
    const std::string right = operand_text(step.operands[1], scope);
    return operand_text(step.operands[0], scope) + " " + text.substr(1, text.size() - 2) + " " +
           (right.front() == '-' ? "(" + right + ")" : right);
  }
  std::string operands;
  for (const NanOriginOperand& operand : step.operands)
    operands += (operands.empty() ? "" : ", ") + operand_text(operand, scope);
  return text + "(" + operands + ")";
}

/// NaN, inf, -inf: a chain seldom changes from one to another.
int class_of_special(const Number& number) {
  const double value = decode_float(number.kind, number.bits);
  return value != value ? 0 : value > 0 ? 1 : 2;
}

/// The shape of the tile of a step's lane.
std::vector<std::int64_t> shape_of_step(const NanOriginStep& step) {
  const ir::Op& op = *step.point->op;
  const ir::Value* value = op.result_count() > 0 ? op.result(0) : nullptr;
  if (interpreter::touches_memory(op)) value = &interpreter::moved_value(op);
  return value != nullptr && value->type().is_tensor() ? value->type().shape() : std::vector<std::int64_t>{};
}

std::string nan_origin_step_text(CommandContext& in, const NanOriginStep& step) {
  std::string text = place_text(step.point->place()) + "  " + op_text(step, in.session.scope());
  if (step.address != 0) text += (step.is_move ? "  " : " ") + element_text_at(in.session, step.address);
  text += " = " + nan_origin_text(step.value, in.session.scope());
  const std::vector<std::int64_t> shape = shape_of_step(step);
  if (!shape.empty()) text += "  lane " + index_text(index_of(step.lane, shape));
  for (const std::int64_t iteration : step.iterations)
    text += iteration < 0 ? "" : ", the " + ordinal_text(static_cast<std::uint64_t>(iteration) + 1) + " iteration";
  return text;
}

/// The first step's source, if there is a step.
std::string origin_text(CommandContext& in, const NanOrigin& nan_origin) {
  const ir::Block& entry = in.session.engine().kernel().function().region().front();
  switch (nan_origin.origin) {
    case NanOrigin::Origin::op: return "first appears here, from finite operands";
    case NanOrigin::Origin::memory:
      return "it was in " + element_text_at(in.session, nan_origin.input.begin) + " before the launch";
    case NanOrigin::Origin::scalar: return "it is the argument " + name_of(*entry.argument(nan_origin.scalar));
    case NanOrigin::Origin::constant: return "it is a constant in the kernel's text";
    case NanOrigin::Origin::padding: return "it pads what lies outside of the block's shape";
    case NanOrigin::Origin::undefined:
      return "undefined: a lane that the load left out (off without `other`, or out of bounds)";
    case NanOrigin::Origin::unknown: break;
  }
  return "no op made it: it was set by hand";
}

void show_nan_origin(CommandContext& in, const NanOrigin& nan_origin) {
  const std::string origin = origin_text(in, nan_origin);
  const bool is_born_here = nan_origin.origin == NanOrigin::Origin::op && !nan_origin.steps.empty();
  if (!is_born_here) in.screen.line(in.screen.ink(Ink::red, origin));
  std::set<std::tuple<std::uint64_t, std::uint32_t, int>> known;
  std::size_t shown = 0, repeats = 0;
  const NanOriginStep *before = nullptr, *last = nullptr;
  const auto show_repeats = [&] {
    if (repeats == 0) return;
    std::string text =
        "  ... " + std::to_string(repeats) + (repeats == 1 ? " more step" : " more steps") + " like these";
    if (!last->iterations.empty() && last->iterations.back() >= 0)
      text += ", to the " + ordinal_text(static_cast<std::uint64_t>(last->iterations.back()) + 1) + " iteration";
    in.screen.line(text);
    repeats = 0;
  };
  for (const NanOriginStep& step : nan_origin.steps) {
    const bool is_end = &step == &nan_origin.steps.back() || &step == &nan_origin.steps.front();
    if (step.is_move && step.address == 0 && !is_end) continue;
    if (!known.emplace(step.program, step.point->number, class_of_special(step.value)).second) {
      last = &step;
      ++repeats;
      continue;
    }
    show_repeats();
    if (++shown > kMostNanOriginLines) continue;
    if (before == nullptr || before->program != step.program)
      in.screen.line("program " + program_text(in.session.engine().program_id(step.program)));
    before = &step;
    const bool is_nan_origin = is_born_here && &step == &nan_origin.steps.front();
    in.screen.line("  " + (is_nan_origin ? in.screen.ink(Ink::red, nan_origin_step_text(in, step) + ": " + origin)
                                    : nan_origin_step_text(in, step)));
  }
  show_repeats();
  if (shown > kMostNanOriginLines) in.screen.line("  ... " + std::to_string(shown - kMostNanOriginLines) + " more");
  if (nan_origin.is_truncated)
    in.screen.line("  (only the latest and the first steps were kept, " + std::to_string(kMostNanOriginSteps) +
                   " in all)");
}

/// Elements of a target, one by one, and which of them are special.
struct Specials {
  std::size_t first = 0, count = 0, all = 0;
  Number number;  // of the first
};

Specials find_specials(const Datum& datum, const std::vector<std::int64_t>& elements) {
  Specials found;
  const auto width = static_cast<std::size_t>(size_bytes(datum.kind));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Number number{datum.kind, 0};
    const auto at = datum.count() == 1 ? 0 : static_cast<std::size_t>(elements[i]);
    datum.bytes.copy(reinterpret_cast<char*>(&number.bits), width, at * width);
    ++found.all;
    if (!is_special(number) || found.count++ != 0) continue;
    found.first = i;
    found.number = number;
  }
  if (found.count == 0 && !elements.empty())
    datum.bytes.copy(reinterpret_cast<char*>(&found.number.bits), width, static_cast<std::size_t>(elements[0]) * width);
  found.number.kind = datum.kind;
  return found;
}

Unexpected<Problem> no_floats(const std::string& name) {
  return Unexpected{Problem{"'" + name + "' holds no floats: nothing of it is NaN or infinite", ""}};
}

/// "acc[0,3] is nan (the first of 12 that are not finite)"; false: all are finite, and this was printed.
bool say_special(CommandContext& in, const std::string& place, const std::string& element, std::size_t count,
                 std::size_t all, const Number& number) {
  const std::string value = nan_origin_text(number, in.session.scope());
  if (count == 0) {
    in.screen.line(all == 1 ? element + " is " + value + ", a finite number"
                            : "no element of " + place + " is NaN or infinite");
    return false;
  }
  in.screen.line(element + " is " + value +
                 (count > 1 ? " (the first of " + std::to_string(count) + " that are not finite)" : ""));
  return true;
}

Done born_in_variable(CommandContext& in, const Target& target) {
  const Frame frame = in.session.frame();
  const auto variable =
      target.variable.starts_with('%') ? frame.find_ssa(target.variable) : frame.find(target.variable);
  if (!variable) return Unexpected{Problem{"'" + target.variable + "' has no value that can be followed", ""}};
  const Datum datum = read(in.session.engine(), variable->slot);
  if (!is_float(datum.kind) || datum.provenance >= 0) return no_floats(target.text);
  const Specials found = find_specials(datum, target.elements);
  if (found.all == 0) return Unexpected{Problem{"'" + target.text + "' has no elements", ""}};
  const std::int64_t lane = target.elements[found.first];
  const std::string element =
      datum.shape.empty() ? target.variable : target.variable + index_text(index_of(lane, datum.shape));
  if (!say_special(in, target.text, element, found.count, found.all, found.number)) return {};
  const auto nan_origin = find_nan_origin(in.session.engine(), variable->slot, lane, found.number);
  if (!nan_origin) return Unexpected{nan_origin.error()};
  show_nan_origin(in, *nan_origin);
  return {};
}

Done born_in_memory(CommandContext& in, const Target& target) {
  if (!is_float(target.window.kind)) return no_floats(target.text);
  const auto tensor = tensor_of(Value(target.window), in.session.scope());
  if (!tensor) return Unexpected{Problem{tensor.error(), "origin out[17,:]"}};
  Specials found{0, 0, static_cast<std::size_t>(tensor->count()), {target.window.kind, 0}};
  if (found.all == 0) return Unexpected{Problem{"'" + target.text + "' has no elements", ""}};
  for (std::size_t i = found.all; i-- > 0;) {
    const Number number{target.window.kind, tensor->bits_of(i)};
    if (!is_special(number)) continue;
    ++found.count;
    found.first = i;
  }
  found.number.bits = tensor->bits_of(found.first);
  std::uint64_t address = target.window.base;
  const auto index = index_of(static_cast<std::int64_t>(found.first), target.window.shape);
  const auto width = static_cast<std::uint64_t>(size_bytes(target.window.kind));
  for (std::size_t d = 0; d < index.size(); ++d)
    address += static_cast<std::uint64_t>(index[d] * target.window.strides[d]) * width;
  if (!say_special(in, target.text, element_text_at(in.session, address), found.count, found.all, found.number))
    return {};
  const auto nan_origin = find_nan_origin(in.session.engine(), {address, address + width}, found.number);
  if (!nan_origin) return Unexpected{nan_origin.error()};
  show_nan_origin(in, *nan_origin);
  return {};
}

Done do_origin(CommandContext& in, std::string_view words) {
  if (words.empty()) return Unexpected{Problem{"origin what?", "origin acc[0,0], origin out"}};
  const auto expression = parse_expression(words);
  if (!expression) return Unexpected{Problem{expression.error().message, ""}};
  const auto target = resolve_target(*expression, in.session.scope());
  if (!target) return Unexpected{Problem{target.error().message, "origin acc[0,0], origin out"}};
  return target->is_memory ? born_in_memory(in, *target) : born_in_variable(in, *target);
}

}  // namespace

CommandRows origin_commands() {
  static constexpr Command kRows[] = {
      {"origin", "born", "origin PLACE", "where a NaN or an infinity comes from: origin acc[0,0], origin out[17,3], origin out",
       CommandGroup::looking, do_origin},
  };
  return kRows;
}

}  // namespace lockstep::debugger
