// Encodings as text: read, interned, printed back byte for byte; and what is refused, with its place.
#include "ir/layouts/encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "encoding_reader.h"
#include "ir/layouts/encoding_printer.h"

namespace lockstep::ir {
namespace {

constexpr std::string_view kBlocked =
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>";
constexpr std::string_view kMma =
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";

/// All as some version of Triton from 3.6 to 3.9 prints them.
std::vector<std::string> printed() {
  const std::string blocked(kBlocked), mma(kMma);
  return {
      blocked,
      "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], "
      "CGALayout = [[1, 0]]}>",
      mma,
      "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[0, 1]], "
      "instrShape = [16, 64, 16]}>",
      "#ttg.slice<{dim = 0, parent = " + blocked + "}>",
      "#ttg.dot_op<{opIdx = 0, parent = " + blocked + "}>",
      "#ttg.dot_op<{opIdx = 1, parent = " + mma + ", kWidth = 2}>",
      "#ttg.linear<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = [[128]]}>",
      "#ttg.linear<{register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], "
      "warp = [[0, 0], [0, 0]], block = []}>",
      "#ttg.generic_linear<{register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], "
      "warp = [[0, 2], [1, 2]], block = []}>",
      "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
      "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>",
      "#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>",
      "#ttg.padded_shared<[32:+4, 64:+8] {offset = [[0, 1], [0, 2], [2, 0], [4, 0], [1, 0]], block = []}>",
      "#ttg.padded_shared<[32:+4, 64:+8] {offset = [[0, 1], [0, 2], [2, 0], [1, 0]], block = [[4, 0]]}>",
      "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 16], [2, 0], [4, 0], [8, 0], [1, 0]]}, "
      "alignment = 16>",
      "#ttg.shared_linear<{offset = [[1], [2]], block = [[4]]}, alignment = 16>",
      "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
      "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>",
      "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16, CGALayout = [[1, 0, 0]]}>",
      "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true, "
      "CGALayout = [[1, 0]]}>",
      "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>",
      "#ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, CTASplitM = 2, twoCTAs = true>",
      "#ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true, "
      "fp4Padded = true>",
      "#ttng.tensor_memory_scales_encoding<>",
      "#ttng.tensor_memory_scales_encoding<CTASplitM = 2>",
      "#ttng.tensor_memory_scales_encoding<CGALayout = [[1, 0]], blockRepOrder = kThenMn>",
      "#gluon.auto_encoding",
      "#gluon.coalesced_encoding",
  };
}

TEST(EncodingText, PrintsWhatTritonPrints) {
  EncodingTestReader reader;
  for (const std::string& text : printed()) {
    const Encoding* encoding = reader.read(text);
    ASSERT_NE(encoding, nullptr) << text << "\n" << reader.messages();
    EXPECT_EQ(print_encoding(*encoding), text);
  }
}

TEST(EncodingText, EachIsThereOnce) {
  EncodingTestReader reader;
  std::vector<const Encoding*> seen;
  for (const std::string& text : printed()) {
    seen.push_back(reader.read(text));
    EXPECT_EQ(seen.back(), reader.read(text)) << text;
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(seen[i], seen[j]) << printed()[i];
  }
}

TEST(EncodingText, ParametersComeInAnyOrder) {
  EncodingTestReader reader;
  EXPECT_EQ(reader.read("#ttg.blocked<{order = [1, 0], warpsPerCTA = [4, 1], threadsPerWarp = [4, 8 : i32], "
                        "sizePerThread = [1, 4], CGALayout = []}>"),
            reader.read(kBlocked))
      << reader.messages();
  EXPECT_EQ(reader.read("#ttg.padded_shared<[32:+4] {offset = [[0, 1], [0, 2], [1, 0], [2, 0]], block = []}>"),
            reader.read("#ttg.padded_shared<[32:+4] {shape = [4, 4], order = [1, 0]}>"))
      << reader.messages();
  EXPECT_EQ(reader.read("#ttg.nvmma_shared<{swizzlingByteWidth = 64, elementBitWidth = 16}>"),
            reader.read("#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, "
                        "rank = 2}>"))
      << reader.messages();
}

TEST(EncodingText, ParentsAreReadAndWrittenAsAliases) {
  EncodingTestReader reader;
  const Encoding* blocked = reader.read(kBlocked);
  reader.define("#blocked", blocked);
  const Encoding* slice = reader.read("#ttg.slice<{dim = 1, parent = #blocked}>");
  ASSERT_NE(slice, nullptr) << reader.messages();
  EXPECT_EQ(slice->as<SliceEncoding>()->parent, blocked);
  const EncodingAliases aliases = [](const Encoding& one) {
    return alias_stem(one).empty() ? "" : "#" + std::string(alias_stem(one)) + "7";
  };
  EXPECT_EQ(print_encoding(*slice, aliases), "#ttg.slice<{dim = 1, parent = #blocked7}>");
  EXPECT_EQ(reader.read("#blocked"), blocked);
  EXPECT_EQ(reader.read("#ttg.slice<{dim = 1, parent = #other}>"), nullptr);
  EXPECT_EQ(reader.messages(), "LS1010 at 30: no such alias\n");
}

TEST(EncodingText, KindsAndRanks) {
  EncodingTestReader reader;
  std::string kinds, ranks;
  for (const std::string& text : printed()) {
    const Encoding* one = reader.read(text);
    kinds += one->is_distributed() ? 'd' : one->is_shared() ? 's' : one->is_tensor_memory() ? 't' : '?';
    ranks += std::to_string(one->rank());
  }
  EXPECT_EQ(kinds, "ddddddddddsssssssssssttttttdd");
  EXPECT_EQ(ranks, "22221221222122221"
                   "2332222222"
                   "00");
}

struct Refused {
  std::string_view text, message;
};

TEST(EncodingText, SaysWhatIsWrongAndWhere) {
  const std::vector<Refused> cases{
      {"#ttg.blocked<{sizePerThread = [3], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>",
       "LS1131 at 0: sizePerThread = [3]: every entry must be a power of two\n"},
      {"#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>",
       "LS1131 at 0: sizePerThread, threadsPerWarp, warpsPerCTA and order must have the same number of entries\n"},
      {"#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 1]}>",
       "LS1131 at 0: order = [1, 1] is not a permutation of 0 to 1 (the dimension that changes fastest comes first)\n"},
      {"#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], ordre = [0]}>",
       "LS1021 at 77: no parameter 'ordre' is known here (did you mean 'order'?)\n"},
      {"#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4]}>",
       "LS1021 at 12: 'order' is missing here\n"},
      {"#ttg.slice<{dim = 0, dim = 0}>", "LS1021 at 21: 'dim' is given twice\n"},
      {"#ttg.slice<{dim = -1}>", "LS1001 at 18: expected a number, found '-'\n"},
      {"#ttg.slice<{dim = 4294967296}>", "LS1008 at 18: this number is too large\n"},
      {"#ttg.blokked<{}>",
       "LS1021 at 0: '#ttg.blokked' is not an encoding of Triton 3.6 to 3.9 (did you mean '#ttg.blocked'?)\n"},
      {"#ttg.amd_mfma<{version = 3}>",
       "LS1021 at 0: '#ttg.amd_mfma' is a layout of AMD's GPUs, which are not supported\n"},
      {"#ttg.linear<{register = [[1, 0], [0]], lane = [], warp = [], block = []}>",
       "LS1131 at 0: not all vectors have one entry per dimension\n"},
      {"#ttg.linear<{register = [[1], [1]], lane = [], warp = [], block = []}>",
       "LS1131 at 0: this layout is not a permutation once its vectors of zeros are left out "
       "(every power of two of every dimension must occur once)\n"},
      {"#ttg.linear<{register = [], lane = [], warp = [], block = []}>",
       "LS1131 at 0: a layout without any vector has no rank\n"},
      {"#ttg.shared_linear<{offset = [[1, 1], [1, 1]]}, alignment = 16>",
       "LS1131 at 0: this layout does not reach every element\n"},
      {"#ttg.shared_linear<{offset = [[1]]}>", "LS1001 at 35: expected ',', found '>'\n"},
      {"#ttg.nvmma_shared<{swizzlingByteWidth = 48, elementBitWidth = 16}>",
       "LS1131 at 0: swizzlingByteWidth must be 0, 32, 64 or 128\n"},
      {"#ttg.padded_shared<[] {order = [0], shape = [4]}>", "LS1001 at 20: expected a number, found ']'\n"},
      {"#ttg.padded_shared<[4:+1, 4:+2] {order = [0], shape = [4]}>", "LS1131 at 0: an interval is named twice\n"},
      {"#ttng.tensor_memory_scales_encoding<blockRepOrder = other>",
       "LS1021 at 35: blockRepOrder is mnThenK or kThenMn\n"},
      {"#ttng.tensor_memory_encoding<blockM = 32, blockN = 64, colStride = 1>",
       "LS1131 at 0: blockM = 32: it is 64 or 128\n"},
  };
  EncodingTestReader reader;
  for (const Refused& one : cases) {
    EXPECT_EQ(reader.read(one.text), nullptr) << one.text;
    EXPECT_EQ(reader.messages(), one.message) << one.text;
  }
}

/// What Triton builds and does not say no to, and then ends the process where a layout is asked of it.
bool is_refused_later(const std::string& message) {
  constexpr std::array<std::string_view, 5> kParts{"warpsPerCTA", "instrShape", "vec, perPhase and maxPhase",
                                                   "elementBitWidth", "rank must be"};
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return message.find(part) != std::string::npos; });
}

TEST(EncodingText, VerdictsAreTritons) {
  std::ifstream file(std::string(LOCKSTEP_TESTS_DIR) + "/layouts/verdicts.txt");
  EncodingTestReader reader;
  int accepted = 0, refused = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string text = line.substr(0, line.find('\t')), verdict = line.substr(line.find('\t') + 1);
    const bool reads = reader.read(text) != nullptr;
    // Triton up to 3.8 had tensor cores of versions 1 and 5.
    const bool is_old = text.find("versionMajor = 1,") != text.npos || text.find("versionMajor = 5,") != text.npos;
    if (verdict == "yes" && !reads) {
      EXPECT_TRUE(is_refused_later(reader.messages())) << text << "\n" << reader.messages();
    }
    if (verdict != "yes" && !is_old) {
      EXPECT_FALSE(reads) << text;
    }
    ++(reads ? accepted : refused);
  }
  EXPECT_GT(accepted, 60);
  EXPECT_GT(refused, 60);
}

TEST(EncodingText, NestingAndListsHaveLimits) {
  EncodingTestReader reader;
  const std::string nested = "#ttg.slice<{dim = 0, parent = ";
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += nested;
  EXPECT_EQ(reader.read(deep), nullptr);
  EXPECT_NE(reader.messages().find("nested more than"), std::string::npos) << reader.messages();
  std::string many = "1";
  for (int i = 0; i < 100'000; ++i) many += ", 1";
  EXPECT_EQ(reader.read("#ttg.blocked<{order = [" + many + "]}>"), nullptr);
  EXPECT_NE(reader.messages().find("more than 64 entries"), std::string::npos) << reader.messages();
}

}  // namespace
}  // namespace lockstep::ir
