#include "debugger/queries/pipeline.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "debugger/engine/frame.h"
#include "debugger/queries/past.h"
#include "debugger/session/break_locations.h"
#include "debugger/session/buffers.h"
#include "interpreter/shared_memory/block_view.h"

namespace lockstep::debugger {

namespace {

using interpreter::BlockState;
using interpreter::Flight;
using interpreter::kMostGroups;
using interpreter::Queue;
using GroupState = interpreter::WarpGroup::State;
using BarrierKey = std::pair<interpreter::Slot, std::uint32_t>;
using Kind = PipelineBar::Kind;

constexpr std::array<const char*, interpreter::kQueues> kEngines = {"cp.async", "TMA store", "wgmma", "TMA load", "tcgen05"};
constexpr std::size_t kNoBar = ~std::size_t{0};

/// Follows one program from point to point.
class Recorder {
 public:
  Recorder(const Engine& engine, std::uint64_t program) : engine_(engine), program_(program) {
    engine_lanes_.fill(kNoBar);
  }

  void visit() {
    if (engine_.point() == nullptr || engine_.program() != program_) return;
    const LiveProgram& program = engine_.programs().current();
    const BlockState* state = engine_.programs().block(program);
    if (state == nullptr) return;
    if (has_begun_) {
      ++clock_[group_];
      note_new(*state);
      note_ended_flights(*state);
      note_phases(*state);
    }
    note_groups(*state);
    stand(*state, program);
  }

  Pipeline finish() {
    const std::uint64_t end = *std::max_element(clock_.begin(), clock_.end()) + 1;
    for (const auto& [order, flight] : flights_) close(flight.bar, std::max(end, begin_of(flight.bar) + 1), false);
    for (std::size_t i = 0; i < kMostGroups; ++i) {
      close(runs_[i], clock_[i], true);
      if (waits_[i].bar != kNoBar) close(waits_[i].bar, end, false);
    }
    for (const PipelineBar& bar : made_.bars) made_.end = std::max(made_.end, bar.end);
    lay_out();
    return std::move(made_);
  }

 private:
  struct InFlight {
    std::size_t bar = kNoBar;
    std::optional<BarrierKey> tells;
  };
  struct Wait {
    std::size_t bar = kNoBar;
    std::optional<BarrierKey> barrier;  // none: for the others' end
  };

  std::uint64_t begin_of(std::size_t bar) const { return bar == kNoBar ? 0 : made_.bars[bar].begin; }
  void close(std::size_t bar, std::uint64_t end, bool is_over) {
    if (bar == kNoBar) return;
    made_.bars[bar].end = std::max(end, made_.bars[bar].begin);
    made_.bars[bar].is_over = is_over;
  }

  std::size_t lane_of_group(const BlockState& state, std::uint32_t group) {
    if (group_lanes_[group] == kNoBar) {
      group_lanes_[group] = made_.lanes.size();
      made_.lanes.push_back({"", false, 1});
    }
    std::string& name = made_.lanes[group_lanes_[group]].name;
    const std::string known = interpreter::name_of_group(state, group);
    if (name.empty() || !known.empty()) name = known.empty() ? "the program" : known;
    return group_lanes_[group];
  }
  std::size_t lane_of_engine(Queue queue) {
    std::size_t& lane = engine_lanes_[interpreter::queue_index(queue)];
    if (lane == kNoBar) {
      lane = made_.lanes.size();
      made_.lanes.push_back({kEngines[interpreter::queue_index(queue)], true, 1});
    }
    return lane;
  }

  /// A bar for what the op that ran last did, or will do.
  std::size_t add(Kind kind, std::size_t lane, std::uint64_t begin, std::string text, std::string buffer) {
    if (made_.bars.size() >= kMostPipelineBars) {
      made_.is_truncated = true;
      return kNoBar;
    }
    PipelineBar bar;
    bar.kind = kind;
    bar.lane = lane;
    bar.begin = begin;
    bar.end = begin + 1;
    bar.text = std::move(text);
    bar.buffer = std::move(buffer);
    bar.place = place_;
    bar.iteration = iteration_;
    bar.step = step_;
    made_.bars.push_back(std::move(bar));
    return made_.bars.size() - 1;
  }

  std::string buffer_of(const interpreter::View& view) const { return buffer_text(engine_, view.storage, view.base); }

  /// Operations issued, and accesses of threads, by the op that ran last.
  void note_new(const BlockState& state) {
    const std::uint64_t now = clock_[group_] - 1;
    for (const Flight& flight : state.flights) {
      if (flight.kind == nullptr || flight.order < order_) continue;
      InFlight made;
      made.bar = add(Kind::operation, lane_of_engine(flight.queue), now, interpreter::text_of_queue(flight.queue),
                     buffers_of(flight));
      if (flight.barrier.storage != interpreter::kNoSlot) made.tells = {flight.barrier.storage, flight.barrier.base};
      if (flight.queue == Queue::barrier && made.bar != kNoBar) made_.bars[made.bar].phase = flight.number;
      flights_.emplace(flight.order, made);
    }
    for (std::size_t i = 0; i < state.touch_count; ++i) {
      const interpreter::Touch& touch = state.touches[i];
      if (!touch.is_used || touch.order < order_) continue;
      const std::string buffer = buffer_text(engine_, touch.view.storage, touch.view.base);
      if (touch.queue == Queue::none) {
        add(touch.is_write ? Kind::write : Kind::read, lane_of_group(state, touch.group), now,
            touch.is_write ? "writes" : "reads", buffer);
      } else if (!is_in_flight(state)) {  // over where it was issued
        const std::size_t bar = add(Kind::operation, lane_of_engine(touch.queue), now, interpreter::text_of_queue(touch.queue), buffer);
        if (touch.queue == Queue::barrier && bar != kNoBar) made_.bars[bar].phase = touch.number;
      }
    }
  }
  bool is_in_flight(const BlockState& state) const {
    return std::any_of(state.flights.begin(), state.flights.end(),
                       [&](const Flight& flight) { return flight.kind != nullptr && flight.order >= order_; });
  }
  std::string buffers_of(const Flight& flight) const {
    std::string text;
    for (const interpreter::View& view : flight.views) {
      const std::string one = view.storage == interpreter::kNoSlot ? "" : buffer_of(view);
      if (!one.empty()) text += (text.empty() ? "" : ", ") + one;
    }
    return text;
  }

  /// Where the operations end: when the group that waits for them goes on.
  void note_ended_flights(const BlockState& state) {
    told_.clear();
    for (auto flight = flights_.begin(); flight != flights_.end();) {
      const bool is_there = std::any_of(state.flights.begin(), state.flights.end(), [&](const Flight& one) {
        return one.kind != nullptr && one.order == flight->first;
      });
      if (is_there) {
        ++flight;
        continue;
      }
      std::uint64_t end = clock_[group_];
      for (std::size_t i = 0; i < kMostGroups; ++i) {
        if (waits_[i].bar != kNoBar && waits_[i].barrier == flight->second.tells && flight->second.tells) end = clock_[i];
      }
      end = std::max(end, begin_of(flight->second.bar) + 1);
      close(flight->second.bar, end, true);
      if (flight->second.tells) told_[*flight->second.tells] = std::max(told_[*flight->second.tells], end);
      flight = flights_.erase(flight);
    }
  }

  void note_phases(const BlockState& state) {
    for (std::uint32_t i = 0; i < state.barrier_count; ++i) {
      const interpreter::Barrier& barrier = state.barriers[i];
      const BarrierKey key{barrier.storage, barrier.byte};
      const auto known = phases_.find(key);
      if (known != phases_.end() && known->second < barrier.phase) {
        const auto told = told_.find(key);
        done_[key] = told == told_.end() ? clock_[group_] : told->second;
      }
      phases_[key] = barrier.phase;
    }
  }

  /// Groups that begin, wait, go on.
  void note_groups(const BlockState& state) {
    for (std::uint32_t i = 0; i < state.group_count; ++i) {
      const interpreter::WarpGroup& group = state.groups[i];
      const bool is_live = interpreter::is_live_group(state, i);
      if (is_live && !is_live_[i]) {
        clock_[i] = std::max(clock_[i], clock_[0]);
        begin_run(state, i);
      }
      const bool waits = group.state == GroupState::waiting || group.state == GroupState::joining;
      if (waits && waits_[i].bar == kNoBar) begin_wait(state, i);
      if (!waits && waits_[i].bar != kNoBar) end_wait(state, i);
      if (!is_live && is_live_[i]) close(std::exchange(runs_[i], kNoBar), clock_[i], true);
      is_live_[i] = is_live;
    }
  }
  void begin_run(const BlockState& state, std::uint32_t group) {
    runs_[group] = add(Kind::run, lane_of_group(state, group), clock_[group], "runs", "");
  }
  void begin_wait(const BlockState& state, std::uint32_t i) {
    const interpreter::WarpGroup& group = state.groups[i];
    const bool joins = group.state == GroupState::joining;
    close(std::exchange(runs_[i], kNoBar), clock_[i], true);
    waits_[i].bar = add(Kind::wait, lane_of_group(state, i), clock_[i], joins ? "waits for the other groups to end" : "waits",
                        joins ? "" : buffer_of(group.barrier));
    waits_[i].barrier = joins ? std::nullopt : std::optional(BarrierKey{group.barrier.storage, group.barrier.base});
    for (std::uint32_t b = 0; b < state.barrier_count && !joins && waits_[i].bar != kNoBar; ++b) {
      if (waits_[i].barrier == BarrierKey{state.barriers[b].storage, state.barriers[b].byte})
        made_.bars[waits_[i].bar].phase = state.barriers[b].phase;
    }
  }
  void end_wait(const BlockState& state, std::uint32_t i) {
    const Wait wait = std::exchange(waits_[i], Wait{});
    if (wait.barrier) {
      clock_[i] = std::max(clock_[i], done_[*wait.barrier]);
    } else {
      clock_[i] = *std::max_element(clock_.begin(), clock_.end());
    }
    close(wait.bar, clock_[i], true);
    if (wait.bar != kNoBar && made_.bars[wait.bar].begin == clock_[i]) made_.bars[wait.bar].kind = Kind::run;  // no time
    begin_run(state, i);
  }

  void stand(const BlockState& state, const LiveProgram& program) {
    has_begun_ = true;
    group_ = state.current;
    order_ = state.order;
    place_ = engine_.point()->place();
    step_ = program.steps;
    const auto loops = Frame(engine_).loops();
    iteration_ = loops.empty() ? std::nullopt : loops.front().iteration;
  }

  /// Groups come first; bars of a lane that overlap get rows.
  void lay_out() {
    std::vector<std::size_t> places(made_.lanes.size());
    std::vector<PipelineLane> lanes;
    for (const bool is_engine : {false, true}) {
      for (std::size_t i = 0; i < made_.lanes.size(); ++i) {
        if (made_.lanes[i].is_engine != is_engine) continue;
        places[i] = lanes.size();
        lanes.push_back(made_.lanes[i]);
      }
    }
    made_.lanes = std::move(lanes);
    for (PipelineBar& bar : made_.bars) bar.lane = places[bar.lane];
    std::erase_if(made_.bars, [](const PipelineBar& bar) { return bar.kind == Kind::run && bar.end == bar.begin; });
    std::stable_sort(made_.bars.begin(), made_.bars.end(),
                     [](const PipelineBar& a, const PipelineBar& b) { return a.begin < b.begin; });
    std::vector<std::vector<std::uint64_t>> taken(made_.lanes.size());  // by row: until when
    for (PipelineBar& bar : made_.bars) {
      if (!made_.lanes[bar.lane].is_engine) continue;
      std::vector<std::uint64_t>& rows = taken[bar.lane];
      const auto row = std::find_if(rows.begin(), rows.end(), [&](std::uint64_t until) { return until <= bar.begin; });
      bar.row = static_cast<std::size_t>(row - rows.begin());
      if (row == rows.end()) rows.push_back(0);
      rows[bar.row] = bar.end;
      made_.lanes[bar.lane].rows = rows.size();
    }
  }

  template <std::size_t N>
  static constexpr std::array<std::size_t, N> none() {
    std::array<std::size_t, N> all{};
    for (std::size_t& one : all) one = kNoBar;
    return all;
  }

  const Engine& engine_;
  std::uint64_t program_;
  Pipeline made_;
  bool has_begun_ = false;
  std::uint32_t group_ = 0;  // that stood at the last visit
  std::uint64_t order_ = 0, step_ = 0;
  Place place_;
  std::optional<std::int64_t> iteration_;
  std::array<std::uint64_t, kMostGroups> clock_{};
  std::array<bool, kMostGroups> is_live_{};
  std::array<std::size_t, kMostGroups> group_lanes_ = none<kMostGroups>(), runs_ = none<kMostGroups>();
  std::array<std::size_t, interpreter::kQueues> engine_lanes_{};
  std::array<Wait, kMostGroups> waits_{};
  std::map<std::uint64_t, InFlight> flights_;  // by order
  std::map<BarrierKey, std::uint64_t> phases_, done_, told_;
};

/// The sign of a bar in a line of text: the number of its buffer, where it has one.
char sign_of(const PipelineBar& bar) {
  if (bar.kind == Kind::run) return '=';
  if (bar.kind == Kind::wait) return '.';
  const std::size_t bracket = bar.buffer.find('[');
  if (bracket != std::string::npos) return bar.buffer[bracket + 1];
  return bar.kind == Kind::operation ? '#' : bar.kind == Kind::read ? 'r' : 'w';
}

std::string bar_line(const PipelineBar& bar, const Pipeline& pipeline) {
  std::string text = std::to_string(bar.begin) + " to " + (bar.is_over ? std::to_string(bar.end) : "?") + "  " +
                     pipeline.lanes[bar.lane].name + ": " + bar.text + (bar.buffer.empty() ? "" : " " + bar.buffer);
  if (bar.phase) text += ", phase " + std::to_string(*bar.phase);
  if (bar.iteration) text += ", iteration " + std::to_string(*bar.iteration);
  if (bar.place.is_known()) text += ", line " + std::to_string(bar.place.line);
  return text;
}

}  // namespace

Expected<Pipeline, Problem> find_pipeline(Engine& engine, std::uint64_t program) {
  if (interpreter::find_block(*engine.machine().plan) == interpreter::kNoSlot)
    return Unexpected{Problem{"this kernel has no buffers, barriers or groups of warps", "Gluon kernels and .ttgir have them"}};
  if (program >= engine.program_count()) return Unexpected{Problem{"there is no such program", ""}};
  const Engine::ReturnMark home = engine.home();
  return ask_the_past(engine, [&](Engine::ScopedReplay&) {
    engine.go_to_program(program);
    Recorder recorder(engine, program);
    const Mark from = engine.mark();
    const bool is_here = !home.is_end && home.mark.turn == from.turn;
    const Mark to = is_here ? home.mark : Mark{from.turn + 1, 0};
    engine.replay(from, to, [&recorder] { recorder.visit(); }, {});
    return recorder.finish();
  });
}

std::vector<std::string> pipeline_lines(const Pipeline& pipeline, std::size_t width) {
  constexpr std::size_t kName = 20, kMostListed = 64;
  const std::size_t columns = std::max<std::size_t>(20, width > kName + 2 ? width - kName - 2 : 20);
  const std::uint64_t unit = std::max<std::uint64_t>(1, (pipeline.end + columns - 1) / columns);
  std::vector<std::string> lines;
  for (std::size_t lane = 0; lane < pipeline.lanes.size(); ++lane) {
    for (std::size_t row = 0; row < pipeline.lanes[lane].rows; ++row) {
      std::string line(static_cast<std::size_t>(pipeline.end / unit) + 1, ' ');
      for (const PipelineBar& bar : pipeline.bars) {  // accesses over the runs that they are in
        if (bar.lane != lane || bar.row != row) continue;
        for (std::uint64_t at = bar.begin / unit; at <= (std::max(bar.end, bar.begin + 1) - 1) / unit; ++at)
          line[static_cast<std::size_t>(at)] = sign_of(bar);
      }
      std::string name = row == 0 ? pipeline.lanes[lane].name : "";
      name.resize(kName, ' ');
      line.erase(line.find_last_not_of(' ') + 1);
      lines.push_back(name + "|" + line);
    }
  }
  lines.push_back("= runs  . waits  0 to 9: the buffer of a ring, # another buffer  r reads  w writes" +
                  (unit > 1 ? ", " + std::to_string(unit) + " ops a sign" : std::string()));
  std::size_t listed = 0, all = 0;
  for (const PipelineBar& bar : pipeline.bars) {
    if (bar.kind == Kind::run) continue;
    ++all;
    if (listed < kMostListed) {
      lines.push_back(bar_line(bar, pipeline));
      ++listed;
    }
  }
  if (listed < all) lines.push_back("... " + std::to_string(all - listed) + " more");
  return lines;
}

}  // namespace lockstep::debugger
