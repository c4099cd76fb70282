// TileLayouts: the layouts of registers that Triton's passes give the tiles of a TTIR function: those of its accesses
// (coalesce), of its products (accelerate-matmul), and of what is computed of them (remove-layout-conversions). A tile
// whose type has a layout has that one. Not here: what pipelining, optimize-thread-locality and warp specialization
// change, clusters, layouts of tiles that are joined, gathered or sorted: they are not known.
// Source: Coalesce.cpp, AccelerateMatmul.cpp, RemoveLayoutConversions.cpp and Utility.cpp of Triton 3.6, for sm_80 and
// sm_90.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/analysis/axis_analysis.h"
#include "ir/context.h"
#include "ir/layouts/encoding.h"
#include "ir/op.h"

namespace lockstep::ir {

class TileLayouts {
 public:
  TileLayouts(Context& context, const Op& function, int num_warps, int capability);

  /// Of a tile's elements where a reduction or scan reads them; null: not known.
  const Encoding* of(const Value& value);
  /// Of a scan's operands; null: not known.
  const Encoding* of_scan(const Op& scan);
  /// Of tt.dot's result.
  const Encoding* of_product(const Op& dot);

 private:
  /// Where a tile's layout comes from: products decide before accesses, these before what can be computed anew
  /// anywhere.
  enum class Anchor : std::uint8_t { anywhere, access, product, unknown };
  struct Choice {
    Anchor anchor = Anchor::anywhere;
    const Encoding* layout = nullptr;
  };

  Choice choose(const Value& value);
  Choice choose_again(const Value& value);
  Choice of_result(const Op& op, const Value& value);
  Choice of_access(const Op& op);
  Choice of_movement(const Op& op);
  Choice best_of(const std::vector<Value*>& values);
  const Encoding* of_store_behind(const Op& scan);
  const Encoding* default_layout(const std::vector<std::int64_t>& shape);
  const Encoding* blocked(const std::vector<std::int64_t>& shape, Extents size_per_thread, const Extents& order);
  const Encoding* by_warp_group(const Op& dot);
  const Encoding* by_warp(const Op& dot);
  void gather_accesses(const Op& function);

  Context& context_;
  AxisAnalysis axes_;
  std::uint32_t warps_;
  int capability_;
  /// The widest access, in elements, by shape and order.
  std::map<std::pair<std::vector<std::int64_t>, std::vector<int>>, std::int64_t> widest_;
  std::unordered_map<const Value*, Choice> choices_;
  std::unordered_set<const Value*> open_;  // being looked at
  std::vector<const Value*> explored_;     // since the first of these
  bool meets_open_ = false;
};

/// True where sm_90 multiplies by a whole warp group (wgmma) and not by single warps (mma.sync).
bool is_warp_group_product(const Op& dot, int num_warps, int capability);

}  // namespace lockstep::ir
