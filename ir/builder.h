// Builder: creates ops at an insertion point, with the current location. Checks nothing but operand counts; run the
// verifier. Ops whose row has regions get that many empty regions (no blocks). Branch targets: create with the operands
// before the target arguments, then Op::add_successor.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "ir/module.h"
#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::ir {

class Builder {
 public:
  explicit Builder(Context& context) : context_(context) {}
  Context& context() const { return context_; }

  void set_insertion_point_to_end(Block& block) {
    block_ = &block;
    position_ = block.ops().end();
  }
  void set_insertion_point_before(Op& op) {
    block_ = op.block();
    position_ = op.position();
  }
  void set_insertion_point_after(Op& op) {
    block_ = op.block();
    position_ = std::next(op.position());
  }
  Block* block() const { return block_; }
  void set_location(Location location) { location_ = location; }
  Location location() const { return location_; }

  /// Creates and inserts. `operands` are flat; optional/variadic groups need `segments` (see Op::operand_segments).
  Op* create(const OpDef& def, const std::vector<Value*>& operands, const std::vector<Type>& results,
             std::vector<NamedAttribute> attributes = {}, std::vector<std::uint32_t> segments = {});
  /// By spelling ("arith.addf"); a spelling that is not in the table is a defect.
  Op* create(std::string_view spelling, const std::vector<Value*>& operands, const std::vector<Type>& results,
             std::vector<NamedAttribute> attributes = {}, std::vector<std::uint32_t> segments = {});
  /// arith.constant of a scalar integer/float type or a splat tensor of one. `bits` in the element's format.
  Value* constant(Type type, std::uint64_t bits);

 private:
  Context& context_;
  Block* block_ = nullptr;
  Block::OpList::iterator position_;
  Location location_;
};

}  // namespace lockstep::ir
