// Moving elements: select, gather, scatter, boxes, fills, ranges and the summaries of masks and addresses.
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernel_fixture.h"

namespace lockstep::interpreter::kernels::testing {
namespace {

constexpr Kind kOfSize[] = {Kind::i8, Kind::i16, Kind::i32, Kind::i64};

TEST(MemoryKernels, SelectInEveryMixture) {
  constexpr std::size_t n = 83;
  for (const Table* table : tables())
    for (Kind kind : {Kind::i8, Kind::f16, Kind::f32, Kind::f64, Kind::pointer})
      for (int mixture = 0; mixture < 8; ++mixture) {
        const int steps[3] = {mixture & 1, (mixture >> 1) & 1, (mixture >> 2) & 1};
        Tile mask(Kind::i1, n), x(kind, n), y(kind, n), out(kind, n);
        for (std::size_t i = 0; i < n; ++i) {
          mask.set(i, (i * 7 + 3) % 3 == 0);
          x.set(i, i + 1);
          y.set(i, 2 * i + 100);
        }
        table->ternary(Ternary::select, kind)(out.data(), mask.data(), x.data(), y.data(), n, steps[0], steps[1],
                                              steps[2]);
        for (std::size_t i = 0; i < n; ++i) {
          const std::uint64_t want = mask.bits(i * static_cast<std::size_t>(steps[0])) != 0
                                         ? x.bits(i * static_cast<std::size_t>(steps[1]))
                                         : y.bits(i * static_cast<std::size_t>(steps[2]));
          ASSERT_EQ(out.bits(i), want) << mixture;
        }
        Tile in_place = y;
        if (steps[2] != 0) {
          table->ternary(Ternary::select, kind)(in_place.data(), mask.data(), x.data(), in_place.data(), n, steps[0],
                                                steps[1], 1);
          ASSERT_EQ(in_place.bytes, out.bytes);
        }
      }
}

TEST(MemoryKernels, StreamTouchesItsBytesAlone) {
  alignas(64) static char in[700], out[700], want[700];
  for (std::size_t i = 0; i < sizeof in; ++i) in[i] = static_cast<char>(i * 37 + 11);
  for (const Table* table : tables())
    for (std::size_t to : {0u, 1u, 15u, 16u, 33u, 63u})
      for (std::size_t from : {0u, 5u, 64u})
        for (std::size_t bytes : {0u, 1u, 31u, 63u, 64u, 65u, 128u, 200u, 500u}) {
          std::memset(out, 9, sizeof out);
          std::memset(want, 9, sizeof want);
          std::memcpy(want + to, in + from, bytes);
          table->stream(out + to, in + from, static_cast<std::int64_t>(bytes));
          table->finish_streams();
          ASSERT_EQ(std::memcmp(out, want, sizeof out), 0) << table->name << ' ' << to << ' ' << from << ' ' << bytes;
        }
}

TEST(MemoryKernels, GatherAndScatterTouchActiveLanesOnly) {
  constexpr std::size_t n = 70;
  for (const Table* table : tables())
    for (Kind kind : kOfSize) {
      const std::uint64_t size = static_cast<std::uint64_t>(bytes_of(kind)), base = 0x7000;
      Tile memory(kind, 200), out(kind, n), mask(Kind::i1, n);
      std::vector<std::uint64_t> addresses(n);
      for (std::size_t i = 0; i < memory.size(); ++i) memory.set(i, i);
      for (std::size_t i = 0; i < n; ++i) {
        mask.set(i, i % 3 != 0);
        // An inactive lane may point anywhere.
        addresses[i] = i % 3 != 0 ? base + (i * 37 % 200) * size : 1;
        out.set(i, 99);
      }
      const auto* bits = static_cast<const std::uint8_t*>(mask.data());
      table->gather(static_cast<int>(size))(out.data(), static_cast<const char*>(memory.data()), base, addresses.data(),
                                            bits, n);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out.bits(i), i % 3 != 0 ? i * 37 % 200 : 99);
      Tile target(kind, 200);
      table->scatter(static_cast<int>(size))(static_cast<char*>(target.data()), base, addresses.data(), out.data(), 1,
                                             bits, n);
      std::uint64_t written = 0;
      for (std::size_t i = 0; i < 200; ++i) {
        ASSERT_TRUE(target.bits(i) == 0 || target.bits(i) == i);
        written += target.bits(i) != 0;
      }
      EXPECT_GT(written, 30u);
    }
}

TEST(MemoryKernels, ScatterToOnePlaceKeepsTheLast) {
  for (const Table* table : tables()) {
    const std::vector<std::uint64_t> addresses(20, 8);
    std::vector<std::int32_t> values(20), target(4, 0);
    for (std::size_t i = 0; i < 20; ++i) values[i] = static_cast<std::int32_t>(i);
    table->scatter(4)(reinterpret_cast<char*>(target.data()), 0, addresses.data(), values.data(), 1, nullptr, 20);
    EXPECT_EQ(target[2], 19);
    table->scatter(4)(reinterpret_cast<char*>(target.data()), 0, addresses.data(), values.data() + 5, 0, nullptr, 20);
    EXPECT_EQ(target[2], 5);
  }
}

TEST(MemoryKernels, BoxesOfEveryStride) {
  constexpr std::int64_t rows = 19, columns = 37, side = 64;
  for (const Table* table : tables())
    for (Kind kind : kOfSize) {
      const std::int64_t size = bytes_of(kind);
      Tile in(kind, static_cast<std::size_t>(side * side));
      for (std::size_t i = 0; i < in.size(); ++i) in.set(i, low_bits(i * 2654435761u, static_cast<int>(8 * size)));
      const std::int64_t strides[][2] = {{side, 1},  {1, side},  {0, 1}, {1, 0},   {0, 0},
                                         {side, -1}, {-1, side}, {3, 2}, {side, 0}};
      for (const auto& in_stride : strides)
        for (const auto& out_stride :
             {std::pair<std::int64_t, std::int64_t>{columns, 1}, {1, rows}, {2 * columns, 2}}) {
          Tile out(kind, static_cast<std::size_t>(4 * rows * columns));
          const std::int64_t origin = 40;
          table->copy_box(static_cast<int>(size))(static_cast<char*>(out.data()), out_stride.first * size,
                                                  out_stride.second * size,
                                                  static_cast<const char*>(in.data()) + origin * size,
                                                  in_stride[0] * size, in_stride[1] * size, rows, columns);
          for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
              ASSERT_EQ(out.bits(static_cast<std::size_t>(i * out_stride.first + j * out_stride.second)),
                        in.bits(static_cast<std::size_t>(origin + i * in_stride[0] + j * in_stride[1])))
                  << table->name << size << " in " << in_stride[0] << "," << in_stride[1] << " out "
                  << out_stride.first;
        }
    }
}

TEST(MemoryKernels, FillIotaAndRows) {
  for (const Table* table : tables())
    for (Kind kind : kOfSize) {
      const int width = 8 * bytes_of(kind);
      Tile out(kind, 1000);
      const std::uint64_t value = low_bits(0x8123456789abcdefull, width);
      table->fill(bytes_of(kind))(out.data(), &value, 1000);
      for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(out.bits(i), value);
      table->iota(kind)(out.data(), -5, 129, 1000);
      for (std::size_t i = 0; i < 1000; ++i)
        ASSERT_EQ(out.bits(i), low_bits(static_cast<std::uint64_t>(-5 + 129 * static_cast<std::int64_t>(i)), width));
    }
  char out[12] = "...........";
  copy_rows(out, 4, "abcdefghi", 3, 3, 2);
  EXPECT_STREQ(out, "ab..de..gh.");
}

TEST(MemoryKernels, AddressRangeAndCount) {
  std::vector<std::uint64_t> addresses;
  std::vector<std::uint8_t> mask;
  for (std::uint64_t i = 0; i < 77; ++i) {
    addresses.push_back(i == 13 ? 0xffffffffffff0000ull : (i == 40 ? 2 : 1000 + i * 8));
    mask.push_back(i != 13 && i != 40);
  }
  const AddressRange all = address_range(addresses.data(), nullptr, 77);
  EXPECT_EQ(all.lowest, 2u);
  EXPECT_EQ(all.highest, 0xffffffffffff0000ull);
  const AddressRange active = address_range(addresses.data(), mask.data(), 77);
  EXPECT_EQ(active.lowest, 1000u);
  EXPECT_EQ(active.highest, 1000u + 76 * 8);
  EXPECT_EQ(count_true(mask.data(), 77), 75);
  const std::vector<std::uint8_t> none(77, 0);
  EXPECT_FALSE(address_range(addresses.data(), none.data(), 77).any);
  EXPECT_FALSE(address_range(addresses.data(), nullptr, 0).any);
}

TEST(Dispatch, TheProcessorsWidestOrTheOneAskedFor) {
  const char* wanted = std::getenv("LOCKSTEP_ISA");
  const bool is_known = wanted != nullptr && table_of(wanted) != nullptr;
  EXPECT_STREQ(isa_name(), is_known ? wanted : tables().back()->name);
  EXPECT_EQ(table_of("avx1024"), nullptr);
  EXPECT_FALSE(tables().empty());
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::testing
