#include "debugger/engine/points.h"

#include <algorithm>

#include "debugger/engine/definitions.h"
#include "interpreter/plan/plan_builder.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::debugger {

using interpreter::PlanBuilder;
using interpreter::Slot;

namespace {

bool is_statement(const ir::Op& op) { return !op.def().is_terminator && !ir::is_constant(op); }

bool is_write(interpreter::TouchKind kind) { return kind != interpreter::TouchKind::load; }

}  // namespace

/// Follows the planning of a kernel.
class PointCollector {
 public:
  explicit PointCollector(DebugKernel& kernel) : kernel_(kernel) {
    kernel_.activations_.push_back({&kernel.function_, -1, 0, {}});
  }

  void instrument(PlanBuilder& builder) {
    builder.instrument([this, &builder](const ir::Op& op) { return before(builder, op); },
                      [this, &builder](const ir::Op& op) { after(builder, op); });
  }
  /// For a complete plan, whose points no longer move.
  void settle() {
    place_strays();
    find_definitions_of_points();
    for (const auto& [record, number] : records_) *record = &kernel_.points_[number];
  }

 private:
  /// In a text other than the IR, which an op that a pass made has no span of.
  bool has_line(const Point& point) const {
    const Location place = point.op->location().innermost_file();
    const SourceFilePtr& own = point.op->span().file;
    const SourceFilePtr& text = own != nullptr ? own : kernel_.function_.span().file;
    return !place.is_unknown() && (text == nullptr || place->text != text->path());
  }

  /// Ops of passes have no line where the others have one: they take the line of the next op, or of the last one. So do
  /// constants at the beginning, which passes moved there.
  void place_strays() {
    std::vector<Point>& points = kernel_.points_;
    if (std::none_of(points.begin(), points.end(), [this](const Point& one) { return has_line(one); })) return;
    const auto first = std::find_if(points.begin(), points.end(), [](const Point& one) { return one.is_statement; });
    const auto take_from = [](Point& stray, const Point* other) {
      if (other != nullptr && other->activation == stray.activation) stray.frames = other->frames;
    };
    const Point* last = nullptr;
    for (Point& point : points) {
      if (!has_line(point)) take_from(point, last);
      if (has_line(point)) last = &point;
    }
    const Point* next = nullptr;
    for (auto point = points.rbegin(); point != points.rend(); ++point) {
      const bool is_stray = !has_line(*point) || point.base() <= first;
      if (is_stray) take_from(*point, next);
      if (!is_stray) next = &*point;
    }
  }

  void find_definitions_of_points() {
    std::unordered_set<const ir::Op*> seen;
    std::vector<const ir::Op*> ops;
    for (const Point& point : kernel_.points_) {
      if (seen.insert(point.op).second) ops.push_back(point.op);
    }
    kernel_.definitions_ = find_definitions(ops);
  }

  bool before(PlanBuilder& builder, const ir::Op& op) {
    if (builder.is_in_sub_region()) return false;
    Point point;
    point.op = &op;
    point.number = static_cast<std::uint32_t>(kernel_.points_.size());
    point.activation = static_cast<std::uint32_t>(current_);
    point.is_statement = is_statement(op);
    for (const ir::Value* operand : op.operands()) note(builder, operand);
    for (const auto& argument : op.block()->arguments()) note(builder, argument.get());
    if (auto lookup = interpreter::touches_memory(op) ? interpreter::plan_lanes(builder, op) : std::nullopt) {
      point.lookup = static_cast<std::int32_t>(kernel_.lookups_.size());
      point.writes = is_write(lookup->kind);
      kernel_.lookups_.push_back(std::move(*lookup));
    }
    interpreter::Step& step = builder.append_bare(&DebugKernel::step_marker, op);
    point.location = builder.plan().sites[step.site].location;
    point.frames = places_of(point.location);
    point.loop_level = loop_level(op);
    const Point** record = builder.record<const Point*>(nullptr);
    step.record = record;
    records_.emplace_back(record, point.number);
    kernel_.points_.push_back(std::move(point));
    if (ir::is_call(op)) enter(op);
    return false;
  }

  /// Nearest loop around within the function; without one, the loop around the call.
  std::size_t loop_level(const ir::Op& op) const {
    for (const ir::Op* around = op.parent_op(); around != nullptr; around = around->parent_op()) {
      if (ir::is_loop(*around)) {
        const std::size_t depth = places_of(around->location()).size() + call_depth();
        return depth == 0 ? 0 : depth - 1;
      }
    }
    const Activation& running = kernel_.activations_[static_cast<std::size_t>(current_)];
    return running.caller < 0 ? 0 : kernel_.points_[running.call_point].loop_level;
  }
  /// User frames that calls around put before an op's own.
  std::size_t call_depth() const {
    const Activation& running = kernel_.activations_[static_cast<std::size_t>(current_)];
    return running.caller < 0 ? 0 : kernel_.points_[running.call_point].frames.size();
  }

  void enter(const ir::Op& call) {
    Activation made;
    made.caller = current_;
    made.call_point = kernel_.points_.back().number;
    made.function = kernel_.module_.find_function(call.attribute("callee")->text);
    current_ = static_cast<std::int32_t>(kernel_.activations_.size());
    kernel_.activations_.push_back(std::move(made));
  }

  void after(PlanBuilder& builder, const ir::Op& op) {
    if (builder.is_in_sub_region()) return;
    if (ir::is_call(op)) current_ = kernel_.activations_[static_cast<std::size_t>(current_)].caller;
    for (std::size_t i = 0; i < op.result_count(); ++i) note(builder, op.result(i));
  }

  void note(PlanBuilder& builder, const ir::Value* value) {
    kernel_.activations_[static_cast<std::size_t>(current_)].slots[value] = builder.slot_of(value);
  }

  DebugKernel& kernel_;
  std::int32_t current_ = 0;
  std::vector<std::pair<const Point**, std::uint32_t>> records_;
};

const interpreter::Step* DebugKernel::step_marker(interpreter::Machine&, const interpreter::Step* step) {
  return step + 1;
}

const Point* DebugKernel::point_of(const interpreter::Step* step) {
  return step->run == &step_marker ? *static_cast<const Point* const*>(step->record) : nullptr;
}

interpreter::Slot DebugKernel::slot_of(const ir::Value& value, std::uint32_t activation) const {
  const auto& slots = activations_[activation].slots;
  const auto found = slots.find(&value);
  return found == slots.end() ? interpreter::kNoSlot : found->second;
}

const std::vector<Variable>& DebugKernel::variables_of(const Point& point, std::size_t level,
                                                       const std::function<std::vector<Variable>()>& find) const {
  constexpr std::size_t kMostKept = 10'000;  // frames
  const std::pair<std::uint32_t, std::size_t> key{point.number, level};
  if (const auto known = variables_.find(key); known != variables_.end()) return known->second;
  std::vector<Variable> found = find();
  if (variables_.size() >= kMostKept) variables_.clear();
  return variables_.insert_or_assign(key, std::move(found)).first->second;
}

std::unique_ptr<DebugKernel> DebugKernel::make(const ir::Module& module, const ir::Op& function,
                                               const TargetProfile& profile, DiagnosticSink& sink) {
  std::unique_ptr<DebugKernel> made(new DebugKernel(module, function, profile));
  PointCollector collector(*made);
  made->kernel_ = interpreter::PreparedKernel::make_kept(module, function, profile, sink,
                                                         [&](PlanBuilder& builder) { collector.instrument(builder); });
  if (made->kernel_ == nullptr) return nullptr;
  collector.settle();
  return made;
}

}  // namespace lockstep::debugger
