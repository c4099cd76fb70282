#include "driver/words/scalar_bits.h"

#include "driver/arguments/fill.h"

namespace lockstep::driver {
namespace {

bool integer_fits(const ScalarValue& value, int width, IntegerRange range) {
  if (value.is_unsigned_64) return width == 64 && range != IntegerRange::is_signed;
  if (value.integer < 0 && range == IntegerRange::is_unsigned) return false;
  if (width == 64) return true;
  const std::int64_t half = std::int64_t{1} << (width - 1);
  const std::int64_t high = range == IntegerRange::is_signed ? half : 2 * half;
  return value.integer >= -half && value.integer < high;
}

}  // namespace

std::optional<std::uint64_t> scalar_bits(const ScalarValue& value, ScalarKind kind, IntegerRange range) {
  if (value.kind == ScalarValue::Kind::none || value.kind == ScalarValue::Kind::name) return std::nullopt;
  if (is_float(kind)) return number_bits(value, kind);
  if (value.kind == ScalarValue::Kind::floating) return std::nullopt;
  if (kind == ScalarKind::i1) range = IntegerRange::is_unsigned;
  if (!integer_fits(value, bit_width(kind), range)) return std::nullopt;
  return number_bits(value, kind);
}

}  // namespace lockstep::driver
