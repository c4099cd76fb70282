// LayoutPlan: the layout of every tile of a function. Memory accesses get layouts that are coalesced for their
// addresses, dots those of the tensor core; elementwise ops follow their operands' layouts. Values that are cheap to
// compute again (ranges, constants, address arithmetic and shape ops) have no layout of their own: they exist in every
// layout that a user needs (a *variant*). A value with an *anchor* is computed there once and converted for other
// users. Invariant: variants(v) contains every layout that operand_layout names for a user of v. Not here: text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/analysis/axis_analysis.h"
#include "backend_cuda/layout/layout.h"
#include "backend_cuda/target.h"
#include "ir/op.h"

namespace lockstep::backend_cuda {

using LayoutId = int;
inline constexpr LayoutId kScalar = -1;

/// How operand `i` of a shape op becomes a part of its result: the index bit of the operand for each result bit. Where
/// `selector` is a bit, the operand gives the elements whose bit `selector` is `selected` (tt.join, tt.cat).
struct ShapeMap {
  BitMap bits;
  int selector = kReplicated;
  int selected = 0;
};

class LayoutPlan {
 public:
  LayoutPlan(const ir::Op& function, const ir::AxisAnalysis& axes, const Target& target);

  const Layout& layout(LayoutId id) const { return layouts_[static_cast<std::size_t>(id)]; }
  int layout_count() const { return static_cast<int>(layouts_.size()); }
  LayoutId intern(const Layout& layout);
  /// The layout of a value that is computed once; nullopt for scalars and for values with variants only.
  std::optional<LayoutId> anchor(const ir::Value* value) const;
  /// Layouts in which the value must exist; the anchor first. {kScalar} for scalars.
  std::vector<LayoutId> variants(const ir::Value* value) const;
  /// True for ops that are emitted once for each variant of their results.
  bool has_variants(const ir::Op& op) const;
  /// The layout in which the op reads operand `i` in `variant` (its own layout if it has no variants). kScalar for
  /// scalars.
  LayoutId operand_layout(const ir::Op& op, std::size_t i, LayoutId variant);
  /// The working layout of an op: of the elements that it accesses, of its source (reductions and scans), or of its
  /// result (all others with an anchor). kScalar if it works on scalars.
  LayoutId working_layout(const ir::Op& op);

 private:
  struct Anchor {
    LayoutId id = kScalar;
    int rank = 0;  // which operand's layout an elementwise op follows: the highest
    friend bool operator==(const Anchor&, const Anchor&) = default;
  };

  void gather_accesses(const ir::Region& region);
  void settle_homes(const ir::Region& region);
  bool visit_region(const ir::Region& region);
  bool visit_op(const ir::Op& op);
  bool follow_source(const ir::Value* value, Anchor anchor);
  bool pass_home(const ir::Value* from, const ir::Value* to);
  bool pass_homes_of_region_op(const ir::Op& op);
  bool set_anchor(const ir::Value* value, Anchor anchor);
  std::optional<Anchor> anchor_of_result(const ir::Op& op);
  std::optional<Anchor> best_operand(const ir::Op& op) const;
  int rank_of_combined(const ir::Op& op) const;
  LayoutId access_layout(const ir::Op& op);
  LayoutId block_layout(const ir::Op& op);
  LayoutId packed_layout(const ir::Op& op);
  LayoutId default_layout(ir::Type type);
  Layout forward(const ir::Op& op, const Layout& operand) const;
  void demand(const ir::Value* value, LayoutId id);
  void demand_operands(const ir::Op& op, LayoutId variant);
  void demand_roots(const ir::Region& region);
  void demand_incoming(const ir::Value* value, LayoutId id);

  const ir::AxisAnalysis& axes_;
  Target target_;
  std::vector<Layout> layouts_;
  std::unordered_map<const ir::Value*, Anchor> anchors_;
  std::unordered_map<const ir::Value*, std::vector<LayoutId>> demanded_;
  std::map<std::pair<std::vector<std::int64_t>, std::vector<int>>, std::int64_t> per_thread_;
};

/// The shape map of an operand, or nullopt if the op is not a shape op.
std::optional<ShapeMap> shape_map(const ir::Op& op, std::size_t operand);
/// Values that may become `value` (an argument of a block or the result of a structured op): loop inits, yields,
/// branch operands.
std::vector<const ir::Value*> incoming_values(const ir::Value* value);
/// Whether each result element comes from one element of each operand at the same place.
bool is_elementwise(const ir::Op& op);
/// tt.reduce, tt.scan, tt.map_elementwise: their region works on scalars.
bool is_combining(const ir::Op& op);
/// The access' address operand is operand 0, a pointer or a tile of them: load, store, atomics.
bool is_pointer_access(const ir::Op& op);
/// Loads and stores through block pointers and tensor descriptors.
bool is_block_access(const ir::Op& op);
/// How many neighbours (in row-major order) one application of tt.map_elementwise or inline assembly takes; 1 for all
/// other ops.
std::int64_t pack_of(const ir::Op& op);

}  // namespace lockstep::backend_cuda
