#include "driver/proving/like.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "driver/files/capsule.h"
#include "driver/words/dtype_name.h"
#include "support/diagnostics/report_status.h"

namespace lockstep::driver {
namespace {

using Values = std::vector<std::int64_t>;  // one of each launch

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::int64_t signed_value(const ManifestArgument& argument) {
  const unsigned unused = 64 - static_cast<unsigned>(bit_width(argument.type.kind));
  return static_cast<std::int64_t>(argument.bits << unused) >> unused;
}

class Fit {
 public:
  explicit Fit(std::vector<Manifest> launches) : launches_(std::move(launches)) {}
  std::vector<std::string> words();
  /// After words().
  std::string grid() const;

 private:
  const std::vector<ManifestArgument>& arguments() const { return launches_[0].arguments; }
  template <typename Take>
  Values values_of(std::size_t i, const Take& take) const {
    Values values;
    for (const Manifest& launch : launches_) values.push_back(take(launch.arguments[i]));
    return values;
  }
  void take_numbers();
  std::string size_word(const Values& values);
  std::string stride_word(const Values& values, const std::string& tensor);
  std::string tensor_word(std::size_t i);
  bool is_dense(std::size_t i) const;
  bool is_output(std::size_t i) const;

  std::vector<Manifest> launches_;
  std::vector<std::pair<std::string, Values>> integers_, constants_;
  std::map<Values, std::string> sizes_;  // of their own
  std::set<std::string> used_;           // integers that are a stride
};

void Fit::take_numbers() {
  for (std::size_t i = 0; i < arguments().size(); ++i) {
    const ManifestArgument& one = arguments()[i];
    if (one.kind == ManifestArgument::Kind::scalar && is_integer(one.type.kind) && one.type.kind != ScalarKind::i1)
      integers_.emplace_back(one.name, values_of(i, signed_value));
  }
  for (const auto& [name, value] : launches_[0].constants) {
    if (value.kind == ConstantValue::Kind::integer) constants_.emplace_back(name, Values(launches_.size(), value.integer));
  }
}

std::string Fit::size_word(const Values& values) {
  if (values == Values(values.size(), 1)) return "1";
  const auto find = [&](const auto& all, bool takes_strides) {
    return std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.second == values && contains(one.first, "stride") == takes_strides; });
  };
  if (const auto found = find(integers_, false); found != integers_.end()) return found->first;
  if (const auto found = find(constants_, false); found != constants_.end()) return found->first;
  const auto [place, is_new] = sizes_.try_emplace(values, "size" + std::to_string(sizes_.size()));
  return place->second;
}

// Strides are usually in the order of the tensors.
std::string Fit::stride_word(const Values& values, const std::string& tensor) {
  const std::string short_name = tensor.substr(0, tensor.find("_ptr"));
  const std::pair<std::string, Values>* best = nullptr;
  for (const auto& one : integers_) {
    if (one.second != values || !contains(one.first, "stride") || used_.contains(one.first)) continue;
    if (best == nullptr || (contains(one.first, short_name) && !contains(best->first, short_name))) best = &one;
  }
  if (best == nullptr) return size_word(values);
  used_.insert(best->first);
  return best->first;
}

bool Fit::is_dense(std::size_t i) const {
  return std::all_of(launches_.begin(), launches_.end(), [&](const Manifest& launch) {
    const ManifestArgument& one = launch.arguments[i];
    std::int64_t dense = 1;
    for (std::size_t d = one.shape.size(); d-- > 0; dense *= one.shape[d]) {
      if (one.shape[d] != 1 && one.strides[d] != dense) return false;
    }
    return true;
  });
}

bool Fit::is_output(std::size_t i) const {
  return std::all_of(launches_.begin(), launches_.end(), [&](const Manifest& launch) {
    const std::size_t storage = launch.arguments[i].storage;
    const auto shares = std::count_if(launch.arguments.begin(), launch.arguments.end(), [&](const ManifestArgument& one) {
      return one.kind == ManifestArgument::Kind::pointer && one.storage == storage;
    });
    return launch.has_outputs && launch.storages[storage].after && shares == 1;
  });
}

std::string Fit::tensor_word(std::size_t i) {
  const ManifestArgument& one = arguments()[i];
  const std::string type = one.name + "=" + short_name(one.type.kind, one.type.is_unsigned);
  if (one.shape.empty()) return one.name + "=*" + short_name(one.type.kind, one.type.is_unsigned);
  std::string shape, strides;
  bool names_strides = !is_dense(i);
  for (std::size_t d = 0; d < one.shape.size(); ++d) {
    const std::string lead = d == 0 ? "" : ",";
    shape += lead + size_word(values_of(i, [&](const ManifestArgument& at) { return at.shape[d]; }));
    const Values values = values_of(i, [&](const ManifestArgument& at) { return at.strides[d]; });
    const bool is_one = values == Values(values.size(), 1);
    const std::string word = is_one ? "1" : stride_word(values, one.name);
    names_strides = names_strides || used_.contains(word);
    strides += lead + word;
  }
  return type + "[" + shape + "]" + (names_strides ? ":(" + strides + ")" : "") + (is_output(i) ? " out" : "");
}

std::vector<std::string> Fit::words() {
  take_numbers();
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

std::string Fit::grid() const {
  std::vector<std::pair<std::string, Values>> factors{{"1", Values(launches_.size(), 1)}};
  for (const auto& one : integers_) {
    if (!contains(one.first, "stride")) factors.push_back(one);
  }
  const std::vector<std::pair<std::string, Values>> sizes(factors.begin() + 1, factors.end());
  for (const auto& [values, name] : sizes_) factors.emplace_back(name, values);
  for (const auto& [constant, divisors] : constants_) {
    for (const auto& [name, values] : sizes) {
      Values quotients;
      for (std::size_t i = 0; i < values.size(); ++i) quotients.push_back(divisors[i] > 1 && values[i] > 0 ? (values[i] - 1) / divisors[i] + 1 : 0);
      factors.emplace_back("cdiv(" + name + ", " + constant + ")", std::move(quotients));
    }
  }
  factors.insert(factors.end(), constants_.begin(), constants_.end());
  // What counts along one axis seldom counts along another: it comes last there.
  std::string text;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Values wanted;
    for (const Manifest& launch : launches_) wanted.push_back(launch.grid[axis]);
    std::string found;
    for (std::size_t a = 0; a < factors.size() && found.empty(); ++a) {
      for (std::size_t b = 0; b < std::max<std::size_t>(a, 1) && found.empty(); ++b) {
        Values product = factors[a].second;
        for (std::size_t i = 0; i < product.size(); ++i) product[i] *= factors[b].second[i];
        if (product != wanted) continue;
        found = b == 0 ? factors[a].first : factors[b].first + "*" + factors[a].first;
        if (a != 0) std::rotate(factors.begin() + static_cast<std::ptrdiff_t>(a), factors.begin() + static_cast<std::ptrdiff_t>(a) + 1, factors.end());
      }
    }
    if (found.empty()) return {};
    text += (axis == 0 ? "" : ", ") + found;
  }
  return text;
}

/// Launches of one compiled kernel, as far as words go.
bool are_alike(const Manifest& a, const Manifest& b) {
  return a.kernel == b.kernel && a.ttir.sha256 == b.ttir.sha256 && a.arguments.size() == b.arguments.size() &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), [](const auto& x, const auto& y) {
           return x.kind == y.kind && x.name == y.name && x.shape.size() == y.shape.size();
         });
}

/// What a capsule of it would say, as far as words go. A tensor that was given without content is an output.
Manifest manifest_of(const PreparedLaunch& launch, const std::array<std::int64_t, 3>& grid) {
  Manifest manifest;
  manifest.kernel = launch.kernel_name();
  manifest.grid = grid;
  manifest.has_outputs = true;
  std::map<std::int32_t, std::size_t> storages;
  for (const BoundParameter& bound : launch.bound()) {
    if (bound.constant) {
      manifest.constants.emplace_back(bound.name, *bound.constant);
      continue;
    }
    ManifestArgument argument;
    argument.name = bound.name;
    argument.bits = bound.bits;
    if (bound.view) {
      const memory_model::View& view = launch.memory().view(bound.view);
      const Tensor* tensor = launch.find_tensor(bound.name);
      const auto [place, is_new] = storages.try_emplace(view.storage.index, manifest.storages.size());
      if (is_new) manifest.storages.emplace_back();
      if (!view.is_initialised) manifest.storages[place->second].after.emplace();
      argument.kind = bound.is_descriptor ? ManifestArgument::Kind::descriptor : ManifestArgument::Kind::pointer;
      argument.type = {view.element, tensor != nullptr && tensor->is_unsigned, {}};
      argument.storage = place->second;
      argument.shape = view.shape;
      argument.strides = view.strides;
    } else if (const auto type = find_dtype(bound.type)) {
      argument.type = *type;
    }
    manifest.arguments.push_back(std::move(argument));
  }
  return manifest;
}

}  // namespace

std::optional<LikeLaunches> words_like(const std::vector<std::string>& capsules, DiagnosticSink& sink) {
  std::vector<Manifest> launches;
  for (const std::string& path : capsules) {
    auto capsule = Capsule::read(path, std::uint64_t{1} << 32);
    if (!capsule) return report_status(sink, capsule.error()), std::nullopt;
    launches.push_back(capsule->manifest());
    if (!are_alike(launches[0], launches.back())) {
      report_status(sink, {"LS2206", "--like: " + path + " is a launch of another kernel than " + capsules[0],
                           "give launches of one compiled kernel, with tensors of the same rank"});
      return std::nullopt;
    }
  }
  Fit fit(std::move(launches));
  LikeLaunches like{fit.words(), {}};
  like.grid = fit.grid();
  return like;
}

LikeLaunches words_like(const PreparedLaunch& launch, const std::array<std::int64_t, 3>& grid) {
  Fit fit({launch.capsule() != nullptr ? launch.capsule()->manifest() : manifest_of(launch, grid)});
  LikeLaunches like{fit.words(), {}};
  like.grid = fit.grid();
  return like;
}

void add_words(std::vector<std::string>& words, const std::vector<std::string>& more) {
  const auto name_of = [](const std::string& word) { return word.substr(0, word.find('=')); };
  const std::vector<std::string> given = words;
  for (const std::string& word : more) {
    if (std::none_of(given.begin(), given.end(), [&](const std::string& one) { return name_of(one) == name_of(word); })) words.push_back(word);
  }
}

}  // namespace lockstep::driver
