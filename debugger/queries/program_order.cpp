#include "debugger/queries/program_order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "debugger/engine/frame.h"
#include "debugger/queries/conflicts.h"
#include "debugger/queries/followed_access.h"
#include "debugger/queries/past.h"
#include "interpreter/access/storage_copy.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/race/race_filter.h"
#include "sanitizer/race/race_report.h"
#include "sanitizer/race/race_text.h"

namespace lockstep::debugger {

using sanitizer::HappensBefore;
using sanitizer::RaceClock;
using sanitizer::RaceTouch;
using interpreter::AccessLanes;

namespace {

/// An atomic's release, by its number in the model.
struct KeptRelease {
  std::uint32_t before = 0, clock = 0, bytes = 0;
  bool is_proper = false;
  std::uint64_t address = 0, time = 0;  // time: of the access, counted over all programs
  OrderedAccess access;
  std::string left;
};

/// Runs the launch again under the model, and watches two programs.
class OrderRun : public sanitizer::OrderWatcher {
 public:
  /// `wanted`: the clock that a program must know of each of the two to come after it.
  OrderRun(Engine& engine, std::array<std::uint64_t, 2> programs, std::array<std::uint32_t, 2> wanted,
           const std::vector<bool>& is_watched)
      : engine_(engine), programs_(programs), wanted_(wanted), is_watched_(is_watched), model_(true) {
    model_.set_watcher(this);
  }
  virtual ~OrderRun() = default;

  void run(Mark end);
  const HappensBefore& model() const { return model_; }
  Touches& touches() { return touches_; }
  std::vector<OrderEdge> path(std::size_t from) const;

  void released(std::uint32_t number, std::uint32_t before, const RaceTouch& touch, std::uint32_t clock,
                bool is_proper) override;
  void acquired(std::uint32_t number, const RaceTouch& touch, const RaceClock& known) override;

 private:
  /// How a program came to be after one of the two.
  struct Arrival {
    std::uint32_t release = 0;
    std::uint64_t address = 0, time = 0;
    OrderedAccess access;
    std::string seen;
  };

  void visit();
  void witness(const Point& point, AccessLanes& lanes);
  void note_touch(const HappensBefore::Access& access, AccessLanes& lanes, std::uint32_t clock, bool has_written);
  std::optional<std::uint32_t> find_carrier(std::uint32_t number, std::size_t from) const;
  OrderedAccess here() const { return {engine_.program(), engine_.point(), engine_.mark()}; }

  Engine& engine_;
  std::array<std::uint64_t, 2> programs_;
  std::array<std::uint32_t, 2> wanted_;
  const std::vector<bool>& is_watched_;  // by storage
  HappensBefore model_;
  std::uint64_t time_ = 0;
  std::uint32_t bytes_ = 0;  // of an element of the access under way
  OrderedAccess access_;     // under way
  std::unordered_map<std::uint32_t, KeptRelease> releases_;
  std::vector<std::uint32_t> open_;  // releases whose value is still to be read
  std::array<std::unordered_map<std::uint64_t, Arrival>, 2> arrivals_;
  struct Polling {
    std::uint64_t steps = 0;
    OrderedAccess access;
    std::uint32_t bytes = 0;
  };
  std::map<std::uint64_t, Polling> polls_;
  Touches touches_;
};

/// The op before has run: its release can be read, and a poll that saw its value is over.
void OrderRun::visit() {
  for (const std::uint32_t number : open_) {
    KeptRelease& release = releases_.at(number);
    release.left.assign(interpreter::bytes_at(release.address), release.bytes);
  }
  open_.clear();
  if (engine_.point() == nullptr) return;
  const auto polling = polls_.find(engine_.program());
  if (polling == polls_.end() || engine_.programs().current().steps <= polling->second.steps) return;
  access_ = polling->second.access;
  bytes_ = polling->second.bytes;
  model_.end_poll(engine_.program());
  polls_.erase(polling);
}

void OrderRun::witness(const Point& point, AccessLanes& lanes) {
  if (lanes.active() == 0 || !is_among(is_watched_, engine_, lanes)) return;
  ++time_;
  access_ = here();
  bytes_ = static_cast<std::uint32_t>(lanes.bytes());
  if (ir::does_atomic(*point.op, ir::MemoryAccess::Atomic::poll))
    polls_[access_.program] = {engine_.programs().current().steps, access_, bytes_};
  const HappensBefore::Access access = model_.access_of(access_.program, *point.op, point.location, lanes);
  const std::uint32_t clock = access.state->clock;
  std::vector<HappensBefore::RacedBytes> raced;
  const bool has_written = model_.make(access, lanes, ExpectedBits(engine_, point), raced);
  note_touch(access, lanes, clock, has_written);
}

/// For the two programs only.
void OrderRun::note_touch(const HappensBefore::Access& access, AccessLanes& lanes, std::uint32_t clock,
                          bool has_written) {
  const std::size_t side = access_.program == programs_[0] ? 0 : 1;
  if (access_.program != programs_[side]) return;
  const auto other = static_cast<std::uint32_t>(programs_[1 - side]);
  Touch touch{side, access_, access.site, access.kind, clock, access.state->known.of(other)};
  touch.kind.writes = has_written;
  touches_.add(touch, lanes);
}

void OrderRun::released(std::uint32_t number, std::uint32_t before, const RaceTouch& touch, std::uint32_t clock,
                        bool is_proper) {
  releases_[number] = {before, clock, bytes_, is_proper, touch.address, time_, access_, {}};
  open_.push_back(number);
}

void OrderRun::acquired(std::uint32_t number, const RaceTouch& touch, const RaceClock& known) {
  for (std::size_t from = 0; from < programs_.size(); ++from) {
    const auto source = static_cast<std::uint32_t>(programs_[from]);
    if (touch.program == source || arrivals_[from].contains(touch.program)) continue;
    if (known.of(source).sure < wanted_[from]) continue;
    const auto carrier = find_carrier(number, from);
    if (!carrier) continue;
    const std::string seen(interpreter::bytes_at(touch.address), bytes_);
    arrivals_[from][touch.program] = {*carrier, touch.address, time_, access_, seen};
  }
}

/// The carrier among the releases that were learnt together: the program itself, else a program that came after it.
std::optional<std::uint32_t> OrderRun::find_carrier(std::uint32_t number, std::size_t from) const {
  std::optional<std::uint32_t> found;
  while (number != 0) {
    const KeptRelease& release = releases_.at(number);
    const std::uint64_t by = release.access.program;
    if (release.is_proper && by == programs_[from] && release.clock >= wanted_[from]) return number;
    const auto arrival = arrivals_[from].find(by);
    if (release.is_proper && arrival != arrivals_[from].end() && arrival->second.time <= release.time) found = number;
    number = release.before;
  }
  return found;
}

std::vector<OrderEdge> OrderRun::path(std::size_t from) const {
  std::vector<OrderEdge> edges;
  std::uint64_t at = programs_[1 - from];
  while (at != programs_[from]) {
    const auto arrival = arrivals_[from].find(at);
    if (arrival == arrivals_[from].end()) return {};
    const KeptRelease& release = releases_.at(arrival->second.release);
    edges.push_back(
        {release.access, arrival->second.access, arrival->second.address, release.left, arrival->second.seen});
    at = release.access.program;
  }
  std::reverse(edges.begin(), edges.end());
  return edges;
}

void OrderRun::run(Mark end) {
  engine_.replay({}, end, [&] { visit(); }, [&](const Point& point, AccessLanes& lanes) { witness(point, lanes); });
}

// ---- the question ----

class OrderFinder {
 public:
  OrderFinder(Engine& engine, std::uint64_t first, std::uint64_t second) : engine_(engine), programs_{first, second} {}
  ProgramOrder find();

 private:
  void look_again(OrderRun& run);

  Engine& engine_;
  std::array<std::uint64_t, 2> programs_;
  std::vector<bool> is_watched_;
  Mark end_;
  ProgramOrder order_;
};

/// Finds the ways that order the first conflicts, where those are not the first ways.
void OrderFinder::look_again(OrderRun& run) {
  const std::array<std::uint32_t, 2> wanted = run.touches().wanted_clocks();
  for (std::size_t from = 0; from < programs_.size(); ++from) order_.paths[from] = run.path(from);
  if (wanted[0] <= 1 && wanted[1] <= 1) return;
  OrderRun again(engine_, programs_, wanted, is_watched_);
  again.run(end_);
  for (std::size_t from = 0; from < programs_.size(); ++from) {
    if (wanted[from] > 1) order_.paths[from] = again.path(from);
  }
}

ProgramOrder OrderFinder::find() {
  const DebugKernel& kernel = engine_.kernel();
  const sanitizer::RaceFacts facts = sanitizer::race_facts(kernel.module(), kernel.function());
  const sanitizer::CheckOptions options;
  const sanitizer::LaunchContext context{kernel.module(),  kernel.function(), engine_.request(),
                                        kernel.profile(), options,           facts.effects};
  is_watched_ = sanitizer::race_look(context, facts).is_followed;
  order_.has_fences = facts.has_fences;
  const Engine::ReturnMark home = engine_.home();
  end_ = home.is_end ? Mark{~std::uint64_t{0}, 0} : home.mark;
  OrderRun run(engine_, programs_, {1, 1}, is_watched_);
  run.run(end_);
  order_.conflicts = run.touches().conflicts(run.model(), engine_.memory());
  order_.is_truncated = run.touches().is_truncated();
  for (std::size_t side = 0; side < programs_.size(); ++side) order_.accesses[side] = run.touches().count(side);
  look_again(run);
  return std::move(order_);
}

}  // namespace

Expected<ProgramOrder, Problem> find_program_order(Engine& engine, std::uint64_t first, std::uint64_t second) {
  return ask_the_past(engine, [&](Engine::ScopedReplay&) { return OrderFinder(engine, first, second).find(); });
}

}  // namespace lockstep::debugger
