// Linear layouts: the answers that Triton gave (tests/layouts/make_answers.py), and what holds of every one.
#include "ir/layouts/linear_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "encoding_reader.h"
#include "ir/layouts/block_shape.h"
#include "ir/layouts/linear_solve.h"
#include "ir/layouts/shape_rules.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::ir {
namespace {

std::vector<std::vector<std::string>> answers(const std::string& name) {
  std::ifstream file(std::string(LOCKSTEP_TESTS_DIR) + "/layouts/" + name);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string field; std::getline(fields, field, '\t');) row.push_back(field);
  }
  return rows;
}

std::vector<std::int64_t> shape_from(const std::string& text) {
  std::vector<std::int64_t> shape;
  std::istringstream fields(text);
  for (std::string extent; std::getline(fields, extent, 'x');) shape.push_back(std::stoll(extent));
  return shape;
}

/// The reverse of `describe`.
LinearLayout layout_from(const std::string& text) {
  const std::size_t arrow = text.find(" -> ");
  std::vector<LayoutInput> inputs;
  std::vector<std::int32_t> numbers;
  std::string word;
  int depth = 0;
  for (const char c : text.substr(0, arrow)) {
    if (c == '[') ++depth;
    if (c == '[' && depth == 1) inputs.push_back({word, {}}), word.clear();
    if (c >= '0' && c <= '9' && depth == 2) word += c;
    if (c >= 'a' && c <= 'z' && depth == 0) word += c;
    if ((c == ',' || c == ']') && depth == 2) numbers.push_back(std::stoi(word)), word.clear();
    if (c == ']' && depth == 2) inputs.back().bases.push_back(numbers), numbers.clear();
    if (c == ']') --depth;
  }
  std::vector<LayoutOutput> outputs;
  std::istringstream fields(text.substr(arrow + 4));
  for (std::string output; std::getline(fields, output, ',');) {
    const std::size_t colon = output.find(':'), start = output.find_first_not_of(' ');
    outputs.push_back({output.substr(start, colon - start), std::stoi(output.substr(colon + 1))});
  }
  return {std::move(inputs), std::move(outputs)};
}

void expect_answers(const std::string& name, std::size_t least) {
  EncodingTestReader reader;
  const auto rows = answers(name);
  ASSERT_GE(rows.size(), least);
  for (const auto& row : rows) {
    const Encoding* encoding = reader.read(row[0]);
    ASSERT_NE(encoding, nullptr) << row[0] << "\n" << reader.messages();
    const std::vector<std::int64_t> shape = shape_from(row[1]);
    const auto fault = find_shape_fault(*encoding, shape);
    ASSERT_FALSE(fault) << row[0] << " " << row[1] << ": " << *fault;
    LinearLayout layout = to_linear_layout(*encoding, shape);
    if (encoding->is_tensor_memory()) layout = layout.sublayout({"row", "col"}, layout.output_names());
    LinearLayout expected = layout_from(row[2]);
    expected = LinearLayout(expected.inputs(), layout.outputs());  // Triton's list of tensor memory leaves out blocks
    EXPECT_EQ(describe(layout), describe(expected)) << row[0] << " " << row[1];
  }
}

// 97 of registers and shared memory and 18 of tensor memory, as Triton 3.9 gave them; the rest is random.
TEST(LinearLayout, CollectedAnswersAreTritons) { expect_answers("collected.txt", 115); }
TEST(LinearLayout, RegistersAreTritons) { expect_answers("registers.txt", 300); }
TEST(LinearLayout, MemoryIsTritons) { expect_answers("memory.txt", 200); }

TEST(LinearLayout, SolvesAsTritonDoes) {
  const auto rows = answers("algebra.txt");
  ASSERT_GE(rows.size(), 100u);
  for (const auto& row : rows) {
    const LinearLayout first = layout_from(row[0]), second = layout_from(row[1]);
    std::string facts;
    facts += is_surjective(first) ? '1' : '0';
    facts += is_injective(first) ? '1' : '0';
    facts += is_injective(second) ? '1' : '0';
    EXPECT_EQ(facts, row[2]) << row[0];
    EXPECT_EQ(describe(invert_and_compose(first, second)), row[3]) << row[0] << "\n" << row[1];
  }
}

std::vector<LinearLayout> known_layouts() {
  std::vector<LinearLayout> layouts;
  for (const char* name : {"registers.txt", "memory.txt"}) {
    for (const auto& row : answers(name)) {
      const LinearLayout layout = layout_from(row[2]);
      if (is_surjective(layout)) layouts.push_back(layout);
    }
  }
  return layouts;
}

TEST(LinearLayout, InversesGiveBackEveryElement) {
  for (const LinearLayout& layout : known_layouts()) {
    const LinearLayout inverse = pseudo_invert(layout);
    LinearLayout identity;
    for (const LayoutOutput& output : layout.outputs()) {
      identity *= LinearLayout::identity(output.size, output.name, output.name);
    }
    EXPECT_EQ(inverse.compose(layout), identity) << describe(layout);
    if (is_invertible(layout)) {
      EXPECT_EQ(invert(invert(layout)), layout);
    }
    const LinearLayout to_itself = invert_and_compose(layout, layout);
    EXPECT_TRUE(is_trivial_over(to_itself, layout.input_names())) << describe(layout);
  }
}

TEST(LinearLayout, ConvertingMovesEachElementToAHolderOfIt) {
  const std::vector<LinearLayout> layouts = known_layouts();
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    for (std::size_t j = 0; j < layouts.size(); j += 7) {
      if (layouts[i].outputs() != layouts[j].outputs()) continue;
      EXPECT_EQ(invert_and_compose(layouts[i], layouts[j]).compose(layouts[j]), layouts[i]);
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 20u);
}

TEST(LinearLayout, ProductsDivide) {
  const LinearLayout inner = LinearLayout::identity(4, "register", "dim1") * LinearLayout::identity(8, "lane", "dim0");
  const LinearLayout outer = LinearLayout::identity(2, "lane", "dim1") * LinearLayout::zeros(2, "warp", "dim0");
  EXPECT_EQ(describe(inner * outer),
            "register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [4, 0]], warp = [[0, 0]] -> "
            "dim1: 8, dim0: 8");
  const auto rest = divide_left(inner * outer, inner);
  ASSERT_TRUE(rest);
  EXPECT_EQ(describe(*rest), "register = [], lane = [[1, 0]], warp = [[0, 0]] -> dim1: 2, dim0: 1");
  EXPECT_FALSE(divide_left(outer, inner));
}

TEST(LinearLayout, ReshapesAndTransposes) {
  for (const LinearLayout& layout : known_layouts()) {
    std::vector<std::string> names = layout.output_names();
    const std::vector<std::string> straight = names;
    std::reverse(names.begin(), names.end());
    EXPECT_EQ(layout.transpose_outputs(names).transpose_outputs(straight), layout);
    const std::int32_t all = std::int32_t{1} << layout.total_output_bits();
    const LinearLayout flat = layout.reshape_outputs({{"all", all}});
    EXPECT_EQ(flat.reshape_outputs(layout.outputs()), layout);
    std::vector<std::int64_t> shape;
    for (const LayoutOutput& output : layout.outputs()) shape.push_back(output.size);
    EXPECT_EQ(reshape_dimensions(reshape_dimensions(layout, {all}), shape), layout);
  }
}

TEST(LinearLayout, NamesItsCopies) {
  EncodingTestReader reader;
  const Encoding* blocked = reader.read(
      "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>");
  const std::map<std::string, std::int32_t> expected{{"block", 0}, {"lane", 16}, {"register", 0}, {"warp", 3}};
  EXPECT_EQ(free_variable_masks(to_linear_layout(*blocked, {64})), expected);
  const LinearLayout none = to_linear_layout(*blocked, {512});
  EXPECT_TRUE(is_invertible(none));
  EXPECT_EQ(consecutive_in_out(none), 4);
}

TEST(LinearLayout, ShapesThatALayoutCannotHave) {
  EncodingTestReader reader;
  const auto why = [&](const std::string& text, const std::vector<std::int64_t>& shape) {
    const Encoding* encoding = reader.read(text);
    return encoding == nullptr ? reader.messages() : find_shape_fault(*encoding, shape).value_or("");
  };
  const std::string shared = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>";
  EXPECT_EQ(why(shared, {64, 64}), "");
  EXPECT_EQ(why(shared, {64, 32}), "a row has 32 elements, a swizzle of 128 bytes needs 64");
  EXPECT_EQ(why(shared, {4, 64}), "a swizzled buffer has 8 rows or more");
  EXPECT_EQ(why(shared, {64}), "the shape has 1 dimensions, the layout 2");
  EXPECT_EQ(why(shared, {64, 48}), "the extent 48 is not a power of two");
  EXPECT_EQ(why("#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>", {64, 32}),
            "the layout is one of 64x64 elements");
  EXPECT_EQ(why("#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], "
                "instrShape = [16, 24, 16]}>",
                {64, 64}),
            "the tile of instrShape is not made of powers of two from 8 on");
  EXPECT_EQ(why("#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>", {64, 64}),
            "a block has fewer than blockM = 128 rows");
  EXPECT_EQ(why("#gluon.auto_encoding", {64}), "this layout is still open");
}

TEST(LinearLayout, BuffersHaveASize) {
  EncodingTestReader reader;
  const Encoding* padded = reader.read("#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>");
  EXPECT_EQ(allocated_elements(*padded, {64, 64}), 64 * 64 + 127 * 4);
  const Encoding* plain = reader.read("#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>");
  EXPECT_EQ(allocated_elements(*plain, {64, 32}), 64 * 32);
  const Encoding* halved =
      reader.read("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, "
                  "CGALayout = [[1, 0]]}>");
  EXPECT_EQ(allocated_elements(*halved, {128, 64}), 64 * 64);
  EXPECT_EQ(shape_per_block(*halved, {128, 64}), (std::vector<std::int64_t>{64, 64}));
}

}  // namespace
}  // namespace lockstep::ir
