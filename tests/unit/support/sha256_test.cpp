// NIST's examples for SHA-256 (FIPS 180-4, CAVS), and the lengths where the padding changes its shape.
#include "support/sha256.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

TEST(Sha256, AnswersAsNist) {
  EXPECT_EQ(sha256_text(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_text("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      sha256_text("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                  "mnopqrstnopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256_text(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(sha256_text("\xbd"), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
}

// The last line is what another implementation (Python's hashlib) makes of the same chain.
TEST(Sha256, EveryLengthAroundABlock) {
  std::string chain;
  for (std::size_t length = 0; length <= 200; ++length) {
    chain += sha256_text(std::string(length, static_cast<char>('a' + length % 26)));
  }
  EXPECT_EQ(sha256_text(chain), "0e47f2c19c81828410d39d6b830778cd901a3e973c99673aae54235040503a61");
}

TEST(Sha256, PartsDoNotRunIntoEachOther) {
  const std::set<std::string> all{sha256_of_parts({"ab", "c"}), sha256_of_parts({"a", "bc"}), sha256_of_parts({"abc"}),
                                  sha256_of_parts({"abc", ""}), sha256_text("abc")};
  EXPECT_EQ(all.size(), 5u);
}

}  // namespace
}  // namespace lockstep
