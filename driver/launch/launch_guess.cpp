#include "driver/launch/launch_guess.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "driver/arguments/arguments.h"
#include "ir/text/nearest_name.h"

namespace lockstep::driver {
namespace {

using frontend::KernelReading;
using frontend::ReadDimension;
using frontend::ReadParameter;
using ReadKind = ReadParameter::Kind;

constexpr std::string_view kFlat = "65536";
constexpr std::string_view kProgram = "program_id(";
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

/// 64 for 48: what a tile of these elements has.
std::int64_t power_of_two_for(std::int64_t elements) {
  std::int64_t power = 1;
  while (power < elements && power < (std::int64_t{1} << 40)) power *= 2;
  return power;
}

/// The parts of a grid, "cdiv(n, BLOCK), 2".
std::vector<std::string> axes_of(const std::string& grid) {
  std::vector<std::string> axes;
  int depth = 0;
  for (const char c : grid) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (axes.empty() || (c == ',' && depth == 0)) axes.emplace_back();
    if ((c != ',' || depth != 0) && (c != ' ' || !axes.back().empty())) axes.back() += c;
  }
  return axes;
}

class Guesser {
 public:
  Guesser(const KernelReading& reading, const GivenArguments& given, const GuessWays& ways)
      : reading_(reading), given_(given), ways_(ways), axes_(given.grid.empty() ? reading.grid : axes_of(given.grid)) {}
  LaunchGuess guess();

 private:
  void take_texts();
  void take_shapes();
  void take_extent(const std::string& extent, std::int64_t value);
  void guess_constants();
  void guess_numbers();
  void guess_strides();
  std::string grid_extent(std::size_t axis) const;
  std::string extent(const ReadDimension& dimension) const;
  std::int64_t number_of(const std::string& extent) const;
  std::string tensor(const ReadParameter& parameter) const;
  std::string shape_text(const ReadParameter& parameter, bool is_counter) const;
  const ReadParameter* find(const std::string& name) const;
  void set(const ReadParameter& parameter, std::int64_t value) {
    values_[parameter.name] = std::to_string(value);
    names_.integers[parameter.name] = value;
  }
  bool is_settled(const ReadParameter& parameter) const {
    return texts_.contains(parameter.name) || values_.contains(parameter.name);
  }
  bool is_open(const ReadParameter& parameter) const { return !is_settled(parameter) && !parameter.has_default; }

  const KernelReading& reading_;
  const GivenArguments& given_;
  const GuessWays& ways_;
  std::vector<std::string> axes_;             // an expression each; empty: not known
  std::map<std::string, std::string> texts_;  // that were given, by parameter
  std::vector<std::string> others_;           // that were given and are no parameter's
  std::map<std::string, std::string> values_;
  GridNames names_;
};

const ReadParameter* Guesser::find(const std::string& name) const {
  const auto found = std::find_if(reading_.parameters.begin(), reading_.parameters.end(),
                                  [&](const ReadParameter& one) { return one.name == name; });
  return found == reading_.parameters.end() ? nullptr : &*found;
}

/// A name that no parameter has is the one that it is like, where only one of the two was given.
void Guesser::take_texts() {
  std::vector<std::pair<std::string, std::string>> misspelt;
  for (const std::string& text : given_.texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
    if (find(name) != nullptr) texts_.emplace(name, value);
    else misspelt.emplace_back(name, value);
  }
  for (const auto& [name, value] : misspelt) {
    std::vector<std::string_view> open;
    for (const ReadParameter& one : reading_.parameters) {
      if (is_open(one)) open.push_back(one.name);
    }
    const std::string near = ir::nearest_name(name, open);
    if (near.empty()) others_.push_back(name + "=" + value);
    else texts_.emplace(near, value);
  }
  for (const auto& [name, text] : texts_) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size()) names_.integers[name] = value;
  }
}

/// A dimension has this many elements.
void Guesser::take_extent(const std::string& extent, std::int64_t value) {
  if (extent.starts_with(kProgram)) {
    const auto axis = static_cast<std::size_t>(extent[kProgram.size()] - '0');
    if (axis >= axes_.size() || !given_.grid.empty()) return;
    if (axes_[axis].empty()) axes_[axis] = std::to_string(value);
    else take_extent(axes_[axis], value);
  } else if (const ReadParameter* named = find(extent); named != nullptr && is_open(*named)) {
    if (named->kind == ReadKind::number || named->kind == ReadKind::constant) set(*named, value);
  }
}

/// Numbers, strides and the grid as the given tensors have them.
void Guesser::take_shapes() {
  for (const ReadParameter& pointer : reading_.parameters) {
    const auto given = given_.shapes.find(pointer.name);
    if (given == given_.shapes.end() || pointer.kind != ReadKind::pointer) continue;
    std::vector<std::int64_t> shape = given->second;
    if (pointer.shape.size() == 1 && shape.size() > 1)
      shape = {std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())};
    if (shape.size() != pointer.shape.size()) continue;
    std::int64_t elements = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
      const ReadParameter* stride = find(pointer.shape[d].stride);
      if (stride != nullptr && stride->kind == ReadKind::stride && is_open(*stride)) set(*stride, elements);
      take_extent(pointer.shape[d].extent, shape[d]);
      elements *= shape[d];
    }
  }
}

void Guesser::guess_constants() {
  const auto is_tile = [](const ReadParameter& one) {
    return one.kind == ReadKind::constant && (one.is_power_of_two || has_word(one.name, {"block", "tile"}));
  };
  const auto tiles = std::count_if(reading_.parameters.begin(), reading_.parameters.end(), is_tile);
  for (const ReadParameter& one : reading_.parameters) {
    if (!is_open(one)) continue;
    if (one.kind == ReadKind::text) values_[one.name] = "''";
    if (one.kind != ReadKind::constant) continue;
    std::int64_t tile = tiles > 1 ? 32 : 64;
    for (const ReadParameter& number : reading_.parameters) {  // that one tile has to hold
      const auto known = names_.integers.find(number.name);
      if (number.block == one.name && !number.is_pieced && known != names_.integers.end())
        tile = std::max(tile, power_of_two_for(known->second));
    }
    if (is_tile(one)) set(one, tile);
    else if (one.is_switch || has_word(one.name, {"is_", "has_", "use_", "causal"})) values_[one.name] = "false";
    else if (has_word(one.name, {"dtype"})) values_[one.name] = "fp32";
    else set(one, has_word(one.name, {"group"}) ? 4 : has_word(one.name, {"stages"}) ? 2 : 32);
  }
}

/// Numbers that no tile divides: what a mask forgets shows where the last tile is not full.
void Guesser::guess_numbers() {
  constexpr std::array<std::int64_t, 4> kPieced = {100, 70, 50, 45}, kPrograms = {8, 4, 2, 2};
  std::size_t pieced = 0, programs = 0, within = 0;
  for (const ReadParameter& one : reading_.parameters) {
    if (!is_open(one)) continue;
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
  const bool is_known = axis < axes_.size() && !axes_[axis].empty();
  return is_known ? axes_[axis] : std::string(kUnknownPrograms);
}

/// As an expression over arguments; empty: unknown.
std::string Guesser::extent(const ReadDimension& dimension) const {
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
      const ReadParameter* stride = find(one->stride);
      if (stride != nullptr && stride->kind == ReadKind::stride && is_open(*stride)) set(*stride, elements);
      elements *= number_of(extent(*one));
    }
  }
  for (const ReadParameter& one : reading_.parameters) {
    if (one.kind == ReadKind::stride && is_open(one)) set(one, 1);
  }
}

std::string Guesser::shape_text(const ReadParameter& one, bool is_counter) const {
  std::string shape;
  if (const auto given = given_.shapes.find(one.name); given != given_.shapes.end()) {
    for (const std::int64_t extent : given->second) shape += (shape.empty() ? "" : ",") + std::to_string(extent);
    return shape;
  }
  bool is_known = !one.shape.empty() && !ways_.is_flat;
  for (const ReadDimension& dimension : one.shape) {
    const std::string text = extent(dimension);
    is_known = is_known && !text.empty();
    shape += (shape.empty() ? "" : ",") + text;
  }
  const bool has_guessed_index = std::any_of(reading_.parameters.begin(), reading_.parameters.end(), [&](const auto& other) {
    return other.is_index && !texts_.contains(other.name);
  });
  if (is_known) return shape;
  return is_counter && has_guessed_index && !ways_.is_flat ? std::to_string(kUnknownExtent) : std::string(kFlat);
}

std::string Guesser::tensor(const ReadParameter& one) const {
  const bool counts = has_word(one.name, {"count", "hist", "bins"});
  const bool is_counter = one.is_loaded || one.is_atomic ? (one.is_stored || one.is_atomic) && counts : false;
  const bool is_integer = one.is_index || is_counter || (one.is_atomic && has_word(one.name, {"lock", "sem", "flag"}));
  const std::string shape = shape_text(one, is_counter);
  const bool is_output = one.is_stored && !one.is_loaded;
  const std::string fill = one.is_atomic || is_counter || (is_output && shape == kFlat) ? "zeros"  // a part is stored
                           : is_output                                                  ? "empty"
                           : one.is_index                                               ? "randint(0,4)"
                           : ways_.element == "i32"                                     ? "randint(0,9)"
                                                                                        : "randn";
  return fill + (is_integer ? ":i32[" : ":" + ways_.element + "[") + shape + "]";
}

LaunchGuess Guesser::guess() {
  take_texts();
  take_shapes();
  guess_constants();
  guess_numbers();
  guess_strides();
  LaunchGuess guess;
  guess.grid = given_.grid;
  for (std::size_t axis = 0; axis < axes_.size() && given_.grid.empty(); ++axis)
    guess.grid += (axis == 0 ? "" : ", ") + grid_extent(axis);
  guess.arguments = others_;
  for (const ReadParameter& one : reading_.parameters) {
    const auto given = texts_.find(one.name);
    const auto value = values_.find(one.name);
    if (given != texts_.end()) guess.arguments.push_back(one.name + "=" + given->second);
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

LaunchGuess guess_launch(const KernelReading& reading, const GivenArguments& given, const GuessWays& ways) {
  return Guesser(reading, given, ways).guess();
}

std::string hint_for(const KernelReading& reading, const LaunchGuess& guess, const std::string& parameter) {
  const auto read = std::find_if(reading.parameters.begin(), reading.parameters.end(),
                                 [&](const ReadParameter& one) { return one.name == parameter; });
  const auto argument = std::find_if(guess.arguments.begin(), guess.arguments.end(),
                                     [&](const std::string& one) { return one.starts_with(parameter + "="); });
  if (read == reading.parameters.end() || argument == guess.arguments.end()) return "";
  const std::string_view kind = kind_word(read->kind);
  return "add " + *argument + " (a " + (kind == "constexpr" ? "tl." : "") + std::string(kind) + ")";
}

}  // namespace lockstep::driver
