// Compare-and-exchange against its definition, element by element, in every kind and instruction set: equal bits are
// asked for, NaN and zeros of both signs among the elements.
#include "kernel_fixture.h"

namespace lockstep::interpreter::kernels::testing {
namespace {

bool is_greater(Kind kind, bool is_unsigned, std::uint64_t a, std::uint64_t b) {
  if (is_float(scalar(kind))) return decode_float(scalar(kind), a) > decode_float(scalar(kind), b);
  if (is_unsigned) return a > b;
  return sign_extended(a, bit_width(scalar(kind))) > sign_extended(b, bit_width(scalar(kind)));
}

Tile exchanged(const Tile& in, bool is_unsigned, const ExchangeOrder& order) {
  Tile out(in.kind, in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t partner = i ^ static_cast<std::size_t>(order.inner);
    bool indicator = (i & static_cast<std::size_t>(order.inner)) != 0;
    indicator ^= order.is_flipped;
    if (order.flip_block != 0) indicator ^= (i / static_cast<std::size_t>(order.flip_block) & 1) != 0;
    const bool swaps = is_greater(in.kind, is_unsigned, in.bits(i), in.bits(partner)) != indicator;
    out.set(i, in.bits(swaps ? partner : i));
  }
  return out;
}

TEST(CompareExchange, ElementByElement) {
  for (const Table* table : tables())
    for (const Kind kind : {Kind::i8, Kind::i16, Kind::i32, Kind::i64, Kind::f16, Kind::bf16, Kind::f32, Kind::f64})
      for (const bool is_unsigned : {false, true}) {
        const CompareExchangeFn function = table->compare_exchange(kind, is_unsigned);
        ASSERT_NE(function, nullptr);
        const std::vector<std::uint64_t> samples = sample_bits(kind, 400, 77);
        std::mt19937_64 random(78);
        for (const std::int64_t inner : {1, 2, 4, 8, 16, 64})
          for (const std::int64_t blocks : {0, 1, 2, 8})
            for (const std::int64_t groups : {1, 2, 3, 16}) {
              Tile in(kind, static_cast<std::size_t>(2 * inner * groups));
              for (std::size_t i = 0; i < in.size(); ++i) in.set(i, samples[random() % samples.size()]);
              const ExchangeOrder order{inner, (random() & 1) != 0, 2 * inner * blocks};
              const Tile want = exchanged(in, is_unsigned, order);
              Tile out(kind, in.size());
              const auto count = static_cast<std::int64_t>(in.size());
              function(out.data(), in.data(), count, order);
              ASSERT_EQ(out.bytes, want.bytes) << table->name << " " << name_of(kind) << " " << inner << " " << blocks;
              function(in.data(), in.data(), count, order);
              ASSERT_EQ(in.bytes, want.bytes) << table->name << " " << name_of(kind) << " in place";
            }
      }
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::testing
