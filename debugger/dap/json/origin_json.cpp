#include "debugger/dap/json/origin_json.h"

#include <algorithm>
#include <map>
#include <set>

#include "debugger/dap/json/values.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::size_t kMostParts = 64;

/// Columns [first, last] of rows [top, bottom] of the argument.
struct Part {
  std::int64_t top = 0, bottom = 0, first = 0, last = 0;
  bool is_outside = false;
};

/// Columns of one row, those inside the argument apart from the others.
using Row = std::map<bool, std::set<std::int64_t>>;

/// Adjacent columns of a row as parts of one row each.
void add_runs(std::vector<Part>& parts, std::int64_t row, bool is_outside, const std::set<std::int64_t>& columns) {
  for (const std::int64_t column : columns) {
    if (!parts.empty() && parts.back().top == row && parts.back().is_outside == is_outside &&
        parts.back().last + 1 == column) {
      parts.back().last = column;
    } else {
      parts.push_back({row, row, column, column, is_outside});
    }
  }
}

/// Joins parts with the same columns in adjacent rows.
std::vector<Part> joined(const std::vector<Part>& runs) {
  std::vector<Part> parts;
  for (const Part& run : runs) {
    const auto above = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
      return part.bottom + 1 == run.top && part.first == run.first && part.last == run.last &&
             part.is_outside == run.is_outside;
    });
    if (above != parts.end()) {
      above->bottom = run.bottom;
    } else {
      parts.push_back(run);
    }
  }
  return parts;
}

}  // namespace

Json origin_json(const State& state, const TileOrigin& origin) {
  std::map<std::int64_t, Row> rows;
  std::string argument;
  std::vector<std::int64_t> shape;
  std::int64_t outside = 0;
  for (const std::uint64_t address : origin.addresses) {
    const PointerPlace place = state.session().scope().place_of(address, origin.view);
    if (place.argument.empty() || place.index.empty() || place.index.size() > 2) return {};
    argument = place.argument;
    shape = place.shape;
    const std::int64_t row = place.index.size() == 2 ? place.index.front() : 0;
    rows[row][!place.is_inside].insert(place.index.back());
    outside += place.is_inside ? 0 : 1;
  }
  std::vector<Part> runs;
  for (const auto& [row, columns] : rows) {
    for (const auto& [is_outside, all] : columns) add_runs(runs, row, is_outside, all);
  }
  const std::vector<Part> parts = joined(runs);
  if (parts.empty() || parts.size() > kMostParts) return {};
  Json::Array drawn;
  for (const Part& part : parts) {
    const bool is_row = shape.size() == 1;
    Json one = Json::record(
        {{"first", is_row ? json_numbers(std::vector{part.first}) : json_numbers(std::vector{part.top, part.first})},
         {"last", is_row ? json_numbers(std::vector{part.last}) : json_numbers(std::vector{part.bottom, part.last})}});
    if (part.is_outside) one.set("outside", true);
    drawn.push_back(std::move(one));
  }
  return Json::record({{"argument", argument},
                       {"shape", json_numbers(shape)},
                       {"parts", std::move(drawn)},
                       {"lanes", origin.addresses.size()},
                       {"outside", outside}});
}

}  // namespace lockstep::debugger::dap
