#include "driver/proving/launch_proof.h"

#include <algorithm>
#include <map>
#include <utility>

#include "driver/proving/asked.h"
#include "driver/proving/like.h"
#include "driver/proving/proof_report.h"
#include "driver/proving/solvers.h"
#include "driver/proving/trials.h"
#include "support/diagnostics/report_status.h"

namespace lockstep::driver {
namespace {

struct Contract {
  LaunchSpec options;
  AskedMore more;
};

/// "--grid rows" and the rest of words_of's.
bool take_word(const std::string& word, Contract& contract, DiagnosticSink& sink) {
  if (!word.starts_with("--")) return contract.options.arguments.push_back(word), true;
  const std::size_t space = std::min(word.find(' '), word.size());
  const std::string option = word.substr(0, space);
  std::string value = word.substr(std::min(word.find_first_not_of(' ', space), word.size()));
  const std::map<std::string, std::vector<std::string>*> lists{{"--where", &contract.more.where}, {"--properties", &contract.more.properties}, {"--assume", &contract.more.assume}};
  const auto list = lists.find(option);
  if (value.empty() || (list == lists.end() && option != "--grid")) {
    report_status(sink, {"LS2206", "a contract has no '" + word + "'", "write --grid, --where, --assume or --properties, a blank and its value"});
    return false;
  }
  (list == lists.end() ? contract.options.grid : list->second->emplace_back()) = std::move(value);
  return true;
}

/// The launch's options, without what makes or watches that one launch.
LaunchSpec options_of(const LaunchSpec& launch) {
  LaunchSpec options = launch;
  options.arguments.clear();
  options.grid.clear();
  options.only.clear();
  for (auto* list : {&options.save, &options.expect, &options.print, &options.reports, &options.depends}) list->clear();
  options.baseline.clear();
  options.trace.clear();
  return options;
}

}  // namespace

std::optional<Json> prove_launch(const PreparedLaunch& launch, const LaunchProofRequest& request, DiagnosticSink& sink) {
  Contract contract{options_of(launch.options()), {}};
  for (const std::string& word : request.words) {
    if (!take_word(word, contract, sink)) return std::nullopt;
  }
  std::optional<FittingWords> like;
  if (request.words.empty()) {
    like = words_like(launch, request.grid, {contract.options, contract.more, request.is_stopped});
    contract.options.arguments = like->words;
    contract.options.grid = like->grid;
  }
  const std::vector<std::string> words = words_of(contract.options, contract.more);
  if (contract.more.properties.empty()) {
    const bool has_output = std::any_of(words.begin(), words.end(), [](const std::string& one) { return one.ends_with(" out"); });
    contract.more.properties = {has_output ? "all" : "races,lanes,hints"};
  }
  Asked asked;
  asked.atoms.stop_when(request.is_stopped);
  if (!read_asked(contract.options, contract.more, asked, sink) || request.is_stopped()) return std::nullopt;
  Solvers solvers;
  const prove::Statement statement = prove::prove(*asked.function, asked.contract, asked.atoms, &solvers);
  if (request.is_stopped()) return std::nullopt;
  const Tried tried = try_statement(contract.options, asked, statement);
  if (request.is_stopped()) return std::nullopt;
  Json answer = report_json(contract.options, asked, statement, tried);
  answer.set("words", Json::Array(words.begin(), words.end()));
  if (like) {
    const std::vector<std::string> missed = conditions_missed(*like, asked, statement);
    answer.set("missed", Json::Array(missed.begin(), missed.end()));
  }
  return answer;
}

}  // namespace lockstep::driver
