#include "ir/layouts/tensor_memory_access.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ir/layouts/linear_solve.h"

namespace lockstep::ir {
namespace {

constexpr std::int32_t kRows = 128;  // lanes of tensor memory
constexpr std::array<std::pair<std::string_view, TensorMemoryShape>, 5> kShapes{
    {{"32x32b", TensorMemoryShape::rows32x32b},
     {"16x64b", TensorMemoryShape::rows16x64b},
     {"16x128b", TensorMemoryShape::rows16x128b},
     {"16x256b", TensorMemoryShape::rows16x256b},
     {"32x32b_splitn", TensorMemoryShape::split_columns}}};

LinearLayout walk_along(std::int32_t size, std::string_view input, std::string_view output) {
  return LinearLayout::identity(size, input, output);
}

/// One instruction of one warp: registers of 32 bits and lanes, as rows and columns. PTX ISA.
LinearLayout instruction_tile(TensorMemoryShape shape) {
  const LinearLayout start = walk_along(1, "register", "row") * walk_along(1, "register", "col");
  switch (shape) {
    case TensorMemoryShape::rows16x64b:
      return {{{"register", {}}, {"lane", {{8, 0}, {0, 1}, {1, 0}, {2, 0}, {4, 0}}}}, {{"row", 16}, {"col", 2}}};
    case TensorMemoryShape::rows16x128b:
      return start * walk_along(4, "lane", "col") * walk_along(8, "lane", "row") * walk_along(2, "register", "row");
    case TensorMemoryShape::rows16x256b:
      return start * walk_along(2, "register", "col") * walk_along(4, "lane", "col") * walk_along(8, "lane", "row") *
             walk_along(2, "register", "row");
    default: return start * walk_along(32, "lane", "row");
  }
}

std::optional<LinearLayout> registers_of_words(const LinearLayout& memory, TensorMemoryShape shape,
                                               std::int32_t warps) {
  LinearLayout tile = instruction_tile(shape);
  std::int32_t missing = memory.input_size("col") / tile.output_size("col");
  if (missing == 0) return std::nullopt;
  const bool has_32_rows = shape == TensorMemoryShape::rows32x32b;
  const Bases& rows = memory.bases("row");
  const bool only_16_rows = rows.size() <= 4 || rows[4] == std::vector<std::int32_t>(memory.outputs().size(), 0);
  // The conversion must be undone by the instruction: no register or lane may be a copy. Row 16 may be, because half an
  // instruction can take other columns there.
  std::vector<LayoutInput> held = tile.compose(memory).inputs();
  if (has_32_rows) held.back().bases.pop_back();
  if (!is_injective(LinearLayout(held, memory.outputs()))) return std::nullopt;

  const bool needs_row_16 = !has_32_rows && !only_16_rows, by_warps = needs_row_16 && warps > 4;
  std::int32_t along_columns = std::max(1, warps / (by_warps ? 8 : 4));
  const std::int32_t copies = along_columns / std::min(missing, along_columns);
  along_columns /= copies;
  missing /= along_columns;
  if (missing > 1 && has_32_rows && only_16_rows) {
    tile = walk_along(1, "register", "row") * walk_along(16, "lane", "row") *
           walk_along(missing / 2, "register", "col") * walk_along(2, "lane", "col");
  } else if (missing > 1) {
    tile *= walk_along(missing, "register", "col");
  }
  tile = tile.transpose_outputs({"row", "col"});
  Bases registers = tile.bases("register"), in_warps{{32, 0}, {64, 0}};
  if (needs_row_16) (by_warps ? in_warps : registers).push_back({16, 0});
  LinearLayout whole({{"register", std::move(registers)}, {"lane", tile.bases("lane")}, {"warp", std::move(in_warps)}},
                     {{"row", kRows}, {"col", tile.output_size("col")}});
  whole *= walk_along(along_columns, "warp", "col") * LinearLayout::zeros(copies, "warp", "col");
  if (memory.has_input("block")) whole *= walk_along(memory.input_size("block"), "block", "block");
  return whole.compose(memory);
}

/// Narrow elements are packed into words of 32 bits, or stand alone in them.
std::optional<LinearLayout> registers_of(const LinearLayout& memory, TensorMemoryShape shape, std::int32_t warps,
                                         int bits) {
  if (bits == 32) return registers_of_words(memory, shape, warps);
  const auto in_front = [](std::int32_t count, const std::optional<LinearLayout>& rest) {
    return rest ? std::optional<LinearLayout>(walk_along(count, "register", "dim1") * *rest) : std::nullopt;
  };
  std::int32_t packed = 1;
  LinearLayout rest = memory;
  while (bits * packed * 2 <= 32) {
    const auto divided = divide_left(memory, walk_along(packed * 2, "col", "dim1"));
    if (!divided) break;
    rest = *divided;
    packed *= 2;
  }
  if (packed > 1) return in_front(packed, registers_of(rest, shape, warps, bits * packed));
  const LinearLayout gap = LinearLayout::zeros(32 / bits, "col", "dim1");
  if (bits == 16) {
    if (const auto unpacked = divide_left(memory, gap * walk_along(2, "col", "dim1"))) {
      return in_front(2, registers_of_words(*unpacked, shape, warps));
    }
  }
  if (const auto alone = divide_left(memory, gap)) return registers_of_words(*alone, shape, warps);
  if (memory.input_size("col") == 1) return registers_of_words(memory, shape, warps);
  return std::nullopt;
}

/// The lane or warp that takes the second half of the columns changes places with the last register.
void split_columns(LinearLayout& layout) {
  std::vector<LayoutInput> inputs = layout.inputs();
  const std::vector<std::int32_t> half{0, layout.outputs()[1].size / 2};
  Bases& registers = inputs[0].bases;
  if (registers.empty()) return;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const auto it = std::find(inputs[i].bases.begin(), inputs[i].bases.end(), half);
    if (inputs[i].name == "block" || it == inputs[i].bases.end()) continue;
    std::swap(registers.back(), *it);
    break;
  }
  layout = LinearLayout(std::move(inputs), layout.outputs());
}

}  // namespace

std::optional<TensorMemoryShape> tensor_memory_shape(std::string_view name) {
  for (const auto& [spelling, shape] : kShapes) {
    if (spelling == name) return shape;
  }
  return std::nullopt;
}

std::optional<LinearLayout> tensor_memory_registers(const LinearLayout& memory, TensorMemoryShape shape,
                                                    std::int32_t warps, int bits) {
  const bool splits = shape == TensorMemoryShape::split_columns;
  std::optional<LinearLayout> found =
      registers_of(memory, splits ? TensorMemoryShape::rows32x32b : shape, warps, bits);
  if (!found) return std::nullopt;
  *found = found->transpose_inputs({"register", "lane", "warp", "block"}).transpose_outputs(dimension_names(2));
  if (splits) split_columns(*found);
  return found;
}

}  // namespace lockstep::ir
