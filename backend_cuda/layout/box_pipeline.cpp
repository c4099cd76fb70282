// The pipeline of a loop whose loads are all boxes: one thread starts the copies, barriers in shared memory say which
// buffers are filled and which are free, and no barrier holds all warps together. Where two groups of warps have long
// products, they multiply in turn.
#include "backend_cuda/layout/box_pipeline.h"

#include "backend_cuda/emit/emit_ops.h"
#include "backend_cuda/layout/dot_shape.h"
#include "backend_cuda/layout/persistent.h"
#include "backend_cuda/layout/pipeline.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/passes/passes.h"

namespace lockstep::backend_cuda {
namespace {

constexpr std::int64_t kBarrierBytes = 1024;  // as SharedMemory rounds
// Products of an iteration for each element that the first makes, from which turns pay: below, what happens between the
// two (an exponential, in attention) takes longer than both. Measured on an H200 with 128 and 256.
constexpr std::int64_t kTurnProducts = 256;

std::int64_t products(const ir::Op& dot, const Target& target) {
  const DotShape shape = dot_shape(dot, target);
  return shape.rows * shape.columns * shape.depth;
}

}  // namespace

std::string launch_number_text(EmitContext& context, const LaunchNumber& launch_number, const ir::Block& arguments) {
  std::string text = number(launch_number.factor) + "LL";
  for (const int parameter : launch_number.parameters)
    text += " * " + context.variable(arguments.argument(static_cast<std::size_t>(parameter)), kScalar).name;
  return "((" + text + " + " + number(launch_number.offset) + ") / " + number(launch_number.divisor) + ")";
}

std::string form_text(EmitContext& context, const LinearForm& form, const ir::Value* counter, const std::string& name) {
  std::string text;
  for (const LinearTerm& term : form) {
    text += (text.empty() ? "" : " + ") + number(term.factor);
    for (const ir::Value* parameter : term.parameters) text += " * (int)" + context.variable(parameter, kScalar).name;
    if (term.atom == nullptr) continue;
    text += " * (int)" + (term.atom == counter ? name : context.variable(term.atom, kScalar).name);
  }
  return text.empty() ? "0" : text;
}

bool Pipeline::find_boxes() {
  if (!context_.target().has_maps || context_.target().capability != 90 || flying_ == nullptr) return false;
  const auto step = ir::passes::splat_bits(loop_.operand(2));
  const bool is_counted = loop_.operand(2)->type().scalar_kind() == ScalarKind::i32 && step && *step != 0 && *step < kFarStep;
  if (!is_counted) return false;
  for (const Copied& copied : loads_) {
    auto box = find_box(*copied.load, loop_);
    if (!box) {
      boxes_.clear();
      return false;
    }
    boxes_.push_back(std::move(*box));
  }
  const Target& target = context_.target();
  const std::int64_t work = is_alone_ ? 0 : products(*first_dot(), target) + products(*flying_, target);
  takes_turns_ = target.warps == 8 && work >= kTurnProducts * first_dot()->result()->type().element_count();
  return true;
}

std::int64_t Pipeline::barrier_bytes() const { return boxes_.empty() ? 0 : kBarrierBytes; }

/// Whether no coordinate of any iteration is negative: they are linear in the counter, so its first and last value say
/// so. Computed once.
void Pipeline::emit_fits(const std::string& lower, const std::string& upper) {
  const std::string last = context_.fresh("last");
  context_.line("const int " + last + " = (int)(" + lower + " + (" + upper + " - 1LL - " + lower + ") / " + number(step_) +
                " * " + number(step_) + ");");
  const ir::Value* induction = loop_.region().front().argument(0);
  std::string all;
  for (const Box& box : boxes_) {
    for (const LinearForm& form : box.place) {
      if (!form.empty()) all += "(" + form_text(context_, form, induction, lower) + ") | (" + form_text(context_, form, induction, last) + ") | ";
    }
  }
  fits_ = context_.fresh("fits");
  context_.line("const bool " + fits_ + " = (" + all + "0) >= 0;");
}

/// One thread's text: the copies of the iteration in which the loop's counter is `counter`.
void Pipeline::emit_boxes(const std::string& stage, const std::string& counter) {
  const std::string barrier = bars_ + " + 8 * " + stage;
  const ir::Value* induction = loop_.region().front().argument(0);
  std::vector<std::string> places;
  std::int64_t bytes = 0;
  for (std::size_t n = 0; n < boxes_.size(); ++n) {
    std::string coordinates;
    for (const LinearForm& form : boxes_[n].place)
      coordinates += (coordinates.empty() ? "" : ", ") + form_text(context_, form, induction, counter);
    places.push_back(context_.fresh("place"));
    context_.line("const int " + places[n] + "[" + number(static_cast<std::int64_t>(boxes_[n].place.size())) + "] = {" +
                  coordinates + "};");
    bytes += loads_[n].bytes;
  }
  context_.open("if (" + fits_ + ")");
  context_.line("expect_bytes(" + barrier + ", " + number(bytes) + ");");
  for (std::size_t n = 0; n < boxes_.size(); ++n) {
    const Box& box = boxes_[n];
    context_.line("copy_box<" + cpp_type(loads_[n].load->result()->type()) + ", " + number(box.rows) + ", " +
                  number(box.columns) + ", " + (box.panel_columns != 0 ? "true" : "false") + ">(" +
                  buffer(loads_[n], stage) + ", " + context_.map_name(box.map) + ", " + places[n] + ", " + barrier + ");");
  }
  context_.close();
  context_.open("else");
  for (std::size_t n = 0; n < boxes_.size(); ++n) context_.line(slow_copy(n, stage, places[n]));
  context_.line("publish_memory();");
  context_.line("arrive_barrier(" + barrier + ");");
  context_.close();
}

std::string Pipeline::slow_copy(std::size_t n, const std::string& stage, const std::string& place) const {
  const Box& box = boxes_[n];
  const ir::Block& arguments = *box.parameter->owner_block();
  const auto number_text = [&](const LaunchNumber& value) { return launch_number_text(context_, value, arguments); };
  std::string from = context_.variable(box.parameter, kScalar).name;
  for (std::size_t i = 0; i < box.place.size(); ++i) {
    from += " + " + number_text(box.map.dimensions[i].stride) + " * " + place + "[" +
            number(static_cast<std::int64_t>(i)) + "]";
  }
  const std::string column =
      box.panel_columns == 0 ? place + "[0]" : number(box.panel_columns) + "LL * " + place + "[2]";
  return "copy_slowly<" + cpp_type(loads_[n].load->result()->type()) + ", " + number(box.rows) + ", " +
         number(box.columns) + ">(" + buffer(loads_[n], stage) + ", " + from + ", " +
         number_text(box.map.dimensions[1].stride) + ", " + column + ", " + number_text(box.column_extent) + ", " +
         place + "[1], " + number_text(box.map.dimensions[1].extent) + ");";
}

/// Declares the address of the barriers.
void Pipeline::name_barriers() {
  step_ = static_cast<std::int64_t>(*ir::passes::splat_bits(loop_.operand(2)));
  const std::int64_t bars = context_.memory().reserve_buffers(kBarrierBytes);
  bars_ = context_.fresh("bars"), stage_ = context_.fresh("stage"), phase_ = context_.fresh("phase");
  context_.line("const unsigned " + bars_ + " = shared_address(ls_buffers + " + number(bars) + ");");
}

/// What a warp of its own computes the coordinates and the bounds with; nullopt: it does not copy in this kernel.
std::optional<std::vector<const ir::Op*>> Pipeline::copying_slice() const {
  const Target& target = context_.target();
  const std::int64_t bytes = context_.memory().reserved_bytes() + kBarrierBytes + 1024;
  if (!target.is_persistent || !is_alone_ || first_buffer_ != 0 || 2 * bytes <= target.shared_of_processor()) return std::nullopt;
  std::vector<const ir::Value*> values = {loop_.operand(0), loop_.operand(1)};
  for (const Box& box : boxes_) {
    for (const LinearForm& form : box.place) {
      for (const LinearTerm& term : form) {
        if (term.atom != nullptr && term.atom != loop_.region().front().argument(0)) values.push_back(term.atom);
      }
    }
  }
  return scalar_slice(*loop_.block(), std::move(values));
}

/// The text of the warp that starts the copies of all programs of its block.
bool Pipeline::emit_copying_warp(const std::vector<const ir::Op*>& slice) {
  const std::string later = context_.fresh("later"), phase = context_.fresh("phase"), counter = context_.fresh("ahead");
  context_.open("if (lane == 0)");
  context_.line("int " + later + " = 0;");
  context_.line("unsigned " + phase + " = 1;");
  context_.line("#pragma unroll 1");
  context_.open(kProgramLoop);
  const EmitContext::Bindings outer = context_.bindings();
  for (const ir::Op* op : slice) {
    if (!emit_op(context_, *op)) return false;
  }
  const std::string lower = context_.variable(loop_.operand(0), kScalar).name;
  const std::string upper = context_.variable(loop_.operand(1), kScalar).name;
  emit_fits(lower, upper);
  context_.line("#pragma unroll 1");
  context_.open("for (int " + counter + " = " + lower + "; " + counter + " < " + upper + "; " + counter + " = add(" + counter + ", " +
                number(step_) + "))");
  context_.line("wait_barrier(" + bars_ + " + 8 * (" + number(stages_) + " + " + later + "), " + phase + ");");
  emit_boxes(later, counter);
  context_.line(later + " = " + later + " == " + number(stages_ - 1) + " ? 0 : " + later + " + 1;");
  context_.line(phase + " ^= " + later + " == 0 ? 1u : 0u;");
  context_.restore(outer);
  context_.close();
  context_.close();
  context_.close();
  return true;
}

bool Pipeline::begin_persistent(const std::vector<const ir::Op*>& slice) {
  persists_ = true;
  const int warps = context_.target().warps;
  const auto head = context_.capture([&] {
    name_barriers();
    context_.line("if (threadIdx.x == 0) start_barriers<" + number(stages_) + ">(" + bars_ + ", " + number(warps) + ");");
    context_.line("__syncthreads();");
    context_.open("if (warp == " + number(warps) + ")");
    if (!emit_copying_warp(slice)) return false;
    context_.line("return;");
    context_.close();
    context_.line("int " + stage_ + " = 0;");
    context_.line("unsigned " + phase_ + " = 0;");
    return true;
  });
  if (!head) return false;
  context_.pipelined().head = *head;
  context_.open("if (" + context_.variable(loop_.operand(0), kScalar).name + " < " +
                context_.variable(loop_.operand(1), kScalar).name + ")");
  return true;
}

void Pipeline::begin_boxes() {
  const std::string lower = context_.variable(loop_.operand(0), kScalar).name;
  const std::string upper = context_.variable(loop_.operand(1), kScalar).name;
  name_barriers();
  context_.line("publish_memory();");
  context_.memory().barrier();  // the buffers may be those of a loop before, or scratch
  context_.line("if (threadIdx.x == 0) start_barriers<" + number(stages_) + ">(" + bars_ + ", " +
                number(context_.target().warps) + ");");
  context_.memory().barrier();
  emit_fits(lower, upper);
  context_.open("if (threadIdx.x == 0)");
  for (int s = 0; s < ahead_count_; ++s) {
    const std::string counter = context_.fresh("ahead");
    context_.line("const int " + counter + " = add(" + lower + ", " + number(s * step_) + ");");
    context_.open("if (" + lower + " + " + number(s * step_) + "LL < " + upper + ")");
    emit_boxes(number(s), counter);
    context_.close();
  }
  context_.close();
  context_.line("int " + stage_ + " = 0;");
  context_.line("unsigned " + phase_ + " = 0;");
  context_.open("if (" + lower + " < " + upper + ")");
  if (takes_turns_) context_.line("if (warp >= 4) turn_give(1);");
  if (takes_turns_) context_.line("turn_wait(1 + (warp >> 2));");
}

/// Text behind the first products of an iteration.
std::string Pipeline::start_later(const std::string& counter) {
  return *context_.capture([&] {
    const int behind = stages_ - ahead_count_;  // iterations since a copy's buffer was read
    const std::string upper = context_.variable(loop_.operand(1), kScalar).name;
    const std::string later = context_.fresh("later"), ahead = context_.fresh("ahead");
    context_.open("if (threadIdx.x == 0 && " + counter + " + " + number(ahead_count_ * step_) + "LL < " + upper + ")");
    context_.line("const int " + later + " = " + stage_ + " < " + number(behind) + " ? " + stage_ + " + " +
                  number(ahead_count_) + " : " + stage_ + " - " + number(behind) + ";");
    context_.line("wait_barrier(" + bars_ + " + 8 * (" + number(stages_) + " + " + later + "), " + phase_ + " ^ (" +
                  stage_ + " < " + number(behind) + " ? 1u : 0u));");
    context_.line("const int " + ahead + " = " + counter + " + " + number(ahead_count_ * step_) + ";");
    emit_boxes(later, ahead);
    context_.close();
    return true;
  });
}

/// The barrier that frees the buffer of the iteration before.
std::string Pipeline::last_buffer() const {
  return bars_ + " + 8 * (" + stage_ + " == 0 ? " + number(2 * stages_ - 1) + " : " + number(stages_ - 1) + " + " + stage_ + ")";
}

void Pipeline::step_boxes() {
  const std::string counter = context_.variable(loop_.region().front().argument(0), kScalar).name;
  const std::string lower = context_.variable(loop_.operand(0), kScalar).name;
  context_.line("wait_barrier(" + bars_ + " + 8 * " + stage_ + ", " + phase_ + ");");
  const std::string later = persists_ ? "" : start_later(counter);
  const std::string free = *context_.capture([&] {
    if (is_alone_) context_.line("wait_products<1>();");
    context_.line("if (lane == 0 && " + counter + " != " + lower + ") arrive_barrier(" + last_buffer() + ");");
    return true;
  });
  const bool is_early = stages_ - ahead_count_ == 2;
  auto& around = context_.pipelined().around;
  if (is_alone_) {
    around[flying_].committed = is_early ? later + free : free + later;
    return;
  }
  const auto turn = [&](const std::string& text) {
    return takes_turns_ ? *context_.capture([&] { return context_.line(text), true; }) : std::string();
  };
  around[first_dot()] = {"", turn("turn_give(2 - (warp >> 2));") + (is_early ? later : ""), free + (is_early ? "" : later)};
  around[flying_].before = turn("turn_wait(1 + (warp >> 2));");
}

void Pipeline::end_boxes() {
  if (persists_) {
    context_.line("if (lane == 0) arrive_barrier(" + last_buffer() + ");");
    context_.close();
    return;
  }
  if (takes_turns_) context_.line("if (warp < 4) turn_give(2);");
  context_.close();
  context_.memory().barrier();
  context_.line("if (threadIdx.x == 0) end_barriers<" + number(stages_) + ">(" + bars_ + ");");
}

}  // namespace lockstep::backend_cuda
