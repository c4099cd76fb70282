#include "ir/layouts/encoding.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace lockstep::ir {
namespace {

std::size_t entries_of(const Bases& first, const Bases& second) {
  if (!first.empty()) return first.front().size();
  return second.empty() ? 0 : second.front().size();
}

struct RankOf {
  std::size_t operator()(const BlockedEncoding& e) const { return e.order.size(); }
  std::size_t operator()(const SliceEncoding& e) const { return e.parent->rank() - 1; }
  std::size_t operator()(const DotOperandEncoding& e) const { return e.parent->rank(); }
  std::size_t operator()(const NvidiaMmaEncoding& e) const { return e.warps_per_cta.size(); }
  std::size_t operator()(const LinearEncoding& e) const {
    const std::size_t inner = entries_of(e.registers, e.lanes);
    return inner != 0 ? inner : entries_of(e.warps, e.blocks);
  }
  std::size_t operator()(const SwizzledSharedEncoding& e) const { return e.order.size(); }
  std::size_t operator()(const PaddedSharedEncoding& e) const { return entries_of(e.offsets, e.blocks); }
  std::size_t operator()(const SharedLinearEncoding& e) const { return entries_of(e.offsets, e.blocks); }
  std::size_t operator()(const NvmmaSharedEncoding& e) const { return e.rank; }
  std::size_t operator()(const TensorMemoryEncoding&) const { return 2; }
  std::size_t operator()(const TensorMemoryScalesEncoding&) const { return 2; }
  std::size_t operator()(const OpenEncoding&) const { return 0; }
};

struct NameOf {
  std::string_view operator()(const BlockedEncoding&) const { return "ttg.blocked"; }
  std::string_view operator()(const SliceEncoding&) const { return "ttg.slice"; }
  std::string_view operator()(const DotOperandEncoding&) const { return "ttg.dot_op"; }
  std::string_view operator()(const NvidiaMmaEncoding&) const { return "ttg.nvidia_mma"; }
  std::string_view operator()(const LinearEncoding& e) const {
    return e.is_generic ? "ttg.generic_linear" : "ttg.linear";
  }
  std::string_view operator()(const SwizzledSharedEncoding&) const { return "ttg.swizzled_shared"; }
  std::string_view operator()(const PaddedSharedEncoding&) const { return "ttg.padded_shared"; }
  std::string_view operator()(const SharedLinearEncoding&) const { return "ttg.shared_linear"; }
  std::string_view operator()(const NvmmaSharedEncoding&) const { return "ttg.nvmma_shared"; }
  std::string_view operator()(const TensorMemoryEncoding&) const { return "ttng.tensor_memory_encoding"; }
  std::string_view operator()(const TensorMemoryScalesEncoding&) const { return "ttng.tensor_memory_scales_encoding"; }
  std::string_view operator()(const OpenEncoding& e) const {
    return e.is_coalesced ? "gluon.coalesced_encoding" : "gluon.auto_encoding";
  }
};

/// Of all parameters, in the order of encoding.h; parents go in by address.
class ParameterHash {
 public:
  template <typename... Fields>
  std::size_t of(const Fields&... fields) {
    (add(fields), ...);
    return static_cast<std::size_t>(value_);
  }

 private:
  void add(std::uint64_t value) {
    value_ = (value_ ^ value) * 0x9E3779B97F4A7C15;
    value_ ^= value_ >> 32;
  }
  void add(const Encoding* parent) { add(std::uint64_t{reinterpret_cast<std::uintptr_t>(parent)}); }
  template <typename Entry>
  void add(const std::vector<Entry>& list) {
    add(std::uint64_t{list.size()});
    for (const Entry& entry : list) add(entry);
  }
  void add(std::uint32_t value) { add(std::uint64_t{value}); }
  void add(std::int32_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(bool value) { add(std::uint64_t{value}); }

  std::uint64_t value_ = 0;
};

struct HashOf {
  ParameterHash hash;
  std::size_t operator()(const BlockedEncoding& e) {
    return hash.of(e.size_per_thread, e.threads_per_warp, e.warps_per_cta, e.order, e.cga);
  }
  std::size_t operator()(const SliceEncoding& e) { return hash.of(e.dim, e.parent); }
  std::size_t operator()(const DotOperandEncoding& e) { return hash.of(e.operand, e.parent, e.k_width); }
  std::size_t operator()(const NvidiaMmaEncoding& e) {
    return hash.of(e.version_major, e.version_minor, e.warps_per_cta, e.cga, e.instr_shape);
  }
  std::size_t operator()(const LinearEncoding& e) { return hash.of(e.registers, e.lanes, e.warps, e.blocks); }
  std::size_t operator()(const SwizzledSharedEncoding& e) {
    return hash.of(e.vec, e.per_phase, e.max_phase, e.order, e.cga);
  }
  std::size_t operator()(const PaddedSharedEncoding& e) {
    return hash.of(e.intervals, e.paddings, e.offsets, e.blocks);
  }
  std::size_t operator()(const SharedLinearEncoding& e) { return hash.of(e.offsets, e.blocks, e.alignment); }
  std::size_t operator()(const NvmmaSharedEncoding& e) {
    return hash.of(e.swizzling_byte_width, e.is_transposed, e.element_bit_width, e.is_fp4_padded, e.rank, e.cga);
  }
  std::size_t operator()(const TensorMemoryEncoding& e) {
    return hash.of(e.block_m, e.block_n, e.col_stride, e.cta_split_m, e.cta_split_n, e.cga, e.has_two_ctas);
  }
  std::size_t operator()(const TensorMemoryScalesEncoding& e) {
    return hash.of(e.cta_split_m, e.cta_split_n, e.cga, e.is_k_then_mn);
  }
  std::size_t operator()(const OpenEncoding& e) { return hash.of(e.is_coalesced); }
};

}  // namespace

bool Encoding::is_distributed() const {
  return as<BlockedEncoding>() != nullptr || as<SliceEncoding>() != nullptr || as<DotOperandEncoding>() != nullptr ||
         as<NvidiaMmaEncoding>() != nullptr || as<LinearEncoding>() != nullptr || as<OpenEncoding>() != nullptr;
}

bool Encoding::is_shared() const {
  return as<SwizzledSharedEncoding>() != nullptr || as<PaddedSharedEncoding>() != nullptr ||
         as<SharedLinearEncoding>() != nullptr || as<NvmmaSharedEncoding>() != nullptr;
}

bool Encoding::is_tensor_memory() const {
  return as<TensorMemoryEncoding>() != nullptr || as<TensorMemoryScalesEncoding>() != nullptr;
}

std::uint32_t Encoding::rank() const { return static_cast<std::uint32_t>(std::visit(RankOf{}, parameters_)); }
std::string_view Encoding::name() const { return std::visit(NameOf{}, parameters_); }

struct EncodingTable::Impl {
  std::unordered_multimap<std::size_t, Encoding> encodings;  // by the hash of the parameters; they stay where they are
};

EncodingTable::EncodingTable() : impl_(std::make_unique<Impl>()) {}
EncodingTable::~EncodingTable() = default;

const Encoding* EncodingTable::get(EncodingParameters parameters) {
  Encoding made(std::move(parameters));
  const std::size_t hash = std::visit(HashOf{}, made.parameters());
  const auto [begin, end] = impl_->encodings.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (it->second.parameters() == made.parameters()) return &it->second;
  }
  return &impl_->encodings.emplace(hash, std::move(made))->second;
}

}  // namespace lockstep::ir
