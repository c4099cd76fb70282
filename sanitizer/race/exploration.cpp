#include "sanitizer/race/exploration.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "findings/codes.h"
#include "interpreter/access/access_lanes.h"
#include "interpreter/access/storage_copy.h"
#include "interpreter/batching/effects.h"
#include "interpreter/launch/name_op.h"
#include "interpreter/scheduler/execution_mode.h"
#include "interpreter/scheduler/race_reversal.h"
#include "ir/op_def.h"
#include "ir/walk.h"
#include "memory_model/describe.h"
#include "memory_model/touched.h"
#include "sanitizer/core/storage_bytes.h"
#include "sanitizer/race/race_text.h"
#include "sanitizer/race/reversals.h"

namespace lockstep::sanitizer {

using interpreter::LaunchReport;
using interpreter::RunRequest;
using memory_model::StorageId;
using memory_model::View;

namespace {

using Launcher = std::function<std::optional<LaunchReport>(const RunRequest&)>;

std::uint64_t bits_of(const char* from, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, size);
  return bits;
}

/// The number of floats of one format between two.
std::uint64_t steps_between(std::uint64_t a, std::uint64_t b, std::size_t size) {
  const std::uint64_t sign = std::uint64_t{1} << (size * 8 - 1);
  const auto place = [sign](std::uint64_t bits) {
    return (bits & sign) != 0 ? -static_cast<std::int64_t>(bits & (sign - 1)) : static_cast<std::int64_t>(bits);
  };
  const std::int64_t x = place(a), y = place(b);
  return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
               : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
}

/// Row-major number.
std::uint64_t element_address(const View& view, std::int64_t number) {
  std::int64_t offset = 0;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    offset += number % view.shape[d] * view.strides[d];
    number /= view.shape[d];
  }
  return view.base + static_cast<std::uint64_t>(offset * size_bytes(view.element));
}

/// How an argument's elements differ between orders.
struct Spread {
  std::uint64_t elements = 0, ulps = 0;             // most in one order; largest distance
  std::uint64_t address = 0, first = 0, other = 0;  // of the first element that differs
  std::uint32_t schedule = 0, orders = 0;           // where it does; how many orders differ
};

void compare(const View& view, const StorageBytes& expected, std::uint32_t schedule, Spread& spread) {
  const auto size = static_cast<std::size_t>(size_bytes(view.element));
  std::uint64_t differing = 0;
  for (std::int64_t i = 0; i < view.element_count(); ++i) {
    const std::uint64_t address = element_address(view, i);
    const char* was = expected.at(address);
    if (was == nullptr) continue;
    const std::uint64_t a = bits_of(was, size), b = bits_of(interpreter::bytes_at(address), size);
    if (a == b) continue;
    if (++differing == 1 && spread.orders == 0) {
      spread.address = address;
      spread.first = a;
      spread.other = b;
      spread.schedule = schedule;
    }
    spread.ulps = std::max(spread.ulps, steps_between(a, b, size));
  }
  if (differing != 0) ++spread.orders;
  spread.elements = std::max(spread.elements, differing);
}

bool is_known(const Report& report, const Finding& finding) {
  return std::any_of(report.findings().begin(), report.findings().end(), [&](const Finding& one) {
    return one.code == finding.code && one.location == finding.location && one.op == finding.op &&
           one.argument == finding.argument;
  });
}

/// The op that changes an argument's memory: its first atomic that writes, else its first store; null: unknown.
class WriterSearch {
 public:
  WriterSearch(const LaunchContext& context, std::size_t argument) : context_(context), argument_(argument) {
    visit(context.function);
  }
  const ir::Op* found() const { return atomic_ != nullptr ? atomic_ : store_; }

 private:
  void visit(const ir::Op& op) {
    if (interpreter::touches_memory(op)) look(op);
    for (const auto& region : op.regions()) {
      for (const auto& block : region->blocks()) {
        for (const auto& inner : block->ops()) visit(*inner);
      }
    }
  }
  void look(const ir::Op& op) {
    const RaceAccessKind kind = race_access_kind(op);
    const ir::Op*& place = kind.is_atomic ? atomic_ : store_;
    if (!kind.writes || place != nullptr) return;
    const auto memory = interpreter::memory_of(context_.module, context_.function, *op.operand(0));
    if (memory.arguments.contains(argument_)) place = &op;
  }

  const LaunchContext& context_;
  std::size_t argument_;
  const ir::Op *atomic_ = nullptr, *store_ = nullptr;
};

/// The order with this number, from 1. The highest bit marks directed orders.
std::uint64_t drawn_order(std::uint64_t seed, std::uint32_t number) {
  const std::uint64_t mixed = ((seed << 20) + number) * 0xd1342543de82ef95u & ~interpreter::RaceReversal::kFlag;
  return mixed == 0 ? 1 : mixed;
}

bool acts_in_block(const ir::Op& function) {
  bool found = false;
  ir::walk(function, [&](const ir::Op& op) { found = found || op.def().acts_in_block; });
  return found;
}

class Exploration {
 public:
  Exploration(const LaunchContext& context, const Launcher& launch, const std::function<double()>& time_left)
      : context_(context),
        launch_(launch),
        time_left_(time_left),
        effects_(context.effects),
        storages_(interpreter::written_storages(context.request, effects_)),
        is_async_(acts_in_block(context.function)) {}

  /// Programs of other kernels cannot observe their order, except by a race, which every order shows.
  bool may_show_order() const { return !effects_.atomic.empty() || !effects_.observed.empty(); }

  /// Other orders of asynchronous operations and groups of warps may show more.
  bool has_async_orders() const { return is_async_; }

  /// Copied twice, whole.
  bool has_room() const {
    std::uint64_t bytes = 0;
    for (const StorageId id : storages_) bytes += context_.request.memory->storage(id).extent.bytes();
    const std::uint64_t given = context_.request.limits.max_memory_bytes, free = memory_model::available_memory();
    return (given == 0 || 2 * bytes <= given) && (free == 0 || 2 * bytes <= free);
  }

  std::optional<LaunchReport> run() {
    if (!has_room()) {
      LaunchReport report;
      report.outcome = interpreter::Outcome::out_of_memory;
      return report;
    }
    const StorageBytes before(*context_.request.memory, storages_);
    auto report = launch_(context_.request);
    if (!report || report->rolled_back || report->outcome != interpreter::Outcome::completed) return report;
    const StorageBytes result(*context_.request.memory, storages_);
    if (may_show_order()) find_pairs(before);
    std::vector<Spread> spreads(context_.request.arguments.size());
    for (std::uint32_t i = 1; i < context_.options.schedules; ++i) {
      before.put_back();
      RunRequest request = context_.request;
      set_order(i, request);
      request.print = [](const std::string&) {};  // the first order has printed
      const auto other = launch_(request);
      if (!other) return std::nullopt;
      if (is_over(other->outcome)) {
        report->outcome = other->outcome;
        break;
      }
      ++report->schedules;
      report->seconds += other->seconds;
      report->looked.ranges |= other->looked.ranges;
      report->looked.steps |= other->looked.steps;
      take_findings(*other, i, *report);
      if (other->outcome == interpreter::Outcome::completed) compare_results(result, i, spreads);
    }
    result.put_back();
    for (std::size_t i = 0; i < spreads.size(); ++i) {
      if (spreads[i].orders != 0) report->findings.add(finding_of(i, spreads[i], report->schedules));
    }
    report->findings.sort();
    return report;
  }

  /// Order `number` alone.
  std::optional<LaunchReport> run_one(std::uint32_t number) {
    RunRequest request = context_.request;
    find_order(number);
    set_order(number, request);
    return launch_(request);
  }

  std::uint64_t find_order(std::uint32_t number) {
    if (may_show_order() && number % 2 == 1) find_pairs(StorageBytes(*context_.request.memory, storages_));
    return order(number);
  }

 private:
  /// Odd numbers reverse a pair of atomics while such pairs remain; the others are random.
  std::uint64_t order(std::uint32_t number) const {
    const std::size_t pair = number / 2;
    if (number % 2 == 1 && pair < reversals_.size()) return reversals_[pair];
    return drawn_order(context_.options.schedule_seed, number);
  }

  /// Odd numbers turn one event of each program's block round, the others are random: operations there, too.
  void set_order(std::uint32_t number, RunRequest& request) const {
    if (may_show_order() || !is_async_) request.schedule = order(number);
    if (!is_async_) return;
    request.async_order = number % 2 == 1 ? interpreter::AsyncOrder::late : interpreter::AsyncOrder::random;
    request.async_seed = number / 2 + (number % 2 == 1 ? 1 : context_.options.schedule_seed);
  }

  /// Puts memory back.
  void find_pairs(const StorageBytes& before) {
    before.put_back();
    reversals_ = find_reversals(context_, time_left_());
    before.put_back();
  }

  static bool is_over(interpreter::Outcome outcome) {
    return outcome != interpreter::Outcome::completed && outcome != interpreter::Outcome::deadlocked;
  }

  void take_findings(const LaunchReport& from, std::uint32_t schedule, LaunchReport& report) const {
    for (const Finding& finding : from.findings.findings()) {
      if (is_known(report.findings, finding)) continue;
      Finding made = finding;
      const std::string first = may_show_order() ? "not in the grid's order of programs; "
                                                 : "not in the first order of asynchronous operations; ";
      made.notes.push_back({first + way_to_see(schedule), {}});
      report.findings.add(std::move(made));
    }
  }

  /// `lockstep run`, `debug` and Python's launches all take these options.
  std::string way_to_see(std::uint32_t schedule) const {
    if (!may_show_order()) {
      RunRequest request;
      set_order(schedule, request);
      const bool is_late = request.async_order == interpreter::AsyncOrder::late;
      return "to see it again, or step through it: --async-order " + std::string(is_late ? "late" : "random") +
             " --async-seed " + std::to_string(request.async_seed);
    }
    std::string again = "to see it again, or step through it: --schedule " + std::to_string(schedule);
    if (context_.options.schedule_seed != 0)
      again += " --schedule-seed " + std::to_string(context_.options.schedule_seed);
    return again;
  }

  bool is_compared(std::size_t argument) const {
    const interpreter::Argument& given = context_.request.arguments[argument];
    if (given.kind == interpreter::Argument::Kind::scalar) return false;
    const auto& memory = *context_.request.memory;
    const StorageId storage = memory.storage(memory.view(given.view).storage).id;
    return std::find(storages_.begin(), storages_.end(), storage) != storages_.end();
  }

  void compare_results(const StorageBytes& expected, std::uint32_t schedule, std::vector<Spread>& spreads) const {
    for (std::size_t i = 0; i < spreads.size(); ++i) {
      if (is_compared(i))
        compare(context_.request.memory->view(context_.request.arguments[i].view), expected, schedule, spreads[i]);
    }
  }

  Finding finding_of(std::size_t argument, const Spread& spread, std::uint32_t schedules) const {
    const View& view = context_.request.memory->view(context_.request.arguments[argument].view);
    Finding made;
    made.code = FindingCode::LS310;
    made.tier = row_of(FindingCode::LS310).tier;
    made.argument = view.name;
    made.count = spread.elements;
    if (const ir::Op* writer = WriterSearch(context_, argument).found(); writer != nullptr) {
      made.location = writer->location();
      interpreter::name_op(made, *writer);
    }
    const std::string what = may_show_order() ? "programs" : "asynchronous operations";
    made.message = "result depends on the order of " + what + ": " + memory_model::element_text(view, spread.address) +
                   " is " + race_value(view.element, spread.first) +
                   (may_show_order() ? " in the grid's order, " : " in the first order, ") +
                   race_value(view.element, spread.other) + " in schedule " + std::to_string(spread.schedule);
    if (is_float(view.element)) made.message += "; at most " + std::to_string(spread.ulps) + " ulp apart";
    made.message += ", over " + std::to_string(schedules) + " schedules";
    made.notes.push_back({way_to_see(spread.schedule), {}});
    made.hint = "where every run must give the same bytes, store partial sums and add them in a second launch";
    return made;
  }

  const LaunchContext& context_;
  const Launcher& launch_;
  const std::function<double()>& time_left_;
  std::vector<std::uint64_t> reversals_;
  interpreter::MemoryEffects effects_;
  std::vector<StorageId> storages_;
  bool is_async_ = false;
};

}  // namespace

std::optional<LaunchReport> launch_schedules(const LaunchContext& context, const Launcher& launch,
                                             const std::function<double()>& time_left) {
  const CheckOptions& options = context.options;
  if (options.schedules <= 1 && options.only_schedule == 0) return launch(context.request);
  Exploration exploration(context, launch, time_left);
  if (options.only_schedule != 0) return exploration.run_one(options.only_schedule);
  return exploration.may_show_order() || exploration.has_async_orders() ? exploration.run() : launch(context.request);
}

std::uint64_t chosen_schedule(const LaunchContext& context) {
  if (context.options.only_schedule == 0) return 0;
  const Launcher none;
  const std::function<double()> any_time = [] { return 0.0; };
  return Exploration(context, none, any_time).find_order(context.options.only_schedule);
}

}  // namespace lockstep::sanitizer
