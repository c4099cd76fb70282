#include "interpreter/gpu_bits/units.h"

#include <bit>

#include "interpreter/gpu_bits/rows.h"

namespace lockstep::interpreter::gpu_bits {
namespace {

constexpr std::uint32_t kUnitNan = 0x7fffffff, kUnitInfinity = 0x7f800000;
constexpr std::uint32_t kUnitSign = 0x80000000, kUnitOne = 0x3f800000;
constexpr std::uint32_t kFractionMask = 0x7fffff, kHiddenBit = 0x800000;
constexpr int kFractionBits = 23;

/// What is added to a sum before its bits below the last are cut, in 2^-17 of the last. Sines and tangents have none,
/// or it is in their c0.
constexpr std::int64_t kRoundReciprocal = 8092, kRoundPower = 24456, kRoundLogarithm = 3348, kRoundRoot = 32767;

constexpr bool is_nan(std::uint32_t x) { return (x & ~kUnitSign) > kUnitInfinity; }
constexpr int exponent_of(std::uint32_t x) { return static_cast<int>(x >> kFractionBits & 0xff); }

/// `sign` and `fraction` (24 bits with the leading one, or 2^24) with the biased exponent of that one; flushed, or
/// infinite.
constexpr std::uint32_t packed(std::uint32_t sign, int exponent, std::uint32_t fraction) {
  if (fraction >> 24 != 0) {
    fraction >>= 1;
    ++exponent;
  }
  if (exponent <= 0) return sign;
  if (exponent >= 255) return sign | kUnitInfinity;
  return sign | static_cast<std::uint32_t>(exponent) << kFractionBits | (fraction & kFractionMask);
}

/// sum * 2^scale cut to 24 bits.
constexpr std::uint32_t cut(std::uint32_t sign, std::uint64_t sum, int scale) {
  if (sum == 0) return sign;
  const int top = static_cast<int>(std::bit_width(sum)) - 1;
  const std::uint64_t fraction = top > kFractionBits ? sum >> (top - kFractionBits) : sum << (kFractionBits - top);
  return packed(sign, top + scale + 127, static_cast<std::uint32_t>(fraction));
}

constexpr std::uint32_t fraction_of(std::int64_t sum) { return static_cast<std::uint32_t>(sum >> kSumBits); }
/// The sum for a fraction of 23 bits.
constexpr std::int64_t sum_of(const Pieces64& rows, std::uint32_t fraction) {
  return interpolate(rows[fraction >> kPieceBits], fraction & kPieceMask);
}
constexpr std::uint64_t positive(std::int64_t sum) { return static_cast<std::uint64_t>(sum); }

/// The magnitude of x in 2^-`bits`, cut, modulo 2^32.
constexpr std::uint32_t fixed_point(std::uint32_t x, int bits) {
  const int exponent = exponent_of(x);
  if (exponent == 0) return 0;
  const std::uint32_t fraction = (x & kFractionMask) | kHiddenBit;
  const int left = exponent - 127 - kFractionBits + bits;
  if (left >= 32 || left <= -32) return 0;
  return left >= 0 ? fraction << left : fraction >> -left;
}

/// The sine of `angle` in 2^-25 turns: its upper two of 25 bits name the quadrant, and where the sine falls, the others
/// are complemented, so that the peak itself has no piece.
std::uint32_t sine_of_turns(std::uint32_t sign, std::uint32_t angle) {
  if ((angle >> 24 & 1) != 0) sign ^= kUnitSign;
  const bool falling = (angle >> 23 & 1) != 0;
  if (falling && (angle & kFractionMask) == 0) return sign | kUnitOne;
  const std::uint32_t x = falling ? ~angle & kFractionMask : angle & kFractionMask;
  return cut(sign, positive(sum_of(kSine, x)), -24 - kSumBits);
}

/// The pieces of the hyperbolic tangent from 2^-8 on: the first in kTangent and how many (a power of two) a binade has.
struct TangentBinade {
  std::uint8_t first;
  std::uint8_t bits;
};
constexpr std::array<TangentBinade, 11> kTangentBinades{
    {{0, 0}, {1, 0}, {2, 0}, {3, 1}, {5, 1}, {7, 2}, {11, 2}, {15, 2}, {19, 3}, {27, 4}, {43, 3}}};
constexpr int kTangentFirst = 127 - 8;

}  // namespace

std::uint32_t mufu_rcp(std::uint32_t x) {
  const std::uint32_t sign = x & kUnitSign;
  const int exponent = exponent_of(x);
  if (is_nan(x)) return kUnitNan;
  if (exponent == 255) return sign;
  if (exponent == 0) return sign | kUnitInfinity;
  const std::uint32_t fraction = x & kFractionMask;
  const std::int64_t sum = interpolate(kReciprocal[fraction >> 16], (fraction & 0xffff) << 1) + kRoundReciprocal;
  return packed(sign, 253 - exponent, fraction_of(sum));
}

std::uint32_t mufu_rsq(std::uint32_t x) {
  const int exponent = exponent_of(x);
  if (is_nan(x)) return kUnitNan;
  if (exponent == 0) return (x & kUnitSign) | kUnitInfinity;
  if ((x & kUnitSign) != 0) return kUnitNan;
  if (exponent == 255) return 0;
  const std::uint32_t fraction = x & kFractionMask;
  const bool of_one = (exponent & 1) != 0;
  const int half = (exponent - 127) >> 1;
  if (of_one && fraction == 0) return packed(0, 127 - half, kHiddenBit);  // exact; the row would give less
  const Pieces64& rows = of_one ? kReciprocalRootOfOne : kReciprocalRootOfTwo;
  return packed(0, 126 - half, fraction_of(sum_of(rows, fraction) + kRoundRoot));
}

std::uint32_t mufu_sqrt(std::uint32_t x) {
  const int exponent = exponent_of(x);
  if (is_nan(x)) return kUnitNan;
  if (exponent == 0) return x & kUnitSign;
  if ((x & kUnitSign) != 0) return kUnitNan;
  if (exponent == 255) return x;
  const std::uint32_t fraction = x & kFractionMask;
  const Pieces64& rows = (exponent & 1) != 0 ? kRootOfOne : kRootOfTwo;
  const int half = (exponent - 127) >> 1;
  return packed(0, 127 + half, fraction_of(sum_of(rows, fraction) + kRoundRoot));
}

std::uint32_t mufu_ex2(std::uint32_t x) {
  if (is_nan(x)) return kUnitNan;
  const bool negative = (x & kUnitSign) != 0;
  if (exponent_of(x) >= 127 + 8) return negative ? 0 : kUnitInfinity;
  const auto magnitude = static_cast<std::int32_t>(fixed_point(x, kFractionBits));
  // What is below 2^-23 is cut from the magnitude. A negative one is complemented, but negated if it is whole.
  const bool whole = (static_cast<std::uint32_t>(magnitude) & kFractionMask) == 0;
  const std::int32_t fixed = !negative ? magnitude : whole ? -magnitude : ~magnitude;
  const std::uint32_t fraction = static_cast<std::uint32_t>(fixed) & kFractionMask;
  return packed(0, 127 + (fixed >> kFractionBits), fraction_of(sum_of(kPowerOfTwo, fraction) + kRoundPower));
}

std::uint32_t mufu_lg2(std::uint32_t x) {
  const int exponent = exponent_of(x);
  if (is_nan(x)) return kUnitNan;
  if (exponent == 0) return kUnitSign | kUnitInfinity;
  if ((x & kUnitSign) != 0) return kUnitNan;
  if (exponent == 255 || x == kUnitOne) return x == kUnitOne ? 0 : kUnitInfinity;
  const std::uint32_t fraction = x & kFractionMask;
  // The sum is kept to 2^-36, and complemented there where the exponent makes it negative.
  constexpr std::int64_t kKept = ~std::int64_t{15};
  const std::int64_t above_one = (sum_of(kLogarithm, fraction) + kRoundLogarithm) & kKept;
  const std::int64_t sum = above_one + (std::int64_t{exponent} - 127) * (std::int64_t{1} << 40);
  return sum < 0 ? cut(kUnitSign, positive(~sum & kKept), -40) : cut(0, positive(sum), -40);
}

std::uint32_t mufu_sin(std::uint32_t x) {
  if (exponent_of(x) == 255) return kUnitNan;
  return sine_of_turns(x & kUnitSign, fixed_point(x, 25));
}

std::uint32_t mufu_cos(std::uint32_t x) {
  if (exponent_of(x) == 255) return kUnitNan;
  return sine_of_turns(0, fixed_point(x, 25) + kHiddenBit);
}

std::uint32_t mufu_tanh(std::uint32_t x) {
  if (is_nan(x)) return kUnitNan;
  const std::uint32_t sign = x & kUnitSign;
  const int binade = exponent_of(x) - kTangentFirst;
  if (binade < 0) return x;
  if (binade >= static_cast<int>(kTangentBinades.size())) return sign | kUnitOne;
  const TangentBinade pieces = kTangentBinades[static_cast<std::size_t>(binade)];
  const std::uint32_t fraction = x & kFractionMask;
  const unsigned below = static_cast<unsigned>(kFractionBits) - pieces.bits;
  const Row& row = kTangent[pieces.first + (fraction >> below)];
  return cut(sign, positive(interpolate(row, fraction >> (below - kPieceBits) & kPieceMask)), -24 - kSumBits);
}

}  // namespace lockstep::interpreter::gpu_bits
