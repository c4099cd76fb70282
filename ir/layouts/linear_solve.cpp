#include "ir/layouts/linear_solve.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "support/check.h"

namespace lockstep::ir {
namespace {

/// Each bit of the inputs, the first input lowest, as the coordinates of all outputs in one number.
std::vector<std::uint64_t> columns_of(const LinearLayout& layout) {
  std::vector<std::uint64_t> columns;
  for (const LayoutInput& input : layout.inputs()) {
    for (const auto& basis : input.bases) {
      std::uint64_t column = 0;
      int shift = 0;
      for (std::size_t i = 0; i < basis.size(); ++i) {
        column |= static_cast<std::uint64_t>(basis[i]) << shift;
        shift += static_cast<int>(std::bit_width(static_cast<std::uint32_t>(layout.outputs()[i].size))) - 1;
      }
      columns.push_back(column);
    }
  }
  return columns;
}

/// Row echelon form of a matrix that is given by its columns: which columns lead, and each column in terms of those.
struct Echelon {
  std::vector<std::size_t> leading;       // in order
  std::vector<std::uint64_t> reduced;     // what is left of each leading column, one bit of its own each
  std::vector<std::uint64_t> made_of;     // the leading columns (bit i: leading[i]) whose sum `reduced` is

  /// The leading columns whose sum `column` is; false: there is none.
  bool solve(std::uint64_t column, std::uint64_t& sum) const {
    sum = 0;
    for (std::size_t i = 0; i < reduced.size(); ++i) {
      if ((column & lowest(reduced[i])) == 0) continue;
      column ^= reduced[i];
      sum ^= made_of[i];
    }
    return column == 0;
  }
  void add(std::size_t index, std::uint64_t column) {
    std::uint64_t sum = 0, rest = column;
    for (std::size_t i = 0; i < reduced.size(); ++i) {
      if ((rest & lowest(reduced[i])) == 0) continue;
      rest ^= reduced[i];
      sum ^= made_of[i];
    }
    if (rest == 0) return;
    sum ^= std::uint64_t{1} << leading.size();
    leading.push_back(index);
    reduced.push_back(rest);
    made_of.push_back(sum);
  }
  static std::uint64_t lowest(std::uint64_t value) { return value & (0 - value); }
};

Echelon echelon_of(const std::vector<std::uint64_t>& columns) {
  Echelon echelon;
  for (std::size_t i = 0; i < columns.size(); ++i) echelon.add(i, columns[i]);
  return echelon;
}

std::vector<LayoutOutput> inputs_as_outputs(const LinearLayout& layout) {
  std::vector<LayoutOutput> outputs;
  for (const LayoutInput& input : layout.inputs()) outputs.push_back({input.name, layout.input_size(input.name)});
  return outputs;
}

/// The input bits whose columns a solution adds.
std::uint64_t place_of_leading(const Echelon& echelon, std::uint64_t sum) {
  std::uint64_t place = 0;
  for (std::size_t i = 0; i < echelon.leading.size(); ++i) {
    if (((sum >> i) & 1) != 0) place |= std::uint64_t{1} << echelon.leading[i];
  }
  return place;
}

std::vector<std::int32_t> cut_up(std::uint64_t place, const std::vector<LayoutOutput>& outputs) {
  std::vector<std::int32_t> values;
  for (const LayoutOutput& output : outputs) {
    values.push_back(static_cast<std::int32_t>(place & static_cast<std::uint64_t>(output.size - 1)));
    place >>= std::bit_width(static_cast<std::uint32_t>(output.size)) - 1;
  }
  return values;
}

/// X with outer(X(i)) = layout(i), zero in every column of `outer` that does not lead.
LinearLayout solve(const LinearLayout& layout, const LinearLayout& outer) {
  const Echelon echelon = echelon_of(columns_of(outer));
  const std::vector<LayoutOutput> outputs = inputs_as_outputs(outer);
  std::vector<LayoutInput> inputs = layout.inputs();
  const std::vector<std::uint64_t> wanted = columns_of(layout);
  auto next = wanted.begin();
  for (LayoutInput& input : inputs) {
    for (auto& basis : input.bases) {
      std::uint64_t sum = 0;
      LOCKSTEP_CHECK(echelon.solve(*next++, sum), "a layout does not hold what another one holds");
      basis = cut_up(place_of_leading(echelon, sum), outputs);
    }
  }
  return {std::move(inputs), outputs};
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> others(const std::vector<std::string>& all, const std::vector<std::string>& names) {
  std::vector<std::string> rest;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rest),
               [&](const auto& name) { return !is_among(names, name); });
  return rest;
}

}  // namespace

int rank_of(const LinearLayout& layout) { return static_cast<int>(echelon_of(columns_of(layout)).leading.size()); }
bool is_surjective(const LinearLayout& layout) { return rank_of(layout) == layout.total_output_bits(); }
bool is_injective(const LinearLayout& layout) { return rank_of(layout) == layout.total_input_bits(); }
bool is_invertible(const LinearLayout& layout) { return is_surjective(layout) && is_injective(layout); }

std::map<std::string, std::int32_t> free_variable_masks(const LinearLayout& layout) {
  const Echelon echelon = echelon_of(columns_of(layout));
  std::map<std::string, std::int32_t> masks;
  std::size_t index = 0;
  for (const LayoutInput& input : layout.inputs()) {
    std::int32_t& mask = masks[input.name];
    for (std::size_t bit = 0; bit < input.bases.size(); ++bit, ++index) {
      const bool leads = std::find(echelon.leading.begin(), echelon.leading.end(), index) != echelon.leading.end();
      if (!leads) mask |= std::int32_t{1} << bit;
    }
  }
  return masks;
}

LinearLayout invert(const LinearLayout& layout) {
  LOCKSTEP_CHECK(is_invertible(layout), "a layout that is not invertible");
  return pseudo_invert(layout);
}

LinearLayout pseudo_invert(const LinearLayout& layout) {
  LinearLayout identity;
  for (const LayoutOutput& output : layout.outputs()) {
    identity *= LinearLayout::identity(output.size, output.name, output.name);
  }
  return invert_and_compose(identity, layout);
}

LinearLayout invert_and_compose(const LinearLayout& layout, const LinearLayout& outer) {
  const std::vector<std::string> outputs = layout.output_names();
  const LinearLayout aligned = outer.transpose_outputs(outputs);
  std::vector<LayoutOutput> sizes = layout.outputs();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    LOCKSTEP_CHECK(aligned.outputs()[i].size >= sizes[i].size, "a layout holds more than the one it is looked up in");
    sizes[i].size = aligned.outputs()[i].size;
  }
  const LinearLayout widened(layout.inputs(), sizes);
  std::vector<std::string> alike;
  for (const std::string& name : outer.input_names()) {
    if (layout.has_input(name) && aligned.sublayout({name}, outputs) == widened.sublayout({name}, outputs)) {
      alike.push_back(name);
    }
  }
  LinearLayout result = solve(widened.sublayout(others(layout.input_names(), alike), outputs),
                              aligned.sublayout(others(outer.input_names(), alike), outputs));
  for (const std::string& name : alike) result *= LinearLayout::identity(outer.input_size(name), name, name);
  return result.transpose_inputs(layout.input_names()).transpose_outputs(outer.input_names());
}

LinearLayout kernel_of(const LinearLayout& layout) {
  const std::vector<std::uint64_t> columns = columns_of(layout);
  const Echelon echelon = echelon_of(columns);
  const std::vector<LayoutOutput> outputs = inputs_as_outputs(layout);
  Bases bases;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::find(echelon.leading.begin(), echelon.leading.end(), i) != echelon.leading.end()) continue;
    std::uint64_t sum = 0;
    echelon.solve(columns[i], sum);
    bases.push_back(cut_up(std::uint64_t{1} << i | place_of_leading(echelon, sum), outputs));
  }
  return {{{"copy", std::move(bases)}}, outputs};
}

bool is_trivial_over(const LinearLayout& layout, const std::vector<std::string>& names) {
  const std::vector<std::string> inputs = layout.input_names(), outputs = layout.output_names();
  if (!layout.is_zero(names, others(outputs, names)) || !layout.is_zero(others(inputs, names), names)) return false;
  for (const std::string& name : names) {
    if (!layout.has_input(name) || !layout.has_output(name)) return false;
    const LinearLayout part = layout.sublayout({name}, names);
    const LinearLayout itself = layout.sublayout({name}, {name});
    if (itself != LinearLayout::identity(layout.input_size(name), name, name)) return false;
    if (!part.is_zero({name}, others(names, {name}))) return false;
  }
  return true;
}

std::optional<LinearLayout> quotient(const LinearLayout& layout, const std::vector<std::string>& names) {
  if (!is_trivial_over(layout, names)) return std::nullopt;
  return layout.sublayout(others(layout.input_names(), names), others(layout.output_names(), names));
}

std::optional<LinearLayout> divide_left(const LinearLayout& layout, const LinearLayout& divisor) {
  std::vector<LayoutOutput> outputs = layout.outputs();
  for (LayoutOutput& output : outputs) {
    const std::int32_t size = divisor.output_size(output.name);
    if (size > output.size) return std::nullopt;
    output.size /= size;
  }
  std::vector<LayoutInput> inputs;
  for (const LayoutInput& input : layout.inputs()) {
    const std::size_t first = divisor.bases(input.name).size();
    if (first > input.bases.size()) return std::nullopt;
    LayoutInput& rest = inputs.emplace_back(LayoutInput{input.name, {}});
    for (std::size_t bit = first; bit < input.bases.size(); ++bit) {
      auto vector = input.bases[bit];
      for (std::size_t i = 0; i < vector.size(); ++i) {
        const std::int32_t size = divisor.output_size(outputs[i].name);
        if (vector[i] % size != 0) return std::nullopt;
        vector[i] /= size;
      }
      rest.bases.push_back(std::move(vector));
    }
  }
  LinearLayout rest(std::move(inputs), std::move(outputs));
  const LinearLayout product = (divisor * rest).transpose_inputs(layout.input_names());
  const bool is_whole = product.transpose_outputs(layout.output_names()) == layout;
  return is_whole ? std::optional<LinearLayout>(std::move(rest)) : std::nullopt;
}

std::int32_t consecutive_in_out(const LinearLayout& layout) {
  if (layout.inputs().empty() || layout.outputs().empty()) return 1;
  // A bit counts if it moves the first output by its own step, and no other vector touches what is below.
  const Bases& first = layout.inputs().front().bases;
  std::size_t count = 0;
  for (; count < first.size(); ++count) {
    const auto& vector = first[count];
    const bool rest_is_zero = std::all_of(vector.begin() + 1, vector.end(), [](auto v) { return v == 0; });
    if (vector[0] != std::int32_t{1} << count || !rest_is_zero) break;
  }
  int lowest = static_cast<int>(count);
  const auto limit = [&](std::int32_t step) {
    if (step != 0) lowest = std::min(lowest, std::countr_zero(static_cast<std::uint32_t>(step)));
  };
  for (std::size_t bit = count; bit < first.size(); ++bit) limit(first[bit][0]);
  for (std::size_t i = 1; i < layout.inputs().size(); ++i) {
    for (const auto& vector : layout.inputs()[i].bases) limit(vector[0]);
  }
  return std::int32_t{1} << lowest;
}

}  // namespace lockstep::ir
