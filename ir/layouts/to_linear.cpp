#include "ir/layouts/to_linear.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "ir/layouts/block_shape.h"
#include "ir/layouts/encoding_bases.h"
#include "ir/layouts/shape_rules.h"
#include "support/check.h"

namespace lockstep::ir {
namespace {

using Shape = std::vector<std::int64_t>;

std::int32_t int_of(std::int64_t value) { return static_cast<std::int32_t>(value); }

std::vector<LayoutOutput> sizes_of(const Shape& shape) {
  const std::vector<std::string> names = dimension_names(shape.size());
  std::vector<LayoutOutput> sizes;
  for (std::size_t i = 0; i < shape.size(); ++i) sizes.push_back({names[i], int_of(shape[i])});
  return sizes;
}

LinearLayout cluster_layout(const Bases& cga, std::size_t rank) {
  return LinearLayout::covering({{"block", cga}}, dimension_names(rank));
}

/// One block's layout, made as large as its part of the shape, and the cluster's beside it. combineCtaCgaWithShape.
LinearLayout with_cluster(const LinearLayout& inner, const Bases& cga, const Shape& shape) {
  const LinearLayout outer = limit_outputs(cluster_layout(cga, shape.size()), sizes_of(shape));
  std::vector<LayoutOutput> sizes = sizes_of(shape);
  for (LayoutOutput& size : sizes) size.size = std::max(1, size.size / outer.output_size(size.name));
  const LinearLayout fitted = limit_outputs(extend_outputs(inner, sizes), sizes);
  return (fitted * outer.transpose_outputs(fitted.output_names())).transpose_outputs(dimension_names(shape.size()));
}

/// The last dimension first; `is_row_major` false: the last two change places.
Extents matrix_order(std::size_t rank, bool is_row_major) {
  Extents order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  if (!is_row_major && rank >= 2) std::swap(order[0], order[1]);
  return order;
}

std::vector<std::string> names_in(const Extents& order) {
  const std::vector<std::string> names = dimension_names(order.size());
  std::vector<std::string> ordered;
  for (const std::uint32_t dim : order) ordered.push_back(names[dim]);
  return ordered;
}

/// Lanes or warps of an operand: those that share a row or column of the result hold the same along k.
LinearLayout shared_along_k(const Extents& shape, const Extents& order, std::size_t k_dim, std::string_view input) {
  const std::vector<std::string> names = dimension_names(shape.size());
  LinearLayout layout;
  for (const std::uint32_t dim : order) {
    const std::int32_t size = static_cast<std::int32_t>(shape[dim]);
    layout *= dim == k_dim ? LinearLayout::zeros(size, input, names[dim])
                           : LinearLayout::identity(size, input, names[dim]);
  }
  return layout;
}

/// The tile of a tensor-core instruction: 8 rows of 4 lanes, `k_width` elements each, repeated by registers.
LinearLayout mma_tile(std::size_t rank, std::int32_t m, std::int32_t n, std::int32_t k_width, const Extents& order,
                      const Extents& repeated) {
  const std::vector<std::string> names = dimension_names(rank);
  const std::string &inner = names[order[0]], &outer = names[order[1]];
  const LinearLayout start = LinearLayout::walk("register", Extents(rank, 1), repeated);
  return start * LinearLayout::identity(k_width, "register", inner) * LinearLayout::identity(4, "lane", inner) *
         LinearLayout::identity(8, "lane", outer) * LinearLayout::identity(m / 8, "register", outer) *
         LinearLayout::identity(n / (k_width * 4), "register", inner);
}

LinearLayout mma_layout(const NvidiaMmaEncoding& e, const Shape& shape) {
  const std::size_t rank = shape.size();
  const bool is_hopper = e.version_major == 3;
  const Extents order = matrix_order(rank, true);
  const auto m = static_cast<std::int32_t>(e.instr_shape[is_hopper ? 0 : rank - 2]);
  const auto n = static_cast<std::int32_t>(e.instr_shape[is_hopper ? 1 : rank - 1]);
  LinearLayout layout = mma_tile(rank, m, n, 2, order, order);
  const LinearLayout warps = LinearLayout::walk("warp", e.warps_per_cta, matrix_order(rank, !is_hopper));
  layout *= warps.transpose_outputs(layout.output_names());
  return with_cluster(layout, e.cga, shape);
}

LinearLayout mma_operand_layout(const DotOperandEncoding& e, const NvidiaMmaEncoding& mma, const Shape& shape) {
  const std::size_t rank = shape.size(), k_dim = e.operand == 0 ? rank - 1 : rank - 2;
  const auto k_width = static_cast<std::int32_t>(e.k_width);
  const Extents order = matrix_order(rank, e.operand == 0);
  LinearLayout layout = mma_tile(rank, e.operand == 0 ? 16 : 8, k_width * 8, k_width, order, order);
  const Extents warp_order = matrix_order(rank, mma.version_major != 3);
  layout *= shared_along_k(mma.warps_per_cta, warp_order, k_dim, "warp").transpose_outputs(layout.output_names());
  return layout;
}

LinearLayout blocked_operand_layout(const DotOperandEncoding& e, const BlockedEncoding& blocked, const Shape& shape) {
  const std::size_t rank = shape.size(), k_dim = e.operand == 0 ? rank - 1 : rank - 2;
  Extents registers = blocked.size_per_thread;
  registers[k_dim] = static_cast<std::uint32_t>(shape[k_dim]);
  const std::vector<std::string> names = names_in(blocked.order);
  return LinearLayout::walk("register", registers, blocked.order).transpose_outputs(names) *
         shared_along_k(blocked.threads_per_warp, blocked.order, k_dim, "lane").transpose_outputs(names) *
         shared_along_k(blocked.warps_per_cta, blocked.order, k_dim, "warp").transpose_outputs(names);
}

LinearLayout swizzled_layout(const SwizzledSharedEncoding& e, const Shape& shape, const Shape& part) {
  const std::size_t rank = shape.size();
  if (rank == 1) return with_cluster(LinearLayout::identity(int_of(part[0]), "offset", "dim0"), e.cga, shape);
  const std::vector<std::string> names = dimension_names(rank);
  const std::size_t column = e.order[0], row = e.order[1];
  const std::int32_t columns = int_of(part[column]);
  Bases bases;
  for (std::int32_t step = 1; step < columns; step *= 2) bases.push_back({0, step});
  for (std::int32_t step = 1; step < part[row]; step *= 2) {
    const std::int64_t phase = static_cast<std::uint32_t>(step) / e.per_phase % e.max_phase;
    bases.push_back({step, int_of(e.vec * phase % columns)});
  }
  LinearLayout layout({{"offset", std::move(bases)}}, {{names[row], int_of(part[row])}, {names[column], columns}});
  for (std::size_t i = 2; i < rank; ++i) {
    layout *= LinearLayout::identity(int_of(part[e.order[i]]), "offset", names[e.order[i]]);
  }
  return with_cluster(layout, e.cga, shape);
}

/// 8 rows, swizzled: what TMA, wgmma and tcgen05 repeat. Columns of padded 4-bit numbers are held twice.
LinearLayout core_matrix(const NvmmaSharedEncoding& e) {
  const auto bits = static_cast<std::int32_t>(e.element_bit_width);
  const auto bytes = static_cast<std::int32_t>(e.swizzling_byte_width);
  const std::int32_t columns = 8 * std::max(16, bytes) / bits;
  const std::int32_t vec = 128 / bits, per_phase = 128 / bytes, max_phase = bytes / 16;
  const auto packed = [&](std::int32_t column) { return e.is_fp4_padded ? column / 16 * 8 + column % 8 : column; };
  Bases bases;
  for (std::int32_t step = 1; step < columns; step *= 2) bases.push_back({0, packed(step)});
  for (std::int32_t row = 1; row < 8; row *= 2) bases.push_back({row, packed(vec * ((row / per_phase) % max_phase))});
  return LinearLayout::covering({{"offset", std::move(bases)}}, dimension_names(2));
}

LinearLayout nvmma_layout(const NvmmaSharedEncoding& e, const Shape& shape, const Shape& part) {
  const std::size_t rank = shape.size();
  const std::vector<std::string> names = dimension_names(rank);
  Shape box = tma_box(e, part);
  Extents outer_last{static_cast<std::uint32_t>(rank - 1)};
  for (std::uint32_t i = 0; i + 1 < rank; ++i) outer_last.push_back(i);
  if (e.swizzling_byte_width == 0) {
    if (e.is_transposed) std::rotate(box.begin(), box.begin() + 1, box.end());
    LinearLayout layout;
    for (std::size_t i = rank; i > 0; --i) layout *= LinearLayout::identity(int_of(box[i - 1]), "offset", names[i - 1]);
    // Places change, not names: with three dimensions this is not the box turned round, and Triton 3.9 has it so.
    if (e.is_transposed) layout = permute_dimensions(layout, outer_last);
    return with_cluster(extend_outputs(layout, sizes_of(part)), e.cga, shape);
  }
  Shape flat{1, box.back()};
  for (std::size_t i = 0; i + 1 < rank; ++i) flat[0] *= box[i];
  if (e.is_transposed) std::swap(flat[0], flat[1]);
  LinearLayout layout = extend_outputs(core_matrix(e), sizes_of(flat));
  if (e.is_transposed) std::rotate(box.begin(), box.begin() + 1, box.end());
  layout = reshape_dimensions(layout, box);
  if (e.is_transposed) layout = permute_dimensions(layout, outer_last);
  return with_cluster(extend_outputs(layout, sizes_of(part)), e.cga, shape);
}

/// The part of one block: rows are lanes of tensor memory, of which each warp reads 32.
LinearLayout tensor_memory_tile(const TensorMemoryEncoding& e, std::uint32_t block_m, const Shape& part, bool is_b) {
  const std::vector<std::string> names = dimension_names(2);
  const std::int32_t n = int_of(std::min<std::int64_t>(e.block_n, part[1])), m = static_cast<std::int32_t>(block_m);
  LinearLayout tile = LinearLayout::zeros(static_cast<std::int32_t>(e.col_stride), "col", names[1]);
  const LinearLayout columns = LinearLayout::identity(n, "col", names[1]);
  if (m == 64 && !is_b) {
    // Half of the rows: the others take a second block, if there is one, or are not defined.
    const bool has_rows = part[0] > m, has_columns = part[1] > n;
    tile = (tile * LinearLayout::identity(16, "row", names[0]) * columns).transpose_outputs(names);
    Bases rows = tile.bases("row");
    rows.push_back({has_rows ? 64 : 0, !has_rows && has_columns ? n : 0});
    rows.push_back({16, 0});
    rows.push_back({32, 0});
    tile = LinearLayout::covering({{"col", tile.bases("col")}, {"row", std::move(rows)}}, names);
  } else {
    tile *= LinearLayout::identity(m, "row", names[0]) * columns;
    if (is_b) {  // two CTAs with 64 rows each: the last column bit chooses the other half of the rows
      tile = tile.transpose_outputs(names);
      Bases rows = tile.bases("row"), rest = tile.bases("col");
      rows.push_back(rest.back());
      rest.pop_back();
      tile = LinearLayout({{"col", std::move(rest)}, {"row", std::move(rows)}}, tile.outputs());
    }
  }
  return tile * LinearLayout::identity(std::max(1, int_of(part[0]) / tile.output_size(names[0])), "col", names[0]) *
         LinearLayout::identity(std::max(1, int_of(part[1]) / tile.output_size(names[1])), "col", names[1]);
}

LinearLayout rows_first(const LinearLayout& layout) {
  std::vector<std::string> inputs{"row", "col"};
  if (layout.has_input("block")) inputs.emplace_back("block");
  return layout.transpose_inputs(inputs).transpose_outputs(dimension_names(2));
}

LinearLayout tensor_memory_layout(const TensorMemoryEncoding& e, const Shape& shape) {
  const std::vector<std::string> names = dimension_names(2);
  if (e.cta_split_m == 1 && e.cta_split_n == 1) {
    const Extents split = sizes_per_dimension(e.cga, 2);
    const bool is_b = e.block_m == 64 && e.has_two_ctas;
    const LinearLayout tile = tensor_memory_tile(e, e.block_m, {shape[0] / split[0], shape[1] / split[1]}, is_b);
    return rows_first(tile * cluster_layout(e.cga, 2));
  }
  // Up to Triton 3.7 the blocks of a cluster are further columns.
  const bool is_b = e.block_m == 64 && e.has_two_ctas && e.cta_split_m > 1;
  const std::uint32_t split_m = is_b ? e.cta_split_m / 2 : e.cta_split_m;
  const Shape part{shape[0] / split_m, shape[1] / e.cta_split_n};
  LinearLayout layout = tensor_memory_tile(e, is_b ? 128 : e.block_m, part, false) *
                        LinearLayout::identity(static_cast<std::int32_t>(split_m), "col", names[0]);
  layout = rows_first(layout);
  if (is_b) {
    Bases rows = layout.bases("row"), columns = layout.bases("col");
    std::swap(rows.back(), columns.back());
    layout = LinearLayout({{"row", std::move(rows)}, {"col", std::move(columns)}}, layout.outputs());
  }
  return layout * LinearLayout::identity(static_cast<std::int32_t>(e.cta_split_n), "col", names[1]);
}

LinearLayout scales_layout(const TensorMemoryScalesEncoding& e, const Shape& shape) {
  const std::vector<std::string> names = dimension_names(2);
  const Extents split = sizes_per_dimension(e.cga, 2);
  const Shape part{shape[0] / e.cta_split_m / split[0], shape[1] / e.cta_split_n / split[1]};
  LinearLayout tile = LinearLayout::identity(32, "row", names[0]) * LinearLayout::zeros(4, "row", names[0]) *
                      LinearLayout::identity(4, "col", names[1]) * LinearLayout::identity(2, "col", names[0]);
  const LinearLayout more_rows = LinearLayout::identity(std::max(1, int_of(part[0]) / 64), "col", names[0]);
  const LinearLayout more_columns = LinearLayout::identity(std::max(1, int_of(part[1]) / 4), "col", names[1]);
  tile *= e.is_k_then_mn ? more_columns * more_rows : more_rows * more_columns;
  tile = limit_outputs(tile, sizes_of(part));
  tile *= LinearLayout::identity(static_cast<std::int32_t>(e.cta_split_m), "col", names[0]);
  tile *= LinearLayout::identity(static_cast<std::int32_t>(e.cta_split_n), "col", names[1]);
  return rows_first(tile * cluster_layout(e.cga, 2));
}

LinearLayout without_dimension(const LinearLayout& layout, std::size_t dim) {
  const std::vector<std::string> names = dimension_names(layout.outputs().size());
  LinearLayout rest = layout.without_output(names[dim]);
  std::vector<LayoutOutput> outputs = rest.outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].name = names[i];
  return {rest.inputs(), std::move(outputs)};
}

struct ToLinear {
  const Encoding& encoding;
  const Shape& shape;

  Shape part() const { return shape_per_block(encoding, shape); }

  LinearLayout operator()(const BlockedEncoding& e) const {
    return with_cluster(LinearLayout::walk("register", e.size_per_thread, e.order) *
                            LinearLayout::walk("lane", e.threads_per_warp, e.order) *
                            LinearLayout::walk("warp", e.warps_per_cta, e.order),
                        e.cga, shape);
  }
  LinearLayout operator()(const SliceEncoding& e) const {
    Shape whole = shape;
    whole.insert(whole.begin() + static_cast<std::ptrdiff_t>(e.dim), 1);
    return without_dimension(to_linear_layout(*e.parent, whole), e.dim).without_copies("register");
  }
  LinearLayout operator()(const DotOperandEncoding& e) const {
    const auto* mma = e.parent->as<NvidiaMmaEncoding>();
    const LinearLayout inner = mma != nullptr
                                   ? mma_operand_layout(e, *mma, shape)
                                   : blocked_operand_layout(e, *e.parent->as<BlockedEncoding>(), shape);
    return with_cluster(inner, cluster_bases(encoding), shape);
  }
  LinearLayout operator()(const NvidiaMmaEncoding& e) const { return mma_layout(e, shape); }
  LinearLayout operator()(const LinearEncoding& e) const {
    const LinearLayout own = LinearLayout::covering(
        {{"register", e.registers}, {"lane", e.lanes}, {"warp", e.warps}, {"block", e.blocks}},
        dimension_names(shape.size()));
    const LinearLayout ordered = own.transpose_outputs(names_in(order_of(e.registers, shape.size())));
    const std::vector<LayoutOutput> sizes = sizes_of(shape);
    return limit_outputs(extend_outputs(ordered, sizes), sizes, false).transpose_outputs(own.output_names());
  }
  LinearLayout operator()(const SwizzledSharedEncoding& e) const { return swizzled_layout(e, shape, part()); }
  LinearLayout operator()(const PaddedSharedEncoding& e) const {
    return {{{"offset", e.offsets}, {"block", e.blocks}}, sizes_of(shape)};
  }
  LinearLayout operator()(const SharedLinearEncoding& e) const {
    return {{{"offset", e.offsets}, {"block", e.blocks}}, sizes_of(shape)};
  }
  LinearLayout operator()(const NvmmaSharedEncoding& e) const { return nvmma_layout(e, shape, part()); }
  LinearLayout operator()(const TensorMemoryEncoding& e) const { return tensor_memory_layout(e, shape); }
  LinearLayout operator()(const TensorMemoryScalesEncoding& e) const { return scales_layout(e, shape); }
  LinearLayout operator()(const OpenEncoding&) const { return {}; }
};

}  // namespace

LinearLayout to_linear_layout(const Encoding& encoding, const std::vector<std::int64_t>& shape) {
  LOCKSTEP_CHECK(!find_shape_fault(encoding, shape), "this shape cannot have this layout");
  return std::visit(ToLinear{encoding, shape}, encoding.parameters());
}

std::int64_t allocated_elements(const Encoding& encoding, const std::vector<std::int64_t>& shape) {
  const std::int64_t elements = to_linear_layout(encoding, shape).input_size("offset");
  const auto* padded = encoding.as<PaddedSharedEncoding>();
  if (padded == nullptr) return elements;
  std::int64_t padding = 0;
  for (std::size_t i = 0; i < padded->intervals.size(); ++i) {
    padding += elements / padded->intervals[i] * padded->paddings[i];
    if (elements % padded->intervals[i] == 0) padding -= padded->paddings[i];  // none after the last element
  }
  return elements + padding;
}

}  // namespace lockstep::ir
