// From a linear layout back to a name: the form that was asked for, or another one with the same elements.
#include "ir/layouts/from_linear.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "encoding_reader.h"
#include "ir/layouts/encoding_printer.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::ir {
namespace {

std::string back(const std::string& text, const std::vector<std::int64_t>& shape, std::uint32_t bits = 16) {
  EncodingTestReader reader;
  const Encoding* encoding = reader.read(text);
  if (encoding == nullptr) return reader.messages();
  const Encoding* found = from_linear_layout(reader.context().encodings(), to_linear_layout(*encoding, shape), bits);
  return found == nullptr ? "" : print_encoding(*found);
}

TEST(FromLinear, NamesComeBack) {
  const std::string blocked =
      "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>";
  EXPECT_EQ(back(blocked, {64, 128}), blocked);
  const std::string turned =
      "#ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1], "
      "CGALayout = [[0, 1]]}>";
  EXPECT_EQ(back(turned, {128, 64}), turned);
  const std::string second =
      "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";
  EXPECT_EQ(back(second, {64, 64}), second);
  const std::string third =
      "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 256, 16]}>";
  EXPECT_EQ(back(third, {64, 512}), third);
  const std::string swizzled = "#ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>";
  EXPECT_EQ(back(swizzled, {64, 64}), swizzled);
  const std::string wide = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>";
  EXPECT_EQ(back(wide, {64, 128}), wide);
}

TEST(FromLinear, WhatHasNoNameIsLinear) {
  EXPECT_EQ(back("#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
                 "warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>",
                 {32, 16}),
            "#ttg.linear<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], "
            "warp = [[0, 0], [16, 0]], block = []}>");
  EXPECT_EQ(back("#ttg.shared_linear<{offset = [[0, 2], [0, 1], [1, 0]]}, alignment = 16>", {2, 4}),
            "#ttg.shared_linear<{offset = [[0, 2], [0, 1], [1, 0]]}, alignment = 16>");
}

TEST(FromLinear, EveryLayoutOfTritonHasAFormWithTheSameElements) {
  EncodingTestReader reader;
  std::size_t named = 0, asked = 0;
  for (const char* name : {"registers.txt", "memory.txt"}) {
    std::ifstream file(std::string(LOCKSTEP_TESTS_DIR) + "/layouts/" + name);
    for (std::string line; std::getline(file, line);) {
      std::istringstream fields(line);
      std::string text, extents;
      std::getline(fields, text, '\t');
      std::getline(fields, extents, '\t');
      const Encoding* encoding = reader.read(text);
      if (encoding->is_tensor_memory()) continue;
      std::vector<std::int64_t> shape;
      std::istringstream sizes(extents);
      for (std::string extent; std::getline(sizes, extent, 'x');) shape.push_back(std::stoll(extent));
      const LinearLayout layout = to_linear_layout(*encoding, shape);
      const auto* nvmma = encoding->as<NvmmaSharedEncoding>();
      const Encoding* found = from_linear_layout(reader.context().encodings(), layout,
                                                 nvmma == nullptr ? 16 : nvmma->element_bit_width);
      // Padded 4-bit columns and the box of TMA hold an element twice; only the name says so.
      if (found == nullptr) {
        EXPECT_NE(nvmma, nullptr) << text;
        continue;
      }
      EXPECT_EQ(to_linear_layout(*found, shape), layout) << text;
      named += found->name() == encoding->name() ? 1 : 0;
      ++asked;
      if (encoding->as<BlockedEncoding>() != nullptr) {
        EXPECT_NE(blocked_form(reader.context().encodings(), layout), nullptr) << text << " " << extents;
      }
    }
  }
  EXPECT_GT(named, asked / 2);
}

}  // namespace
}  // namespace lockstep::ir
