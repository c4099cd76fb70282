#include "backend_cuda/layout/layout.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lockstep::backend_cuda {
namespace {

std::vector<int> map_bits(const std::vector<int>& bits, const BitMap& map) {
  std::vector<int> mapped(bits.size(), kReplicated);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] != kReplicated) mapped[i] = map[static_cast<std::size_t>(bits[i])];
  }
  return mapped;
}

void drop_replicated(std::vector<int>& bits) { std::erase(bits, kReplicated); }

std::string hex(std::uint64_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

std::string replicated_mask(const std::vector<int>& bits) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] == kReplicated) mask |= std::uint64_t{1} << i;
  }
  return mask == 0 ? "" : hex(mask);
}

}  // namespace

int bits_of(std::int64_t extent) { return std::countr_zero(static_cast<std::uint64_t>(extent)); }

int Layout::bits() const {
  int highest = -1;
  for (const auto* part : {&reg, &lane, &warp}) {
    for (const int bit : *part) highest = std::max(highest, bit);
  }
  return highest + 1;
}

bool Layout::is_replicated() const { return !replicated_mask(lane).empty() || !replicated_mask(warp).empty(); }

Layout Layout::mapped(const BitMap& map) const {
  Layout result{map_bits(reg, map), map_bits(lane, map), map_bits(warp, map)};
  drop_replicated(result.reg);
  return result;
}

Layout Layout::without(int first, int count) const {
  BitMap map(static_cast<std::size_t>(bits()));
  for (int bit = 0; bit < bits(); ++bit) {
    map[static_cast<std::size_t>(bit)] = bit < first ? bit : bit < first + count ? kReplicated : bit - count;
  }
  return mapped(map);
}

int Layout::contiguous_bits(const std::vector<int>& order) const {
  const std::size_t limit = std::min(order.size(), reg.size());
  std::size_t count = 0;
  while (count < limit && reg[count] == order[count]) ++count;
  return static_cast<int>(count);
}

std::string move_bits_text(std::string_view variable, const std::vector<int>& targets) {
  std::string text;
  for (std::size_t begin = 0; begin < targets.size();) {
    if (targets[begin] == kReplicated) {
      ++begin;
      continue;
    }
    std::size_t end = begin + 1;
    while (end < targets.size() && targets[end] == targets[end - 1] + 1) ++end;
    const std::uint64_t mask = ((std::uint64_t{1} << (end - begin)) - 1) << begin;
    const int shift = targets[begin] - static_cast<int>(begin);
    std::string part = "(" + std::string(variable) + " & " + hex(mask) + ")";
    if (shift != 0) part = "(" + part + (shift > 0 ? " << " : " >> ") + std::to_string(std::abs(shift)) + ")";
    text += (text.empty() ? "" : " | ") + part;
    begin = end;
  }
  return text.empty() ? "0" : text;
}

std::string Layout::thread_text() const {
  const std::string lanes = move_bits_text("lane", lane), warps = move_bits_text("warp", warp);
  if (warps == "0") return lanes;
  return lanes == "0" ? warps : lanes + " | " + warps;
}

std::int64_t Layout::thread_bits() const {
  std::int64_t bits = 0;
  for (const auto* part : {&lane, &warp}) {
    for (const int bit : *part) bits |= bit == kReplicated ? 0 : std::int64_t{1} << bit;
  }
  return bits;
}

std::string Layout::register_text() const { return move_bits_text("r", reg); }

std::string Layout::owner_text() const {
  const std::string lanes = replicated_mask(lane), warps = replicated_mask(warp);
  std::string text;
  if (!lanes.empty()) text = "(lane & " + lanes + ") == 0";
  if (!warps.empty()) text += (text.empty() ? "" : " && ") + ("(warp & " + warps + ") == 0");
  return text;
}

std::string Layout::to_string() const {
  std::string text;
  const auto add = [&](const char* name, const std::vector<int>& bits) {
    text += (text.empty() ? "" : ", ") + std::string(name);
    for (const int bit : bits) text += bit == kReplicated ? " -" : " " + std::to_string(bit);
    if (bits.empty()) text += " none";
  };
  add("registers", reg);
  add("lanes", lane);
  add("warps", warp);
  return text;
}

std::vector<int> bits_in_order(const std::vector<std::int64_t>& shape, const std::vector<int>& order) {
  std::vector<int> first(shape.size());
  int next = 0;
  for (std::size_t i = shape.size(); i-- > 0;) {
    first[i] = next;
    next += bits_of(shape[i]);
  }
  std::vector<int> bits;
  for (const int dimension : order) {
    const auto d = static_cast<std::size_t>(dimension);
    for (int i = 0; i < bits_of(shape[d]); ++i) bits.push_back(first[d] + i);
  }
  return bits;
}

Layout blocked_layout(const std::vector<std::int64_t>& shape, const std::vector<int>& order, int per_thread,
                      int warps) {
  const std::vector<int> bits = bits_in_order(shape, order);
  Layout layout;
  std::size_t next = 0;
  const auto take = [&](std::vector<int>& part, int count) {
    for (int i = 0; i < count; ++i) part.push_back(next < bits.size() ? bits[next++] : kReplicated);
  };
  take(layout.reg, std::min(bits_of(per_thread), static_cast<int>(bits.size())));
  take(layout.lane, kLaneBits);
  take(layout.warp, bits_of(warps));
  take(layout.reg, static_cast<int>(bits.size() - next));
  return layout;
}

Layout blocked_layout(const std::vector<std::int64_t>& shape, const std::vector<int>& order, int per_thread,
                      const std::vector<int>& warps) {
  Layout layout;
  layout.warp = warps;
  const auto registers = static_cast<std::size_t>(bits_of(per_thread));
  for (const int bit : bits_in_order(shape, order)) {
    if (std::find(warps.begin(), warps.end(), bit) != warps.end()) continue;
    const bool is_lane = layout.reg.size() >= registers && layout.lane.size() < kLaneBits;
    (is_lane ? layout.lane : layout.reg).push_back(bit);
  }
  layout.lane.resize(kLaneBits, kReplicated);
  return layout;
}

Layout mma_layout(std::int64_t rows, std::int64_t columns, int warp_rows, int warps) {
  const int column_bits = bits_of(columns), row_bits = bits_of(rows);
  const auto column = [&](int i) { return i < column_bits ? i : kReplicated; };
  const auto row = [&](int i) { return i < row_bits ? column_bits + i : kReplicated; };
  Layout layout;
  layout.reg = {column(0), row(3)};
  layout.lane = {column(1), column(2), row(0), row(1), row(2)};
  int next_row = 4, next_column = 3;
  const int row_warps = bits_of(warp_rows), column_warps = std::min(bits_of(warps) - row_warps, column_bits - 3);
  // The warps that are not spread over rows take the highest columns, so that each keeps adjacent ones; the rest of
  // them repeats others (prelude: WarpTile counts them so).
  const int last_column = column_bits - std::max(column_warps, 0);
  for (int i = 0; i < bits_of(warps); ++i) {
    const int across = i - row_warps;
    layout.warp.push_back(across < 0              ? row(next_row++)
                          : across < column_warps ? column(last_column + across)
                                                  : kReplicated);
  }
  while (next_column < last_column) layout.reg.push_back(column(next_column++));
  while (next_row < row_bits) layout.reg.push_back(row(next_row++));
  drop_replicated(layout.reg);
  return layout;
}

}  // namespace lockstep::backend_cuda
