// Random valid kernels made from the rows: an op of any row with operands of types that its rules and relations admit,
// between loads that make its operands and stores that use its results. Rows with regions, targets or shapes of their
// own have a function in special_samples.cpp; all others get the generic treatment: types are drawn until the verifier
// agrees. Invariant: what is in the kernel verifies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/random.h"
#include "ir/context.h"
#include "ir/op_def.h"

namespace lockstep::fuzz {

using Shape = std::vector<std::int64_t>;

/// Grows one kernel op by op, as text. Handed to the rows' `sample` hooks.
class Sampler {
 public:
  explicit Sampler(Random& random) : random_(random) {}

  /// Adds an op of `def` and what it needs. False: nothing that was drawn verifies; the kernel is as before.
  bool sample_op(const ir::OpDef& def);
  /// The kernel so far, with a store of each result.
  std::string text() const;

  Random& random() { return random_; }
  ir::Context& context() { return context_; }
  /// The name of a new value of that type ("%12"), made of the parameters; "" if there is no way.
  std::string value(ir::Type type);
  /// A random type that obeys a rule; tiles have `shape`, an empty one means scalars. Null if there is none.
  ir::Type type(ir::TypeRule rule, const Shape& shape);
  ir::Type tile(ScalarKind kind, const Shape& shape) { return context_.tensor(shape, context_.scalar(kind)); }
  Shape shape();  // one to three extents, at most 64 elements
  ScalarKind number();
  std::string name();  // a fresh one
  void line(std::string text) { body_ += "    " + std::move(text) + "\n"; }
  /// A function beside the kernel.
  void function(std::string text) { functions_ += std::move(text); }
  /// Stores a result in the end, if it is a number or a tile of numbers.
  void keep(std::string name, ir::Type type);

 private:
  struct Drawn {
    std::vector<std::vector<ir::Type>> operands, results;
  };
  bool add_generic(const ir::OpDef& def);
  bool draw_types(const ir::OpDef& def, Drawn& drawn);
  void infer(const ir::OpDef& def, Drawn& drawn, const Shape& shape);
  std::string attributes(const ir::OpDef& def, const Drawn& drawn);
  std::string pointers(ir::Type type);
  std::string tile_value(ir::Type type);
  std::string parameter(ir::Type pointee);

  Random& random_;
  ir::Context context_;
  std::string body_, functions_, stores_;
  std::vector<std::string> parameters_;  // "%f32: !tt.ptr<f32>"
  std::size_t next_ = 0;
};

/// How a row's ops are made where the generic way cannot; null for all others.
ir::SampleHook special_sample(ir::Opcode opcode);

/// A whole kernel of a few random ops.
std::string sample_kernel(Random& random);

}  // namespace lockstep::fuzz
