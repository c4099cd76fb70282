#include "ir/layouts/encoding_printer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ir/layouts/encoding_bases.h"

namespace lockstep::ir {
namespace {

template <typename Number>
std::string list_text(const std::vector<Number>& values) {
  std::string out = "[";
  for (std::size_t i = 0; i < values.size(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  return out + "]";
}

std::string bases_text(const Bases& bases) {
  std::string out = "[";
  for (std::size_t i = 0; i < bases.size(); ++i) out += (i == 0 ? "" : ", ") + list_text(bases[i]);
  return out + "]";
}

std::string number_parameter(std::string_view name, std::uint32_t value) {
  return std::string(name) + " = " + std::to_string(value);
}

std::string flag_parameter(std::string_view name, bool value) {
  return std::string(name) + (value ? " = true" : " = false");
}

std::string cluster_text(const Bases& cga) { return cga.empty() ? "" : ", CGALayout = " + bases_text(cga); }

/// Parameters that are left out where they have their default.
class Optional {
 public:
  explicit Optional(std::string text) : text_(std::move(text)) {}
  Optional& add(bool is_written, const std::string& text) {
    if (is_written) text_ += (text_.empty() ? "" : ", ") + text;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The parameters, with the brackets around them.
struct Body {
  const EncodingAliases& aliases;

  std::string parent_text(const Encoding& parent) const {
    const std::string alias = aliases ? aliases(parent) : "";
    return alias.empty() ? print_encoding(parent, aliases) : alias;
  }

  std::string operator()(const BlockedEncoding& e) const {
    return "<{sizePerThread = " + list_text(e.size_per_thread) + ", threadsPerWarp = " + list_text(e.threads_per_warp) +
           ", warpsPerCTA = " + list_text(e.warps_per_cta) + ", order = " + list_text(e.order) + cluster_text(e.cga) +
           "}>";
  }

  std::string operator()(const SliceEncoding& e) const {
    return "<{" + number_parameter("dim", e.dim) + ", parent = " + parent_text(*e.parent) + "}>";
  }

  std::string operator()(const DotOperandEncoding& e) const {
    const std::string width = e.k_width == 0 ? "" : ", " + number_parameter("kWidth", e.k_width);
    return "<{" + number_parameter("opIdx", e.operand) + ", parent = " + parent_text(*e.parent) + width + "}>";
  }

  std::string operator()(const NvidiaMmaEncoding& e) const {
    return "<{" + number_parameter("versionMajor", e.version_major) + ", " +
           number_parameter("versionMinor", e.version_minor) +
           ", warpsPerCTA = " + list_text(e.warps_per_cta) + cluster_text(e.cga) +
           ", instrShape = " + list_text(e.instr_shape) + "}>";
  }

  std::string operator()(const LinearEncoding& e) const {
    return "<{register = " + bases_text(e.registers) + ", lane = " + bases_text(e.lanes) +
           ", warp = " + bases_text(e.warps) + ", block = " + bases_text(e.blocks) + "}>";
  }

  std::string operator()(const SwizzledSharedEncoding& e) const {
    return "<{" + number_parameter("vec", e.vec) + ", " + number_parameter("perPhase", e.per_phase) + ", " +
           number_parameter("maxPhase", e.max_phase) + ", order = " + list_text(e.order) + cluster_text(e.cga) + "}>";
  }

  std::string operator()(const PaddedSharedEncoding& e) const {
    std::string out = "<[";
    for (std::size_t i = 0; i < e.intervals.size(); ++i) {
      out += (i == 0 ? "" : ", ") + std::to_string(e.intervals[i]) + ":+" + std::to_string(e.paddings[i]);
    }
    const Extents shape = shape_of({&e.offsets, &e.blocks}), order = order_of(e.offsets, shape.size());
    if (e.blocks.empty() && e.offsets == identity_bases(shape, order)) {
      return out + "] {order = " + list_text(order) + ", shape = " + list_text(shape) + "}>";
    }
    return out + "] {offset = " + bases_text(e.offsets) + ", block = " + bases_text(e.blocks) + "}>";
  }

  std::string operator()(const SharedLinearEncoding& e) const {
    const std::string blocks = e.blocks.empty() ? "" : ", block = " + bases_text(e.blocks);
    return "<{offset = " + bases_text(e.offsets) + blocks + "}, " + number_parameter("alignment", e.alignment) + ">";
  }

  std::string operator()(const NvmmaSharedEncoding& e) const {
    const std::string rank = e.cga.empty() && e.rank != 2 ? ", " + number_parameter("rank", e.rank) : "";
    return "<{" + number_parameter("swizzlingByteWidth", e.swizzling_byte_width) + ", " +
           flag_parameter("transposed", e.is_transposed) + ", " +
           number_parameter("elementBitWidth", e.element_bit_width) +
           (e.is_fp4_padded ? ", fp4Padded = true" : "") + rank + cluster_text(e.cga) + "}>";
  }

  std::string operator()(const TensorMemoryEncoding& e) const {
    Optional out(number_parameter("blockM", e.block_m) + ", " + number_parameter("blockN", e.block_n) + ", " +
                 number_parameter("colStride", e.col_stride));
    out.add(e.cta_split_m != 1, number_parameter("CTASplitM", e.cta_split_m));
    out.add(e.cta_split_n != 1, number_parameter("CTASplitN", e.cta_split_n));
    out.add(!e.cga.empty(), "CGALayout = " + bases_text(e.cga));
    out.add(e.has_two_ctas, "twoCTAs = true").add(e.is_fp4_padded, "fp4Padded = true");
    return "<" + out.text() + ">";
  }

  std::string operator()(const TensorMemoryScalesEncoding& e) const {
    Optional out("");
    out.add(e.cta_split_m != 1, number_parameter("CTASplitM", e.cta_split_m));
    out.add(e.cta_split_n != 1, number_parameter("CTASplitN", e.cta_split_n));
    out.add(!e.cga.empty(), "CGALayout = " + bases_text(e.cga)).add(e.is_k_then_mn, "blockRepOrder = kThenMn");
    return "<" + out.text() + ">";
  }

  std::string operator()(const OpenEncoding&) const { return ""; }
};

}  // namespace

std::string print_encoding(const Encoding& encoding, const EncodingAliases& aliases) {
  return "#" + std::string(encoding.name()) + std::visit(Body{aliases}, encoding.parameters());
}

std::string_view alias_stem(const Encoding& encoding) {
  if (encoding.is_shared()) return "shared";
  if (encoding.as<BlockedEncoding>() != nullptr) return "blocked";
  if (encoding.as<NvidiaMmaEncoding>() != nullptr) return "mma";
  if (encoding.as<TensorMemoryEncoding>() != nullptr) return "tmem";
  if (encoding.as<TensorMemoryScalesEncoding>() != nullptr) return "tmem_scales";
  const auto* linear = encoding.as<LinearEncoding>();
  if (linear == nullptr) return "";
  return linear->is_generic ? "generic_linear" : "linear";
}

}  // namespace lockstep::ir
