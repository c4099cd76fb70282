#include "ir/layouts/linear_layout.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "ir/layouts/encoding_bases.h"
#include "support/check.h"

namespace lockstep::ir {
namespace {

const Bases kNoBases;

int log2_of(std::int32_t size) { return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(size))) - 1; }

template <typename Entries>
auto find_name(Entries& entries, std::string_view name) {
  return std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
}

bool is_one_of(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// All coordinates in one number, the first output lowest; and back.
std::uint64_t pack(const std::vector<std::int32_t>& vector, const std::vector<LayoutOutput>& outputs) {
  std::uint64_t packed = 0;
  int shift = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    packed |= static_cast<std::uint64_t>(vector[i]) << shift;
    shift += log2_of(outputs[i].size);
  }
  return packed;
}

std::vector<std::int32_t> unpack(std::uint64_t packed, const std::vector<LayoutOutput>& outputs) {
  std::vector<std::int32_t> vector;
  for (const LayoutOutput& output : outputs) {
    const int bits = log2_of(output.size);
    vector.push_back(static_cast<std::int32_t>(packed & ((std::uint64_t{1} << bits) - 1)));
    packed >>= bits;
  }
  return vector;
}

}  // namespace

LinearLayout::LinearLayout(std::vector<LayoutInput> inputs, std::vector<LayoutOutput> outputs)
    : inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
  for (const LayoutOutput& output : outputs_) {
    LOCKSTEP_CHECK(is_power_of_two(static_cast<std::uint32_t>(output.size)), "an output's size must be a power of two");
  }
  for (const LayoutInput& input : inputs_) {
    for (const auto& basis : input.bases) {
      LOCKSTEP_CHECK(basis.size() == outputs_.size(), "a vector has another rank");
      for (std::size_t i = 0; i < basis.size(); ++i) {
        LOCKSTEP_CHECK(basis[i] >= 0 && basis[i] < outputs_[i].size, "a vector leaves its output");
      }
    }
  }
  LOCKSTEP_CHECK(total_input_bits() <= 63 && total_output_bits() <= 63, "a layout of more than 63 bits");
}

LinearLayout LinearLayout::covering(std::vector<LayoutInput> inputs, const std::vector<std::string>& outputs) {
  std::vector<LayoutOutput> sizes;
  for (const std::string& name : outputs) sizes.push_back({name, 1});
  for (const LayoutInput& input : inputs) {
    const Extents shape = shape_of({&input.bases});
    for (std::size_t i = 0; i < shape.size(); ++i) {
      sizes[i].size = std::max(sizes[i].size, static_cast<std::int32_t>(shape[i]));
    }
  }
  return {std::move(inputs), std::move(sizes)};
}

LinearLayout LinearLayout::identity(std::int32_t size, std::string_view input, std::string_view output) {
  Bases bases;
  for (int bit = 0; bit < log2_of(size); ++bit) bases.push_back({std::int32_t{1} << bit});
  return {{{std::string(input), std::move(bases)}}, {{std::string(output), size}}};
}

LinearLayout LinearLayout::zeros(std::int32_t size, std::string_view input, std::string_view output) {
  return {{{std::string(input), Bases(static_cast<std::size_t>(log2_of(size)), {0})}}, {{std::string(output), 1}}};
}

LinearLayout LinearLayout::walk(std::string_view input, const Extents& shape, const Extents& order) {
  const std::vector<std::string> names = dimension_names(shape.size());
  LinearLayout layout;
  for (const std::uint32_t dim : order) {
    layout *= identity(static_cast<std::int32_t>(shape[dim]), input, names[dim]);
  }
  return layout;
}

std::vector<std::string> LinearLayout::input_names() const {
  std::vector<std::string> names;
  for (const LayoutInput& input : inputs_) names.push_back(input.name);
  return names;
}

std::vector<std::string> LinearLayout::output_names() const {
  std::vector<std::string> names;
  for (const LayoutOutput& output : outputs_) names.push_back(output.name);
  return names;
}

bool LinearLayout::has_input(std::string_view name) const { return find_name(inputs_, name) != inputs_.end(); }
bool LinearLayout::has_output(std::string_view name) const { return find_name(outputs_, name) != outputs_.end(); }

const Bases& LinearLayout::bases(std::string_view input) const {
  const auto it = find_name(inputs_, input);
  return it == inputs_.end() ? kNoBases : it->bases;
}

std::size_t LinearLayout::output_index(std::string_view name) const {
  const auto it = find_name(outputs_, name);
  LOCKSTEP_CHECK(it != outputs_.end(), "a layout has no such output");
  return static_cast<std::size_t>(it - outputs_.begin());
}

std::int32_t LinearLayout::output_size(std::string_view name) const {
  const auto it = find_name(outputs_, name);
  return it == outputs_.end() ? 1 : it->size;
}

int LinearLayout::total_input_bits() const {
  std::size_t bits = 0;
  for (const LayoutInput& input : inputs_) bits += input.bases.size();
  return static_cast<int>(bits);
}

int LinearLayout::total_output_bits() const {
  int bits = 0;
  for (const LayoutOutput& output : outputs_) bits += log2_of(output.size);
  return bits;
}

std::vector<std::int32_t> LinearLayout::apply(const std::vector<InputPlace>& place) const {
  std::vector<std::int32_t> at(outputs_.size(), 0);
  for (const auto& [name, value] : place) {
    const Bases& vectors = bases(name);
    for (std::size_t bit = 0; bit < vectors.size(); ++bit) {
      if (((value >> bit) & 1) == 0) continue;
      for (std::size_t i = 0; i < at.size(); ++i) at[i] ^= vectors[bit][i];
    }
  }
  return at;
}

LinearLayout LinearLayout::compose(const LinearLayout& outer) const {
  std::vector<LayoutInput> inputs = inputs_;
  for (LayoutInput& input : inputs) {
    for (auto& basis : input.bases) {
      std::vector<InputPlace> place;
      for (std::size_t i = 0; i < outputs_.size(); ++i) place.emplace_back(outputs_[i].name, basis[i]);
      basis = outer.apply(place);
    }
  }
  return {std::move(inputs), outer.outputs_};
}

LinearLayout LinearLayout::sublayout(const std::vector<std::string>& inputs,
                                     const std::vector<std::string>& outputs) const {
  std::vector<LayoutInput> kept;
  for (const LayoutInput& input : inputs_) {
    if (!is_one_of(inputs, input.name)) continue;
    LayoutInput& copy = kept.emplace_back(LayoutInput{input.name, {}});
    for (const auto& basis : input.bases) {
      auto& vector = copy.bases.emplace_back();
      for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (is_one_of(outputs, outputs_[i].name)) vector.push_back(basis[i]);
      }
    }
  }
  std::vector<LayoutOutput> sizes;
  std::copy_if(outputs_.begin(), outputs_.end(), std::back_inserter(sizes),
               [&](const LayoutOutput& output) { return is_one_of(outputs, output.name); });
  return {std::move(kept), std::move(sizes)};
}

bool LinearLayout::is_zero(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) const {
  const LinearLayout part = sublayout(inputs, outputs);
  for (const LayoutInput& input : part.inputs_) {
    for (const auto& basis : input.bases) {
      if (std::any_of(basis.begin(), basis.end(), [](auto v) { return v != 0; })) return false;
    }
  }
  return true;
}

LinearLayout LinearLayout::transpose_inputs(const std::vector<std::string>& order) const {
  std::vector<LayoutInput> inputs;
  for (const std::string& name : order) inputs.push_back({name, bases(name)});
  return {std::move(inputs), outputs_};
}

LinearLayout LinearLayout::transpose_outputs(const std::vector<std::string>& order) const {
  std::vector<std::size_t> from;
  std::vector<LayoutOutput> outputs;
  for (const std::string& name : order) {
    from.push_back(output_index(name));
    outputs.push_back(outputs_[from.back()]);
  }
  std::vector<LayoutInput> inputs = inputs_;
  for (LayoutInput& input : inputs) {
    for (auto& basis : input.bases) {
      std::vector<std::int32_t> moved;
      for (const std::size_t index : from) moved.push_back(basis[index]);
      basis = std::move(moved);
    }
  }
  return {std::move(inputs), std::move(outputs)};
}

LinearLayout LinearLayout::reshape_inputs(const std::vector<LayoutOutput>& sizes) const {
  Bases all;
  for (const LayoutInput& input : inputs_) all.insert(all.end(), input.bases.begin(), input.bases.end());
  std::vector<LayoutInput> inputs;
  auto next = all.begin();
  for (const LayoutOutput& size : sizes) {
    const auto end = next + log2_of(size.size);
    inputs.push_back({size.name, Bases(next, end)});
    next = end;
  }
  LOCKSTEP_CHECK(next == all.end(), "a layout is reshaped to another size");
  return {std::move(inputs), outputs_};
}

LinearLayout LinearLayout::reshape_outputs(const std::vector<LayoutOutput>& sizes) const {
  std::vector<LayoutInput> inputs = inputs_;
  for (LayoutInput& input : inputs) {
    for (auto& basis : input.bases) basis = unpack(pack(basis, outputs_), sizes);
  }
  LinearLayout reshaped(std::move(inputs), sizes);
  LOCKSTEP_CHECK(reshaped.total_output_bits() == total_output_bits(), "a layout is reshaped to another size");
  return reshaped;
}

LinearLayout LinearLayout::cut_output(std::string_view name, std::int32_t size) const {
  const std::size_t index = output_index(name);
  LinearLayout cut = *this;
  cut.outputs_[index].size = size;
  for (LayoutInput& input : cut.inputs_) {
    for (auto& basis : input.bases) basis[index] &= size - 1;
  }
  return cut;
}

LinearLayout LinearLayout::rename_output(std::string_view from, std::string_view to) const {
  LinearLayout renamed = *this;
  renamed.outputs_[output_index(from)].name = std::string(to);
  return renamed;
}

LinearLayout LinearLayout::without_output(std::string_view name) const {
  std::vector<std::string> kept = output_names();
  std::erase(kept, std::string(name));
  return sublayout(input_names(), kept);
}

LinearLayout LinearLayout::without_copies(std::string_view input) const {
  LinearLayout kept = *this;
  const auto it = find_name(kept.inputs_, input);
  if (it == kept.inputs_.end()) return kept;
  std::erase_if(it->bases, [](const auto& basis) {
    return std::all_of(basis.begin(), basis.end(), [](auto v) { return v == 0; });
  });
  return kept;
}

LinearLayout LinearLayout::operator*(const LinearLayout& outer) const {
  std::vector<LayoutOutput> outputs = outputs_;
  for (const LayoutOutput& output : outer.outputs_) {
    const auto it = find_name(outputs, output.name);
    if (it == outputs.end()) {
      outputs.push_back(output);
    } else {
      it->size *= output.size;
    }
  }
  std::vector<LayoutInput> inputs = inputs_;
  for (LayoutInput& input : inputs) {
    for (auto& basis : input.bases) basis.resize(outputs.size(), 0);
  }
  for (const LayoutInput& input : outer.inputs_) {
    auto it = find_name(inputs, input.name);
    if (it == inputs.end()) it = inputs.insert(inputs.end(), LayoutInput{input.name, {}});
    for (const auto& basis : input.bases) {
      auto& vector = it->bases.emplace_back(outputs.size(), 0);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto from = find_name(outer.outputs_, outputs[i].name);
        if (from == outer.outputs_.end()) continue;
        vector[i] = basis[static_cast<std::size_t>(from - outer.outputs_.begin())] * output_size(outputs[i].name);
      }
    }
  }
  return {std::move(inputs), std::move(outputs)};
}

std::vector<std::string> dimension_names(std::size_t rank) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rank; ++i) names.push_back("dim" + std::to_string(i));
  return names;
}

LinearLayout limit_outputs(const LinearLayout& layout, const std::vector<LayoutOutput>& sizes, bool keeps_registers) {
  std::vector<LayoutInput> inputs = layout.inputs();
  std::vector<LayoutOutput> outputs = layout.outputs();
  std::vector<std::size_t> left_out;  // registers
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto wanted = find_name(sizes, outputs[i].name);
    if (wanted == sizes.end() || outputs[i].size <= wanted->size) continue;
    std::vector<std::tuple<std::int32_t, std::size_t, std::size_t>> along;  // minus the step, input, bit
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      for (std::size_t bit = 0; bit < inputs[input].bases.size(); ++bit) {
        if (const std::int32_t step = inputs[input].bases[bit][i]; step != 0) along.emplace_back(-step, input, bit);
      }
    }
    std::sort(along.begin(), along.end());
    for (const auto& [step, input, bit] : along) {
      if (outputs[i].size <= wanted->size) break;
      outputs[i].size /= 2;
      inputs[input].bases[bit][i] = 0;
      if (!keeps_registers && inputs[input].name == "register") left_out.push_back(bit);
    }
    outputs[i].size = wanted->size;
  }
  const auto registers = find_name(inputs, "register");
  std::sort(left_out.rbegin(), left_out.rend());
  for (const std::size_t bit : left_out) registers->bases.erase(registers->bases.begin() + static_cast<long>(bit));
  return {std::move(inputs), std::move(outputs)};
}

LinearLayout extend_outputs(const LinearLayout& layout, const std::vector<LayoutOutput>& sizes) {
  LinearLayout extended = layout;
  const std::string input = layout.inputs().front().name;
  for (const LayoutOutput& output : layout.outputs()) {
    const auto wanted = find_name(sizes, output.name);
    if (wanted == sizes.end()) continue;
    extended *= LinearLayout::identity(std::max(wanted->size / output.size, 1), input, output.name);
  }
  return extended;
}

LinearLayout reshape_dimensions(const LinearLayout& layout, const std::vector<std::int64_t>& shape) {
  std::vector<std::string> from = layout.output_names();
  std::reverse(from.begin(), from.end());
  const std::vector<std::string> names = dimension_names(shape.size());
  std::vector<LayoutOutput> sizes;
  for (std::size_t i = shape.size(); i > 0; --i) {
    sizes.push_back({names[i - 1], static_cast<std::int32_t>(shape[i - 1])});
  }
  return layout.transpose_outputs(from).reshape_outputs(sizes).transpose_outputs(names);
}

LinearLayout permute_dimensions(const LinearLayout& layout, const Extents& order) {
  const std::vector<std::string> names = layout.output_names();
  std::vector<std::string> moved;
  for (const std::uint32_t dim : order) moved.push_back(names[dim]);
  const LinearLayout permuted = layout.transpose_outputs(moved);
  std::vector<LayoutOutput> outputs = permuted.outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].name = names[i];
  return {permuted.inputs(), std::move(outputs)};
}

std::string describe(const LinearLayout& layout) {
  std::string out;
  for (const LayoutInput& input : layout.inputs()) {
    out += (out.empty() ? "" : ", ") + input.name + " = [";
    for (std::size_t i = 0; i < input.bases.size(); ++i) {
      out += i == 0 ? "[" : ", [";
      for (std::size_t dim = 0; dim < input.bases[i].size(); ++dim) {
        out += (dim == 0 ? "" : ", ") + std::to_string(input.bases[i][dim]);
      }
      out += "]";
    }
    out += "]";
  }
  out += " ->";
  for (const LayoutOutput& output : layout.outputs()) {
    out += (out.ends_with("->") ? " " : ", ") + output.name + ": " + std::to_string(output.size);
  }
  return out;
}

}  // namespace lockstep::ir
