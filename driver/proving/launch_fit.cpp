#include "driver/proving/launch_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "driver/words/dtype_name.h"

namespace lockstep::driver {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::int64_t signed_value(const ManifestArgument& argument) {
  const unsigned unused = 64 - static_cast<unsigned>(bit_width(argument.type.kind));
  return static_cast<std::int64_t>(argument.bits << unused) >> unused;
}

}  // namespace

void LaunchFit::take_numbers() {
  for (std::size_t i = 0; i < arguments().size(); ++i) {
    const ManifestArgument& one = arguments()[i];
    if (one.kind == ManifestArgument::Kind::scalar && is_integer(one.type.kind) && one.type.kind != ScalarKind::i1)
      integers_.emplace_back(one.name, values_of(i, signed_value));
  }
  for (const auto& [name, value] : launches_[0].constants) {
    if (value.kind != ConstantValue::Kind::integer) continue;
    const Values values(launches_.size(), value.integer);  // of equal ones the first stands for all
    if (std::none_of(constants_.begin(), constants_.end(), [&](const Named& one) { return one.second == values; })) constants_.emplace_back(name, values);
  }
}

// How many blocks an argument is cut in.
std::vector<LaunchFit::Named> LaunchFit::quotients() const {
  std::vector<Named> all;
  for (const auto& [constant, divisors] : constants_) {
    for (const auto& [name, values] : integers_) {
      if (contains(name, "stride")) continue;
      Values found;
      for (std::size_t i = 0; i < values.size(); ++i) found.push_back(divisors[i] > 1 && values[i] > 0 ? (values[i] - 1) / divisors[i] + 1 : 0);
      all.emplace_back("cdiv(" + name + ", " + constant + ")", std::move(found));
    }
  }
  return all;
}

// A slot has two readings or more.
std::string LaunchFit::chosen(const std::vector<std::string>& readings) {
  if (readings.size() < 2) return readings.empty() ? std::string() : readings[0];
  const std::size_t slot = readings_.size();
  readings_.push_back(readings.size());
  return readings[slot < choice_.size() ? std::min(choice_[slot], readings.size() - 1) : 0];
}

std::string LaunchFit::size_word(const Values& values, bool is_extent) {
  if (values == Values(values.size(), 1)) return "1";
  std::vector<std::string> readings;
  const auto take_first = [&](const std::vector<Named>& all) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.second == values && !contains(one.first, "stride"); });
    if (found != all.end()) readings.push_back(found->first);
  };
  constexpr std::size_t kMostEqual = 3;
  for (const auto& [name, numbers] : integers_) {
    if (numbers == values && !contains(name, "stride") && readings.size() < kMostEqual) readings.push_back(name);
  }
  if (readings.empty()) take_first(constants_);
  if (readings.empty()) readings.push_back(sizes_.try_emplace(values, "size" + std::to_string(sizes_.size())).first->second);
  if (is_extent) take_first(quotients());
  return chosen(readings);
}

// Strides are usually in the order of the tensors.
std::string LaunchFit::stride_word(const Values& values, const std::string& tensor) {
  const std::string short_name = tensor.substr(0, tensor.find("_ptr"));
  const Named* best = nullptr;
  for (const auto& one : integers_) {
    if (one.second != values || !contains(one.first, "stride") || used_.contains(one.first)) continue;
    if (best == nullptr || (contains(one.first, short_name) && !contains(best->first, short_name))) best = &one;
  }
  if (best != nullptr) return used_.insert(best->first), best->first;
  // Or one stride for several tensors: for all of them, as one reading.
  const auto used = std::find_if(integers_.begin(), integers_.end(), [&](const Named& one) { return one.second == values && used_.contains(one.first); });
  if (used == integers_.end()) return size_word(values, false);
  if (!shares_strides_) shares_strides_ = chosen({"each its own", "shared"}) == "shared";
  return *shares_strides_ ? used->first : size_word(values, false);
}

bool LaunchFit::is_dense(std::size_t i) const {
  return std::all_of(launches_.begin(), launches_.end(), [&](const Manifest& launch) {
    const ManifestArgument& one = launch.arguments[i];
    std::int64_t dense = 1;
    for (std::size_t d = one.shape.size(); d-- > 0; dense *= one.shape[d]) {
      if (one.shape[d] != 1 && one.strides[d] != dense) return false;
    }
    return true;
  });
}

bool LaunchFit::is_output(std::size_t i) const {
  return std::all_of(launches_.begin(), launches_.end(), [&](const Manifest& launch) {
    const std::size_t storage = launch.arguments[i].storage;
    const auto shares = std::count_if(launch.arguments.begin(), launch.arguments.end(), [&](const ManifestArgument& one) {
      return one.kind == ManifestArgument::Kind::pointer && one.storage == storage;
    });
    return launch.has_outputs && launch.storages[storage].after && shares == 1;
  });
}

std::string LaunchFit::tensor_word(std::size_t i) {
  const ManifestArgument& one = arguments()[i];
  const std::string type = one.name + "=" + short_name(one.type.kind, one.type.is_unsigned);
  if (one.shape.empty()) return one.name + "=*" + short_name(one.type.kind, one.type.is_unsigned);
  std::string shape, strides;
  bool names_strides = !is_dense(i);
  for (std::size_t d = 0; d < one.shape.size(); ++d) {
    const std::string lead = d == 0 ? "" : ",";
    shape += lead + size_word(values_of(i, [&](const ManifestArgument& at) { return at.shape[d]; }), true);
    const Values values = values_of(i, [&](const ManifestArgument& at) { return at.strides[d]; });
    const bool is_one = values == Values(values.size(), 1);
    const std::string word = is_one ? "1" : stride_word(values, one.name);
    names_strides = names_strides || used_.contains(word);
    strides += lead + word;
  }
  return type + "[" + shape + "]" + (names_strides ? ":(" + strides + ")" : "") + (is_output(i) ? " out" : "");
}

std::vector<std::string> LaunchFit::words() {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < arguments().size(); ++i) {
    const ManifestArgument& one = arguments()[i];
    if (one.kind == ManifestArgument::Kind::pointer) all.push_back(tensor_word(i));
    if (one.kind != ManifestArgument::Kind::scalar) continue;
    const bool is_plain = one.type.kind == ScalarKind::i32 && !one.type.is_unsigned;
    all.push_back(is_plain ? one.name : one.name + "=" + short_name(one.type.kind, one.type.is_unsigned));
  }
  for (const auto& [name, value] : launches_[0].constants) {
    if (value.kind == ConstantValue::Kind::integer) all.push_back(name + "=" + std::to_string(value.integer));
    if (value.kind == ConstantValue::Kind::boolean) all.push_back(name + (value.integer != 0 ? "=True" : "=False"));
    if (value.kind == ConstantValue::Kind::none) all.push_back(name + "=None");
    if (value.kind == ConstantValue::Kind::floating) all.push_back(fmt::format("{}={}", name, value.floating));
    if (value.kind == ConstantValue::Kind::string) all.push_back(name + "='" + value.text + "'");
    if (value.kind == ConstantValue::Kind::dtype) all.push_back(name + "=" + value.text);
  }
  return all;
}

// One factor before products of two.
std::vector<std::string> LaunchFit::axis_readings(const std::vector<Named>& factors, std::size_t axis) const {
  constexpr std::size_t kMostReadings = 6;
  const Values ones(launches_.size(), 1);
  std::vector<std::string> readings;
  const auto take = [&](const Named& a, const Named* b) {
    bool fits = b == nullptr || (a.second != ones && b->second != ones);
    for (std::size_t i = 0; i < launches_.size(); ++i) fits = fits && a.second[i] * (b == nullptr ? 1 : b->second[i]) == launches_[i].grid[axis];
    if (fits && readings.size() < kMostReadings) readings.push_back(b == nullptr ? a.first : b->first + "*" + a.first);
  };
  for (const Named& one : factors) take(one, nullptr);
  for (std::size_t a = 0; a < factors.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) take(factors[a], &factors[b]);
  }
  return readings;
}

std::vector<std::string> LaunchFit::grid() {
  std::vector<Named> factors{{"1", Values(launches_.size(), 1)}};
  std::copy_if(integers_.begin(), integers_.end(), std::back_inserter(factors), [](const Named& one) { return !contains(one.first, "stride"); });
  for (const auto& [values, name] : sizes_) factors.emplace_back(name, values);
  const std::vector<Named> blocks = quotients();
  factors.insert(factors.end(), blocks.begin(), blocks.end());
  factors.insert(factors.end(), constants_.begin(), constants_.end());
  std::vector<std::string> axes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::vector<std::string> readings = axis_readings(factors, axis);
    if (readings.empty()) return {};
    axes.push_back(chosen(readings));
  }
  return axes;
}

FittingWords LaunchFit::read(const std::vector<std::size_t>& choice) {
  choice_ = choice;
  readings_.clear();
  sizes_.clear();
  used_.clear();
  shares_strides_.reset();
  FittingWords like;
  like.words = words();
  const std::vector<std::string> axes = grid();
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    like.grid += (axis == 0 ? "" : ", ") + axes[axis];
    const auto end = axes.begin() + static_cast<std::ptrdiff_t>(axis);
    if (axes[axis] != "1" && std::find(axes.begin(), end, axes[axis]) != end) ++like.equal_axes;
  }
  like.readings = readings_;
  like.numbers = numbers();
  return like;
}

std::vector<LaunchNumbers> LaunchFit::numbers() const {
  std::vector<LaunchNumbers> all(launches_.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const auto& [name, values] : integers_) all[i][name] = values[i];
    for (const auto& [values, name] : sizes_) all[i][name] = values[i];
    for (std::size_t axis = 0; axis < 3; ++axis) all[i][std::string("grid.") + "xyz"[axis]] = launches_[i].grid[axis];
  }
  return all;
}

}  // namespace lockstep::driver
