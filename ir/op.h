// Op, Value, Block, Region: SSA with nested regions and basic blocks, MLIR's meanings exactly. An Op owns its regions;
// a Region owns its blocks; a Block owns its arguments and ops. Values know their users, so replace_all_uses_with is
// O(uses). Invariant kept here: the use lists agree with the operand lists. Types, terminators and dominance are the
// verifier's.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/attribute.h"
#include "ir/type.h"
#include "support/diagnostics/diagnostic.h"
#include "support/location.h"

namespace lockstep::ir {

class Block;
class Op;
class Region;
struct OpDef;

struct Use {
  Op* user = nullptr;
  std::uint32_t operand = 0;
};

/// A result of an op or an argument of a block.
class Value {
 public:
  Type type() const { return type_; }
  void set_type(Type type) { type_ = type; }
  Op* defining_op() const { return op_; }          // null for block arguments
  Block* owner_block() const { return block_; }    // block arguments only
  std::uint32_t index() const { return index_; }   // result or argument number
  Location location() const { return location_; }  // arguments; results use their op's
  void set_location(Location location) { location_ = location; }
  const std::vector<Use>& uses() const { return uses_; }
  bool has_uses() const { return !uses_.empty(); }
  void replace_all_uses_with(Value* other);
  /// Name in the parsed text ("acc_24", "3#1"), for messages; may be empty.
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

 private:
  friend class Op;
  friend class Block;
  Type type_;
  Op* op_ = nullptr;
  Block* block_ = nullptr;
  std::uint32_t index_ = 0;
  Location location_;
  std::vector<Use> uses_;
  std::string name_;
};

/// A branch target with the values passed to its arguments. The values are ordinary operands of the op, in the range
/// below.
struct Successor {
  Block* block = nullptr;
  std::uint32_t first_operand = 0;
  std::uint32_t operand_count = 0;
};

class Region {
 public:
  explicit Region(Op* parent) : parent_(parent) {}
  Op* parent() const { return parent_; }
  std::list<std::unique_ptr<Block>>& blocks() { return blocks_; }
  const std::list<std::unique_ptr<Block>>& blocks() const { return blocks_; }
  bool empty() const { return blocks_.empty(); }
  Block& front() const { return *blocks_.front(); }
  /// What is defined outside of it cannot be used inside.
  bool is_isolated() const;
  Block& add_block();

 private:
  Op* parent_;
  std::list<std::unique_ptr<Block>> blocks_;
};

class Block {
 public:
  using OpList = std::list<std::unique_ptr<Op>>;
  explicit Block(Region* parent) : parent_(parent) {}
  ~Block();
  Region* parent() const { return parent_; }
  Op* parent_op() const { return parent_ ? parent_->parent() : nullptr; }
  const std::vector<std::unique_ptr<Value>>& arguments() const { return arguments_; }
  Value* argument(std::size_t i) const { return arguments_[i].get(); }
  Value* add_argument(Type type, Location location = {});
  void erase_argument(std::size_t i);  // precondition: no uses
  OpList& ops() { return ops_; }
  const OpList& ops() const { return ops_; }
  /// The last op if it is a terminator, else null.
  Op* terminator() const;
  /// Blocks that branch here (distinct), in order of appearance in the region.
  std::vector<Block*> predecessors() const;
  /// Inserts before `position` (ops().end() appends) and returns the op.
  Op* insert(OpList::iterator position, std::unique_ptr<Op> op);
  Op* append(std::unique_ptr<Op> op) { return insert(ops_.end(), std::move(op)); }

 private:
  Region* parent_;
  std::vector<std::unique_ptr<Value>> arguments_;
  OpList ops_;
};

class Op {
 public:
  static std::unique_ptr<Op> create(const OpDef& def, Location location);
  ~Op();
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;

  const OpDef& def() const { return *def_; }
  std::string_view spelling() const;  // "tt.load"
  Location location() const { return location_; }
  void set_location(Location location) { location_ = location; }
  /// The op's place in the parsed text; file null if it was built.
  const SourceSpan& span() const { return span_; }
  void set_span(SourceSpan span) { span_ = std::move(span); }

  const std::vector<Value*>& operands() const { return operands_; }
  std::size_t operand_count() const { return operands_.size(); }
  Value* operand(std::size_t i) const { return operands_[i]; }
  void set_operand(std::size_t i, Value* value);
  void add_operand(Value* value);
  void set_operands(const std::vector<Value*>& values);
  /// Sizes of the operand groups in the order of the row's operand specs, for rows with several optional or variadic
  /// operands (tt.load, cf.cond_br, tt.make_tensor_ptr ...). Empty for all others.
  const std::vector<std::uint32_t>& operand_segments() const { return segments_; }
  void set_operand_segments(std::vector<std::uint32_t> segments) { segments_ = std::move(segments); }
  /// Operands of group `spec` (index into def().operands); works with and without segments.
  std::vector<Value*> operand_group(std::size_t spec) const;
  /// The single operand of an optional or required group, or null.
  Value* operand_or_null(std::size_t spec) const;

  std::size_t result_count() const { return results_.size(); }
  Value* result(std::size_t i = 0) const { return results_[i].get(); }
  Value* add_result(Type type);

  const std::vector<NamedAttribute>& attributes() const { return attributes_; }  // in the order set
  Attribute attribute(std::string_view name) const;                              // null if absent
  void set_attribute(std::string_view name, Attribute value);
  void remove_attribute(std::string_view name);
  std::int64_t integer_attribute(std::string_view name, std::int64_t fallback) const;

  const std::vector<std::unique_ptr<Region>>& regions() const { return regions_; }
  Region& region(std::size_t i = 0) const { return *regions_[i]; }
  Region& add_region();

  const std::vector<Successor>& successors() const { return successors_; }
  /// Appends `arguments` to the operands and records the target.
  void add_successor(Block* block, const std::vector<Value*>& arguments);
  std::vector<Value*> successor_arguments(std::size_t i) const;

  Block* block() const { return block_; }  // null while detached, and for the module op
  Op* parent_op() const { return block_ ? block_->parent_op() : nullptr; }
  /// Removes from its block and destroys. Precondition: results unused.
  void erase();
  /// Unlinks from its block without destroying.
  std::unique_ptr<Op> detach();
  Block::OpList::iterator position() const { return position_; }  // iterator in block()
  /// Drops all operand uses here and in nested regions (before destroying cyclic structures).
  void drop_all_references();

 private:
  friend class Block;
  explicit Op(const OpDef& def) : def_(&def) {}
  const OpDef* def_;
  Location location_;
  SourceSpan span_;
  std::vector<Value*> operands_;
  std::vector<std::uint32_t> segments_;
  std::vector<std::unique_ptr<Value>> results_;
  std::vector<NamedAttribute> attributes_;
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<Successor> successors_;
  Block* block_ = nullptr;
  Block::OpList::iterator position_;
};

}  // namespace lockstep::ir
