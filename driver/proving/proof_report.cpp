#include "driver/proving/proof_report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "findings/report_file.h"
#include "prove/words.h"

namespace lockstep::driver {
namespace {

/// "elements of x" becomes owned("x").
std::string expression(std::string text) {
  static const std::string kMark = prove::elements_of("");
  for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at)) {
    std::size_t end = at + kMark.size();
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    text = text.substr(0, at) + "owned(\"" + text.substr(at + kMark.size(), end - at - kMark.size()) + "\")" + text.substr(end);
  }
  return text;
}

Json trial_json(const LaunchSpec& options, const Trial& trial) {
  Json::Array words, findings;
  for (const std::string& word : trial.words) words.emplace_back(word);
  for (const TrialFailure& one : trial.failures)
    findings.push_back(Json::record({{"code", one.code}, {"place", one.place}, {"message", one.message}}));
  return Json::record({{"command", command_text(options, trial)}, {"grid", trial.grid}, {"only", trial.only},
                       {"words", std::move(words)}, {"findings", std::move(findings)}});
}

Json conditions_json(const LaunchSpec& options, const Asked& asked, const prove::Statement& statement, const Tried& tried) {
  Json::Array all;
  for (std::size_t i = 0; i < statement.conditions.size(); ++i) {
    const prove::Condition& one = statement.conditions[i];
    Json row = Json::record({{"text", prove::condition_text(one.rest, asked.atoms)},
                             {"expression", expression(prove::condition_text(one.rest, asked.atoms))},
                             {"place", prove::place_text(*one.op)},
                             {"property", property_text(one.property)},
                             {"reason", prove::reason_text(one)},
                             {"exactly", i < tried.boundaries.size() && tried.boundaries[i].is_exact}});
    if (i < tried.boundaries.size() && tried.boundaries[i].beyond)
      row.set("beyond", trial_json(options, *tried.boundaries[i].beyond));
    all.push_back(std::move(row));
  }
  return all;
}

Json contract_json(const Asked& asked) {
  Json::Array grid, facts;
  for (const prove::Poly& extent : asked.contract.grid) grid.emplace_back(expression(prove::text(extent, asked.atoms)));
  for (const prove::Poly& fact : asked.contract.facts)
    facts.emplace_back(expression(prove::condition_text(fact, asked.atoms)));
  Json elements = Json::record(), integers = Json::record(), data = Json::record(), chunks = Json::record();
  for (const auto& [name, poly] : asked.contract.elements) elements.set(name, prove::text(poly, asked.atoms));
  for (const auto& [name, poly] : asked.contract.integers) integers.set(name, prove::text(poly, asked.atoms));
  for (const auto& [name, range] : asked.contract.data)
    data.set(name, Json::Array{prove::text(range.low, asked.atoms), prove::text(range.high, asked.atoms), range.rises});
  for (const auto& [name, table] : asked.contract.chunks)
    chunks.set(name, Json::Array{table.offsets, prove::text(table.size, asked.atoms), prove::text(table.sequences, asked.atoms)});
  return Json::record({{"words", Json::Array(asked.words.begin(), asked.words.end())}, {"grid", std::move(grid)},
                       {"facts", std::move(facts)}, {"elements", std::move(elements)},
                       {"integers", std::move(integers)}, {"data", std::move(data)}, {"chunks", std::move(chunks)}});
}

/// The worst first.
enum class LineState { fails, undecided, needs, proved };
constexpr std::array<const char*, 4> kStateTexts{"fails", "not decided", "needs", "proved"};

struct LineRow {
  LineState state;
  prove::Property property;
  std::string text;
  bool operator==(const LineRow&) const = default;
};

/// That a property is proved, and another row of the line says more of it.
bool is_said(const LineRow& row, const std::vector<LineRow>& rows) {
  if (row.state != LineState::proved || !row.text.empty()) return false;
  return std::any_of(rows.begin(), rows.end(), [&](const LineRow& one) { return &one != &row && one.property == row.property; });
}

/// What is known at a line, by property: once each, in the order of lines, what is worst of a line first. Hovers and pages
/// show it as it stands.
Json lines_json(const Asked& asked, const prove::Statement& statement, const Tried& tried) {
  std::map<std::pair<std::string, std::int64_t>, std::vector<LineRow>> lines;
  const auto add = [&](const ReportPlace& place, prove::Property property, LineState state, const std::string& text) {
    if (place.line == 0) return;
    std::vector<LineRow>& rows = lines[{place.file, place.line}];
    const LineRow row{state, property, text};
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  };
  const auto at = [](const ir::Op& op) { return place_of(op.location()); };
  for (const auto& [op, property] : statement.settled) add(at(*op), property, LineState::proved, "");
  for (const prove::PairProof& one : statement.pairs) {
    for (const ir::Op* op : {one.first, one.second}) add(at(*op), one.is_of_lanes ? prove::Property::lanes : prove::Property::races, LineState::proved, "");
  }
  const std::function<void(const prove::Covered&, const std::string&)> add_covered = [&](const prove::Covered& by, const std::string& argument) {
    if (by.op != nullptr) add(at(*by.op), prove::Property::coverage, LineState::proved, argument);
    for (const prove::Covered& one : by.cases) add_covered(one, argument);
  };
  for (const prove::Covering& one : statement.coverings) add_covered(one.by, one.argument);
  for (const prove::Multiple& one : statement.notes.multiples) add(at(*one.op), prove::Property::hints, LineState::proved, "");
  for (const prove::Uncertified& one : statement.uncertified) add(at(*one.op), one.property, LineState::proved, "by " + one.by + ", without a certificate");
  for (const prove::Condition& one : statement.conditions)
    add(at(*one.op), one.property, LineState::needs, prove::condition_text(one.rest, asked.atoms));
  for (const prove::Undecided& one : statement.undecided) add(at(*one.op), one.property, LineState::undecided, one.reason);
  for (const Trial& trial : tried.refutations) {
    for (const TrialFailure& one : trial.failures) add(one.where, one.property, LineState::fails, one.code + ": " + one.message);
  }
  Json::Array all;
  for (auto& [place, rows] : lines) {
    std::sort(rows.begin(), rows.end(), [](const LineRow& a, const LineRow& b) {
      return std::tie(a.state, a.property, a.text) < std::tie(b.state, b.property, b.text);
    });
    for (const LineRow& row : rows) {
      if (is_said(row, rows)) continue;
      all.push_back(Json::record({{"file", place.first}, {"line", place.second}, {"property", property_text(row.property)},
                                  {"state", kStateTexts[static_cast<std::size_t>(row.state)]}, {"text", row.text}}));
    }
  }
  return all;
}

}  // namespace

const char* answer_text(const prove::Statement& statement, const Tried& tried) {
  if (!tried.contradictions.empty()) return "defect";
  if (!tried.refutations.empty()) return "fails";
  return statement.undecided.empty() && tried.is_possible ? "holds" : "not decided";
}

std::string impossible_text(const Asked& asked, const prove::Statement& statement, const Tried& tried) {
  const std::string text = "no small launch meets the contract and the conditions";
  return tried.in_the_way ? text + "; in the way: " + prove::condition_text(statement.conditions[*tried.in_the_way].rest, asked.atoms)
                          : text + ": they may contradict each other";
}

const char* property_text(prove::Property property) {
  switch (property) {
    case prove::Property::bounds: return "bounds";
    case prove::Property::integers: return "integers";
    case prove::Property::loops: return "loop";
    case prove::Property::division: return "division";
    case prove::Property::races: return "races";
    case prove::Property::lanes: return "lanes";
    case prove::Property::hints: return "hints";
    case prove::Property::coverage: return "coverage";
  }
  return "";
}

Json report_json(const LaunchSpec& options, const Asked& asked, const prove::Statement& statement, const Tried& tried) {
  Json::Array undecided, uncertified, arguments, launches, suggestions(statement.suggestions.begin(), statement.suggestions.end());
  for (const prove::Undecided& one : statement.undecided)
    undecided.push_back(Json::record({{"place", prove::place_text(*one.op)}, {"property", property_text(one.property)},
                                      {"op", std::string(one.op->spelling())}, {"reason", one.reason}}));
  for (const prove::Uncertified& one : statement.uncertified)
    uncertified.push_back(Json::record({{"place", prove::place_text(*one.op)}, {"property", property_text(one.property)},
                                        {"op", std::string(one.op->spelling())}, {"by", one.by}}));
  if (statement.undecided.empty() && !tried.is_possible)
    undecided.push_back(Json::record({{"place", ""}, {"property", ""}, {"op", ""},
                                      {"reason", impossible_text(asked, statement, tried)}}));
  for (const AskedArgument& one : asked.arguments) arguments.emplace_back(one.name);
  for (const Trial& one : tried.clean) launches.push_back(trial_json(options, one));
  Json report = Json::record({{"kernel", asked.kernel}, {"answer", answer_text(statement, tried)},
                              {"conditions", conditions_json(options, asked, statement, tried)},
                              {"undecided", std::move(undecided)}, {"uncertified", std::move(uncertified)}, {"suggestions", std::move(suggestions)},
                              {"contract", contract_json(asked)},
                              {"arguments", std::move(arguments)},
                              {"proved", Json::record({{"accesses", statement.accesses}, {"integers", statement.integers},
                                                       {"loops", statement.loops}, {"divisions", statement.divisions}, {"races", statement.races},
                                                       {"lanes", statement.lanes}, {"hints", statement.hints}, {"covered", statement.covered}})},
                              {"run", tried.met}, {"lines", lines_json(asked, statement, tried)},
                              {"launches", std::move(launches)}});
  if (!tried.refutations.empty()) report.set("counterexample", trial_json(options, tried.refutations[0]));
  if (!tried.contradictions.empty()) report.set("defect", trial_json(options, tried.contradictions[0]));
  return report;
}

}  // namespace lockstep::driver
