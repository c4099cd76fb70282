#include "debugger/queries/timeline.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "debugger/engine/frame.h"
#include "debugger/queries/followed_access.h"
#include "debugger/queries/past.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/race/happens_before.h"
#include "sanitizer/race/race_filter.h"

namespace lockstep::debugger {

using sanitizer::HappensBefore;
using sanitizer::RaceClock;
using sanitizer::RaceTouch;
using interpreter::AccessLanes;

namespace {

constexpr std::size_t kMostTicks = 256, kMostLinks = 256;
constexpr std::uint64_t kEnd = ~std::uint64_t{0};

std::optional<TimelineTick::Kind> tick_of(const ir::Op& op) {
  if (const auto touch = interpreter::touch_kind(op)) {
    switch (*touch) {
      case interpreter::TouchKind::load: return TimelineTick::Kind::load;
      case interpreter::TouchKind::store: return TimelineTick::Kind::store;
      case interpreter::TouchKind::atomic: return TimelineTick::Kind::atomic;
    }
  }
  if (ir::multiplies_matrices(op)) return TimelineTick::Kind::dot;
  return std::nullopt;
}

/// The order of programs, followed over the whole past.
class Links : public sanitizer::OrderWatcher {
 public:
  Links(Engine& engine, std::vector<bool> is_followed)
      : engine_(engine), is_followed_(std::move(is_followed)), model_(true) {
    model_.set_watcher(this);
  }
  virtual ~Links() = default;

  void witness(const Point& point, AccessLanes& lanes);
  void released(std::uint32_t number, std::uint32_t before, const RaceTouch&, std::uint32_t, bool is_proper) override {
    releases_[number] = {now_, before, is_proper};
  }
  /// The latest one that passes on its program's accesses.
  void acquired(std::uint32_t number, const RaceTouch&, const RaceClock&) override {
    while (number != 0) {
      const Release& release = releases_.at(number);
      if (release.is_proper && release.end.program != now_.program) return link(release.end, false);
      number = release.before;
    }
  }
  /// Links between turns of [first, last], races first.
  std::vector<TimelineLink> links_to(std::uint64_t first, std::uint64_t last, bool& is_truncated) const;

 private:
  struct Release {
    TimelineLink::End end;
    std::uint32_t before = 0;
    bool is_proper = false;
  };

  TimelineLink::End here() const {
    const Mark mark = engine_.mark();
    return {engine_.program(), mark.turn, engine_.programs().current().steps, engine_.point()->place()};
  }
  void link(const TimelineLink::End& from, bool is_race) {
    if (from.program == now_.program) return;
    if (!known_.emplace(from.program, from.turn, from.step, now_.turn, now_.step, is_race).second) return;
    links_.push_back({from, now_, is_race});
  }

  Engine& engine_;
  std::vector<bool> is_followed_;  // by storage
  HappensBefore model_;
  TimelineLink::End now_;  // the access under way
  std::map<std::uint32_t, Release> releases_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, TimelineLink::End> last_;  // by program and site
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, bool>> known_;
  std::vector<TimelineLink> links_;
};

void Links::witness(const Point& point, AccessLanes& lanes) {
  if (lanes.active() == 0 || !is_among(is_followed_, engine_, lanes)) return;
  now_ = here();
  const HappensBefore::Access access = model_.access_of(now_.program, *point.op, point.location, lanes);
  std::vector<HappensBefore::RacedBytes> raced;
  model_.make(access, lanes, ExpectedBits(engine_, point), raced);
  for (const HappensBefore::RacedBytes& bytes : raced) {
    const auto other = last_.find({bytes.race.other_program, bytes.race.other.site});
    if (bytes.race.is_race && other != last_.end()) link(other->second, true);
  }
  last_[{now_.program, access.site}] = now_;
}

std::vector<TimelineLink> Links::links_to(std::uint64_t first, std::uint64_t last, bool& is_truncated) const {
  std::vector<TimelineLink> found;
  for (const bool is_race : {true, false}) {
    for (const TimelineLink& link : links_) {
      if (link.is_race != is_race || link.to.turn < first || link.to.turn > last) continue;
      if (found.size() == kMostLinks) {
        is_truncated = true;
        return found;
      }
      found.push_back(link);
    }
  }
  return found;
}

class TimelineFinder {
 public:
  TimelineFinder(Engine& engine, std::uint64_t first, std::uint64_t count)
      : engine_(engine), first_(first), last_(first + std::min(count, kMostTimelineTurns) - 1) {}

  Timeline find() {
    const DebugKernel& kernel = engine_.kernel();
    const sanitizer::RaceFacts facts = sanitizer::race_facts(kernel.module(), kernel.function());
    const sanitizer::CheckOptions options;
    const sanitizer::LaunchContext context{kernel.module(),  kernel.function(), engine_.request(),
                                          kernel.profile(), options,           facts.effects};
    std::vector<bool> followed = sanitizer::race_look(context, facts).is_followed;
    const bool may_meet = std::find(followed.begin(), followed.end(), true) != followed.end() && !facts.has_fences;
    const Engine::ReturnMark home = engine_.home();
    timeline_.turns = home.mark.turn + 1;
    const Mark now = home.is_end ? Mark{kEnd, 0} : home.mark;
    const Mark end = std::min(now, Mark{last_ + 1, 0});
    Links links(engine_, std::move(followed));
    Engine::AccessObserver witness;
    if (may_meet) witness = [&](const Point& point, AccessLanes& lanes) { links.witness(point, lanes); };
    engine_.replay(may_meet ? Mark{} : std::min(Mark{first_, 0}, end), end, [&] { visit(end); }, witness);
    timeline_.links = links.links_to(first_, last_, timeline_.is_truncated);
    return std::move(timeline_);
  }

 private:
  void visit(Mark end) {
    const Mark mark = engine_.mark();
    if (engine_.point() == nullptr || mark.turn < first_ || mark >= end) return;
    const std::uint64_t step = engine_.programs().current().steps;
    auto& shown = timeline_.shown;
    if (shown.empty() || shown.back().number != mark.turn)
      shown.push_back({mark.turn, engine_.program(), step, 0, {}});
    TimelineTurn& turn = shown.back();
    turn.steps = step + 1 - turn.first_step;
    const auto kind = tick_of(*engine_.point()->op);
    if (!kind) return;
    if (turn.ticks.size() < kMostTicks) {
      turn.ticks.push_back({*kind, step});
    } else {
      timeline_.is_truncated = true;
    }
  }

  Engine& engine_;
  std::uint64_t first_, last_;
  Timeline timeline_;
};

}  // namespace

Expected<Timeline, Problem> find_timeline(Engine& engine, std::uint64_t first, std::uint64_t count) {
  return ask_the_past(engine, [&](Engine::ScopedReplay&) {
    return TimelineFinder(engine, first, std::max<std::uint64_t>(1, count)).find();
  });
}

}  // namespace lockstep::debugger
