// EncloseContext: an op row's view of a run with bounds for every value (the `enclose` column). A hook asks for the
// bounds of its op's operands and sets those of its results; the same hook serves the run of a kernel, where a value
// without bounds is a *point* that the interpreter computes, and the regions of reductions, where nothing else
// computes. Invariant: whatever a conforming GPU may compute from operands within their bounds lies within the bounds
// that a hook sets; otherwise the hook returns false, and the results are unbounded, with the op named.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "enclosure/bounds.h"
#include "ir/op.h"

namespace lockstep::enclosure {

struct RegionLaws;
using KnownLaws = std::unordered_map<const ir::Region*, std::shared_ptr<const RegionLaws>>;

class EncloseContext {
 public:
  virtual ~EncloseContext() = default;

  /// The bounds of an operand; a product may come unrounded. Shared: not to be changed.
  virtual BoundsRef bounds(const ir::Value& value) = 0;
  virtual bool is_point(const ir::Value& value) = 0;
  /// Of a result.
  virtual void set(const ir::Value& value, BoundsRef bounds) = 0;
  /// The result is the interpreter's value.
  virtual void keep_point(const ir::Value& result) = 0;
  /// For ops that a GPU computes as Lockstep does: true if the operands are the interpreter's points; then the results
  /// are points, too.
  virtual bool keep_points(const ir::Op& op) = 0;
  /// Whether the product may be contracted into its user.
  virtual bool may_contract(const ir::Op& product) = 0;
  virtual CauseId cause(const ir::Op& op) = 0;
  /// EnclosureOptions::spreads_sums.
  virtual bool spreads_sums() const = 0;
  /// Memory, for the ops that touch it: false without memory (regions).
  virtual bool access_memory(const ir::Op& op) = 0;
  /// From here on, results depend on a model: a measured accumulator, an unproved error bound. Everything computed from
  /// them, or decided by them, carries the op (TensorEnclosure::models).
  virtual void rely_on_model(const ir::Op& op) = 0;
  /// Work beyond the op's own elements; false: the launch has none left.
  virtual bool spend(double evaluations) = 0;
  /// The bounds are of what f64 has without any rounding of the kernel's formats (EnclosureOptions::real).
  virtual bool is_real() const { return false; }
  /// The known facts of regions in this launch (laws_of).
  virtual KnownLaws& laws() = 0;

  /// The bounds as numbers of the value's type.
  BoundsRef rounded(const ir::Value& value);
};

/// Element kind; i64 for an index. A type without scalars (descriptors) counts as a pointer.
ScalarKind kind_of(const ir::Value& value);
/// The format whose numbers the value's bounds are: its own, but f64 for floats without rounding.
ScalarKind number_kind(const EncloseContext& context, const ir::Value& value);
std::int64_t count_of(const ir::Value& value);
std::vector<std::int64_t> shape_of(const ir::Value& value);

/// A copy of its own.
BoundsRef copy_of(const Bounds& bounds);

}  // namespace lockstep::enclosure
