#include "debugger/dap/json/padding_json.h"

#include <algorithm>

#include "debugger/session/padding_text.h"

namespace lockstep::debugger::dap {

Json padding_json(const State& state, const PaddingFlow& flow, const LaneOrigins& origins, std::int64_t lanes) {
  const PaddingCounts counts = flow.count_all(origins, lanes);
  if (counts.padding() == 0) return {};
  const Scope& scope = state.session().scope();
  std::vector<std::uint8_t> sources;
  Json::Array runs;
  for (std::int64_t first = 0; first < lanes;) {
    const std::uint8_t origin = origins.at(first);
    std::int64_t end = first + 1;
    while (end < lanes && origins.at(end) == origin) ++end;
    if (LaneOrigins::is_padding(origin)) {
      auto known = std::find(sources.begin(), sources.end(), origin);
      if (known == sources.end()) known = sources.insert(known, origin);
      runs.emplace_back(Json::Array{Json(first), Json(end - first), Json(known - sources.begin())});
    }
    first = end;
  }
  Json::Array named;
  for (const std::uint8_t origin : sources) {
    const PaddingSource& source = flow.source(origin);
    Json one = Json::record({{"text", filling_text(source, scope)}});
    if (const Place place = source.load->place(); place.is_known()) {
      one.set("file", *place.file);
      one.set("line", place.line);
    }
    named.push_back(std::move(one));
  }
  return Json::record(
      {{"runs", std::move(runs)}, {"sources", std::move(named)}, {"text", origins_text(counts, scope)}});
}

Json padding_of(State& state, std::string_view name, std::int64_t lanes) {
  Session& session = state.session();
  if (state.engine().point() == nullptr) return {};
  const Frame frame = session.frame();
  const auto variable = name.starts_with('%') ? frame.find_ssa(name) : frame.find(name);
  if (!variable || variable->is_argument) return {};
  const auto flow = session.padding().now();
  if (!flow || *flow == nullptr) return {};
  return padding_json(state, **flow, (*flow)->of(variable->slot), lanes);
}

}  // namespace lockstep::debugger::dap
