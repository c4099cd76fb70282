#include "interpreter/libdevice/integer.h"

namespace lockstep::interpreter::libdevice {

U32 brev32(U32 x) {
  U32 result = 0;
  for (int i = 0; i < 32; ++i) result |= ((x >> i) & 1u) << (31 - i);
  return result;
}

U64 brev64(U64 x) { return U64{brev32(static_cast<U32>(x))} << 32 | brev32(static_cast<U32>(x >> 32)); }

U64 umulhi64(U64 a, U64 b) {
  constexpr U64 kLow = 0xffffffffu;
  const U64 a_low = a & kLow, a_high = a >> 32, b_low = b & kLow, b_high = b >> 32;
  const U64 middle = a_high * b_low + ((a_low * b_low) >> 32);
  const U64 other = a_low * b_high + (middle & kLow);
  return a_high * b_high + (middle >> 32) + (other >> 32);
}

I64 mulhi64(I64 a, I64 b) {
  U64 high = umulhi64(static_cast<U64>(a), static_cast<U64>(b));
  if (a < 0) high -= static_cast<U64>(b);
  if (b < 0) high -= static_cast<U64>(a);
  return static_cast<I64>(high);
}

U32 byte_perm(U32 a, U32 b, U32 selector) {
  const U64 bytes = U64{b} << 32 | a;
  U32 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned which = (selector >> (4 * i)) & 7u;
    result |= static_cast<U32>((bytes >> (8 * which)) & 0xffu) << (8 * i);
  }
  return result;
}

}  // namespace lockstep::interpreter::libdevice
