// .npy and .npz: built by hand here, so that each field can be wrong on purpose. tests/triton_oracle compares with NumPy
// itself.
#include "driver/files/npy.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <random>

#include "driver/files/npy_header.h"

namespace lockstep::driver {
namespace {

std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string bytes = std::string("\x93NUMPY", 6) + static_cast<char>(version) + '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + data;
}
std::string header(const std::string& descr, const std::string& shape, const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }   \n";
}
std::string code(const std::string& bytes, std::uint64_t max_bytes = 0) {
  const auto array = parse_npy(bytes, max_bytes);
  return array ? "" : std::string(array.error().code.spelling());
}

TEST(Npy, ReadsEveryVersionAndDtype) {
  for (const int version : {1, 2, 3}) {
    const auto array = parse_npy(npy(header("<i4", "(2,)"), std::string("\1\0\0\0\2\0\0\0", 8), version), 0);
    ASSERT_TRUE(array.has_value());
    EXPECT_EQ(array->element, ScalarKind::i32);
    EXPECT_EQ(array->shape, (std::vector<std::int64_t>{2}));
  }
  EXPECT_TRUE(parse_npy(npy(header("|u1", "()"), "a"), 0)->is_unsigned);
  EXPECT_EQ(parse_npy(npy(header("|b1", "()"), "a"), 0)->element, ScalarKind::i1);
  EXPECT_EQ(parse_npy(npy(header("<f2", "(1,)"), "ab"), 0)->element, ScalarKind::f16);
  EXPECT_EQ(parse_npy(npy(header("<V2", "(1,)"), "ab"), 0)->element, ScalarKind::i16);
  EXPECT_EQ(parse_npy(npy(header("<f8", "(0, 4)"), ""), 0)->shape, (std::vector<std::int64_t>{0, 4}));
}

TEST(Npy, TurnsBigEndianAndFortranOrder) {
  const auto big = parse_npy(npy(header(">i4", "(2,)"), std::string("\0\0\0\1\0\0\0\2", 8)), 0);
  EXPECT_EQ(std::memcmp(big->data.data(), "\1\0\0\0\2\0\0\0", 8), 0);
  const auto fortran = parse_npy(npy(header("|i1", "(2, 3)", "True"), "adbecf"), 0);
  EXPECT_EQ(std::memcmp(fortran->data.data(), "abcdef", 6), 0);
  const auto cube = parse_npy(npy(header("|i1", "(2, 2, 2)", "True"), "aecgbfdh"), 0);
  EXPECT_EQ(std::memcmp(cube->data.data(), "abcdefgh", 8), 0);
}

TEST(Npy, RefusesWhatIsWrong) {
  EXPECT_EQ(code("hello"), "LS2103");
  EXPECT_EQ(code(npy(header("<i4", "(2,)"), std::string(8, 'x'), 4)), "LS2103");
  EXPECT_EQ(code(npy(header("<c8", "(1,)"), std::string(8, 'x'))), "LS2104");
  EXPECT_EQ(code(npy(header("|O", "(1,)"), std::string(8, 'x'))), "LS2104");
  EXPECT_EQ(code(npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }", "aaaa")), "LS2104");
  EXPECT_EQ(code(npy("{'descr': '<i4', 'shape': (1,)}", "aaaa")), "LS2105");
  EXPECT_EQ(code(npy(header("<i4", "(-1,)"), "aaaa")), "LS2105");
  EXPECT_EQ(code(npy(header("<i4", "(1"), "aaaa")), "LS2105");
  EXPECT_EQ(code(npy(header("<i4", "(2,)"), "aaaa")), "LS2106");
  EXPECT_EQ(code(npy(header("<i4", "(1,)"), "aaaaa")), "LS2106");
  EXPECT_EQ(code(npy(header("<i4", "(4294967296, 4294967296)"), "")), "LS2107");
  EXPECT_EQ(code(npy(header("<i4", "(99999999999999999999,)"), "")), "LS2105");
  EXPECT_EQ(code(npy(header("<i4", "(2,)"), std::string(8, 'x')), 7), "LS2107");
}

TEST(Npy, EveryTruncationAndMutationIsAnErrorOrAnArray) {
  const std::string good = npy(header("<i4", "(2, 1)"), std::string(8, 'x'));
  for (std::size_t length = 0; length < good.size(); ++length) EXPECT_NE(code(good.substr(0, length)), "");
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    const auto array = parse_npy(bytes, 1 << 20);
    EXPECT_TRUE(!array || array->data.size() <= 8U);
  }
}

TEST(Npy, WrittenHeaderIsPaddedAndReadsBack) {
  for (const auto& shape : {std::vector<std::int64_t>{}, {3}, {3, 4}, {0, 2, 5}}) {
    const std::string text = make_npy_header(ScalarKind::f16, false, shape);
    EXPECT_EQ(text.size() % 64, 0U);
    EXPECT_EQ(text.back(), '\n');
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    const auto array = parse_npy(text + std::string(2 * count, 'x'), 0);
    ASSERT_TRUE(array.has_value());
    EXPECT_EQ(array->shape, shape);
  }
  EXPECT_NE(make_npy_header(ScalarKind::bf16, false, {1}).find("'<u2'"), std::string::npos);
  EXPECT_NE(make_npy_header(ScalarKind::f8E5M2, false, {1}).find("'|u1'"), std::string::npos);
  EXPECT_NE(make_npy_header(ScalarKind::i1, false, {1}).find("'|b1'"), std::string::npos);
  EXPECT_NE(make_npy_header(ScalarKind::f32, false, {3}).find("'shape': (3,), }"), std::string::npos);
}

std::string le(std::uint64_t value, int width) {
  std::string text;
  for (int i = 0; i < width; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

std::string deflate_raw(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct ZipOptions {
  bool is_deflated = false, is_zip64 = false;
  std::uint64_t claimed_size = 0, local_offset_shift = 0;
  std::string comment;
};

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& members, const ZipOptions& options) {
  std::string zip, directory;
  for (const auto& [name, content] : members) {
    const std::string packed = options.is_deflated ? deflate_raw(content) : content;
    const std::uint64_t crc =
        ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    const std::uint64_t size = options.claimed_size != 0 ? options.claimed_size : content.size();
    const std::string middle = le(20, 2) + le(0, 2) + le(options.is_deflated ? 8 : 0, 2) + le(0, 4) + le(crc, 4);
    const std::uint64_t local = zip.size() + options.local_offset_shift;
    const std::string extra =
        options.is_zip64 ? le(1, 2) + le(24, 2) + le(size, 8) + le(packed.size(), 8) + le(local, 8) : "";
    const auto field = [&](std::uint64_t value) { return le(options.is_zip64 ? 0xffffffff : value, 4); };
    zip +=
        "PK\3\4" + middle + le(packed.size(), 4) + le(size, 4) + le(name.size(), 2) + le(4, 2) + name + "abcd" + packed;
    directory += "PK\1\2" + le(20, 2) + middle + field(packed.size()) + field(size) + le(name.size(), 2) +
                 le(extra.size(), 2) + le(0, 2) + le(0, 2) + le(0, 2) + le(0, 4) + field(local) + name + extra;
  }
  const std::uint64_t offset = zip.size();
  return zip + directory + "PK\5\6" + le(0, 4) + le(members.size(), 2) + le(members.size(), 2) +
         le(directory.size(), 4) + le(offset, 4) + le(options.comment.size(), 2) + options.comment;
}

const std::string kOne = npy(header("|i1", "(3,)"), "abc"), kTwo = npy(header("<i4", "(1,)"), "abcd");

TEST(Npz, ReadsStoredDeflatedAndZip64Members) {
  for (const bool is_deflated : {false, true}) {
    for (const bool is_zip64 : {false, true}) {
      ZipOptions options;
      options.is_deflated = is_deflated;
      options.is_zip64 = is_zip64;
      options.comment = "a comment";
      const std::string zip = zip_of({{"one.npy", kOne}, {"two.npy", kTwo}}, options);
      const auto two = parse_npz(zip, "two", 0);
      ASSERT_TRUE(two.has_value()) << two.error().message;
      EXPECT_EQ(two->element, ScalarKind::i32);
      EXPECT_EQ(parse_npz(zip, "one.npy", 0)->data.size(), 3U);
      EXPECT_EQ(parse_npz(zip, "", 0).error().hint, "it has: one, two");
      EXPECT_EQ(parse_npz(zip, "three", 0).error().code.spelling(), "LS2109");
    }
  }
  EXPECT_TRUE(parse_npz(zip_of({{"one.npy", kOne}}, {}), "", 0).has_value());
}

TEST(Npz, RefusesLies) {
  ZipOptions bomb;
  bomb.is_deflated = true;
  bomb.claimed_size = std::uint64_t{1} << 40;
  bomb.is_zip64 = true;
  EXPECT_EQ(parse_npz(zip_of({{"one.npy", kOne}}, bomb), "one", 0).error().code.spelling(), "LS2108");
  EXPECT_EQ(parse_npz(zip_of({{"one.npy", kOne}}, bomb), "one", 1 << 20).error().code.spelling(), "LS2107");
  ZipOptions far;
  far.local_offset_shift = 1000000;
  EXPECT_EQ(parse_npz(zip_of({{"one.npy", kOne}}, far), "one", 0).error().code.spelling(), "LS2108");
  ZipOptions longer;
  longer.claimed_size = kOne.size() + 1;
  EXPECT_EQ(parse_npz(zip_of({{"one.npy", kOne}}, longer), "one", 0).error().code.spelling(), "LS2108");
  std::string damaged = zip_of({{"one.npy", kOne}}, {});
  damaged[damaged.rfind("abc")] = 'z';
  EXPECT_EQ(parse_npz(damaged, "one", 0).error().code.spelling(), "LS2108");
  EXPECT_EQ(parse_npz("", "one", 0).error().code.spelling(), "LS2108");
}

TEST(Npz, EveryTruncationAndMutationIsAnErrorOrAnArray) {
  ZipOptions options;
  options.is_deflated = true;
  options.is_zip64 = true;
  const std::string good = zip_of({{"one.npy", kOne}, {"two.npy", kTwo}}, options);
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(parse_npz(good.substr(0, length), "two", 0).has_value());
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    parse_npz(bytes, "two", 1 << 20);
  }
}

}  // namespace
}  // namespace lockstep::driver
