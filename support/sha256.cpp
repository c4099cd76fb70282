#include "support/sha256.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace lockstep {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr std::size_t kBlock = 64;  // bytes
constexpr std::size_t kRounds = 64;

// The standard's constants: the first 32 bits of the fractions of roots of the first primes. In integers: the largest t
// with t^degree <= prime * 2^(32 * degree).
constexpr std::uint32_t fraction_of_root(std::uint64_t prime, int degree) {
  Wide root = 0;
  for (int bit = 37; bit >= 0; --bit) {
    const Wide tried = root | (Wide{1} << bit);
    const Wide power = degree == 2 ? tried * tried : tried * tried * tried;
    if (power <= Wide{prime} << (32 * degree)) root = tried;
  }
  return static_cast<std::uint32_t>(root);
}

constexpr bool is_prime(std::uint64_t number) {
  for (std::uint64_t i = 2; i * i <= number; ++i) {
    if (number % i == 0) return false;
  }
  return true;
}

template <std::size_t count>
constexpr std::array<std::uint32_t, count> fractions_of_roots(int degree) {
  std::array<std::uint32_t, count> found{};
  std::size_t i = 0;
  for (std::uint64_t number = 2; i < count; ++number) {
    if (is_prime(number)) found[i++] = fraction_of_root(number, degree);
  }
  return found;
}

constexpr auto kStart = fractions_of_roots<8>(2);
constexpr auto kRound = fractions_of_roots<kRounds>(3);

constexpr std::uint32_t small_sigma(std::uint32_t x, int first, int second, int shift) {
  return std::rotr(x, first) ^ std::rotr(x, second) ^ (x >> shift);
}
constexpr std::uint32_t large_sigma(std::uint32_t x, int first, int second, int third) {
  return std::rotr(x, first) ^ std::rotr(x, second) ^ std::rotr(x, third);
}

std::array<std::uint32_t, kRounds> schedule(const unsigned char* block) {
  std::array<std::uint32_t, kRounds> w{};
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t byte = 0; byte < 4; ++byte) w[i] = w[i] << 8 | block[4 * i + byte];
  }
  for (std::size_t i = 16; i < kRounds; ++i) {
    w[i] = w[i - 16] + small_sigma(w[i - 15], 7, 18, 3) + w[i - 7] + small_sigma(w[i - 2], 17, 19, 10);
  }
  return w;
}

void add_block(std::array<std::uint32_t, 8>& state, const unsigned char* block) {
  const auto w = schedule(block);
  std::array<std::uint32_t, 8> s = state;  // a b c d e f g h
  for (std::size_t i = 0; i < kRounds; ++i) {
    const std::uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const std::uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const std::uint32_t first = s[7] + large_sigma(s[4], 6, 11, 25) + choice + kRound[i] + w[i];
    const std::uint32_t second = large_sigma(s[0], 2, 13, 22) + majority;
    std::rotate(s.begin(), s.end() - 1, s.end());
    s[4] += first;
    s[0] = first + second;
  }
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += s[i];
}

}  // namespace

Sha256 sha256(std::string_view bytes) {
  std::array<std::uint32_t, 8> state = kStart;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t done = 0;
  for (; bytes.size() - done >= kBlock; done += kBlock) add_block(state, data + done);
  // The remaining bytes, a one bit, zeros, and the number of bits: one block or two.
  std::array<unsigned char, 2 * kBlock> tail{};
  const std::size_t left = bytes.size() - done;
  std::copy_n(data + done, left, tail.begin());
  tail[left] = 0x80;
  const std::size_t end = left + 9 <= kBlock ? kBlock : 2 * kBlock;
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (std::size_t i = 0; i < 8; ++i) tail[end - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  for (std::size_t i = 0; i < end; i += kBlock) add_block(state, tail.data() + i);
  Sha256 digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

std::string sha256_text(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : sha256(bytes)) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256_of_parts(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) {
    for (int i = 0; i < 8; ++i) all += static_cast<char>(static_cast<std::uint64_t>(part.size()) >> (8 * i) & 255);
    all += part;
  }
  return sha256_text(all);
}

}  // namespace lockstep
