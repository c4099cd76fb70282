// Creates ops for one function with Triton's locations: an op carries the position of the last visited node, inside a
// NameLoc of the variable being assigned. Splats and broadcasts of constants fold to dense constants, as Triton's
// builder does; nothing else folds. Columns are CPython's col_offset (0-based), which is what Triton stores in its
// locations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/semantics/types.h"
#include "ir/builder.h"
#include "ir/module.h"

namespace lockstep::frontend {

class Emitter {
 public:
  Emitter(ir::Module& module, std::string path) : builder_(module.context()), path_(std::move(path)) {}
  ir::Context& context() const { return builder_.context(); }
  ir::Builder& builder() { return builder_; }

  void set_position(std::uint32_t line, std::uint32_t column);
  void set_location(Location location) { builder_.set_location(location); }
  Location location() const { return builder_.location(); }
  void set_prefix(std::string name) { prefix_ = std::move(name); }
  void clear_prefix() { prefix_.clear(); }
  /// NameLoc of `name` around the value's own location.
  void name_value(ir::Value* value, const std::string& name);

  ir::Block* block() const { return builder_.block(); }
  /// Insertion at the end of `block`; the location becomes that of its last op (of the op around it if empty).
  void to_end(ir::Block& block);
  /// Insertion before the first op of `block`.
  void to_start(ir::Block& block);

  ir::Op* create(std::string_view spelling, const std::vector<ir::Value*>& operands,
                 const std::vector<ir::Type>& results, std::vector<ir::NamedAttribute> attributes = {},
                 std::vector<std::uint32_t> segments = {}) {
    return builder_.create(spelling, operands, results, std::move(attributes), std::move(segments));
  }
  /// An op with one result.
  ir::Value* value(std::string_view spelling, const std::vector<ir::Value*>& operands, ir::Type result,
                   std::vector<ir::NamedAttribute> attributes = {}) {
    return create(spelling, operands, {result}, std::move(attributes))->result();
  }
  ir::Value* constant(ir::Type type, std::uint64_t bits) { return builder_.constant(type, bits); }
  ir::Value* splat(ir::Value* scalar, ir::Type tensor);
  ir::Value* broadcast(ir::Value* source, ir::Type tensor);

 private:
  ir::Builder builder_;
  std::string path_;
  std::string prefix_;
};

}  // namespace lockstep::frontend
