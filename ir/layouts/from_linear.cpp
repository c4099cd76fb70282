#include "ir/layouts/from_linear.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "ir/layouts/encoding_bases.h"
#include "ir/layouts/encoding_rules.h"
#include "ir/layouts/shape_rules.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::ir {
namespace {

constexpr std::uint32_t kAlignment = 16;       // of a buffer whose layout does not ask for more
constexpr std::size_t kMostOrderedRank = 5;    // 120 orders are tried

Extents extents_of(const LinearLayout& layout) {
  Extents shape;
  for (const LayoutOutput& output : layout.outputs()) shape.push_back(static_cast<std::uint32_t>(output.size));
  return shape;
}

/// The candidate, if it is an encoding and has this very layout.
const Encoding* matching(EncodingTable& encodings, EncodingParameters candidate, const LinearLayout& layout) {
  if (find_encoding_fault(candidate)) return nullptr;
  const Extents extents = extents_of(layout);
  const std::vector<std::int64_t> shape(extents.begin(), extents.end());
  const Encoding tried(candidate);
  if (find_shape_fault(tried, shape) || to_linear_layout(tried, shape) != layout) return nullptr;
  return encodings.get(std::move(candidate));
}

/// Vectors of blocks, in parts of one block's size.
Bases cluster_of(const LinearLayout& layout) {
  const Extents whole = extents_of(layout), split = sizes_per_dimension(layout.bases("block"), whole.size());
  Bases cga = layout.bases("block");
  for (auto& basis : cga) {
    for (std::size_t i = 0; i < basis.size(); ++i) basis[i] /= static_cast<std::int32_t>(whole[i] / split[i]);
  }
  return cga;
}

/// Reads one level (registers, lanes or warps) of a blocked layout: its size per dimension. `covered` is what the
/// levels below cover, and grows. Copies belong to a dimension that is covered whole. nullopt: it does not go on so.
std::optional<Extents> read_level(const Bases& bases, const Extents& order, const Extents& part, Extents& covered,
                                  bool has_repeats) {
  Extents sizes(order.size(), 1);
  std::size_t at = 0;
  for (const auto& basis : bases) {
    const bool is_copy = std::all_of(basis.begin(), basis.end(), [](auto v) { return v == 0; });
    const auto moves = [&](std::size_t place) {
      if (is_copy) return covered[order[place]] >= part[order[place]];
      for (std::size_t dim = 0; dim < basis.size(); ++dim) {
        if (basis[dim] != (dim == order[place] ? static_cast<std::int32_t>(covered[dim]) : 0)) return false;
      }
      return true;
    };
    std::size_t place = at;
    while (place < order.size() && !moves(place)) ++place;
    if (place == order.size()) {
      if (has_repeats) return sizes;
      return std::nullopt;
    }
    at = place;
    sizes[order[at]] *= 2;
    covered[order[at]] *= 2;
  }
  return sizes;
}

const Encoding* blocked_in_order(EncodingTable& encodings, const LinearLayout& layout, const Extents& order,
                                 const Bases& cga) {
  Extents covered(order.size(), 1), part = extents_of(layout);
  const Extents split = sizes_per_dimension(cga, part.size());
  for (std::size_t i = 0; i < part.size(); ++i) part[i] /= split[i];
  const auto registers = read_level(layout.bases("register"), order, part, covered, true);
  const auto lanes = registers ? read_level(layout.bases("lane"), order, part, covered, false) : std::nullopt;
  const auto warps = lanes ? read_level(layout.bases("warp"), order, part, covered, false) : std::nullopt;
  if (!warps) return nullptr;
  return matching(encodings, BlockedEncoding{*registers, *lanes, *warps, order, cga}, layout);
}

const Encoding* mma_form(EncodingTable& encodings, const LinearLayout& layout) {
  const std::size_t rank = layout.outputs().size();
  if (rank != 2 || layout.bases("warp").size() > 6) return nullptr;
  const Bases cga = cluster_of(layout);
  const auto warps = static_cast<std::uint32_t>(layout.input_size("warp"));
  for (std::uint32_t rows = warps; rows >= 1; rows /= 2) {
    NvidiaMmaEncoding ampere{2, 0, {rows, warps / rows}, cga, {16, 8}};
    if (const Encoding* found = matching(encodings, std::move(ampere), layout)) return found;
    for (std::uint32_t n = 256; n >= 8; n /= 2) {
      NvidiaMmaEncoding hopper{3, 0, {rows, warps / rows}, cga, {16, n, 16}};
      if (const Encoding* found = matching(encodings, std::move(hopper), layout)) return found;
    }
  }
  return nullptr;
}

const Encoding* memory_form(EncodingTable& encodings, const LinearLayout& layout, std::uint32_t element_bits) {
  const std::size_t rank = layout.outputs().size();
  const Bases cga = cluster_of(layout);
  const Extents order = order_of(layout.bases("offset"), rank);
  for (std::uint32_t max_phase = 1; max_phase <= 32; max_phase *= 2) {
    for (std::uint32_t per_phase = 1; per_phase <= (max_phase == 1 ? 1 : 8); per_phase *= 2) {
      for (std::uint32_t vec = 1; vec <= (max_phase == 1 ? 1 : 32); vec *= 2) {
        SwizzledSharedEncoding candidate{vec, per_phase, max_phase, order, cga};
        if (const Encoding* found = matching(encodings, std::move(candidate), layout)) return found;
      }
    }
  }
  for (const std::uint32_t width : {128u, 64u, 32u}) {
    for (const bool is_transposed : {false, true}) {
      NvmmaSharedEncoding candidate{width, is_transposed, element_bits, false, static_cast<std::uint32_t>(rank), cga};
      if (const Encoding* found = matching(encodings, std::move(candidate), layout)) return found;
    }
  }
  return matching(encodings, SharedLinearEncoding{layout.bases("offset"), layout.bases("block"), kAlignment}, layout);
}

}  // namespace

const Encoding* blocked_form(EncodingTable& encodings, const LinearLayout& layout) {
  const std::size_t rank = layout.outputs().size();
  if (rank == 0 || rank > kMostOrderedRank) return nullptr;
  const Bases cga = cluster_of(layout);
  Extents order(rank);
  std::iota(order.begin(), order.end(), 0u);
  do {
    const Extents reversed(order.rbegin(), order.rend());  // the last dimension first is what is written most
    if (const Encoding* found = blocked_in_order(encodings, layout, reversed, cga)) return found;
  } while (std::next_permutation(order.begin(), order.end()));
  return nullptr;
}

const Encoding* from_linear_layout(EncodingTable& encodings, const LinearLayout& layout, std::uint32_t element_bits) {
  if (layout.has_input("offset")) return memory_form(encodings, layout, element_bits);
  if (const Encoding* blocked = blocked_form(encodings, layout)) return blocked;
  if (const Encoding* mma = mma_form(encodings, layout)) return mma;
  LinearEncoding linear{layout.bases("register"), layout.bases("lane"), layout.bases("warp"), layout.bases("block")};
  const Encoding* found = matching(encodings, linear, layout);
  if (found != nullptr) return found;
  linear.is_generic = true;
  return matching(encodings, std::move(linear), layout);
}

}  // namespace lockstep::ir
