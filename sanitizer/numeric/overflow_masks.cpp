// Overflow in masks (LS509), the other half of OverflowChecker: a comparison of a number that wrapped decides lanes of
// an access otherwise than the true number would have. MaskBits of masks are followed with what they should be through and,
// or, xor, selections and copies.
#include "interpreter/access/access_lanes.h"
#include "interpreter/launch/name_op.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/text/python_name.h"
#include "sanitizer/core/value_checkers.h"
#include "sanitizer/lanes/lane_values.h"
#include "sanitizer/memory/mask_chain.h"
#include "sanitizer/numeric/overflow_lanes.h"

namespace lockstep::sanitizer {

namespace {

/// Lanes of an operand: the actual and the correct bits.
class MaskBits {
 public:
  MaskBits(Execution& run, const ir::Value& value)
      : run_(run), value_(value), state_(run.state_as<DecidedLanes>(value)), is_one_(run.count(value) == 1) {}
  bool has_state() const { return state_ != nullptr; }
  bool actual(std::size_t lane) const { return (run_.bits(value_, is_one_ ? 0 : signed_of(lane)) & 1) != 0; }
  bool exact(std::size_t lane) const { return state_ == nullptr ? actual(lane) : state_->exact[at(lane)] != 0; }
  std::uint32_t origin(std::size_t lane) const { return state_ == nullptr ? 0 : state_->origin[at(lane)]; }

 private:
  std::size_t at(std::size_t lane) const { return is_one_ ? 0 : lane; }
  static std::int64_t signed_of(std::size_t lane) { return static_cast<std::int64_t>(lane); }

  Execution& run_;
  const ir::Value& value_;
  const DecidedLanes* state_;
  bool is_one_;
};

bool combined(ir::Arithmetic what, bool a, bool b) {
  if (what == ir::Arithmetic::conjunction) return a && b;
  return what == ir::Arithmetic::disjunction ? a || b : a != b;
}

}  // namespace

void OverflowChecker::follow_bits(Execution& run) {
  const ir::Op& op = run.op();
  if (ir::is_integer_comparison(op)) return compare(run);
  if (!is_wrapping_op(op) && op.operand_count() != 0) combine(run);
}

void OverflowChecker::compare(Execution& run) {
  const ir::Op& op = run.op();
  const ir::Value &left = *op.operand(0), &right = *op.operand(1);
  if (run.kind(left) == ScalarKind::i1) return;
  const auto* a = run.state_as<ExactLanes>(left);
  const auto* b = run.state_as<ExactLanes>(right);
  if (a == nullptr && b == nullptr) return;
  const std::vector<std::int64_t> lefts = read_integers(run, left), rights = read_integers(run, right);
  auto made = std::make_shared<DecidedLanes>();
  made->exact.resize(lefts.size());
  made->origin.resize(lefts.size());
  for (std::size_t i = 0; i < lefts.size(); ++i) {
    const bool exact =
        compare_signed(op, a != nullptr ? a->exact[i] : lefts[i], b != nullptr ? b->exact[i] : rights[i]);
    made->exact[i] = exact ? 1 : 0;
    if (exact == compare_signed(op, lefts[i], rights[i])) continue;
    made->origin[i] = a != nullptr && a->origin[i] != 0 ? a->origin[i] : b != nullptr ? b->origin[i] : 0;
  }
  run.state(*op.result()) = std::move(made);
}

/// And, or, xor, selections and copies of bits.
void OverflowChecker::combine(Execution& run) {
  const ir::Op& op = run.op();
  const ir::Arithmetic what = op.def().arithmetic;
  std::vector<MaskBits> operands;
  bool any = false;
  for (const ir::Value* operand : op.operands()) {
    if (run.kind(*operand) != ScalarKind::i1) return;
    operands.emplace_back(run, *operand);
    any |= operands.back().has_state();
  }
  if (!any) return;
  auto made = std::make_shared<DecidedLanes>();
  const auto count = static_cast<std::size_t>(op.result()->type().element_count());
  made->exact.resize(count);
  made->origin.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    bool exact = false, actual = false;
    std::uint32_t origin = 0;
    if (ir::moves_lanes(op)) {
      const auto source = ir::lane_source(op, 0, static_cast<std::int64_t>(i));
      const MaskBits& from = operands[source.operand];
      const auto lane = static_cast<std::size_t>(source.lane);
      exact = from.exact(lane), actual = from.actual(lane), origin = from.origin(lane);
    } else {
      for (const MaskBits& one : operands) origin = origin != 0 ? origin : one.origin(i);
      if (ir::is_selection(op)) {
        exact = operands[operands[0].exact(i) ? 1 : 2].exact(i);
        actual = operands[operands[0].actual(i) ? 1 : 2].actual(i);
      } else {
        exact = combined(what, operands[0].exact(i), operands[1].exact(i));
        actual = combined(what, operands[0].actual(i), operands[1].actual(i));
      }
    }
    made->exact[i] = exact ? 1 : 0;
    made->origin[i] = exact != actual ? origin : 0;
  }
  run.state(*op.result()) = std::move(made);
}

/// Lanes of the access whose mask depends on a wrapped number; lanes whose address also wrapped belong to LS501.
void OverflowChecker::look_at_mask(Execution& run) {
  const ir::Value* mask = interpreter::access_mask(run.op());
  if (mask == nullptr) return;
  const auto* decided = run.state_as<DecidedLanes>(*mask);
  if (decided == nullptr) return;
  const auto* moved = run.state_as<MovedLanes>(*run.op().operand(0));
  const auto count = static_cast<std::size_t>(run.count(*run.op().operand(0)));
  const bool is_one = decided->origin.size() == 1;
  std::uint64_t on = 0, off = 0;
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = is_one ? 0 : i;
    if (decided->origin[at] == 0) continue;
    const bool is_on = decided->exact[at] == 0;
    if (is_on && moved != nullptr && moved->origin[i] != 0) continue;
    if (first == 0) first = decided->origin[at];
    ++(is_on ? on : off);
  }
  if (first != 0) report_mask(run, origins_[first - 1], on, off);
}

void OverflowChecker::report_mask(Execution& run, const Origin& origin, std::uint64_t on, std::uint64_t off) {
  const auto lanes = [](std::uint64_t count) { return std::to_string(count) + (count == 1 ? " lane" : " lanes"); };
  const std::string access(interpreter::name_of(*interpreter::touch_kind(run.op())));
  std::string text = std::string(spelling(origin.kind)) + " overflow in a mask: " +
                     equation_text(*origin.op, origin.lane) + ", which switches ";
  if (off != 0) text += lanes(off) + " of the " + access + " off";
  if (on != 0) text += (off != 0 ? " and " : "") + lanes(on) + (off != 0 ? "" : " of the " + access) + " on";
  Finding finding = run.finding(FindingCode::LS509, std::move(text));
  interpreter::name_op(finding, *origin.op);
  if (!origin.location.is_unknown()) {
    finding.notes.push_back(
        {"the wrapped number decides the mask of this " + ir::shown_name(run.op()), run.location()});
    finding.location = origin.location;
  }
  finding.lane = origin.position;
  finding.count = on + off;
  finding.hint = widening_hint(origin);
  run.report(std::move(finding));
}

std::string OverflowChecker::widening_hint(const Origin& origin) {
  if (origin.kind == ScalarKind::i64) return "not even 64 bits hold this number";
  const Location place = origin.location.innermost_file();
  return "convert an operand" + (place.is_unknown() ? std::string() : " on line " + std::to_string(place->line)) +
         " with .to(tl.int64) before this";
}

}  // namespace lockstep::sanitizer
