// Requests of Lockstep's own about the whole past: lockstep/coverage (which elements of an argument were written, how
// often, by whom), lockstep/timeline (who ran when, and what ordered programs) and lockstep/pipeline (what groups of warps
// and asynchronous operations of a program did side by side). Requests and answers:
// docs/editors.md.
#include <algorithm>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/runs.h"
#include "debugger/queries/coverage.h"
#include "debugger/queries/pipeline.h"
#include "debugger/queries/timeline.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::int64_t kMostPastCells = 4096, kUsualPastCells = 1024, kUsualTurns = 256;
constexpr std::int64_t kMostPastHoles = 4096, kUsualPastHoles = 64;

Json index_json(const MemoryWindow& argument, std::int64_t element) {
  return json_numbers(index_of(element, argument.shape));
}

Json coverage_json(const State& state, const MemoryWindow& argument, const Coverage& coverage) {
  Json::Array repeated, holes;
  for (const Coverage::Repeated& one : coverage.repeated) {
    Json::Array programs;
    for (const std::uint64_t program : one.programs) programs.push_back(json_numbers(state.engine().program_id(program)));
    repeated.push_back(Json::record(
        {{"index", index_json(argument, one.element)}, {"times", one.times}, {"programs", std::move(programs)}}));
  }
  for (const auto& [element, count] : coverage.holes) {
    holes.push_back(Json::record({{"first", index_json(argument, element)},
                                  {"last", index_json(argument, element + count - 1)},
                                  {"elements", count}}));
  }
  const memory_model::View& view = state.engine().memory().view(memory_model::ViewId{argument.view});
  return Json::record({{"argument", argument.name},
                       {"isEmpty", !view.is_initialised},
                       {"shape", json_numbers(argument.shape)},
                       {"rows", coverage.rows},
                       {"columns", coverage.columns},
                       {"never", coverage.never},
                       {"once", coverage.once},
                       {"several", coverage.several},
                       {"firstRow", coverage.first_row},
                       {"shownRows", coverage.shown_rows},
                       {"blockRows", coverage.block_rows},
                       {"blockColumns", coverage.block_columns},
                       {"cellColumns", coverage.cell_columns},
                       {"neverCells", json_numbers(coverage.never_cells)},
                       {"severalCells", json_numbers(coverage.several_cells)},
                       {"repeated", std::move(repeated)},
                       {"holes", std::move(holes)}});
}

const char* kind_name(TimelineTick::Kind kind) {
  switch (kind) {
    case TimelineTick::Kind::load: return "load";
    case TimelineTick::Kind::store: return "store";
    case TimelineTick::Kind::atomic: return "atomic";
    case TimelineTick::Kind::dot: return "dot";
  }
  return "";
}

Json turn_json(const State& state, const TimelineTurn& turn) {
  using Kind = TimelineTick::Kind;
  Json ticks = Json::record();
  for (const Kind kind : {Kind::load, Kind::store, Kind::atomic, Kind::dot}) {
    Json::Array steps;
    for (const TimelineTick& tick : turn.ticks) {
      if (tick.kind == kind) steps.emplace_back(tick.step);
    }
    if (!steps.empty()) ticks.set(kind_name(kind), std::move(steps));
  }
  return Json::record({{"turn", turn.number},
                       {"program", turn.program},
                       {"id", json_numbers(state.engine().program_id(turn.program))},
                       {"firstStep", turn.first_step},
                       {"steps", turn.steps},
                       {"ticks", std::move(ticks)}});
}

Json end_json(const State& state, const TimelineLink::End& end) {
  Json json = Json::record({{"program", end.program},
                            {"id", json_numbers(state.engine().program_id(end.program))},
                            {"turn", end.turn},
                            {"step", end.step}});
  if (end.place.is_known()) json.set("line", end.place.line);
  return json;
}

}  // namespace

Answer lockstep_coverage(State& state, Arguments& in) {
  const std::string name = in.text("argument");
  CoverageWish wish;
  wish.first_row = in.integer_or("firstRow", 0, INT64_MAX, 0);
  wish.rows = in.integer_or("rows", 0, INT64_MAX, 0);
  wish.most_cells = in.integer_or("cells", 1, kMostPastCells, kUsualPastCells);
  wish.most_holes = static_cast<std::size_t>(in.integer_or("holes", 0, kMostPastHoles, kUsualPastHoles));
  if (!in.is_good()) return refuse(in.problem());
  const auto argument = state.session().scope().argument(name);
  if (!argument) return refuse("'" + name + "' is not an argument in memory");
  return withdrawable(state, "looking who wrote " + name, [&] {
    const auto coverage = find_coverage(state.engine(), *argument, wish);
    return coverage ? done(coverage_json(state, *argument, *coverage)) : refuse(coverage.error().text());
  });
}

Answer lockstep_timeline(State& state, Arguments& in) {
  const auto first = static_cast<std::uint64_t>(in.integer_or("first", 0, INT64_MAX / 2, 0));
  const auto count =
      static_cast<std::uint64_t>(in.integer_or("count", 1, std::int64_t{kMostTimelineTurns}, kUsualTurns));
  if (!in.is_good()) return refuse(in.problem());
  return withdrawable(state, "looking at the past", [&] {
    const auto timeline = find_timeline(state.engine(), first, count);
    if (!timeline) return refuse(timeline.error().text());
    Json::Array turns, links;
    for (const TimelineTurn& turn : timeline->shown) turns.push_back(turn_json(state, turn));
    for (const TimelineLink& link : timeline->links) {
      links.push_back(Json::record({{"kind", link.is_race ? "race" : "order"},
                                    {"from", end_json(state, link.from)},
                                    {"to", end_json(state, link.to)}}));
    }
    return done(Json::record({{"total", timeline->turns},
                              {"first", first},
                              {"turns", std::move(turns)},
                              {"links", std::move(links)},
                              {"isTruncated", timeline->is_truncated}}));
  });
}

namespace {

const char* kind_name(PipelineBar::Kind kind) {
  switch (kind) {
    case PipelineBar::Kind::run: return "run";
    case PipelineBar::Kind::wait: return "wait";
    case PipelineBar::Kind::read: return "read";
    case PipelineBar::Kind::write: return "write";
    case PipelineBar::Kind::operation: return "operation";
  }
  return "";
}

Json bar_json(const State& state, const PipelineBar& bar) {
  Json json = Json::record({{"kind", kind_name(bar.kind)},
                            {"lane", bar.lane},
                            {"row", bar.row},
                            {"begin", bar.begin},
                            {"end", bar.end},
                            {"text", bar.text},
                            {"step", bar.step}});
  if (!bar.is_over) json.set("isOpen", true);
  if (!bar.buffer.empty()) json.set("buffer", bar.buffer);
  if (bar.phase) json.set("phase", *bar.phase);
  if (bar.iteration) json.set("iteration", *bar.iteration);
  if (bar.place.is_known()) json.set("line", static_cast<std::int64_t>(bar.place.line) - 1 + state.client.first_line);
  return json;
}

}  // namespace

Answer lockstep_pipeline(State& state, Arguments& in) {
  const bool stands = state.engine().point() != nullptr;
  const auto here = static_cast<std::int64_t>(stands ? state.engine().program() : 0);
  const auto program = static_cast<std::uint64_t>(in.integer_or("program", 0, INT64_MAX, here));
  if (!in.is_good()) return refuse(in.problem());
  return withdrawable(state, "looking at the past", [&] {
    const auto pipeline = find_pipeline(state.engine(), program);
    if (!pipeline) return refuse(pipeline.error().text());
    Json::Array lanes, bars;
    for (const PipelineLane& lane : pipeline->lanes)
      lanes.push_back(Json::record({{"name", lane.name}, {"isEngine", lane.is_engine}, {"rows", lane.rows}}));
    for (const PipelineBar& bar : pipeline->bars) bars.push_back(bar_json(state, bar));
    return done(Json::record({{"program", json_numbers(state.engine().program_id(program))},
                              {"end", pipeline->end},
                              {"lanes", std::move(lanes)},
                              {"bars", std::move(bars)},
                              {"isTruncated", pipeline->is_truncated}}));
  });
}

}  // namespace lockstep::debugger::dap
