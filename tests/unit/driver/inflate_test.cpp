// The way back from deflate without zlib, against what zlib packs at every level, and against damage.
#include "driver/files/inflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <vector>

namespace lockstep::driver {
namespace {

std::string packed(const std::string& text, int level, int strategy) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, strategy), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::vector<std::string> texts() {
  std::mt19937 random(3);
  std::vector<std::string> all = {"", "a", std::string(300, 'a'), std::string(100000, 'b')};
  std::string noise, words;
  for (int i = 0; i < 70000; ++i) noise += static_cast<char>(random());
  for (int i = 0; i < 20000; ++i) words += "tl.load tl.store tl.arange "[random() % 27];
  all.push_back(noise);
  all.push_back(words);
  all.push_back(words + noise + words);  // far copies
  return all;
}

TEST(Inflate, PortableUndoesWhatZlibPacks) {
  for (const std::string& text : texts()) {
    EXPECT_EQ(portable::crc32(text), crc32(text));
    for (const int level : {0, 1, 6, 9}) {
      for (const int strategy : {Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE}) {
        const auto back = portable::inflate(packed(text, level, strategy), text.size());
        ASSERT_TRUE(back.has_value()) << text.size() << " level " << level << " strategy " << strategy;
        EXPECT_EQ(*back, text);
      }
    }
  }
}

TEST(Inflate, DamageIsTold) {
  const std::string text = texts().back(), good = packed(text, 6, Z_DEFAULT_STRATEGY);
  EXPECT_FALSE(portable::inflate(good, text.size() - 1));
  EXPECT_FALSE(portable::inflate(good, text.size() + 1));
  EXPECT_FALSE(portable::inflate(std::string_view(good).substr(0, good.size() / 2), text.size()));
  EXPECT_FALSE(portable::inflate("", 0));
  std::mt19937 random(11);
  for (int i = 0; i < 300; ++i) {  // as zlib judges it
    std::string bad = good.substr(0, 4000);
    bad[random() % bad.size()] ^= static_cast<char>(1 << random() % 8);
    EXPECT_EQ(portable::inflate(bad, text.size()).has_value(), inflate(bad, text.size()).has_value());
  }
}

}  // namespace
}  // namespace lockstep::driver
