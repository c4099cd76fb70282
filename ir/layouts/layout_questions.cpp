#include "ir/layouts/layout_questions.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "ir/layouts/linear_solve.h"

namespace lockstep::ir {
namespace {

RegisterPlace register_place(const LinearLayout& to_places, const std::vector<std::int32_t>& values) {
  RegisterPlace place;
  const std::vector<std::string> names = to_places.output_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "register") place.reg = values[i];
    if (names[i] == "lane") place.lane = values[i];
    if (names[i] == "warp") place.warp = values[i];
    if (names[i] == "block") place.block = values[i];
  }
  return place;
}

/// Registers and lanes of one layout, all dimensions in one number each, without copies of registers.
struct WarpPart {
  std::vector<std::int32_t> registers, lanes;
};

WarpPart warp_part(const LinearLayout& layout, const std::vector<std::string>& outputs) {
  const LinearLayout plain = layout.without_copies("register").transpose_outputs(outputs);
  const LinearLayout flat = plain.reshape_outputs({{"all", std::int32_t{1} << plain.total_output_bits()}});
  WarpPart part;
  for (const auto& basis : flat.bases("register")) part.registers.push_back(basis[0]);
  for (const auto& basis : flat.bases("lane")) part.lanes.push_back(basis[0]);
  return part;
}

/// Bits of registers whose values go to lanes: swaps of a register bit with a lane bit.
std::size_t mixed_swaps(const LinearLayout& source, const LinearLayout& target) {
  const std::vector<std::string> outputs = source.output_names();
  WarpPart from = warp_part(source, outputs), to = warp_part(target, outputs);
  const std::size_t registers = std::max(from.registers.size(), to.registers.size());
  const std::size_t lanes = std::max(from.lanes.size(), to.lanes.size());
  const auto joined = [&](WarpPart& part) {
    part.registers.resize(registers, 0);
    part.lanes.resize(lanes, 0);
    part.registers.insert(part.registers.end(), part.lanes.begin(), part.lanes.end());
    return part.registers;
  };
  const std::vector<std::int32_t> before = joined(from), after = joined(to);
  std::vector<std::size_t> free_before, free_after;
  std::size_t swaps = 0;
  const auto count = [&](std::size_t bit, std::size_t goes_to) { swaps += bit < registers && goes_to >= registers; };
  for (std::size_t bit = 0; bit < before.size(); ++bit) {
    if (before[bit] != 0) {
      const auto it = std::find(after.begin(), after.end(), before[bit]);
      count(bit, static_cast<std::size_t>(it - after.begin()));
    } else if (after[bit] != 0) {
      free_before.push_back(bit);
    }
    if (after[bit] == 0 && before[bit] != 0) free_after.push_back(bit);
  }
  const std::size_t both = std::min(free_before.size(), free_after.size());
  for (std::size_t i = 0; i < both; ++i) count(free_before[i], free_after[i]);
  return swaps;
}

}  // namespace

std::vector<InputPlace> inputs_of(const RegisterPlace& place) {
  return {{"register", place.reg}, {"lane", place.lane}, {"warp", place.warp}, {"block", place.block}};
}

std::vector<RegisterPlace> holders_of(const LinearLayout& layout, const std::vector<std::int32_t>& element) {
  const LinearLayout inverse = pseudo_invert(layout), copies = kernel_of(layout);
  std::vector<InputPlace> at;
  const std::vector<std::string> dims = inverse.input_names();
  for (std::size_t i = 0; i < dims.size(); ++i) at.emplace_back(dims[i], element[i]);
  const std::vector<std::int32_t> first = inverse.apply(at);
  std::vector<RegisterPlace> places;
  for (std::int32_t copy = 0; copy < copies.input_size("copy"); ++copy) {
    std::vector<std::int32_t> values = copies.apply({{"copy", copy}});
    for (std::size_t i = 0; i < values.size(); ++i) values[i] ^= first[i];
    places.push_back(register_place(inverse, values));
  }
  std::sort(places.begin(), places.end(), [](const RegisterPlace& a, const RegisterPlace& b) {
    return std::tie(a.block, a.warp, a.lane, a.reg) < std::tie(b.block, b.warp, b.lane, b.reg);
  });
  return places;
}

std::vector<std::vector<std::int32_t>> elements_of_thread(const LinearLayout& layout, std::int32_t lane,
                                                          std::int32_t warp, std::int32_t block) {
  std::vector<std::vector<std::int32_t>> elements;
  for (std::int32_t reg = 0; reg < layout.input_size("register"); ++reg) {
    elements.push_back(layout.apply(inputs_of({reg, lane, warp, block})));
  }
  return elements;
}

bool acts_for_element(const LinearLayout& layout, const RegisterPlace& place) {
  const std::map<std::string, std::int32_t> masks = free_variable_masks(layout);
  for (const auto& [name, value] : inputs_of(place)) {
    const auto mask = masks.find(std::string(name));
    if (mask != masks.end() && (value & mask->second) != 0) return false;
  }
  return true;
}

LinearLayout minimal_conversion(const LinearLayout& source, const LinearLayout& target) {
  LinearLayout conversion = invert_and_compose(target, source);
  for (const char* name : {"block", "warp", "lane", "register"}) {
    const std::optional<LinearLayout> rest = quotient(conversion, {name});
    if (!rest) break;
    conversion = *rest;
  }
  return conversion;
}

ConversionCost conversion_cost(const LinearLayout& source, const LinearLayout& target) {
  const LinearLayout conversion = minimal_conversion(source, target);
  if (conversion.has_output("block")) return ConversionCost::cluster;
  if (conversion.has_output("warp")) return ConversionCost::shared_memory;
  if (conversion.has_output("lane")) {
    return mixed_swaps(source, target) < 2 ? ConversionCost::shuffle : ConversionCost::shared_memory;
  }
  return conversion.has_output("register") ? ConversionCost::registers : ConversionCost::nothing;
}

}  // namespace lockstep::ir
