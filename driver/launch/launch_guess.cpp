#include "driver/launch/launch_guess.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "driver/arguments/arguments.h"

namespace lockstep::driver {
namespace {

using frontend::KernelReading;
using frontend::ReadDimension;
using frontend::ReadParameter;
using ReadKind = ReadParameter::Kind;

constexpr std::string_view kFlat = "65536";
constexpr std::int64_t kUnknownExtent = 64;
constexpr std::string_view kUnknownPrograms = "4";

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool has_word(const std::string& name, std::initializer_list<std::string_view> words) {
  const std::string text = lower_case(name);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

class Guesser {
 public:
  Guesser(const KernelReading& reading, const std::map<std::string, std::string>& given, const GuessWays& ways)
      : reading_(reading), given_(given), ways_(ways) {}
  LaunchGuess guess();

 private:
  void guess_constants();
  void guess_numbers();
  void guess_strides();
  std::string grid_extent(std::size_t axis) const;
  std::string extent(const ReadDimension& dimension) const;
  std::int64_t number_of(const std::string& extent) const;
  std::string tensor(const ReadParameter& parameter) const;
  void set(const ReadParameter& parameter, std::int64_t value) {
    values_[parameter.name] = std::to_string(value);
    names_.integers[parameter.name] = value;
  }
  bool is_settled(const ReadParameter& parameter) const { return given_.contains(parameter.name); }

  const KernelReading& reading_;
  const std::map<std::string, std::string>& given_;
  const GuessWays& ways_;
  std::map<std::string, std::string> values_;
  GridNames names_;
};

void Guesser::guess_constants() {
  const auto is_tile = [](const ReadParameter& one) {
    return one.kind == ReadKind::constant && (one.is_power_of_two || has_word(one.name, {"block", "tile"}));
  };
  const auto tiles = std::count_if(reading_.parameters.begin(), reading_.parameters.end(), is_tile);
  for (const ReadParameter& one : reading_.parameters) {
    if (is_settled(one) || one.has_default) continue;
    if (one.kind == ReadKind::text) values_[one.name] = "''";
    if (one.kind != ReadKind::constant) continue;
    if (is_tile(one)) set(one, tiles > 1 ? 32 : 64);
    else if (one.is_switch || has_word(one.name, {"is_", "has_", "use_", "causal"})) values_[one.name] = "false";
    else if (has_word(one.name, {"dtype"})) values_[one.name] = "fp32";
    else set(one, has_word(one.name, {"group"}) ? 4 : has_word(one.name, {"stages"}) ? 2 : 32);
  }
}

void Guesser::guess_numbers() {
  constexpr std::array<std::int64_t, 4> kPieced = {100, 72, 56, 44}, kPrograms = {8, 4, 2, 2};
  std::size_t pieced = 0, programs = 0, within = 0;
  for (const ReadParameter& one : reading_.parameters) {
    if (is_settled(one) || one.has_default) continue;
    if (one.kind == ReadKind::fraction) values_[one.name] = has_word(one.name, {"eps"}) ? "1e-5" : "0.5";
    if (one.kind != ReadKind::number) continue;
    const auto block = names_.integers.find(one.block);
    if (one.is_pieced) {
      set(one, kPieced[std::min<std::size_t>(pieced++, 3)]);
    } else if (block != names_.integers.end()) {
      set(one, std::max<std::int64_t>(1, block->second * 3 / 4 - static_cast<std::int64_t>(8 * within++)));
    } else {
      set(one, kPrograms[std::min<std::size_t>(programs++, 3)]);
    }
  }
}

std::string Guesser::grid_extent(std::size_t axis) const {
  const bool is_known = axis < reading_.grid.size() && !reading_.grid[axis].empty();
  return is_known ? reading_.grid[axis] : std::string(kUnknownPrograms);
}

/// As an expression over arguments; empty: unknown.
std::string Guesser::extent(const ReadDimension& dimension) const {
  constexpr std::string_view kProgram = "program_id(";
  if (!dimension.extent.starts_with(kProgram)) return dimension.extent;
  return grid_extent(static_cast<std::size_t>(dimension.extent[kProgram.size()] - '0'));
}

std::int64_t Guesser::number_of(const std::string& extent) const {
  DiagnosticSink ignored;
  const auto value = extent.empty() ? std::nullopt : evaluate_grid(extent, names_, ignored);
  return value ? value->front() : kUnknownExtent;
}

/// A stride is the number of elements inside its dimension.
void Guesser::guess_strides() {
  for (const ReadParameter& pointer : reading_.parameters) {
    std::int64_t elements = 1;
    for (auto one = pointer.shape.rbegin(); one != pointer.shape.rend(); ++one) {
      const auto stride = std::find_if(reading_.parameters.begin(), reading_.parameters.end(),
                                       [&](const ReadParameter& other) { return other.name == one->stride; });
      const bool is_new = stride != reading_.parameters.end() && stride->kind == ReadKind::stride && !is_settled(*stride) &&
                          !stride->has_default && !values_.contains(stride->name);
      if (is_new) set(*stride, elements);
      elements *= number_of(extent(*one));
    }
  }
  for (const ReadParameter& one : reading_.parameters) {
    if (one.kind == ReadKind::stride && !is_settled(one) && !one.has_default && !values_.contains(one.name)) set(one, 1);
  }
}

std::string Guesser::tensor(const ReadParameter& one) const {
  const bool is_integer = one.is_index || (one.is_atomic && has_word(one.name, {"lock", "count", "sem", "flag"}));
  const std::string fill = one.is_atomic                     ? "zeros"
                           : one.is_stored && !one.is_loaded ? "empty"
                           : one.is_index                    ? "randint(0,4)"
                                                             : "randn";
  std::string shape;
  bool is_known = !one.shape.empty() && !ways_.is_flat;
  for (const ReadDimension& dimension : one.shape) {
    const std::string text = extent(dimension);
    is_known = is_known && !text.empty();
    shape += (shape.empty() ? "" : ",") + text;
  }
  return fill + (is_integer ? ":i32[" : ":" + ways_.element + "[") + (is_known ? shape : std::string(kFlat)) + "]";
}

LaunchGuess Guesser::guess() {
  for (const auto& [name, text] : given_) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size()) names_.integers[name] = value;
  }
  guess_constants();
  guess_numbers();
  guess_strides();
  LaunchGuess guess;
  for (std::size_t axis = 0; axis < reading_.grid.size(); ++axis)
    guess.grid += (axis == 0 ? "" : ", ") + grid_extent(axis);
  for (const ReadParameter& one : reading_.parameters) {
    const auto given = given_.find(one.name);
    const auto value = values_.find(one.name);
    if (given != given_.end()) guess.arguments.push_back(one.name + "=" + given->second);
    else if (one.kind == ReadKind::descriptor) guess.unknown.push_back(one.name);
    else if (one.kind == ReadKind::pointer && !one.has_default) guess.arguments.push_back(one.name + "=" + tensor(one));
    else if (value != values_.end()) guess.arguments.push_back(one.name + "=" + value->second);
  }
  return guess;
}

}  // namespace

std::string_view kind_word(ReadKind kind) {
  switch (kind) {
    case ReadKind::constant:
    case ReadKind::text: return "constexpr";
    case ReadKind::pointer: return "pointer";
    case ReadKind::descriptor: return "descriptor";
    case ReadKind::stride:
    case ReadKind::fraction:
    case ReadKind::number: return "number";
  }
  return "";
}

LaunchGuess guess_launch(const KernelReading& reading, const std::map<std::string, std::string>& given,
                         const GuessWays& ways) {
  return Guesser(reading, given, ways).guess();
}

}  // namespace lockstep::driver
