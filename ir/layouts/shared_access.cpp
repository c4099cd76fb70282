#include "ir/layouts/shared_access.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "ir/layouts/layout_questions.h"
#include "ir/layouts/linear_solve.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::ir {
namespace {

constexpr std::int64_t kBanks = 32;
constexpr std::int64_t kWordBytes = 4;
constexpr int kMostVectorBits = 128;

/// Cycles of the banks for lanes [first, last) that each touch `bytes` from their address on.
std::int32_t cycles_of(const std::vector<std::int64_t>& addresses, std::size_t first, std::size_t last,
                       std::int64_t bytes) {
  std::array<std::set<std::int64_t>, kBanks> words;
  for (std::size_t lane = first; lane < last; ++lane) {
    const std::int64_t end = addresses[lane] + bytes;
    for (std::int64_t word = addresses[lane] / kWordBytes; word * kWordBytes < end; ++word) {
      words[static_cast<std::size_t>(word % kBanks)].insert(word);
    }
  }
  std::size_t most = 0;
  for (const auto& bank : words) most = std::max(most, bank.size());
  return static_cast<std::int32_t>(most);
}

}  // namespace

SharedPlaces::SharedPlaces(const Encoding& encoding, const std::vector<std::int64_t>& shape)
    : layout_(to_linear_layout(encoding, shape)),
      inverse_(pseudo_invert(layout_)),
      padding_(encoding.as<PaddedSharedEncoding>()) {}

std::vector<InputPlace> SharedPlaces::inputs_at(const std::vector<std::int32_t>& element) const {
  std::vector<InputPlace> at;
  for (std::size_t i = 0; i < element.size(); ++i) at.emplace_back(inverse_.inputs()[i].name, element[i]);
  return at;
}

std::int64_t SharedPlaces::padded(std::int64_t offset) const {
  std::int64_t place = offset;
  if (padding_ == nullptr) return place;
  for (std::size_t i = 0; i < padding_->intervals.size(); ++i) {
    place += offset / padding_->intervals[i] * padding_->paddings[i];
  }
  return place;
}

std::int64_t SharedPlaces::offset_of(const std::vector<std::int32_t>& element) const {
  return padded(inverse_.apply(inputs_at(element))[0]);  // "offset" is the first input of every shared layout
}

std::int32_t SharedPlaces::block_of(const std::vector<std::int32_t>& element) const {
  return inverse_.apply(inputs_at(element))[1];
}

SharedAccess shared_access(const LinearLayout& registers, const SharedPlaces& buffer, int bits) {
  const LinearLayout plain = registers.without_copies("register");
  const std::int32_t count = plain.input_size("register"), lanes = plain.input_size("lane");
  // Offsets of each lane's registers, and the longest run that all lanes have side by side and aligned.
  std::vector<std::vector<std::int64_t>> offsets;
  for (std::int32_t lane = 0; lane < lanes; ++lane) {
    std::vector<std::int64_t>& own = offsets.emplace_back();
    for (const auto& element : elements_of_thread(plain, lane, 0)) own.push_back(buffer.offset_of(element));
  }
  SharedAccess access;
  const auto fits = [&](std::int32_t length) {
    for (const auto& own : offsets) {
      for (std::size_t start = 0; start < own.size(); start += static_cast<std::size_t>(length)) {
        if (own[start] % length != 0) return false;
        for (std::size_t i = 1; i < static_cast<std::size_t>(length); ++i) {
          if (own[start + i] != own[start] + static_cast<std::int64_t>(i)) return false;
        }
      }
    }
    return true;
  };
  while (access.vector * 2 <= count && access.vector * 2 * bits <= kMostVectorBits && fits(access.vector * 2)) {
    access.vector *= 2;
  }
  const std::int64_t bytes = std::max<std::int64_t>(1, std::int64_t{access.vector} * bits / 8);
  const std::int64_t waves = std::max<std::int64_t>(1, bytes / kWordBytes);
  const auto lanes_per_wave = static_cast<std::size_t>(std::max<std::int64_t>(1, lanes / waves));
  for (std::int32_t start = 0; start < count; start += access.vector) {
    std::vector<std::int64_t> addresses;
    for (const auto& own : offsets) addresses.push_back(own[static_cast<std::size_t>(start)] * bits / 8);
    for (std::size_t first = 0; first < addresses.size(); first += lanes_per_wave) {
      access.wavefronts += cycles_of(addresses, first, std::min(first + lanes_per_wave, addresses.size()), bytes);
      ++access.least_wavefronts;
    }
    ++access.instructions;
  }
  return access;
}

}  // namespace lockstep::ir
