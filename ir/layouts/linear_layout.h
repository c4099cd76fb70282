// A linear layout: from named inputs (register, lane, warp, block; offset, block; row, col) to named outputs (dim0,
// dim1, ...), linear over GF(2). Bit i of an input xors the i-th vector of that input into the outputs' coordinates.
// What has to be solved (inverses, surjectivity, quotients): linear_solve.h. Triton's names are said where ours differ.
// Source: LinearLayout.h and LayoutUtils.cpp of Triton 3.6 and 3.9.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/layouts/encoding.h"

namespace lockstep::ir {

struct LayoutInput {
  std::string name;
  Bases bases;  // a vector per bit; its entries in the order of the outputs
  friend bool operator==(const LayoutInput&, const LayoutInput&) = default;
};

struct LayoutOutput {
  std::string name;
  std::int32_t size = 1;  // a power of two
  friend bool operator==(const LayoutOutput&, const LayoutOutput&) = default;
};

using InputPlace = std::pair<std::string_view, std::int32_t>;  // "lane", 5

class LinearLayout {
 public:
  LinearLayout() = default;  // from nothing to nothing
  /// Every vector has an entry per output and stays below its size.
  LinearLayout(std::vector<LayoutInput> inputs, std::vector<LayoutOutput> outputs);
  /// Outputs as large as the vectors need.
  static LinearLayout covering(std::vector<LayoutInput> inputs, const std::vector<std::string>& outputs);
  /// identity1D and zeros1D: `size` is a power of two.
  static LinearLayout identity(std::int32_t size, std::string_view input, std::string_view output);
  static LinearLayout zeros(std::int32_t size, std::string_view input, std::string_view output);
  /// identityStandardND: walks through `shape`, dimension order[0] first. Outputs are in that order.
  static LinearLayout walk(std::string_view input, const Extents& shape, const Extents& order);

  const std::vector<LayoutInput>& inputs() const { return inputs_; }
  const std::vector<LayoutOutput>& outputs() const { return outputs_; }
  std::vector<std::string> input_names() const;
  std::vector<std::string> output_names() const;
  bool has_input(std::string_view name) const;
  bool has_output(std::string_view name) const;
  /// Empty where there is no such input.
  const Bases& bases(std::string_view input) const;
  int input_bits(std::string_view name) const { return static_cast<int>(bases(name).size()); }
  std::int32_t input_size(std::string_view name) const { return std::int32_t{1} << input_bits(name); }
  std::int32_t output_size(std::string_view name) const;  // 1 where there is no such output
  int total_input_bits() const;
  int total_output_bits() const;

  /// Coordinates, in the order of the outputs. Inputs that are not named are 0.
  std::vector<std::int32_t> apply(const std::vector<InputPlace>& place) const;

  /// First this layout, then `outer`, whose inputs are this one's outputs.
  LinearLayout compose(const LinearLayout& outer) const;
  /// Only these inputs and outputs, in the order of this layout.
  LinearLayout sublayout(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) const;
  bool is_zero(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) const;
  /// The same, inputs or outputs in another order.
  LinearLayout transpose_inputs(const std::vector<std::string>& order) const;
  LinearLayout transpose_outputs(const std::vector<std::string>& order) const;
  /// The bits of all inputs (outputs), the first one lowest, cut up anew.
  LinearLayout reshape_inputs(const std::vector<LayoutOutput>& sizes) const;
  LinearLayout reshape_outputs(const std::vector<LayoutOutput>& sizes) const;
  /// An output with fewer bits: those above are dropped. resizeOutDim.
  LinearLayout cut_output(std::string_view name, std::int32_t size) const;
  LinearLayout rename_output(std::string_view from, std::string_view to) const;
  /// Without an output. removeStandardDim, but for the names.
  LinearLayout without_output(std::string_view name) const;
  /// Without the vectors of zeros of an input. removeZeroBasesAlongDim.
  LinearLayout without_copies(std::string_view input) const;

  /// The product: this layout for the low bits, then `outer`, moved by this one's size.
  LinearLayout operator*(const LinearLayout& outer) const;
  LinearLayout& operator*=(const LinearLayout& outer) { return *this = *this * outer; }
  friend bool operator==(const LinearLayout&, const LinearLayout&) = default;

 private:
  std::size_t output_index(std::string_view name) const;

  std::vector<LayoutInput> inputs_;
  std::vector<LayoutOutput> outputs_;
};

/// "dim0", "dim1", ...
std::vector<std::string> dimension_names(std::size_t rank);

/// Outputs of at most these sizes: the largest vectors along an output that is too large become copies. Those of
/// "register" are left out where `keeps_registers` is false. ensureLayoutNotLargerThan.
LinearLayout limit_outputs(const LinearLayout& layout, const std::vector<LayoutOutput>& sizes,
                           bool keeps_registers = true);
/// Bits for what is missing of each output, of the first input. ensureLayoutNotSmallerThan.
LinearLayout extend_outputs(const LinearLayout& layout, const std::vector<LayoutOutput>& sizes);

/// dim0 to dimN of other sizes, the last dimension walked through first. reshapeLayout.
LinearLayout reshape_dimensions(const LinearLayout& layout, const std::vector<std::int64_t>& shape);
/// Dimension i is what dimension order[i] was. transposeLinearLayout.
LinearLayout permute_dimensions(const LinearLayout& layout, const Extents& order);

/// "register = [[0, 1]], lane = [[1, 0]] -> dim0: 2, dim1: 2", for messages and tests.
std::string describe(const LinearLayout& layout);

}  // namespace lockstep::ir
