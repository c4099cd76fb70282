// LaunchFit: what recorded launches of one kernel may say of sizes, strides and the grid, as words of `lockstep prove`. A number
// often has several readings: an extent of 2 may be H or cdiv(T, BT). Not here: which of them is meant (like.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/files/capsule.h"

namespace lockstep::driver {

/// Of a launch: integers, sizes, grid.x, grid.y, grid.z.
using LaunchNumbers = std::map<std::string, std::int64_t>;

/// Words that fit every launch.
struct FittingWords {
  std::vector<std::string> words{};
  std::string grid{};  // empty: nothing fits
  std::size_t equal_axes = 0;             // of the grid, that count the same as another
  std::vector<std::size_t> readings{};    // how many each slot has, in their order; slots with one are left out
  std::vector<LaunchNumbers> numbers{};   // what the names in the words are, in each launch
};

class LaunchFit {
 public:
  explicit LaunchFit(std::vector<Manifest> launches) : launches_(std::move(launches)) { take_numbers(); }
  /// choice: which of a slot's readings is taken; slots beyond it have their first.
  FittingWords read(const std::vector<std::size_t>& choice);

 private:
  using Values = std::vector<std::int64_t>;  // one of each launch
  using Named = std::pair<std::string, Values>;

  const std::vector<ManifestArgument>& arguments() const { return launches_[0].arguments; }
  template <typename Take>
  Values values_of(std::size_t i, const Take& take) const {
    Values values;
    for (const Manifest& launch : launches_) values.push_back(take(launch.arguments[i]));
    return values;
  }
  void take_numbers();
  std::vector<Named> quotients() const;
  std::string chosen(const std::vector<std::string>& readings);
  std::string size_word(const Values& values, bool is_extent);
  std::string stride_word(const Values& values, const std::string& tensor);
  std::string tensor_word(std::size_t i);
  bool is_dense(std::size_t i) const;
  bool is_output(std::size_t i) const;
  std::vector<std::string> words();
  std::vector<std::string> axis_readings(const std::vector<Named>& factors, std::size_t axis) const;
  /// By axis; none: nothing fits.
  std::vector<std::string> grid();
  std::vector<LaunchNumbers> numbers() const;

  std::vector<Manifest> launches_;
  std::vector<Named> integers_, constants_;
  std::map<Values, std::string> sizes_;  // of their own
  std::set<std::string> used_;           // integers that are a stride
  std::optional<bool> shares_strides_;
  std::vector<std::size_t> choice_, readings_;
};

}  // namespace lockstep::driver
