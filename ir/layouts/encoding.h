// Encodings: how a tensor lies in registers (`#ttg.blocked<...>`), in shared memory (`#ttg.nvmma_shared<...>`) or in
// tensor memory (`#ttng.tensor_memory_encoding<...>`). A struct per named encoding with the parameters that its text
// has; an `Encoding` is one of them, interned in the Context: a `const Encoding*` lives as long as the Context and
// compares by identity. Text form: encoding_parser.h,
// encoding_printer.h. What Triton refuses: encoding_rules.h; every encoding that was read
// from text obeys those rules. Where the elements are: to_linear.h.
// Source: TritonGPUAttrDefs.td and TritonNvidiaGPUAttrDefs.td of Triton 3.6 to 3.9.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep::ir {

class Encoding;

using Extents = std::vector<std::uint32_t>;
/// One vector per bit of an input (a lane's number, an offset, ...): by how much that bit moves the element, per
/// dimension. A vector of zeros is a copy.
using Bases = std::vector<std::vector<std::int32_t>>;

// Each `cga` says which part of the tensor each block of a cluster holds: a vector per bit of the block's number,
// written CGALayout. None: one block.

/// #ttg.blocked. `order`: the dimension that changes fastest first.
struct BlockedEncoding {
  Extents size_per_thread, threads_per_warp, warps_per_cta, order;
  Bases cga;
  friend bool operator==(const BlockedEncoding&, const BlockedEncoding&) = default;
};

/// #ttg.slice: the parent's layout with dimension `dim` left out.
struct SliceEncoding {
  std::uint32_t dim = 0;
  const Encoding* parent = nullptr;
  friend bool operator==(const SliceEncoding&, const SliceEncoding&) = default;
};

/// #ttg.dot_op: operand 0 or 1 of a product whose result has layout `parent`. `k_width`: elements along k that a thread
/// holds side by side; 0 where the parent is blocked.
struct DotOperandEncoding {
  std::uint32_t operand = 0;
  const Encoding* parent = nullptr;
  std::uint32_t k_width = 0;
  friend bool operator==(const DotOperandEncoding&, const DotOperandEncoding&) = default;
};

/// #ttg.nvidia_mma: a tensor core's result. Version 2: mma.sync, 3: wgmma (5 names tcgen05 up to Triton 3.8).
struct NvidiaMmaEncoding {
  std::uint32_t version_major = 0, version_minor = 0;
  Extents warps_per_cta;
  Bases cga;
  Extents instr_shape;  // version 2: m, n; version 3: m, n, k
  friend bool operator==(const NvidiaMmaEncoding&, const NvidiaMmaEncoding&) = default;
};

/// #ttg.linear, or since Triton 3.8 #ttg.generic_linear (`is_generic`), whose warps may move along two dimensions.
struct LinearEncoding {
  Bases registers, lanes, warps, blocks;
  bool is_generic = false;
  friend bool operator==(const LinearEncoding&, const LinearEncoding&) = default;
};

/// #ttg.swizzled_shared: groups of `vec` elements of a row, xored with (row / per_phase) % max_phase.
struct SwizzledSharedEncoding {
  std::uint32_t vec = 0, per_phase = 0, max_phase = 0;
  Extents order;
  Bases cga;
  friend bool operator==(const SwizzledSharedEncoding&, const SwizzledSharedEncoding&) = default;
};

/// #ttg.padded_shared: `paddings[i]` elements are left out after every `intervals[i]` elements. Offsets are those
/// before padding. The short form {order, shape} stands for the same bases.
struct PaddedSharedEncoding {
  Extents intervals, paddings;
  Bases offsets, blocks;
  friend bool operator==(const PaddedSharedEncoding&, const PaddedSharedEncoding&) = default;
};

/// #ttg.shared_linear. `alignment` in bytes.
struct SharedLinearEncoding {
  Bases offsets, blocks;
  std::uint32_t alignment = 0;
  friend bool operator==(const SharedLinearEncoding&, const SharedLinearEncoding&) = default;
};

/// #ttg.nvmma_shared: tiles of 8 rows as TMA, wgmma and tcgen05 want them. `transposed`: dimension 0 is contiguous.
struct NvmmaSharedEncoding {
  std::uint32_t swizzling_byte_width = 0;
  bool is_transposed = false;
  std::uint32_t element_bit_width = 0;
  bool is_fp4_padded = false;
  std::uint32_t rank = 2;
  Bases cga;
  friend bool operator==(const NvmmaSharedEncoding&, const NvmmaSharedEncoding&) = default;
};

/// #ttng.tensor_memory_encoding. Blocks of a cluster are `cta_split_m`, `cta_split_n` up to Triton 3.7 (written where
/// not 1), `cga` since 3.8.
struct TensorMemoryEncoding {
  std::uint32_t block_m = 0, block_n = 0, col_stride = 0;
  std::uint32_t cta_split_m = 1, cta_split_n = 1;
  Bases cga;
  bool has_two_ctas = false, is_fp4_padded = false;
  friend bool operator==(const TensorMemoryEncoding&, const TensorMemoryEncoding&) = default;
};

/// #ttng.tensor_memory_scales_encoding; blocks of a cluster as above. `k_then_mn`: blockRepOrder = kThenMn (3.9).
struct TensorMemoryScalesEncoding {
  std::uint32_t cta_split_m = 1, cta_split_n = 1;
  Bases cga;
  bool is_k_then_mn = false;
  friend bool operator==(const TensorMemoryScalesEncoding&, const TensorMemoryScalesEncoding&) = default;
};

/// #gluon.auto_encoding and #gluon.coalesced_encoding: what a Gluon kernel leaves open until its passes have run.
struct OpenEncoding {
  bool is_coalesced = false;
  friend bool operator==(const OpenEncoding&, const OpenEncoding&) = default;
};

using EncodingParameters =
    std::variant<BlockedEncoding, SliceEncoding, DotOperandEncoding, NvidiaMmaEncoding, LinearEncoding,
                 SwizzledSharedEncoding, PaddedSharedEncoding, SharedLinearEncoding, NvmmaSharedEncoding,
                 TensorMemoryEncoding, TensorMemoryScalesEncoding, OpenEncoding>;

class Encoding {
 public:
  explicit Encoding(EncodingParameters parameters) : parameters_(std::move(parameters)) {}

  const EncodingParameters& parameters() const { return parameters_; }
  /// Null if it is another one: `if (const auto* mma = encoding->as<NvidiaMmaEncoding>())`.
  template <typename Parameters>
  const Parameters* as() const {
    return std::get_if<Parameters>(&parameters_);
  }

  bool is_distributed() const;    // of registers
  bool is_shared() const;         // of shared memory
  bool is_tensor_memory() const;  // of tensor memory
  /// Dimensions of a tensor that has it; 0 of one that is still open.
  std::uint32_t rank() const;
  /// "ttg.blocked", as in the text.
  std::string_view name() const;

 private:
  EncodingParameters parameters_;
};

/// The encodings of a Context, each once: `context.encodings().get(BlockedEncoding{...})`.
class EncodingTable {
 public:
  EncodingTable();
  ~EncodingTable();
  EncodingTable(const EncodingTable&) = delete;
  EncodingTable& operator=(const EncodingTable&) = delete;

  const Encoding* get(EncodingParameters parameters);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep::ir
