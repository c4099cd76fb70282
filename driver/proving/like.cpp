#include "driver/proving/like.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "driver/files/capsule.h"
#include "driver/words/dtype_name.h"
#include "prove/evaluate.h"
#include "prove/words.h"
#include "support/diagnostics/report_status.h"

namespace lockstep::driver {
namespace {

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

/// How little a reading explains: conditions that the launches themselves miss, what is not decided, axes of the grid that
/// count the same, conditions on memory that the reading says the size of. Less is better.
using Misfit = std::array<std::size_t, 4>;

Misfit misfit_of(const FittingWords& like, const LikeRequest& request) {
  LaunchSpec options = request.options;
  add_words(options.arguments, like.words);
  if (options.grid.empty()) options.grid = like.grid;
  Asked asked;
  asked.atoms.stop_when(request.is_stopped);
  DiagnosticSink ignored;
  AskedMore more = request.more;
  more.properties.clear();  // bounds tell readings apart, and take the least time
  if (!read_asked(options, more, asked, ignored)) return {SIZE_MAX, 0, 0, 0};
  const prove::Statement statement = prove::prove(*asked.function, asked.contract, asked.atoms);
  const auto of_contract = std::count_if(statement.conditions.begin(), statement.conditions.end(),
                                         [](const prove::Condition& one) { return one.is_of_contract; });
  return {conditions_missed(like, asked, statement).size(), statement.undecided.size(), like.equal_axes, static_cast<std::size_t>(of_contract)};
}

// Which readings there may be next: one slot changed, the grid's first, then two of its axes exchanged.
std::vector<std::vector<std::size_t>> neighbours(const std::vector<std::size_t>& choice, const std::vector<std::size_t>& readings) {
  std::vector<std::vector<std::size_t>> found;
  for (std::size_t slot = readings.size(); slot-- > 0;) {
    for (std::size_t other = 0; other < readings[slot]; ++other) {
      if (other == choice[slot]) continue;
      found.push_back(choice);
      found.back()[slot] = other;
    }
  }
  const std::size_t first_axis = readings.size() - std::min<std::size_t>(readings.size(), 3);
  for (std::size_t a = first_axis; a < readings.size(); ++a) {
    for (std::size_t b = first_axis; b < a; ++b) {
      if (choice[a] == choice[b] || readings[a] != readings[b]) continue;
      found.push_back(choice);
      std::swap(found.back()[a], found.back()[b]);
    }
  }
  return found;
}

// Each better reading is taken at once. A first one that leaves nothing is taken without a search.
FittingWords fitting(LaunchFit fit, const LikeRequest& request) {
  constexpr int kMostTries = 32;
  FittingWords best = fit.read({});
  const std::vector<std::size_t> readings = best.readings;
  if (readings.empty()) return best;
  Misfit least = misfit_of(best, request);
  std::vector<std::size_t> choice(readings.size());
  std::set<std::vector<std::size_t>> tried{choice};
  int tries = 0;
  for (bool is_better = true; is_better;) {
    is_better = false;
    for (const std::vector<std::size_t>& changed : neighbours(choice, readings)) {
      if (least == Misfit{} || ++tries > kMostTries || (request.is_stopped && request.is_stopped())) return best;
      if (!tried.insert(changed).second) continue;  // not better than something before
      FittingWords like = fit.read(changed);
      const Misfit here = misfit_of(like, request);
      if (here >= least) continue;
      best = std::move(like);
      least = here;
      choice = changed;
      is_better = true;
      break;
    }
  }
  return best;
}

}  // namespace

std::optional<FittingWords> words_like(const std::vector<std::string>& capsules, const LikeRequest& request, DiagnosticSink& sink) {
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
  return fitting(LaunchFit(std::move(launches)), request);
}

FittingWords words_like(const PreparedLaunch& launch, const std::array<std::int64_t, 3>& grid, const LikeRequest& request) {
  return fitting(LaunchFit({launch.capsule() != nullptr ? launch.capsule()->manifest() : manifest_of(launch, grid)}), request);
}

std::vector<std::string> conditions_missed(const FittingWords& like, const Asked& asked, const prove::Statement& statement) {
  std::vector<prove::Numbers> launches;
  for (const LaunchNumbers& launch : like.numbers) {
    prove::Numbers& numbers = launches.emplace_back();
    for (const auto& [name, value] : launch) {
      if (const auto id = asked.atoms.find_parameter(name)) numbers[*id] = value;
    }
  }
  std::vector<std::string> missed;
  for (const prove::Condition& one : statement.conditions) {
    const bool is_missed = std::any_of(launches.begin(), launches.end(), [&](const prove::Numbers& numbers) {
      const auto rest = prove::evaluate(one.rest, numbers, asked.atoms);
      return rest && *rest < 0;  // without a value it names what nobody recorded
    });
    if (is_missed) missed.push_back(prove::condition_text(one.rest, asked.atoms));
  }
  return missed;
}

void add_words(std::vector<std::string>& words, const std::vector<std::string>& more) {
  const auto name_of = [](const std::string& word) { return word.substr(0, word.find('=')); };
  const std::vector<std::string> given = words;
  for (const std::string& word : more) {
    if (std::none_of(given.begin(), given.end(), [&](const std::string& one) { return name_of(one) == name_of(word); })) words.push_back(word);
  }
}

}  // namespace lockstep::driver
