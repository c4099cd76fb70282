#include "ir/op.h"

#include <algorithm>

#include "ir/op_def.h"
#include "support/check.h"

namespace lockstep::ir {
namespace {

// From the back: references are dropped in reverse order of creation, so the wanted use is nearly always the last one.
void remove_use(std::vector<Use>& uses, const Op* user, std::uint32_t operand) {
  for (std::size_t i = uses.size(); i-- > 0;) {
    if (uses[i].user != user || uses[i].operand != operand) continue;
    uses.erase(uses.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

}  // namespace

void Value::replace_all_uses_with(Value* other) {
  if (other == this) return;
  const std::vector<Use> uses = uses_;
  for (const Use& use : uses) use.user->set_operand(use.operand, other);
}

bool Region::is_isolated() const {
  const OpDef& def = parent_->def();
  return def.is_isolated || (def.isolates_later_regions && parent_->regions().front().get() != this);
}

Block& Region::add_block() {
  blocks_.push_back(std::make_unique<Block>(this));
  return *blocks_.back();
}

Block::~Block() {
  for (auto op = ops_.rbegin(); op != ops_.rend(); ++op) (*op)->drop_all_references();
}

Value* Block::add_argument(Type type, Location location) {
  auto value = std::make_unique<Value>();
  value->type_ = type;
  value->block_ = this;
  value->index_ = static_cast<std::uint32_t>(arguments_.size());
  value->location_ = location;
  arguments_.push_back(std::move(value));
  return arguments_.back().get();
}

void Block::erase_argument(std::size_t i) {
  LOCKSTEP_CHECK(i < arguments_.size() && !arguments_[i]->has_uses(), "erase_argument of a used or absent argument");
  arguments_.erase(arguments_.begin() + static_cast<std::ptrdiff_t>(i));
  for (std::size_t k = i; k < arguments_.size(); ++k) arguments_[k]->index_ = static_cast<std::uint32_t>(k);
}

Op* Block::terminator() const {
  if (ops_.empty() || !ops_.back()->def().is_terminator) return nullptr;
  return ops_.back().get();
}

std::vector<Block*> Block::predecessors() const {
  std::vector<Block*> result;
  if (parent_ == nullptr) return result;
  for (const auto& block : parent_->blocks()) {
    const Op* last = block->terminator();
    if (last == nullptr) continue;
    const bool branches_here = std::any_of(last->successors().begin(), last->successors().end(),
                                           [this](const Successor& successor) { return successor.block == this; });
    if (branches_here) result.push_back(block.get());
  }
  return result;
}

Op* Block::insert(OpList::iterator position, std::unique_ptr<Op> op) {
  Op* raw = op.get();
  raw->block_ = this;
  raw->position_ = ops_.insert(position, std::move(op));
  return raw;
}

std::unique_ptr<Op> Op::create(const OpDef& def, Location location) {
  std::unique_ptr<Op> op(new Op(def));
  op->location_ = location;
  return op;
}

Op::~Op() { drop_all_references(); }

std::string_view Op::spelling() const { return def_->spelling; }

void Op::set_operand(std::size_t i, Value* value) {
  LOCKSTEP_CHECK(i < operands_.size(), "set_operand past the end");
  const auto index = static_cast<std::uint32_t>(i);
  if (operands_[i] != nullptr) remove_use(operands_[i]->uses_, this, index);
  operands_[i] = value;
  if (value != nullptr) value->uses_.push_back({this, index});
}

void Op::add_operand(Value* value) {
  operands_.push_back(nullptr);
  set_operand(operands_.size() - 1, value);
}

void Op::set_operands(const std::vector<Value*>& values) {
  for (std::size_t i = operands_.size(); i-- > 0;) set_operand(i, nullptr);
  operands_.clear();
  for (Value* value : values) add_operand(value);
}

std::vector<Value*> Op::operand_group(std::size_t spec) const {
  const auto& specs = def_->operands;
  LOCKSTEP_CHECK(spec < specs.size(), "operand_group of a group the row does not have");
  std::size_t begin = 0;
  std::size_t size = 0;
  if (!segments_.empty()) {
    for (std::size_t i = 0; i < spec && i < segments_.size(); ++i) begin += segments_[i];
    size = spec < segments_.size() ? segments_[spec] : 0;
  } else {
    // At most one group has variable length: it takes the rest.
    const std::size_t fixed = static_cast<std::size_t>(
        std::count_if(specs.begin(), specs.end(), [](const OperandSpec& s) { return s.arity == Arity::one; }));
    const std::size_t rest = operands_.size() > fixed ? operands_.size() - fixed : 0;
    for (std::size_t i = 0; i < spec; ++i) begin += specs[i].arity == Arity::one ? 1 : rest;
    size = specs[spec].arity == Arity::one ? 1 : rest;
  }
  begin = std::min(begin, operands_.size());
  size = std::min(size, operands_.size() - begin);
  const auto first = operands_.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

Value* Op::operand_or_null(std::size_t spec) const {
  const std::vector<Value*> group = operand_group(spec);
  return group.empty() ? nullptr : group[0];
}

Value* Op::add_result(Type type) {
  auto value = std::make_unique<Value>();
  value->type_ = type;
  value->op_ = this;
  value->index_ = static_cast<std::uint32_t>(results_.size());
  results_.push_back(std::move(value));
  return results_.back().get();
}

Attribute Op::attribute(std::string_view name) const {
  for (const NamedAttribute& entry : attributes_) {
    if (entry.name == name) return entry.value;
  }
  return {};
}

void Op::set_attribute(std::string_view name, Attribute value) {
  for (NamedAttribute& entry : attributes_) {
    if (entry.name != name) continue;
    entry.value = value;
    return;
  }
  attributes_.push_back({std::string(name), value});
}

void Op::remove_attribute(std::string_view name) {
  std::erase_if(attributes_, [name](const NamedAttribute& entry) { return entry.name == name; });
}

std::int64_t Op::integer_attribute(std::string_view name, std::int64_t fallback) const {
  const Attribute value = attribute(name);
  return value.is_integer() ? value->integer : fallback;
}

Region& Op::add_region() {
  regions_.push_back(std::make_unique<Region>(this));
  return *regions_.back();
}

void Op::add_successor(Block* block, const std::vector<Value*>& arguments) {
  if (has_operand_segments(*def_) && segments_.empty()) segments_.assign(operands_.size(), 1);
  const auto first = static_cast<std::uint32_t>(operands_.size());
  for (Value* value : arguments) add_operand(value);
  const auto count = static_cast<std::uint32_t>(arguments.size());
  successors_.push_back({block, first, count});
  if (has_operand_segments(*def_)) segments_.push_back(count);
}

std::vector<Value*> Op::successor_arguments(std::size_t i) const {
  const Successor& successor = successors_[i];
  const auto first = operands_.begin() + static_cast<std::ptrdiff_t>(successor.first_operand);
  return {first, first + static_cast<std::ptrdiff_t>(successor.operand_count)};
}

void Op::erase() {
  LOCKSTEP_CHECK(block_ != nullptr, "erase of a detached op");
  block_->ops().erase(position_);
}

std::unique_ptr<Op> Op::detach() {
  LOCKSTEP_CHECK(block_ != nullptr, "detach of a detached op");
  std::unique_ptr<Op> self = std::move(*position_);
  block_->ops().erase(position_);
  block_ = nullptr;
  return self;
}

void Op::drop_all_references() {
  for (auto region = regions_.rbegin(); region != regions_.rend(); ++region) {
    auto& blocks = (*region)->blocks();
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
      auto& ops = (*block)->ops();
      for (auto op = ops.rbegin(); op != ops.rend(); ++op) (*op)->drop_all_references();
    }
  }
  for (std::size_t i = operands_.size(); i-- > 0;) set_operand(i, nullptr);
  operands_.clear();
  segments_.clear();
  successors_.clear();
}

}  // namespace lockstep::ir
