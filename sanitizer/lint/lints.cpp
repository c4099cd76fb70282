// Lints of performance (LSP01 to LSP11), never errors: what the launch's accesses cost in sectors of 32 bytes, which
// lanes idle, which memory is loaded or stored repeatedly, and what the text alone shows (lint_text.h); with --as h100,
// h200 or a100 a roofline (LSP00). Only where asked for by name: `all` does not include them.
#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <vector>

#include "interpreter/scheduler/execution_mode.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/core/checkers.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/core/texts.h"
#include "sanitizer/lint/lint_roofline.h"
#include "sanitizer/lint/lint_text.h"
#include "sanitizer/lint/lint_traffic.h"

namespace lockstep::sanitizer {

using interpreter::TouchKind;

namespace {

constexpr double kFewLanes = 0.25, kHalfLanes = 0.6;
constexpr double kUncoalesced = 0.5, kPartial = 0.9;
constexpr std::uint64_t kManyPrograms = 16, kManyLanes = 64;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f%%", 100 * share);
  return text;
}

std::string numbers(std::uint64_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string sectors_text(const OpTraffic& traffic) {
  return numbers(traffic.sectors, "sector") + " of 32 bytes for " + numbers(traffic.bytes, "byte") + " (" +
         percent(ratio(traffic.bytes, traffic.sectors * kSectorBytes)) + " used)";
}

void lint_sectors(const ir::Op& op, const OpTraffic& traffic, Report& report) {
  const double used = ratio(traffic.bytes, traffic.sectors * kSectorBytes);
  const bool is_short = traffic.bytes < traffic.runs * kSectorBytes;
  const bool is_tile = traffic.active > traffic.executions;
  if (!is_tile || used >= kPartial) return;
  if (is_short && used < kUncoalesced && traffic.runs > traffic.executions) {
    report.add(lint_at(FindingCode::LSP01, "adjacent lanes are not adjacent in memory: " + sectors_text(traffic), op,
                       "let the tile's lanes run along the dimension whose stride is 1"));
  } else if (!is_short) {
    report.add(lint_at(FindingCode::LSP06, "rows begin or end within a sector: " + sectors_text(traffic), op,
                       "make the row pitch and the first columns multiples of 32 bytes"));
  }
}

void lint_lanes(const ir::Op& op, const OpTraffic& traffic, Report& report) {
  const double live = ratio(traffic.active, traffic.lanes);
  if (traffic.executions == 0 || traffic.lanes / traffic.executions < kManyLanes || live >= kHalfLanes) return;
  const std::string lanes =
      percent(live) + " of " + std::to_string(traffic.lanes) + " lanes are on, all programs together";
  if (live < kFewLanes) {
    report.add(
        lint_at(FindingCode::LSP02, "most of the tile is masked off: " + lanes, op, "use a smaller block, or several rows a program"));
  } else {
    report.add(lint_at(FindingCode::LSP05, "the block is much larger than what it holds: " + lanes, op,
                       "use a smaller power of two and a loop, or two blocks of different sizes"));
  }
}

void lint_repeats(const ir::Op& op, const OpTraffic& traffic, Report& report) {
  if (traffic.repeats == 0 || traffic.repeats * 2 < traffic.executions || !is_in_loop(op)) return;
  const std::string again =
      std::to_string(traffic.repeats) + " of " + std::to_string(traffic.executions) + " executions load";
  if (traffic.is_one_each) {
    report.add(
        lint_at(FindingCode::LSP10, again + " the element that the iteration before loaded", op, "load it once, before the loop"));
  } else {
    report.add(
        lint_at(FindingCode::LSP03, again + " the tile that the iteration before loaded", op, "load it once, before the loop"));
  }
}

/// For a store to memory that the kernel does not read: nobody saw the values that it overwrites.
void lint_overwrites(const ir::Op& op, const OpTraffic& traffic, Report& report) {
  if (traffic.repeats == 0 || traffic.repeats * 2 < traffic.executions || !is_in_loop(op)) return;
  report.add(lint_at(FindingCode::LSP11,
                     std::to_string(traffic.repeats) + " of " + std::to_string(traffic.executions) +
                         " executions store over what the iteration before stored, and the kernel never reads it",
                     op, "store once, after the loop"));
}

}  // namespace

struct LintChecker::Counts {
  std::map<const ir::Op*, OpTraffic> traffic;
  std::vector<const ir::Op*> order;
  std::optional<LintRoofline> roofline;
};

LintChecker::LintChecker() = default;
LintChecker::~LintChecker() = default;

Checker::Requirements LintChecker::needs(const LaunchContext&) const {
  Requirements needs;
  needs.steps = true;
  return needs;
}

Checker::Interest LintChecker::wish(const ir::Op& op) const {
  return {interpreter::touches_memory(op) || is_arithmetic(op), false};
}

void LintChecker::begin(const LaunchContext& context) {
  counts_ = std::make_unique<Counts>();
  if (context.options.gpu != nullptr) counts_->roofline.emplace(context);
}

void LintChecker::before(Execution& run) {
  if (!interpreter::touches_memory(run.op())) {
    if (counts_->roofline && !run.is_once()) counts_->roofline->count_arithmetic(flops_of(run));
    return;
  }
  const auto [at, is_new] = counts_->traffic.try_emplace(&run.op());
  if (is_new) counts_->order.push_back(&run.op());
  const std::vector<ByteRun> runs = runs_of(run.lanes());
  count(at->second, run, runs);
  if (counts_->roofline) counts_->roofline->count_access(runs);
}

bool LintChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  if (report.outcome != interpreter::Outcome::completed) return true;
  const auto written = interpreter::written_storages(context.request, context.effects);
  const auto changed = interpreter::changed_storages(context.request, context.effects);
  const auto is_outside = [&](const OpTraffic& traffic, const std::vector<memory_model::StorageId>& storages) {
    const auto storage = context.request.memory->find_storage(traffic.address);
    return storage && std::find(storages.begin(), storages.end(), *storage) == storages.end();
  };
  for (const ir::Op* op : counts_->order) {
    const OpTraffic& traffic = counts_->traffic.at(op);
    lint_sectors(*op, traffic, report.findings);
    lint_lanes(*op, traffic, report.findings);
    const bool is_load = interpreter::touch_kind(*op) == interpreter::TouchKind::load;
    const bool may_repeat = is_load && !interpreter::is_volatile_load(*op) && !interpreter::is_in_open_loop(*op);
    if (may_repeat && is_outside(traffic, written))  // else what was stored in between may be loaded
      lint_repeats(*op, traffic, report.findings);
    const bool is_store = interpreter::touch_kind(*op) == interpreter::TouchKind::store;
    if (is_store && !interpreter::is_in_open_loop(*op) && is_outside(traffic, changed))
      lint_overwrites(*op, traffic, report.findings);
    const bool is_update = ir::does_atomic(*op, ir::MemoryAccess::Atomic::update);
    if (is_update && traffic.is_one_address && traffic.programs >= kManyPrograms) {
      report.findings.add(
          lint_at(FindingCode::LSP07,
                  "all " + std::to_string(traffic.programs) +
                      " programs update one address, one after the other: " + numbers(traffic.active, "update"),
                  *op, "sum within the program first, or spread over several addresses"));
    }
  }
  lint_text(context, report.findings);
  if (counts_->roofline) {
    Finding line = launch_finding(FindingCode::LSP00, counts_->roofline->text(*context.options.gpu), nullptr, "");
    line.location = context.function.location();
    report.findings.add(std::move(line));
  }
  return true;
}

}  // namespace lockstep::sanitizer
