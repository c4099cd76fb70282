// Random valid kernels made from the rows: an op of any row with operands of types that its rules and relations admit,
// between loads that make its operands and stores that use its results. Rows with regions, targets or shapes of their
// own have a function in samples.cpp; all others get the generic treatment: the sampler draws types until the verifier
// agrees. Invariant: the kernel verifies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/random.h"
#include "ir/context.h"
#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::fuzz {

using Shape = std::vector<std::int64_t>;

/// single: each op has operands of its own, loaded from few tensors that are also stored to. launchable: results feed
/// later ops, and every op that takes a pointer, every store and every program has bytes of its own, so that any order
/// of programs and threads gives the same; kPartElements of each tensor for a program.
enum class SampleStyle : std::uint8_t { single, launchable };
inline constexpr std::int64_t kPartElements = 4096;

/// Grows one kernel op by op, as text. Handed to the rows' `sample` hooks.
class Sampler {
 public:
  Sampler(const ir::OpRegistry& ops, Random& random, SampleStyle style = SampleStyle::single);

  /// Adds an op of `def` and its operands. False: no draw verifies; the kernel is as before.
  bool sample_op(const ir::OpDef& def);
  /// The kernel so far, with a store of each result.
  std::string text() const;

  Random& random() { return random_; }
  ir::Context& context() { return context_; }
  /// The name of a new value of that type ("%12"), computed from the parameters; "" if there is no way.
  std::string value(ir::Type type);
  /// A random type that obeys a rule; tiles have `shape`, an empty one means scalars. Null if there is none.
  ir::Type type(ir::TypeRule rule, const Shape& shape);
  ir::Type tile(ScalarKind kind, const Shape& shape) { return context_.tensor(shape, context_.scalar(kind)); }
  Shape shape();  // one to three extents, at most 64 elements (launchable: 1024, mostly one of two)
  bool is_launchable() const { return style_ == SampleStyle::launchable; }
  ScalarKind number();
  std::string name();  // a fresh one
  void line(std::string text) { text_.body += "    " + std::move(text) + "\n"; }
  /// A function next to the kernel.
  void function(std::string text) { text_.functions += std::move(text); }
  /// Stores a result at the end, if it is a number or a tile of numbers.
  void keep(std::string name, ir::Type type);

 private:
  struct Drawn {
    std::vector<std::vector<ir::Type>> operands, results;
  };
  bool add_generic(const ir::OpDef& def);
  bool draw_types(const ir::OpDef& def, Drawn& drawn);
  void infer(const ir::OpDef& def, Drawn& drawn, const Shape& shape);
  std::string attributes(const ir::OpDef& def, const Drawn& drawn);
  Shape random_shape(std::int64_t most, std::size_t extents);
  std::string pointers(ir::Type type, bool is_own);
  std::string spread(const std::string& offsets, const std::string& type, std::int64_t count);
  std::string parameter(ir::Type pointee, bool is_own);
  std::string earlier(ir::Type type);

  /// The growing text; restored when an op does not verify.
  struct Text {
    std::string head, body, functions, stores;
    std::vector<std::string> parameters;                    // "%f32: !tt.ptr<f32>"
    std::vector<std::pair<std::string, ir::Type>> results;  // of launchable kernels, for later ops
  };
  ir::Context context_;
  Random& random_;
  SampleStyle style_;
  Text text_;
  std::vector<Shape> shapes_;
  std::vector<ScalarKind> numbers_;
  std::size_t next_ = 0;
};

/// The rows that kernels are drawn from: all but those that only Triton's GPU passes make.
std::vector<const ir::OpDef*> sampled_rows(const ir::OpRegistry& ops);

/// A whole kernel of a few random ops.
std::string sample_kernel(const ir::OpRegistry& ops, Random& random);
/// A launchable kernel of 1 to `most` random ops whose results are the same on every machine: none that waits, prints,
/// traps or shows addresses. Its grid is one-dimensional.
std::string sample_launchable(const ir::OpRegistry& ops, Random& random, std::size_t most);

}  // namespace lockstep::fuzz
