// Sets of elements of a launch's memory, for dependences: an element is the address of its first byte, a set is one
// number for equal sets. Invariant: a set's ranges of bytes are sorted, apart and not empty. Private to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockstep::sanitizer {

struct ByteRange {
  std::uint64_t begin = 0, end = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
  friend auto operator<=>(const ByteRange&, const ByteRange&) = default;
};

class ElementSets {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0;

  ElementSets() : sets_(1) {}
  Id of(std::uint64_t address, int bytes) { return keep({{address, address + static_cast<std::uint64_t>(bytes)}}); }
  Id unite(Id a, Id b);
  const std::vector<ByteRange>& ranges(Id id) const { return sets_[id]; }
  /// All sets together have too many ranges: from now on, unite() is wrong.
  bool is_full() const { return kept_ > kMost; }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 24;  // ranges, 256 MB
  Id keep(std::vector<ByteRange>&& ranges);

  std::vector<std::vector<ByteRange>> sets_;
  std::map<std::vector<ByteRange>, Id> known_;
  std::unordered_map<std::uint64_t, Id> united_;
  std::size_t kept_ = 0;
};

}  // namespace lockstep::sanitizer
