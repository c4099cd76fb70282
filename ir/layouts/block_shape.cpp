#include "ir/layouts/block_shape.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "ir/layouts/encoding_bases.h"

namespace lockstep::ir {
namespace {

/// Vectors of blocks, in parts of a block's own size.
Bases scaled_to_parts(const Bases& blocks, const Extents& whole) {
  const Extents split = sizes_per_dimension(blocks, whole.size());
  Bases cga = blocks;
  for (auto& basis : cga) {
    for (std::size_t i = 0; i < basis.size(); ++i) basis[i] /= static_cast<std::int32_t>(whole[i] / split[i]);
  }
  return cga;
}

struct ClusterOf {
  Bases operator()(const BlockedEncoding& e) const { return e.cga; }
  Bases operator()(const SliceEncoding& e) const {
    Bases cga = cluster_bases(*e.parent);
    for (auto& basis : cga) basis.erase(basis.begin() + static_cast<std::ptrdiff_t>(e.dim));
    return cga;
  }
  Bases operator()(const DotOperandEncoding& e) const {
    Bases cga = cluster_bases(*e.parent);
    for (auto& basis : cga) basis[basis.size() - (e.operand == 0 ? 1 : 2)] = 0;
    return cga;
  }
  Bases operator()(const NvidiaMmaEncoding& e) const { return e.cga; }
  Bases operator()(const LinearEncoding& e) const {
    return scaled_to_parts(e.blocks, shape_of({&e.registers, &e.lanes, &e.warps, &e.blocks}));
  }
  Bases operator()(const SwizzledSharedEncoding& e) const { return e.cga; }
  Bases operator()(const PaddedSharedEncoding& e) const {
    return scaled_to_parts(e.blocks, shape_of({&e.offsets, &e.blocks}));
  }
  Bases operator()(const SharedLinearEncoding& e) const {
    return scaled_to_parts(e.blocks, shape_of({&e.offsets, &e.blocks}));
  }
  Bases operator()(const NvmmaSharedEncoding& e) const { return e.cga; }
  Bases operator()(const TensorMemoryEncoding& e) const { return e.cga; }
  Bases operator()(const TensorMemoryScalesEncoding& e) const { return e.cga; }
  Bases operator()(const OpenEncoding&) const { return {}; }
};

}  // namespace

Bases cluster_bases(const Encoding& encoding) { return std::visit(ClusterOf{}, encoding.parameters()); }

std::vector<std::int64_t> shape_per_block(const Encoding& encoding, const std::vector<std::int64_t>& shape) {
  const Extents split = sizes_per_dimension(cluster_bases(encoding), shape.size());
  std::vector<std::int64_t> part = shape;
  for (std::size_t i = 0; i < part.size(); ++i) part[i] /= std::min<std::int64_t>(part[i], split[i]);
  return part;
}

std::vector<std::int64_t> tma_box(const NvmmaSharedEncoding& encoding, const std::vector<std::int64_t>& block_shape,
                                  bool counts_packed) {
  constexpr std::int64_t kMostPerDimension = 256;
  std::vector<std::int64_t> box = block_shape;
  std::int64_t& inner = encoding.is_transposed ? box.front() : box.back();
  if (encoding.is_fp4_padded) inner *= 2;
  for (std::int64_t& size : box) size = std::min(size, kMostPerDimension);
  if (encoding.swizzling_byte_width != 0) {
    inner = std::int64_t{8} * encoding.swizzling_byte_width / encoding.element_bit_width;
  }
  if (encoding.is_fp4_padded && counts_packed) inner /= 2;
  return box;
}

}  // namespace lockstep::ir
