#include "ir/layouts/encoding_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "ir/layouts/encoding_bases.h"

namespace lockstep::ir {
namespace {

using Fault = std::optional<EncodingFault>;

constexpr int kMostBits = 30;         // of the elements that a layout covers
constexpr int kMostTileBits = 26;     // of the tile that a layout repeats; a tile of Triton has at most 2^20 elements
constexpr std::size_t kMostBlocks = 4;    // bits of a block's number in its cluster
constexpr std::size_t kMostVectors = 32;  // of all inputs together
constexpr std::uint64_t kMostWarps = 64;

std::string list_of(const Extents& values) {
  std::string out;
  for (const std::uint32_t value : values) out += (out.empty() ? "" : ", ") + std::to_string(value);
  return "[" + out + "]";
}

Fault check_powers(std::string_view name, const Extents& values) {
  if (std::all_of(values.begin(), values.end(), is_power_of_two)) return std::nullopt;
  return EncodingFault{std::string(name) + " = " + list_of(values) + ": every entry must be a power of two", ""};
}

Fault check_warps(const Extents& warps) {
  std::uint64_t product = 1;
  for (const std::uint32_t count : warps) product = std::min(product * count, kMostWarps + 1);
  if (product <= kMostWarps) return std::nullopt;
  return EncodingFault{"warpsPerCTA = " + list_of(warps) + ": a block has at most 64 warps", ""};
}

Fault check_order(const Extents& order) {
  Extents sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] == i) continue;
    return EncodingFault{"order = " + list_of(order) + " is not a permutation of 0 to " +
                             std::to_string(order.size() - 1),
                         "the dimension that changes fastest comes first"};
  }
  return std::nullopt;
}

EncodingFault too_large(int bits) {
  return {"this layout covers 2^" + std::to_string(bits) + " elements, more than a tensor has", ""};
}

Fault check_size(std::initializer_list<const Extents*> factors) {
  int bits = 0;
  for (const Extents* values : factors) {
    for (const std::uint32_t value : *values) bits += static_cast<int>(std::bit_width(value)) - 1;
  }
  if (bits <= kMostTileBits) return std::nullopt;
  return too_large(bits);
}

/// All vectors of several inputs in one number each: the bits of each dimension beside those of the others.
struct Flat {
  std::vector<std::uint64_t> vectors;  // without those of zeros
  int bits = 0;
  bool is_even = true;  // all vectors have `rank` entries
};

Flat flatten(std::initializer_list<const Bases*> inputs, std::size_t rank) {
  Flat flat;
  const Extents shape = shape_of(inputs);
  flat.is_even = shape.size() <= rank;
  std::vector<int> first_bit;
  for (const std::uint32_t extent : shape) {
    first_bit.push_back(flat.bits);
    flat.bits += static_cast<int>(std::bit_width(extent)) - 1;
  }
  if (flat.bits > kMostBits) return flat;
  for (const Bases* bases : inputs) {
    for (const auto& basis : *bases) {
      flat.is_even = flat.is_even && basis.size() == rank;
      std::uint64_t vector = 0;
      for (std::size_t dim = 0; dim < basis.size(); ++dim) {
        vector |= static_cast<std::uint64_t>(basis[dim]) << first_bit[dim];
      }
      if (vector != 0) flat.vectors.push_back(vector);
    }
  }
  return flat;
}

int rank_over_gf2(std::vector<std::uint64_t> vectors) {
  int rank = 0;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const std::uint64_t pivot = vectors[i];
    if (pivot == 0) continue;
    ++rank;
    const std::uint64_t lowest = pivot & (0 - pivot);
    for (std::size_t j = i + 1; j < vectors.size(); ++j) {
      if ((vectors[j] & lowest) != 0) vectors[j] ^= pivot;
    }
  }
  return rank;
}

Fault check_flat(const Flat& flat) {
  if (!flat.is_even) return EncodingFault{"not all vectors have one entry per dimension", ""};
  if (flat.bits <= kMostBits) return std::nullopt;
  return too_large(flat.bits);
}

bool is_permutation(const Flat& flat) {
  return std::all_of(flat.vectors.begin(), flat.vectors.end(), [](auto v) { return std::has_single_bit(v); }) &&
         flat.vectors.size() == static_cast<std::size_t>(flat.bits) && rank_over_gf2(flat.vectors) == flat.bits;
}

Fault check_cluster(const Bases& cga, std::size_t rank) {
  const Flat flat = flatten({&cga}, rank);
  if (cga.size() > kMostBlocks) return EncodingFault{"a cluster has at most 16 blocks", ""};
  if (!flat.is_even) {
    return EncodingFault{"the vectors of CGALayout must have " + std::to_string(rank) + " entries", ""};
  }
  if (auto fault = check_flat(flat)) return fault;
  if (is_permutation(flat)) return std::nullopt;
  return EncodingFault{"CGALayout must be a permutation once its vectors of zeros are left out",
                       "a block moves by 1, 2, 4, ... of its pieces along one dimension"};
}

bool moves_once(const Bases& bases) {
  return std::all_of(bases.begin(), bases.end(), [](const auto& basis) {
    return std::count_if(basis.begin(), basis.end(), [](auto v) { return v != 0; }) <= 1;
  });
}

struct Rules {
  Fault operator()(const BlockedEncoding& e) const {
    const std::size_t rank = e.order.size();
    if (rank == 0 || e.size_per_thread.size() != rank || e.threads_per_warp.size() != rank ||
        e.warps_per_cta.size() != rank) {
      return EncodingFault{"sizePerThread, threadsPerWarp, warpsPerCTA and order must have the same number of entries",
                           ""};
    }
    if (auto fault = check_powers("sizePerThread", e.size_per_thread)) return fault;
    if (auto fault = check_powers("threadsPerWarp", e.threads_per_warp)) return fault;
    if (auto fault = check_powers("warpsPerCTA", e.warps_per_cta)) return fault;
    if (auto fault = check_warps(e.warps_per_cta)) return fault;
    if (auto fault = check_order(e.order)) return fault;
    if (auto fault = check_size({&e.size_per_thread, &e.threads_per_warp, &e.warps_per_cta})) return fault;
    return check_cluster(e.cga, rank);
  }

  Fault operator()(const SliceEncoding& e) const {
    if (!e.parent->is_distributed() || e.parent->rank() == 0) {
      return EncodingFault{"the parent of a slice must be a layout of registers", ""};
    }
    const std::uint32_t rank = e.parent->rank();
    if (rank < 2) return EncodingFault{"the parent of a slice must have two dimensions or more", ""};
    if (e.dim < rank) return std::nullopt;
    return EncodingFault{"dim = " + std::to_string(e.dim) + ": the parent has " + std::to_string(rank) + " dimensions",
                         ""};
  }

  Fault operator()(const DotOperandEncoding& e) const {
    if (e.operand > 1) return EncodingFault{"opIdx must be 0 or 1", ""};
    if (e.parent->rank() != 2 && e.parent->rank() != 3) {
      return EncodingFault{"the parent of an operand must have two dimensions, or three", ""};
    }
    if (e.parent->as<BlockedEncoding>() != nullptr) {
      if (e.k_width == 0) return std::nullopt;
      return EncodingFault{"an operand whose parent is blocked has no kWidth", ""};
    }
    const auto* mma = e.parent->as<NvidiaMmaEncoding>();
    if (mma == nullptr) {
      return EncodingFault{"the parent of an operand must be #ttg.nvidia_mma or #ttg.blocked", ""};
    }
    const bool has_width = mma->version_major == 2 || mma->version_major == 3;
    if (!has_width) {
      if (e.k_width == 0) return std::nullopt;
      return EncodingFault{"kWidth belongs to parents of version 2 and 3 only", ""};
    }
    if (e.k_width == 0) return EncodingFault{"kWidth must be given for a parent of version 2 or 3", ""};
    if (!is_power_of_two(e.k_width) || e.k_width > 64) {
      return EncodingFault{"kWidth = " + std::to_string(e.k_width) + " is not a power of two up to 64", ""};
    }
    if (e.operand == 0 || mma->version_major == 2) return std::nullopt;
    return EncodingFault{"opIdx must be 0 for a parent of version 3: wgmma takes only operand a from registers", ""};
  }

  Fault operator()(const NvidiaMmaEncoding& e) const {
    constexpr std::array<std::uint32_t, 4> kVersions{1, 2, 3, 5};
    const std::size_t rank = e.warps_per_cta.size();
    if (std::find(kVersions.begin(), kVersions.end(), e.version_major) == kVersions.end()) {
      return EncodingFault{"versionMajor = " + std::to_string(e.version_major) + ": it is 2 (mma.sync) or 3 (wgmma)",
                           ""};
    }
    if (rank != 2 && rank != 3) return EncodingFault{"warpsPerCTA must have two entries, or three", ""};
    if (auto fault = check_powers("warpsPerCTA", e.warps_per_cta)) return fault;
    if (auto fault = check_warps(e.warps_per_cta)) return fault;
    if (e.instr_shape.size() < 2 || e.instr_shape.size() > 3) {
      return EncodingFault{"instrShape must have two entries, or three", ""};
    }
    if (auto fault = check_size({&e.warps_per_cta, &e.instr_shape})) return fault;
    return check_cluster(e.cga, rank);
  }

  Fault operator()(const LinearEncoding& e) const {
    const std::initializer_list<const Bases*> inputs{&e.registers, &e.lanes, &e.warps, &e.blocks};
    const std::size_t rank = shape_of(inputs).size();
    if (rank == 0) return EncodingFault{"a layout without any vector has no rank", ""};
    const Flat flat = flatten(inputs, rank);
    if (auto fault = check_flat(flat)) return fault;
    if (e.registers.size() + e.lanes.size() + e.warps.size() + e.blocks.size() > kMostVectors) {
      return EncodingFault{"a layout of more than 32 vectors", ""};
    }
    if (!e.is_generic) {
      if (is_permutation(flat)) return std::nullopt;
      return EncodingFault{"this layout is not a permutation once its vectors of zeros are left out",
                           "every power of two of every dimension must occur once"};
    }
    if (!moves_once(e.registers) || !moves_once(e.lanes) || !moves_once(e.blocks)) {
      return EncodingFault{"registers, lanes and blocks move along one dimension each; only warps may move along two",
                           ""};
    }
    if (rank_over_gf2(flat.vectors) == flat.bits) return std::nullopt;
    return EncodingFault{"this layout does not reach every element", ""};
  }

  Fault operator()(const SwizzledSharedEncoding& e) const {
    if (e.order.empty()) return EncodingFault{"order must name the dimensions", ""};
    if (auto fault = check_order(e.order)) return fault;
    if (!is_power_of_two(e.vec) || !is_power_of_two(e.per_phase) || !is_power_of_two(e.max_phase)) {
      return EncodingFault{"vec, perPhase and maxPhase must be powers of two", "1, 1, 1 does not swizzle"};
    }
    const Extents group{e.vec, e.max_phase};
    if (auto fault = check_size({&group})) return fault;
    return check_cluster(e.cga, e.order.size());
  }

  Fault operator()(const PaddedSharedEncoding& e) const {
    if (e.intervals.size() != e.paddings.size() || e.intervals.empty()) {
      return EncodingFault{"at least one pair interval:+padding must be there", ""};
    }
    if (auto fault = check_powers("the intervals", e.intervals)) return fault;
    if (auto fault = check_powers("the paddings", e.paddings)) return fault;
    Extents sorted = e.intervals;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      return EncodingFault{"an interval is named twice", ""};
    }
    const Flat flat = flatten({&e.offsets, &e.blocks}, shape_of({&e.offsets, &e.blocks}).size());
    if (auto fault = check_flat(flat)) return fault;
    const Flat inner = flatten({&e.offsets}, shape_of({&e.offsets}).size());
    if (inner.vectors.size() != e.offsets.size() ||
        rank_over_gf2(inner.vectors) != static_cast<int>(inner.vectors.size())) {
      return EncodingFault{"two offsets hold the same element", ""};
    }
    if (!std::all_of(flat.vectors.begin(), flat.vectors.end(), [](auto v) { return std::has_single_bit(v); })) {
      return EncodingFault{"each offset and block moves by a power of two along one dimension", ""};
    }
    if (rank_over_gf2(flat.vectors) == flat.bits) return std::nullopt;
    return EncodingFault{"this layout does not reach every element", ""};
  }

  Fault operator()(const SharedLinearEncoding& e) const {
    if (!is_power_of_two(e.alignment)) return EncodingFault{"alignment must be a power of two", ""};
    const std::size_t rank = shape_of({&e.offsets, &e.blocks}).size();
    if (rank == 0) return EncodingFault{"a layout without any vector has no rank", ""};
    const Flat flat = flatten({&e.offsets, &e.blocks}, rank);
    if (auto fault = check_flat(flat)) return fault;
    const int covered = rank_over_gf2(flat.vectors);
    if (covered != flat.bits) return EncodingFault{"this layout does not reach every element", ""};
    if (flat.vectors.size() == static_cast<std::size_t>(covered)) return std::nullopt;
    return EncodingFault{"two offsets hold the same element, and not because of a vector of zeros", ""};
  }

  Fault operator()(const NvmmaSharedEncoding& e) const {
    constexpr std::array<std::uint32_t, 4> kWidths{0, 32, 64, 128};
    if (std::find(kWidths.begin(), kWidths.end(), e.swizzling_byte_width) == kWidths.end()) {
      return EncodingFault{"swizzlingByteWidth must be 0, 32, 64 or 128", ""};
    }
    if (!is_power_of_two(e.element_bit_width) || e.element_bit_width > 128) {
      const std::string width = std::to_string(e.element_bit_width);
      return EncodingFault{"elementBitWidth = " + width + " is not a power of two up to 128", ""};
    }
    if (e.is_fp4_padded && e.element_bit_width != 8) {
      return EncodingFault{"elementBitWidth must be 8 where fp4Padded is set: two numbers of four bits lie in a byte",
                           ""};
    }
    if (e.rank == 0 || e.rank > 32) return EncodingFault{"rank must be 1 to 32", ""};
    return check_cluster(e.cga, e.rank);
  }

  Fault operator()(const TensorMemoryEncoding& e) const {
    if (auto fault = check_powers("blockM, blockN", {e.block_m, e.block_n})) return fault;
    if (e.block_m != 64 && e.block_m != 128) {
      return EncodingFault{"blockM = " + std::to_string(e.block_m) + ": it is 64 or 128", ""};
    }
    if (!is_power_of_two(e.col_stride) || e.col_stride > 32) {
      return EncodingFault{"colStride = " + std::to_string(e.col_stride) + " is not a power of two up to 32", ""};
    }
    if (auto fault = check_powers("CTASplitM, CTASplitN", {e.cta_split_m, e.cta_split_n})) return fault;
    const Extents size{e.block_m, e.block_n, e.cta_split_m, e.cta_split_n};
    if (auto fault = check_size({&size})) return fault;
    return check_cluster(e.cga, 2);
  }

  Fault operator()(const TensorMemoryScalesEncoding& e) const {
    if (auto fault = check_powers("CTASplitM, CTASplitN", {e.cta_split_m, e.cta_split_n})) return fault;
    const Extents size{e.cta_split_m, e.cta_split_n};
    if (auto fault = check_size({&size})) return fault;
    return check_cluster(e.cga, 2);
  }

  Fault operator()(const OpenEncoding&) const { return std::nullopt; }
};

}  // namespace

std::optional<EncodingFault> find_encoding_fault(const EncodingParameters& parameters) {
  return std::visit(Rules{}, parameters);
}

}  // namespace lockstep::ir
