#include "driver/arguments/fill.h"

#include <bit>
#include <cstring>

#include "driver/arguments/philox.h"
#include "driver/words/number.h"
#include "support/float_formats.h"

namespace lockstep::driver {
namespace {

std::uint64_t round_to(ScalarKind kind, double value, Rounding rounding) {
  if (kind == ScalarKind::f64) return std::bit_cast<std::uint64_t>(value);
  return encode_float(kind, value, rounding);
}

// Little-endian hosts only: the low bytes of `bits` are the element.
void store(std::byte* data, std::int64_t index, int size, std::uint64_t bits) {
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(data + index * size, &bits, static_cast<std::size_t>(size));
}

std::uint64_t integer_bits(std::int64_t value, ScalarKind kind) {
  if (is_float(kind)) return round_to(kind, static_cast<double>(value), Rounding::nearest_even);
  const int width = bit_width(kind);
  const auto bits = static_cast<std::uint64_t>(value);
  return width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

// Calls make(block) for every block of two elements; make returns the bits of both.
template <typename Make>
void fill_pairs(std::byte* data, std::int64_t count, int size, const Make& make) {
  for (std::int64_t i = 0; i < count; i += 2) {
    const std::array<std::uint64_t, 2> bits = make(static_cast<std::uint64_t>(i / 2));
    store(data, i, size, bits[0]);
    if (i + 1 < count) store(data, i + 1, size, bits[1]);
  }
}

void fill_arange(const TensorSpec& spec, std::byte* data, std::int64_t count, int size) {
  const ScalarValue& first = spec.full_value;
  for (std::int64_t i = 0; i < count; ++i) {
    if (first.kind == ScalarValue::Kind::floating) {
      store(data, i, size, round_to(spec.element, first.floating + static_cast<double>(i), Rounding::nearest_even));
    } else {
      const std::uint64_t value = static_cast<std::uint64_t>(first.integer) + static_cast<std::uint64_t>(i);
      store(data, i, size, integer_bits(static_cast<std::int64_t>(value), spec.element));
    }
  }
}

void fill_constant(std::uint64_t bits, std::byte* data, std::int64_t count, int size) {
  if (bits == 0) return;  // zeroed pages stay untouched
  for (std::int64_t i = 0; i < count; ++i) store(data, i, size, bits);
}

}  // namespace

std::uint64_t number_bits(const ScalarValue& number, ScalarKind kind) {
  if (number.kind == ScalarValue::Kind::floating || (number.is_unsigned_64 && is_float(kind))) {
    return round_to(kind, to_double(number), Rounding::nearest_even);
  }
  return integer_bits(number.integer, kind);
}

// (0, 0), (1, 0), (2, 0) ...
void fill_first_of_pairs(ScalarKind kind, std::byte* data, std::int64_t count, int size) {
  ScalarValue number;
  number.kind = ScalarValue::Kind::integer;
  for (std::int64_t i = 0; 2 * i < count; ++i) {
    number.integer = i;
    store(data, 2 * i, size, number_bits(number, kind));
  }
}

void fill(const TensorSpec& spec, std::string_view name, std::uint64_t seed, std::byte* data, std::int64_t count) {
  const ScalarKind kind = spec.element;
  const int size = size_bytes(kind);
  const RandomStream random(seed, name);
  using Bits = std::array<std::uint64_t, 2>;
  switch (spec.kind) {
    case TensorSpec::Kind::randn:
      return fill_pairs(data, count, size, [&](std::uint64_t block) {
        const auto z = random.normal(block);
        return Bits{round_to(kind, z[0], Rounding::nearest_even), round_to(kind, z[1], Rounding::nearest_even)};
      });
    case TensorSpec::Kind::rand:
      return fill_pairs(data, count, size, [&](std::uint64_t block) {
        const auto u = random.uniform(block);
        return Bits{round_to(kind, u[0], Rounding::toward_zero), round_to(kind, u[1], Rounding::toward_zero)};
      });
    case TensorSpec::Kind::randint:
      return fill_pairs(data, count, size, [&](std::uint64_t block) {
        const std::uint64_t range = static_cast<std::uint64_t>(spec.high) - static_cast<std::uint64_t>(spec.low);
        const auto values = random.integers(block, spec.low, range);
        return Bits{integer_bits(values[0], kind), integer_bits(values[1], kind)};
      });
    case TensorSpec::Kind::ones: return fill_constant(integer_bits(1, kind), data, count, size);
    case TensorSpec::Kind::full: return fill_constant(number_bits(spec.full_value, kind), data, count, size);
    case TensorSpec::Kind::pairs: return fill_first_of_pairs(kind, data, count, size);
    case TensorSpec::Kind::arange: return fill_arange(spec, data, count, size);
    case TensorSpec::Kind::zeros:
    case TensorSpec::Kind::empty:
    case TensorSpec::Kind::file:
    case TensorSpec::Kind::addresses:
    case TensorSpec::Kind::view: return;
  }
}

}  // namespace lockstep::driver
