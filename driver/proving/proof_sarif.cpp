#include "driver/proving/proof_sarif.h"

#include <array>
#include <utility>

#include "driver/proving/proof_report.h"
#include "findings/report_file.h"
#include "prove/words.h"
#include "support/json.h"

namespace lockstep::driver {
namespace {

constexpr std::array<std::pair<prove::Property, const char*>, 8> kRules{{
    {prove::Property::bounds, "accesses stay inside the memory of their argument"},
    {prove::Property::integers, "integers in addresses, masks and bounds of loops do not wrap"},
    {prove::Property::loops, "loops count upwards and their counter does not wrap"},
    {prove::Property::division, "divisors are 1 or more"},
    {prove::Property::races, "no two programs touch the same bytes"},
    {prove::Property::lanes, "no two lanes of a store touch the same bytes"},
    {prove::Property::hints, "what the kernel promises the compiler holds"},
    {prove::Property::coverage, "every element of an output is written"},
}};

std::string rule_id(prove::Property property) { return std::string("prove/") + property_text(property); }

Json rules_json() {
  Json::Array rules;
  for (const auto& [property, text] : kRules)
    rules.push_back(Json::record({{"id", rule_id(property)}, {"shortDescription", Json::record({{"text", text}})}}));
  return rules;
}

Json locations_json(const std::string& kernel, const ReportPlace& place) {
  Json location = Json::record({{"logicalLocations", Json::Array{Json::record({{"name", kernel}, {"kind", "function"}})}}});
  if (place.line != 0) {
    Json region = Json::record({{"startLine", place.line}, {"startColumn", place.column}});
    if (place.end_column != 0) region.set("endColumn", place.end_column);
    location.set("physicalLocation",
                 Json::record({{"artifactLocation", Json::record({{"uri", uri_of(place.file)}})}, {"region", std::move(region)}}));
  }
  return Json::Array{std::move(location)};
}

Json result_json(const std::string& kernel, prove::Property property, const char* kind, const std::string& message,
                 const ReportPlace& place) {
  const bool fails = std::string_view(kind) == "fail";
  return Json::record({{"ruleId", rule_id(property)},
                       {"ruleIndex", static_cast<int>(property)},
                       {"kind", kind},
                       {"level", fails ? "error" : "none"},
                       {"message", Json::record({{"text", message}})},
                       {"locations", locations_json(kernel, place)}});
}

Json results_json(const LaunchSpec& options, const Asked& asked, const prove::Statement& statement, const Tried& tried) {
  Json::Array results;
  const std::string& kernel = asked.kernel;
  for (const Trial& trial : tried.refutations) {
    const std::string command = command_text(options, trial);
    for (const TrialFailure& one : trial.failures) {
      Json result = result_json(kernel, one.property, "fail", one.code + ": " + one.message + "\n" + command, one.where);
      result.set("properties", Json::record({{"code", one.code}, {"launch", command}}));
      results.push_back(std::move(result));
    }
  }
  for (const prove::Undecided& one : statement.undecided) {
    const std::string text = std::string("not decided: ") + one.reason;
    results.push_back(result_json(kernel, one.property, "open", text, place_of(one.op->location())));
  }
  for (const prove::Uncertified& one : statement.uncertified)
    results.push_back(result_json(kernel, one.property, "pass", "proved by " + one.by + ", without a certificate", place_of(one.op->location())));
  for (std::size_t i = 0; i < statement.conditions.size(); ++i) {
    const prove::Condition& one = statement.conditions[i];
    const bool is_exact = i < tried.boundaries.size() && tried.boundaries[i].is_exact;
    const std::string text = prove::condition_text(one.rest, asked.atoms) + ": " + prove::reason_text(one) +
                             (is_exact ? " [exactly]" : "");
    results.push_back(result_json(kernel, one.property, "informational", text, place_of(one.op->location())));
  }
  if (std::string_view(answer_text(statement, tried)) == "holds") {
    const std::string text = kernel + (statement.conditions.empty() ? " holds for all launches" : " holds for all launches that meet its conditions");
    results.push_back(result_json(kernel, prove::Property::bounds, "pass", text, place_of(asked.function->location())));
  }
  return results;
}

}  // namespace

std::string proof_sarif(const std::string& version, const LaunchSpec& options, const Asked& asked,
                        const prove::Statement& statement, const Tried& tried) {
  Json driver = Json::record({{"name", "Lockstep prove"}, {"version", version}, {"rules", rules_json()}});
  Json run = Json::record({{"tool", Json::record({{"driver", std::move(driver)}})},
                           {"columnKind", "unicodeCodePoints"},
                           {"invocations", Json::Array{Json::record({{"executionSuccessful", true}})}},
                           {"properties", Json::record({{"kernel", asked.kernel}, {"answer", answer_text(statement, tried)}})},
                           {"results", results_json(options, asked, statement, tried)}});
  return Json::record({{"version", "2.1.0"}, {"$schema", std::string(kSarifSchema)}, {"runs", Json::Array{std::move(run)}}}).dump() + "\n";
}

}  // namespace lockstep::driver
