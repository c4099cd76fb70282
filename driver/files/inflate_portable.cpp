#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "driver/files/inflate.h"

namespace lockstep::driver::portable {

namespace {

constexpr int kLongestCode = 15;
constexpr std::size_t kLiterals = 288, kDistances = 30, kLengthCodes = 19;
constexpr std::uint32_t kEndOfBlock = 256;

/// Bits, lowest first. Past the end: zeros, and is_good() is false.
class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t take(int count) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i) value |= bit() << i;
    return value;
  }
  std::uint32_t bit() {
    if (at_ / 8 >= bytes_.size()) {
      is_good_ = false;
      return 0;
    }
    const auto byte = static_cast<unsigned char>(bytes_[at_ / 8]);
    return byte >> (at_++ % 8) & 1U;
  }
  /// The next whole bytes. Empty: there are too few.
  std::string_view bytes(std::size_t count) {
    const std::size_t first = (at_ + 7) / 8;
    if (bytes_.size() - std::min(first, bytes_.size()) < count) {
      is_good_ = false;
      return {};
    }
    at_ = (first + count) * 8;
    return bytes_.substr(first, count);
  }
  bool is_good() const { return is_good_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;  // in bits
  bool is_good_ = true;
};

/// A canonical prefix code: symbols by length, and the number of symbols of each length.
class Code {
 public:
  /// False: there is no room for so many codes.
  bool set(std::span<const std::uint8_t> lengths) {
    counts_.fill(0);
    for (const std::uint8_t length : lengths) ++counts_[length];
    counts_[0] = 0;
    int room = 1;
    for (int length = 1; length <= kLongestCode; ++length) {
      room = 2 * room - counts_[static_cast<std::size_t>(length)];
      if (room < 0) return false;
    }
    std::array<int, kLongestCode + 2> first{};
    std::partial_sum(counts_.begin(), counts_.end(), first.begin() + 1);
    symbols_.assign(lengths.size(), 0);
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != 0)
        symbols_[static_cast<std::size_t>(first[lengths[symbol]]++)] = static_cast<std::uint16_t>(symbol);
    }
    return true;
  }
  /// nullopt: no symbol has that code.
  std::optional<std::uint32_t> read(Bits& bits) const {
    int code = 0, first = 0, index = 0;
    for (int length = 1; length <= kLongestCode && bits.is_good(); ++length) {
      code |= static_cast<int>(bits.bit());
      const int count = counts_[static_cast<std::size_t>(length)];
      if (code - first < count) return symbols_[static_cast<std::size_t>(index + code - first)];
      index += count;
      first = (first + count) * 2;
      code *= 2;
    }
    return std::nullopt;
  }

 private:
  std::array<int, kLongestCode + 1> counts_{};
  std::vector<std::uint16_t> symbols_;
};

/// Lengths from symbol 257 on, distances from symbol 0 on: the first value of each, and how many bits follow.
struct Extra {
  std::uint32_t base = 0;
  int bits = 0;
};
Extra length_of(std::uint32_t symbol) {
  const std::uint32_t n = symbol - 257;
  if (n < 8) return {n + 3, 0};
  if (n == 28) return {258, 0};
  const int bits = static_cast<int>(n / 4) - 1;
  return {((4 + n % 4) << bits) + 3, bits};
}
Extra distance_of(std::uint32_t symbol) {
  if (symbol < 4) return {symbol + 1, 0};
  const int bits = static_cast<int>(symbol / 2) - 1;
  return {((2 + symbol % 2) << bits) + 1, bits};
}

class Inflater {
 public:
  Inflater(std::string_view packed, std::uint64_t size) : bits_(packed), size_(size) {
    out_.reserve(static_cast<std::size_t>(size));
  }

  std::optional<std::string> run() {
    for (bool is_last = false; !is_last;) {
      is_last = bits_.take(1) != 0;
      if (!block(bits_.take(2)) || !bits_.is_good()) return std::nullopt;
    }
    if (out_.size() != size_) return std::nullopt;
    return std::move(out_);
  }

 private:
  bool block(std::uint32_t kind) {
    if (kind == 0) return stored();
    if (kind == 3) return false;
    return (kind == 1 ? set_fixed() : read_codes()) && coded();
  }

  bool stored() {
    const std::string_view head = bits_.bytes(4);
    if (head.size() != 4) return false;
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(head[i])); };
    const std::uint32_t length = byte(0) | byte(1) << 8;
    if ((byte(2) | byte(3) << 8) != (length ^ 0xffffU) || out_.size() + length > size_) return false;
    out_ += bits_.bytes(length);
    return true;
  }

  bool set_fixed() {
    std::array<std::uint8_t, kLiterals> lengths{};
    for (std::size_t i = 0; i < kLiterals; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    const std::array<std::uint8_t, kDistances> fives = [] {
      std::array<std::uint8_t, kDistances> all{};
      all.fill(5);
      return all;
    }();
    return literals_.set(lengths) && distances_.set(fives);
  }

  bool read_codes() {
    constexpr std::array<std::uint8_t, kLengthCodes> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                               11, 4,  12, 3, 13, 2, 14, 1, 15};
    const std::size_t literals = bits_.take(5) + 257, distances = bits_.take(5) + 1, codes = bits_.take(4) + 4;
    if (literals > 286 || distances > kDistances) return false;
    std::array<std::uint8_t, kLengthCodes> of_lengths{};
    for (std::size_t i = 0; i < codes; ++i) of_lengths[kOrder[i]] = static_cast<std::uint8_t>(bits_.take(3));
    Code code;
    if (!code.set(of_lengths)) return false;
    std::vector<std::uint8_t> lengths;
    while (lengths.size() < literals + distances) {
      const auto symbol = code.read(bits_);
      if (!symbol || !repeat(*symbol, lengths)) return false;
    }
    const std::span<const std::uint8_t> all(lengths);
    return lengths.size() == literals + distances && lengths[kEndOfBlock] != 0 &&
           literals_.set(all.subspan(0, literals)) && distances_.set(all.subspan(literals));
  }

  bool repeat(std::uint32_t symbol, std::vector<std::uint8_t>& lengths) {
    if (symbol < 16) {
      lengths.push_back(static_cast<std::uint8_t>(symbol));
      return true;
    }
    if (symbol == 16 && lengths.empty()) return false;
    const std::uint8_t value = symbol == 16 ? lengths.back() : std::uint8_t{0};
    const std::size_t count = symbol == 16 ? 3 + bits_.take(2) : symbol == 17 ? 3 + bits_.take(3) : 11 + bits_.take(7);
    lengths.insert(lengths.end(), count, value);
    return true;
  }

  bool coded() {
    while (true) {
      const auto symbol = literals_.read(bits_);
      if (!symbol) return false;
      if (*symbol == kEndOfBlock) return true;
      if (*symbol > kEndOfBlock) {
        if (!copy(*symbol)) return false;
        continue;
      }
      if (out_.size() == size_) return false;
      out_ += static_cast<char>(*symbol);
    }
  }

  bool copy(std::uint32_t symbol) {
    if (symbol > 285) return false;
    const Extra length = length_of(symbol);
    const std::size_t count = length.base + bits_.take(length.bits);
    const auto code = distances_.read(bits_);
    if (!code || *code >= kDistances) return false;
    const Extra distance = distance_of(*code);
    const std::size_t back = distance.base + bits_.take(distance.bits);
    if (back > out_.size() || count > size_ - out_.size()) return false;
    for (std::size_t i = 0; i < count; ++i) out_ += out_[out_.size() - back];  // may read what it has just written
    return true;
  }

  Bits bits_;
  const std::uint64_t size_;
  std::string out_;
  Code literals_, distances_;
};

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> all{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      all[i] = i;
      for (int bit = 0; bit < 8; ++bit) all[i] = all[i] >> 1 ^ ((all[i] & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return all;
  }();
  std::uint32_t crc = 0xffffffffU;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xffU] ^ crc >> 8;
  return crc ^ 0xffffffffU;
}

std::optional<std::string> inflate(std::string_view packed, std::uint64_t size) { return Inflater(packed, size).run(); }

}  // namespace lockstep::driver::portable
