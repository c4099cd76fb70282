#include "ir/layouts/shape_rules.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "ir/layouts/block_shape.h"
#include "ir/layouts/encoding_bases.h"

namespace lockstep::ir {
namespace {

using Shape = std::vector<std::int64_t>;
using Reason = std::optional<std::string>;

constexpr std::int64_t kMostElements = std::int64_t{1} << 30;

Reason check_extents(const Shape& shape, std::uint32_t rank) {
  if (shape.size() != rank) {
    return "the shape has " + std::to_string(shape.size()) + " dimensions, the layout " + std::to_string(rank);
  }
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 1 || extent > kMostElements || !is_power_of_two(static_cast<std::uint32_t>(extent))) {
      return "the extent " + std::to_string(extent) + " is not a power of two";
    }
    elements *= extent;
    if (elements > kMostElements) return "the shape has more than 2^30 elements";
  }
  return std::nullopt;
}

Reason check_equal(const Shape& shape, const Extents& own) {
  if (std::equal(shape.begin(), shape.end(), own.begin(), own.end())) return std::nullopt;
  std::string text;
  for (const std::uint32_t extent : own) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return "the layout is one of " + text + " elements";
}

Reason check_mma(const NvidiaMmaEncoding& e, std::size_t rank) {
  if (e.version_major != 2 && e.version_major != 3) {
    return "versionMajor = " + std::to_string(e.version_major) + " has no layout of registers";
  }
  const bool is_hopper = e.version_major == 3;
  if (is_hopper ? rank != 2 : e.instr_shape.size() != rank) return "instrShape has another rank";
  const std::uint32_t m = e.instr_shape[is_hopper ? 0 : rank - 2], n = e.instr_shape[is_hopper ? 1 : rank - 1];
  if (m < 8 || n < 8 || !is_power_of_two(m) || !is_power_of_two(n)) {
    return "the tile of instrShape is not made of powers of two from 8 on";
  }
  return std::nullopt;
}

struct ShapeRules {
  const Encoding& encoding;
  const Shape& shape;

  Reason operator()(const BlockedEncoding&) const { return std::nullopt; }
  Reason operator()(const SliceEncoding& e) const {
    Shape whole = shape;
    whole.insert(whole.begin() + static_cast<std::ptrdiff_t>(e.dim), 1);
    return find_shape_fault(*e.parent, whole);
  }
  Reason operator()(const DotOperandEncoding& e) const {
    const auto* mma = e.parent->as<NvidiaMmaEncoding>();
    return mma == nullptr ? std::nullopt : check_mma(*mma, shape.size());
  }
  Reason operator()(const NvidiaMmaEncoding& e) const { return check_mma(e, shape.size()); }
  Reason operator()(const LinearEncoding&) const { return std::nullopt; }
  Reason operator()(const SwizzledSharedEncoding&) const { return std::nullopt; }
  Reason operator()(const PaddedSharedEncoding& e) const {
    return check_equal(shape, shape_of({&e.offsets, &e.blocks}));
  }
  Reason operator()(const SharedLinearEncoding& e) const {
    return check_equal(shape, shape_of({&e.offsets, &e.blocks}));
  }

  Reason operator()(const NvmmaSharedEncoding& e) const {
    if (e.swizzling_byte_width == 0) return std::nullopt;
    if (shape.size() < 2) return "a swizzled buffer has two dimensions or more";
    const Shape part = shape_per_block(encoding, shape), box = tma_box(e, part);
    const std::size_t inner = e.is_transposed ? 0 : shape.size() - 1;
    if (part[inner] < box[inner]) {
      return "a row has " + std::to_string(part[inner]) + " elements, a swizzle of " +
             std::to_string(e.swizzling_byte_width) + " bytes needs " + std::to_string(box[inner]);
    }
    std::int64_t rows = 1;  // of a transposed buffer Triton takes the last dimension alone
    for (std::size_t i = e.is_transposed ? box.size() - 1 : 0; i < box.size(); ++i) rows *= i == inner ? 1 : box[i];
    if (rows < 8) return "a swizzled buffer has 8 rows or more";
    return std::nullopt;
  }

  Reason operator()(const TensorMemoryEncoding& e) const {
    const Extents split = sizes_per_dimension(e.cga, 2);
    const bool is_b = e.block_m == 64 && e.has_two_ctas;
    const std::int64_t rows = shape[0] / split[0] / e.cta_split_m, columns = shape[1] / split[1] / e.cta_split_n;
    if (rows < e.block_m) return "a block has fewer than blockM = " + std::to_string(e.block_m) + " rows";
    if (columns < (is_b ? 2 : 1)) return "a block has no columns";
    if (is_b && std::min<std::int64_t>(e.block_n, columns) < 2) return "two blocks with one column";
    return std::nullopt;
  }

  Reason operator()(const TensorMemoryScalesEncoding& e) const {
    const Extents split = sizes_per_dimension(e.cga, 2);
    if (shape[0] / split[0] / e.cta_split_m >= 1 && shape[1] / split[1] / e.cta_split_n >= 1) return std::nullopt;
    return "there are more blocks than rows or columns";
  }

  Reason operator()(const OpenEncoding&) const { return "this layout is still open"; }
};

}  // namespace

std::optional<std::string> find_shape_fault(const Encoding& encoding, const std::vector<std::int64_t>& shape) {
  if (encoding.as<OpenEncoding>() == nullptr) {
    if (auto reason = check_extents(shape, encoding.rank())) return reason;
  }
  return std::visit(ShapeRules{encoding, shape}, encoding.parameters());
}

}  // namespace lockstep::ir
