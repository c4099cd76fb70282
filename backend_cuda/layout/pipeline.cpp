#include "backend_cuda/layout/pipeline.h"

#include <algorithm>

#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/emit/emit_ops.h"
#include "backend_cuda/layout/dot_shape.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/passes/passes.h"

namespace lockstep::backend_cuda {
namespace {


bool is_dot_operand(const ir::Use& use, const Target& target, const ir::Block* body) {
  return use.user->block() == body && ir::is_matrix_product(*use.user) && use.operand < 2 &&
         dot_shape(*use.user, target).kind != DotKind::scalar;
}

/// Every use is a tensor core's operand in this body, directly or through one transposition.
bool feeds_dots_only(const ir::Value* value, const Target& target, const ir::Block* body) {
  return value->has_uses() && std::all_of(value->uses().begin(), value->uses().end(), [&](const ir::Use& use) {
           if (is_dot_operand(use, target, body)) return true;
           if (!ir::moves_as(*use.user, ir::Movement::transpose) || use.user->block() != body) return false;
           const auto& uses = use.user->result()->uses();
           return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&](const ir::Use& inner) {
             return is_dot_operand(inner, target, body);
           });
         });
}

/// Whether the dots that use a tile read it as it is stored: `is_transposed`: runs go down its columns.
bool is_stored_as_read(const ir::Value* value, bool is_transposed, const Target& target) {
  return std::all_of(value->uses().begin(), value->uses().end(), [&](const ir::Use& use) {
    if (!ir::is_matrix_product(*use.user)) return is_stored_as_read(use.user->result(), !is_transposed, target);
    return reads_as_stored(*use.user, use.operand, is_transposed, target);
  });
}

// Copies fill masked-off elements with zeros.
bool is_zero_or_none(const ir::Value* other) {
  if (other == nullptr) return true;
  const ir::Op* made = other->defining_op();
  if (made == nullptr || !ir::is_constant(*made)) return false;
  const ir::Attribute value = made->attribute("value");
  return value.is_dense() && value->is_splat &&
         std::all_of(value->data.begin(), value->data.end(), [](std::byte b) { return b == std::byte{0}; });
}

bool writes_memory(const ir::Op& op) {
  if (op.def().effects == ir::Effects::write || op.def().effects == ir::Effects::read_write ||
      op.def().effects == ir::Effects::barrier || ir::is_call(op)) {
    return true;
  }
  return std::any_of(op.regions().begin(), op.regions().end(), [](const auto& region) {
    return std::any_of(region->blocks().begin(), region->blocks().end(), [](const auto& block) {
      return std::any_of(block->ops().begin(), block->ops().end(),
                         [](const auto& inner) { return writes_memory(*inner); });
    });
  });
}

std::int64_t rounded(std::int64_t bytes) { return (bytes + 1023) / 1024 * 1024; }

bool is_wgmma(const ir::Op& op, const Target& target) {
  return ir::is_matrix_product(op) && !is_converted_dot(op, target) &&
         dot_shape(op, target).kind == DotKind::wgmma;
}

/// Whether `later` is an op of this block behind `first`.
bool stands_behind(const ir::Block& body, const ir::Op& first, const ir::Op& later) {
  bool is_behind = false;
  for (const auto& op : body.ops()) {
    if (op.get() == &later) return is_behind;
    is_behind = is_behind || op.get() == &first;
  }
  return false;
}

int count_dots(const ir::Op& op) {
  int count = ir::multiplies_matrices(op) ? 1 : 0;
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) count += count_dots(*inner);
    }
  }
  return count;
}

}  // namespace

bool may_wrap(const ir::Op& loop) {
  const auto last = ir::passes::splat_bits(loop.operand(1)), step = ir::passes::splat_bits(loop.operand(2));
  constexpr std::uint64_t kFar = std::uint64_t{1} << 30;
  return !step || (*step != 1 && (!last || *last >= kFar || *step >= kFar));
}

std::optional<Pipeline> Pipeline::plan(EmitContext& context, const ir::Op& loop) {
  Pipeline pipeline(context, loop);
  const bool is_unsigned = loop.attribute("unsignedCmp") && loop.integer_attribute("unsignedCmp", 1) != 0;
  if (context.target().stages < 2 || is_unsigned || writes_memory(loop)) return std::nullopt;
  if (!pipeline.find_loads() || !pipeline.find_slice()) return std::nullopt;
  pipeline.find_flying_dot();
  pipeline.find_boxes();
  if (!pipeline.choose_stages()) return std::nullopt;
  return pipeline;
}

std::optional<Pipeline::Copied> Pipeline::copied(const ir::Op& load) const {
  if (!ir::is_pointer_load(load)) return std::nullopt;
  const ir::Type type = load.result()->type();
  if (!type.is_tensor() || type.shape().size() != 2 || load.integer_attribute("isVolatile", 0) != 0)
    return std::nullopt;
  if (!load.operand(0)->type().is_tensor()) return std::nullopt;  // a block pointer
  if (!feeds_dots_only(load.result(), context_.target(), load.block())) return std::nullopt;
  if (!is_zero_or_none(load.operand_or_null(2))) return std::nullopt;
  const int bytes = size_bytes(*type.element().scalar_kind());
  const std::vector<int> order = context_.axes().order_of(load.operand(0));
  if (!is_stored_as_read(load.result(), order[0] == 0, context_.target())) return std::nullopt;
  const std::int64_t run = context_.axes().vector_length(load.operand(0), load.operand_or_null(1), order[0], bytes);
  const Layout layout = context_.layout(context_.plan().working_layout(load));
  const int held = layout.contiguous_bits(bits_in_order(type.shape(), {order[0]}));
  Copied copied{&load, order[0] == 0, static_cast<int>(std::min(run, std::int64_t{1} << held)),
                type.element_count() * bytes, 0};
  return copied.width * bytes >= 4 ? std::optional(copied) : std::nullopt;
}

bool Pipeline::find_loads() {
  for (const auto& op : loop_.region().front().ops()) {
    if (const auto found = copied(*op)) loads_.push_back(*found);
  }
  return !loads_.empty();
}

// False: an operand of an address cannot be computed ahead.
bool Pipeline::add_to_slice(const ir::Value* value) {
  const ir::Block& body = loop_.region().front();
  const ir::Op* made = value->defining_op();
  if (made == nullptr) {
    if (value->owner_block() != &body || ir::is_induction_variable(*value)) return true;
    if (std::find(carried_.begin(), carried_.end(), value) != carried_.end()) return true;
    carried_.push_back(value);
    const ir::Value* next = ir::yielded_value(*value);
    // Arguments that change places would have to be saved.
    return (next == value || next->owner_block() != &body) && add_to_slice(next);
  }
  if (made->block() != &body) return made->parent_op() != &loop_;
  if (std::find(slice_.begin(), slice_.end(), made) != slice_.end()) return true;
  if (made->def().effects != ir::Effects::pure || !made->regions().empty() || ir::is_matrix_product(*made))
    return false;
  slice_.push_back(made);
  return std::all_of(made->operands().begin(), made->operands().end(),
                     [&](const ir::Value* v) { return add_to_slice(v); });
}

bool Pipeline::find_slice() {
  for (const Copied& copied : loads_) {
    const bool is_found = add_to_slice(copied.load->operand(0)) &&
                          (copied.load->operand_or_null(1) == nullptr || add_to_slice(copied.load->operand_or_null(1)));
    if (!is_found) return false;
  }
  std::vector<const ir::Op*> ordered;
  for (const auto& op : loop_.region().front().ops()) {
    if (std::find(slice_.begin(), slice_.end(), op.get()) != slice_.end()) ordered.push_back(op.get());
  }
  slice_ = std::move(ordered);
  return true;
}

/// The loop's argument that becomes what `dot` makes, if nothing else reads what it makes.
const ir::Value* Pipeline::carried_sum(const ir::Op& dot) const {
  const ir::Block& body = loop_.region().front();
  const ir::Value* next = dot.result();
  if (next->uses().size() != 1 || next->uses()[0].user != body.terminator()) return nullptr;
  for (std::size_t i = 1; i < body.arguments().size(); ++i) {
    const ir::Value* argument = body.argument(i);
    if (ir::yielded_value(*argument) != next || argument->uses().size() != 1) continue;
    const auto anchor = context_.plan().anchor(argument);
    const bool is_one_variable = anchor && context_.plan().anchor(next) == anchor &&
                                 context_.plan().variants(argument).size() == 1;
    return is_one_variable ? argument : nullptr;
  }
  return nullptr;
}

/// Both operands lie in buffers of the loop, or A in registers: no exchange writes over them.
bool Pipeline::reads_buffers(const ir::Op& dot) const {
  const auto is_buffered = [&](std::size_t i) {
    const ir::Value* operand = dot.operand(i);
    const ir::Op* made = operand->defining_op();
    const SharedTile* tile = context_.shared(operand);
    if (made != nullptr && ir::moves_as(*made, ir::Movement::transpose)) made = made->operand(0)->defining_op();
    return (tile != nullptr && reads_as_stored(dot, i, tile->is_transposed, context_.target())) ||
           std::any_of(loads_.begin(), loads_.end(), [&](const Copied& copied) { return copied.load == made; });
  };
  if (is_buffered(0)) return is_buffered(1);
  const LayoutId a = context_.plan().operand_layout(dot, 0, context_.plan().working_layout(dot));
  const Target& target = context_.target();
  return is_buffered(1) &&
         keeps_a_in_registers(dot, dot_shape(dot, target), context_.layout(a), target.warps);
}

// A loop's only dot, adding to a value that nothing else in the loop reads; or the second of two, whose sum the loop
// reads once, behind the first. Operands are in shared memory, or A in registers.
void Pipeline::find_flying_dot() {
  if (context_.has_probes()) return;  // they look at what a dot makes when it has ended
  const ir::Block& body = loop_.region().front();
  const ir::Op *first = first_dot(), *last = nullptr;
  for (const auto& op : body.ops()) {
    if (is_wgmma(*op, context_.target())) last = op.get();
  }
  if (last == nullptr || !is_wgmma(*first, context_.target()) || count_dots(loop_) != (first == last ? 1 : 2)) return;
  const ir::Value* sum = carried_sum(*last);
  if (sum == nullptr || !reads_buffers(*last)) return;
  const ir::Op* reader = sum->uses()[0].user;
  if (first == last ? reader != last || last->operand(2) != sum : !stands_behind(body, *first, *reader)) return;
  flying_ = last;
  sum_ = sum;
  is_alone_ = first == last;
}

const ir::Op* Pipeline::first_dot() const {
  for (const auto& op : loop_.region().front().ops()) {
    if (count_dots(*op) > 0) return op.get();
  }
  return nullptr;
}

bool Pipeline::begins_with_wgmma() const {
  const ir::Op* first = first_dot();
  return first != nullptr && is_wgmma(*first, context_.target());
}

bool Pipeline::choose_stages() {
  std::int64_t bytes = 0;
  for (const Copied& copied : loads_) bytes += rounded(copied.bytes);
  const std::int64_t most =
      (context_.target().shared_limit() - context_.memory().reserved_bytes() - barrier_bytes()) / bytes;
  // A loop that only multiplies takes one more tile ahead if there is room, also for as many blocks beside it.
  const auto blocks = [&](std::int64_t stages) { return context_.target().shared_of_processor() / (stages * bytes + 1024); };
  const int asked = context_.target().stages;
  const int wanted = asked + (is_alone_ && blocks(asked + 1) == blocks(asked) ? 1 : 0);
  stages_ = static_cast<int>(std::min<std::int64_t>(wanted, most));
  // A copy may begin when all warps have ended the product that read its buffer. Two iterations later, the barrier of
  // that iteration says so. One iteration later takes a second barrier; with three buffers, that costs less than a tile
  // ahead. Boxes take no barrier, and the first of two products waits for both.
  const bool is_late = flying_ != nullptr && (stages_ >= 4 || (!boxes_.empty() && !is_alone_ && stages_ == 3));
  ahead_count_ = is_late ? stages_ - 2 : stages_ - 1;
  return stages_ >= 2;
}

std::string Pipeline::buffer(const Copied& copied, const std::string& stage) const {
  return "(ls_buffers + " + number(copied.offset) + " + " + stage + " * " + number(rounded(copied.bytes)) + ")";
}

void Pipeline::emit_copy(const Copied& copied, const std::string& stage) {
  const ir::Op& load = *copied.load;
  const LayoutId id = context_.plan().working_layout(load);
  const auto& shape = load.result()->type().shape();
  const std::string type = cpp_type(load.result()->type());
  const Variable pointer = context_.variable(load.operand(0), id);
  const ir::Value* mask = load.operand_or_null(1);
  const std::string inside = ahead_now_ + (mask == nullptr ? "" : " && " + context_.variable(mask, id).at());
  const std::string owner = context_.layout(id).owner_text();
  context_.line((owner.empty() ? "" : "if (" + owner + ") ") + "LS_EACH_BY(" + number(context_.layout(id).registers()) +
                ", " + number(copied.width) + ") copy_async<" + number(copied.width) + ">(Stored<" + type + ", " +
                number(shape[0]) + ", " + number(shape[1]) + ", " + (copied.is_transposed ? "true" : "false") +
                ">::at<" + number(context_.layout(id).thread_bits()) + ">(" + buffer(copied, stage) + ", " +
                context_.index_parts(id) + "), " + pointer.at() + ", " + inside + ");");
}

// One iteration's copies, `induction_` and the slice's arguments moved on by one. Behind the last iteration the copies
// read nothing (a branch around them would move every address from register to register).
bool Pipeline::copy_ahead(const std::string& stage) {
  const ir::Block& body = loop_.region().front();
  const EmitContext::Bindings outer = context_.bindings();
  for (const auto& [key, variable] : ahead_) context_.bind(key.first, key.second, variable);
  context_.bind(body.argument(0), kScalar, induction_);
  ahead_now_ = context_.fresh("is_ahead");
  const std::string& i = induction_.name;
  context_.line("const bool " + ahead_now_ + " = " + i + " < " + context_.variable(loop_.operand(1), kScalar).name + ";");
  context_.pause_probes(true);
  for (const ir::Op* op : slice_) {
    if (!emit_op(context_, *op)) return false;
  }
  context_.pause_probes(false);
  for (const Copied& copied : loads_) emit_copy(copied, stage);
  // Reads all carried values before writing any of them: the slice's results are variables of their own.
  for (const ir::Value* argument : carried_) {
    for (const auto& [key, to] : ahead_) {
      if (key.first != argument) continue;
      const Variable from = context_.variable(ir::yielded_value(*argument), key.second);
      if (from.name != to.name) context_.each(to, to.at() + " = " + from.at() + ";");
    }
  }
  const std::string step = context_.variable(loop_.operand(2), kScalar).name;
  const std::string next = may_wrap(loop_) ? "add(" + i + ", " + step + ")" : i + " + " + step;
  context_.line("if (" + ahead_now_ + ") " + i + " = " + next + ";");
  context_.line("commit_copies();");
  context_.restore(outer);
  return true;
}

void Pipeline::reserve_buffers() {
  std::int64_t total = 0;
  for (Copied& copied : loads_) {
    copied.offset = total;
    total += stages_ * rounded(copied.bytes);
  }
  first_buffer_ = context_.memory().reserve_buffers(total);
  for (Copied& copied : loads_) copied.offset += first_buffer_;
  if (flying_ == nullptr) return;
  context_.pipelined().in_flight[flying_] = sum_;
  if (!is_alone_) context_.pipelined().ends_with[first_dot()] = flying_;
}

void Pipeline::bind_buffers() {
  for (const Copied& copied : loads_) {
    context_.bind_shared(copied.load->result(), {buffer(copied, stage_), copied.is_transposed});
    context_.pipelined().elsewhere.insert(copied.load);
    for (const ir::Use& use : copied.load->result()->uses()) {
      if (ir::moves_as(*use.user, ir::Movement::transpose)) context_.pipelined().elsewhere.insert(use.user);
    }
  }
}

bool Pipeline::begin() {
  reserve_buffers();
  if (!boxes_.empty()) {
    const auto slice = copying_slice();
    if (slice) return begin_persistent(*slice);
    begin_boxes();
    return true;
  }
  for (const ir::Value* argument : carried_) {
    const auto anchor = context_.plan().anchor(argument);
    for (const LayoutId id : anchor ? std::vector<LayoutId>{*anchor} : context_.plan().variants(argument)) {
      const Variable from = context_.variable(ir::initial_value(*argument), id);
      const Variable made = context_.temporary("ahead", from.type, id);
      context_.each(made, made.at() + " = " + from.at() + ";");
      ahead_[{argument, id}] = made;
    }
  }
  const Variable lower = context_.variable(loop_.operand(0), kScalar);
  induction_ = context_.temporary("ahead_i", lower.type, kScalar);
  context_.line(induction_.name + " = " + lower.name + ";");
  context_.memory().barrier();  // the buffers may be those of a loop before, or scratch
  stage_ = context_.fresh("stage");
  for (int s = 0; s < ahead_count_; ++s) {
    if (!copy_ahead(number(s))) return false;
  }
  context_.line("int " + stage_ + " = 0;");
  // Without a way around the loop, the compiler finds no other reader of the sums in flight (its C7514).
  if (flying_ != nullptr) {
    context_.open("if (" + lower.name + " < " + context_.variable(loop_.operand(1), kScalar).name + ")");
  }
  return true;
}

bool Pipeline::step() {
  if (!boxes_.empty()) {
    step_boxes();
    bind_buffers();
    return true;
  }
  // Without a proxy fence, as in what Triton compiles: wgmma reads what cp.async wrote and a barrier ordered. The fence
  // would wait for the copies that are still under way (MEMBAR.ALL).
  context_.line("wait_copies<" + number(ahead_count_ - 1) + ">();");
  const int behind = stages_ - ahead_count_;  // iterations since a copy's buffer was read
  if (is_alone_ && behind == 2) context_.line("wait_products<1>();");
  context_.memory().barrier();
  const std::string later = context_.fresh("later");
  context_.line("const int " + later + " = " + stage_ + " < " + number(behind) + " ? " + stage_ + " + " +
                number(ahead_count_) + " : " + stage_ + " - " + number(behind) + ";");
  const auto copies = context_.capture([&] { return copy_ahead(later); });
  if (!copies) return false;
  // After the products at the start of the body, unless the copies' addresses need an exchange.
  const bool is_deferred = begins_with_wgmma() && copies->find("__syncthreads") == std::string::npos;
  const auto free_buffer = [&] {  // the dot of the last iteration may still read what the copies write
    // Behind the second of two dots, the end of the first has been that of the last iteration's, too.
    if (is_alone_ || !is_deferred) context_.line("wait_products<" + number(is_deferred ? 1 : 0) + ">();");
    context_.memory().barrier();
    return true;
  };
  const bool waits = flying_ != nullptr && behind == 1;
  const std::string text = (waits ? *context_.capture(free_buffer) : "") + *copies;
  if (is_deferred) {
    context_.defer(text);
  } else {
    context_.append(text);
  }
  bind_buffers();
  return true;
}

void Pipeline::advance() {
  context_.line(stage_ + " = " + stage_ + " == " + number(stages_ - 1) + " ? 0 : " + stage_ + " + 1;");
  if (!boxes_.empty()) context_.line(phase_ + " ^= " + stage_ + " == 0 ? 1u : 0u;");
}

void Pipeline::end() {
  if (boxes_.empty()) context_.line("wait_copies<0>();");
  if (flying_ != nullptr) {
    context_.line("wait_products<0>();");
    const LayoutId id = context_.plan().working_layout(*flying_);
    context_.line("settle_products(" + context_.variable(sum_, id).name + ");");
    if (boxes_.empty()) {
      context_.close();
    } else {
      end_boxes();
    }
  }
  context_.memory().release_buffers(first_buffer_);
}

}  // namespace lockstep::backend_cuda
